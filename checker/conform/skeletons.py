"""What `conform init` writes: an adapter with marked places, and a configuration file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType

BROKER = "# ---- broker "
"""Where the protocol ends in the sample, and the broker begins."""
CONFIG = "malachi-conform.toml"
ELIXIR = ("elixir", "--erl", "-noinput", "-pa", "_build/dev/lib/*/ebin", "adapter.exs")
"""Where a checkout lies that was compiled as its build tool does."""
FIRST = 'profiles = ["core"]\nlevel = "L1"\nwalks = 0\n'
"""What is asked of a broker whose calls are filled in one after the other."""
FULL = "# FILL IN, where it is another: the place of the compiled modules, after -pa.\nwalks = 3\n"
SLOW = "start_ms = 120_000\n"
"""What is compiled when it starts may take its time on a busy machine."""
"""What is asked of a broker that is whole."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The adapter of one language."""

    file: str
    program: tuple[str, ...]
    """How it is started where it lies."""
    text: Callable[[], str]
    asked: str = FIRST
    """What a run asks of it, as the configuration says it."""


def shipped(name: str) -> str:
    """A file that ships."""
    return files("checker.conform.adapters").joinpath(name).read_text("utf-8")


def in_python() -> str:
    """The protocol of the sample, and marked places for the broker."""
    protocol, _, _ = shipped("sample.py").partition(BROKER)
    _, _, rest = protocol.partition('"""\n\n')
    protocol = rest.replace("import zlib\n", "").rstrip()
    title = '"""A broker behind protocol 1: fill in the marked places."""'
    return f"{title}\n\n{protocol}\n\n\n{shipped('skeleton.py.txt')}"


SKELETONS: Mapping[str, Skeleton] = MappingProxyType(
    {
        "python": Skeleton("adapter.py", ("python3", "adapter.py"), in_python),
        "javascript": Skeleton(
            "adapter.js", ("node", "adapter.js"), lambda: shipped("skeleton.js")
        ),
        "go": Skeleton(
            "adapter.go",
            ("go", "run", "adapter.go"),
            lambda: shipped("skeleton.go.txt"),
            FIRST + SLOW,
        ),
        "elixir-port": Skeleton(
            "adapter.exs", ("elixir", "adapter.exs"), lambda: shipped("skeleton.exs"), FIRST + SLOW
        ),
        "elixir": Skeleton("adapter.exs", ELIXIR, lambda: shipped("malachi.exs"), FULL + SLOW),
    }
)


def configuration(skeleton: Skeleton) -> str:
    """The configuration that starts the adapter."""
    program = ", ".join(f'"{part}"' for part in skeleton.program)
    return f"program = [{program}]\n{skeleton.asked}"
