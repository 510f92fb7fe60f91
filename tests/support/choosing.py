"""How tests are chosen, seeded and spread over processes, and what a failure says about running it alone.

A plugin of pytest that the outermost conftest.py loads.
"""

import random
import re
import shlex
from collections.abc import Generator

import pytest
from hypothesis import is_hypothesis_test

HUNT = "hunt"
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}
RACES = "races"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("precis")
    group.addoption(
        "--leave-out",
        choices=("browser", "databaseless", "undrawn"),
        action="append",
        default=[],
        help="browser: all in a browser but for one of each kind of page; databaseless: what needs no database; "
        "undrawn: what is the same whatever the seed",
    )
    group.addoption("--seed", type=int, default=0, help="the number from which the seeds of tests are counted")
    group.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in an order drawn from this number")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """What a test draws from: the same in each `make test`, another in each `make hunt`.

    A test that wants several is given their numbers: `parametrize("seed", range(3), indirect=True)`.
    """
    number: int = request.config.getoption("--seed") + getattr(request, "param", 0)
    return number


# Which tests run, and in which process


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if needs_database(item):
            item.add_marker("database")
        if config.pluginmanager.hasplugin("xdist") and (group := group_of(item)):
            item.add_marker(pytest.mark.xdist_group(group))
        item.user_properties.append(("kind", kind_of(item)))
    left_out = [item for item in items if is_left_out(item, config.getoption("--leave-out"))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]
    if (drawn_from := config.getoption("--shuffle")) is not None:
        items[:] = shuffled(items, random.Random(drawn_from))


def needs_database(item: pytest.Item) -> bool:
    return bool(item.get_closest_marker("django_db") or DATABASE_FIXTURES & fixtures_of(item).keys())


def kind_of(item: pytest.Item) -> str:
    """Under which of the counts a run of all tests ends with."""
    if item.get_closest_marker("browser"):
        return "browser"
    return "database" if item.get_closest_marker("database") else "databaseless"


def is_left_out(item: pytest.Item, kinds: list[str]) -> bool:
    if "undrawn" in kinds and not draws(item):
        return True
    return kind_of(item) in kinds and not item.get_closest_marker("smoke")


def draws(item: pytest.Item) -> bool:
    by_hypothesis = is_hypothesis_test(getattr(item, "obj", None)) or item.get_closest_marker("hypothesis")
    return bool(by_hypothesis) or "seed" in fixtures_of(item)


def fixtures_of(item: pytest.Item) -> dict[str, str]:
    """The scope of each fixture that a test is given, by name."""
    known = getattr(item, "_fixtureinfo", None)  # pytest shows the names elsewhere, the scopes only here
    return {name: defined[-1].scope for name, defined in known.name2fixturedefs.items() if defined} if known else {}


def group_of(item: pytest.Item) -> str | None:
    """The tests of a group run in one process, one after another; others wherever there is room.

    Races have their moments for themselves, and what a module has built once is built in one process only.
    """
    if item.get_closest_marker("postgresql"):
        return RACES
    return module_of(item) if "module" in fixtures_of(item).values() else None


def module_of(item: pytest.Item) -> str:
    return item.nodeid.split("::", maxsplit=1)[0]


def shuffled(items: list[pytest.Item], rng: random.Random) -> list[pytest.Item]:
    """Another order of modules, and another within each."""
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(module_of(item), []).append(item)
    order = list(modules.values())
    rng.shuffle(order)
    for each in order:
        rng.shuffle(each)
    return [item for each in order for item in each]


# What a failure says


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        report.sections.append(("Run it alone", alone(item)))
    return report


def alone(item: pytest.Item) -> str:
    """The command that runs one test as it was run here."""
    name = re.sub(r"@[^@]*$", "", item.nodeid) if item.get_closest_marker("xdist_group") else item.nodeid
    target = HUNT if item.config.getoption("--hypothesis-profile") == HUNT else "test"
    seed = item.config.getoption("--seed")
    return make(target, f"--seed={seed} {shlex.quote(name)}" if seed or target == HUNT else shlex.quote(name))


def make(target: str, arguments: str) -> str:
    """A call of make for the shell; make wants a dollar doubled."""
    quoted = re.sub(r'(["\\`$])', r"\\\1", arguments.replace("$", "$$"))
    return f'make {target} ARGS="{quoted}"'
