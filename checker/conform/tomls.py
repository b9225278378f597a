"""Files of TOML that people write: what they hold, or a line that says why that is unknown."""

import tomllib
from pathlib import Path
from typing import Any


class TomlError(Exception):
    """The file cannot be read; the text names it and says why."""


def read_toml(path: Path) -> dict[str, Any]:
    """What a file holds. Raises TomlError."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        why = error.strerror or str(error)
    except ValueError as error:
        why = str(error)
    except RecursionError:
        why = "its values are nested too deep"
    raise TomlError(f"{path} cannot be read: {why}")
