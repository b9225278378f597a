"""`python -m checker` is `malachi-model`."""

from checker.commands.entry import main

main()
