"""Files of TOML that people write: what they hold, or a line that says why that is unknown."""

import tomllib
from pathlib import Path
from typing import Any

MOST_BYTES = 4 << 20


class TomlError(Exception):
    """The file cannot be read; the text names it and says why."""


def read_toml(path: Path) -> dict[str, Any]:
    """What a file holds. Raises TomlError."""
    try:
        with path.open("rb") as file:
            found = file.read(MOST_BYTES + 1)
        if len(found) <= MOST_BYTES:
            return tomllib.loads(found.decode())
        why = f"it is longer than {MOST_BYTES >> 20} MiB"
    except OSError as error:
        why = error.strerror or str(error)
    except UnicodeDecodeError as error:
        why = f"not UTF-8 at byte {error.start}"
    except ValueError as error:
        why = str(error)
    except RecursionError:
        why = "its values are nested too deep"
    raise TomlError(f"{path} cannot be read: {why}")
