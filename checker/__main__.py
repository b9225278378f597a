"""`python -m checker` is `malachi-model`."""

from checker.commands.main import main

main()
