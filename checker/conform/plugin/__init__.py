"""The pytest plugin: scenarios as items. It does nothing until it is asked.

PYTEST_DONT_REWRITE: no assertion here is one of a test.

It is brought in by `-p checker.conform.plugin`, and by nothing else: an entry point would make
pytest rewrite the assertions of whoever only has the distribution installed. What judges is loaded
only in a run that names an adapter, or the configuration file of one.
"""

import pytest

JUDGING = "checker.conform.plugin.judging"
CONFIG = "malachi-conform.toml"
"""A file of this name is collected where it is named on the command line."""
GROUP = "conformance of a broker (malachi-model)"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The adapter, and its configuration: each as an option, and as a line of the ini file."""
    group = parser.getgroup("malachi-conform", GROUP)
    group.addoption(
        "--conform-adapter",
        metavar="COMMAND",
        help="judge the broker behind this adapter: each scenario is an item",
    )
    group.addoption(
        "--conform-config",
        metavar="FILE",
        help=f"take adapter, profiles, level and known failures from FILE [{CONFIG}]",
    )
    parser.addini("conform_adapter", "the command that starts an adapter; see --conform-adapter")
    parser.addini("conform_config", "the configuration of an adapter; see --conform-config")


def pytest_configure(config: pytest.Config) -> None:
    """Bring in what judges, if this run is about an adapter."""
    if is_asked(config):
        config.pluginmanager.import_plugin(JUDGING)


def is_asked(config: pytest.Config) -> bool:
    """Whether an option, the ini file or an argument names an adapter."""
    named = (
        config.getoption("conform_adapter"),
        config.getoption("conform_config"),
        config.getini("conform_adapter"),
        config.getini("conform_config"),
        *(each for each in config.args if each.partition("::")[0].endswith(CONFIG)),
    )
    return any(named)
