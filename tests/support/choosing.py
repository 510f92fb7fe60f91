"""How tests are chosen, seeded and spread over processes, and what a failure says about running it alone.

A plugin of pytest that the outermost conftest.py loads.

There are three tiers. The first, `make test`, is what a change needs: on PostgreSQL what may behave otherwise there
(`both_databases`) and a walk of each kind in a browser, the rest on SQLite; of what takes long, a few (`smoke`). The
second, `make test-all`, has all that takes long as well, but for the other walks in a browser. The third is all tests,
whatever has a database on both, and all walks on PostgreSQL; it comes before a version.
"""

import argparse
import random
import re
import shlex
from collections.abc import Generator
from pathlib import Path

import pytest
from django.db import connection
from hypothesis import is_hypothesis_test

HUNT = "hunt"
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}
RACES = "races"
IN_A_BROWSER = "tests/browser/"
# What takes long, by place; single tests that do so, such as those with several processes, are marked `slow`. Of walks
# through all addresses, jobs or kinds of bodies, the first tier has those of a few roles.
ALL_ROLES = "tests/flows/test_access.py::test_every_role_sees_and_does_what_it_may_and_nothing_else"
ALL_ROLES_OF_THE_API = "tests/flows/test_api_access.py::test_every_role_gets_what_it_may_and_nothing_else"
SECOND_TIER = (
    IN_A_BROWSER,
    "tests/front/",
    "tests/recovery/",
    "tests/upgrade/",
    "tests/flows/test_backup_refusals.py",
    "tests/flows/test_body_costs.py",
    "tests/flows/test_bucket.py",
    "tests/flows/test_documented_commands.py",
    "tests/flows/test_evaluation_example.py",
    "tests/flows/test_every_download.py",
    "tests/flows/test_framing.py",
    "tests/flows/test_grown_campaign.py",
    "tests/flows/test_judgements_example.py",
    "tests/flows/test_no_fetching.py",
    "tests/flows/test_path_cost.py",
    "tests/flows/test_stale_jobs.py",
    "tests/flows/test_stopping.py",
    "tests/flows/test_api_schema.py::test_whatever_",
    "tests/flows/test_security.py::test_every_answer_forbids_what_the_page_does_not_need",
    f"{ALL_ROLES}[post-",
    *(f"{ALL_ROLES_OF_THE_API}[{role}" for role in ("administrator", "expert", "manager", "staff")),
    "annotation/tests/test_body_limits.py::test_no_address_reads_more_than_it_accepts",
    "annotation/tests/test_settings.py",
    "common/tests/test_private_files.py",
    "dashboard/campaign_files/tests/test_round_trip.py::test_a_campaign_of_a_file_has_the_same_file",
    "dashboard/simulation/tests/test_demo.py::test_it_is_loaded_once_with_everything_a_visitor_wants_to_see",
    "measures/meta_evaluation/tests/test_resampled_pairs.py::test_the_smallest_difference_by_plain_loops",
    "measures/quality_control/tests/test_attention_beside_others.py::test_how_often_raters_are_flagged",
    "measures/text/tests/test_word_rules.py::test_every_language_of_spacy_is_judged_as_spacy_does",
    "systems/programs/tests/test_systems.py::test_odd_texts_are_compressed_by_the_rule_or_not_at_all",
)
BOTH_DATABASES = ("tests/concurrency/", "tests/stateful/")
SLOW_ON_BOTH = ("tests/recovery/", "tests/upgrade/", "tests/flows/test_documented_commands.py")
SMOKE = re.compile(r"mark\.smoke")
ON_POSTGRESQL = re.compile(r"mark\.(both_databases|postgresql|smoke)")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("precis")
    tiers = "1: what a change needs; 2: what takes long, too; 3: all tests, on both databases"
    group.addoption("--tier", type=int, choices=(1, 2, 3), help=tiers)
    group.addoption(
        "--shared",
        action="store_true",
        help="another run takes the other database: tests in a browser run on PostgreSQL, but for one of each kind of "
        "page, and those that need no database on SQLite",
    )
    group.addoption("--drawn", action="store_true", help="only tests that draw, which another seed makes differ")
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


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread in which nothing is chosen: reading all of them takes each process half a minute."""
    if not config.option.shared or collection_path.suffix != ".py":
        return None
    place = collection_path.relative_to(config.rootpath).as_posix()
    return None if may_hold_chosen(collection_path, place, config.option.tier) else True


def may_hold_chosen(file: Path, place: str, tier: int | None) -> bool:
    if connection.vendor == "postgresql":
        is_test = file.name.startswith("test_")  # examples in docstrings need no database
        if tier not in {1, 2}:
            return is_test
        on_both = BOTH_DATABASES if tier == 1 else (*BOTH_DATABASES, *SLOW_ON_BOTH)
        return is_test and (place.startswith(on_both) or has(file, ON_POSTGRESQL))
    if tier == 1:
        return not place.startswith(SECOND_TIER) or has(file, SMOKE)
    return tier is None or not place.startswith(IN_A_BROWSER) or has(file, SMOKE)


def has(file: Path, words: re.Pattern[str]) -> bool:
    return bool(words.search(file.read_text(encoding="utf-8")))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(IN_A_BROWSER):
            item.add_marker("browser")
            item.add_marker(pytest.mark.django_db(transaction=True))  # the server of a test has its own connections
        if needs_database(item):
            item.add_marker("database")
        if item.nodeid.startswith((*BOTH_DATABASES, *SLOW_ON_BOTH)) or item.get_closest_marker("postgresql"):
            item.add_marker("both_databases")
        if config.pluginmanager.hasplugin("xdist") and (group := group_of(item)):
            item.add_marker(pytest.mark.xdist_group(group))
        item.user_properties.append(("kind", kind_of(item)))
    left_out = {item for item in items if not is_chosen(item, config.option)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    if (drawn_from := config.getoption("--shuffle")) is not None:
        items[:] = shuffled(items, random.Random(drawn_from))


def is_chosen(item: pytest.Item, options: argparse.Namespace) -> bool:
    if options.drawn and not draws(item):
        return False
    if options.shared and not runs_on(connection.vendor, item, options.tier):
        return False
    return options.tier != 1 or is_of_first(item, options)


def runs_on(vendor: str, item: pytest.Item, tier: int | None) -> bool:
    """Whether a test runs on a database where both are there."""
    kind, is_postgresql = kind_of(item), vendor == "postgresql"
    if kind == "databaseless":
        return not is_postgresql
    if tier != 2 or item.get_closest_marker("both_databases"):
        return is_postgresql or kind == "database" or is_smoke(item)
    return is_smoke(item) and is_postgresql if kind == "browser" else not is_postgresql


def is_of_first(item: pytest.Item, options: argparse.Namespace) -> bool:
    is_slow = item.nodeid.startswith(SECOND_TIER) or item.get_closest_marker("slow")
    if is_slow and not is_smoke(item):
        return False
    if not options.shared:
        return True
    if connection.vendor == "postgresql":
        return kind_of(item) == "browser" or bool(item.get_closest_marker("both_databases"))
    return kind_of(item) != "browser"


def is_smoke(item: pytest.Item) -> bool:
    return bool(item.get_closest_marker("smoke"))


def needs_database(item: pytest.Item) -> bool:
    return bool(item.get_closest_marker("django_db") or DATABASE_FIXTURES & fixtures_of(item).keys())


def kind_of(item: pytest.Item) -> str:
    """Under which of the counts a run of all tests ends with."""
    if item.get_closest_marker("browser"):
        return "browser"
    return "database" if item.get_closest_marker("database") else "databaseless"


def draws(item: pytest.Item) -> bool:
    return draws_examples(item) or "seed" in fixtures_of(item)


def draws_examples(item: pytest.Item) -> bool:
    """Whether a test draws fewer examples in the first tier than in the second."""
    return is_hypothesis_test(getattr(item, "obj", None)) or bool(item.get_closest_marker("hypothesis"))


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
