"""Whatever may behave otherwise on PostgreSQL is tested on both databases by `make test`."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.choosing import BOTH_DATABASES, ON_POSTGRESQL, SECOND_TIER, has
from tests.support.rooms import ROOT, product_files

DIFFERS = re.compile(r"connection\.vendor|cursor\.execute|select_for_update|RunSQL")


def product() -> dict[str, Path]:
    """The files of the app by the names of their modules."""
    return {module_name(file): file for file in product_files()}


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found


def modules_of_tests_on_both() -> list[Path]:
    modules = [*ROOT.glob("*/**/tests/**/test_*.py"), *(ROOT / "tests").rglob("test_*.py")]
    return [
        file
        for file in modules
        if file.relative_to(ROOT).as_posix().startswith(BOTH_DATABASES) or has(file, ON_POSTGRESQL)
    ]


def test_every_module_that_speaks_to_one_database_in_its_own_way_is_tested_on_both() -> None:
    files, tests = product(), modules_of_tests_on_both()
    differing = {name for name, file in files.items() if has(file, DIFFERS)}
    assert len(differing) > 40
    used = {name for test in tests for name in imports(test) if name in files}
    for _ in range(2):  # a test calls a service, and what that stands on
        used |= {name for each in used for name in imports(files[each]) if name in files}
    by_name = {name for name in files if any(test.stem == f"test_{name.rpartition('.')[2]}" for test in tests)}
    assert sorted(differing - used - by_name) == []


@pytest.mark.parametrize("place", SECOND_TIER)
def test_what_is_left_to_the_second_tier_is_there(place: str) -> None:
    file, _, test = place.partition("::")
    assert (ROOT / file).exists()
    assert not test or f"def {test.partition('[')[0]}" in (ROOT / file).read_text(encoding="utf-8")
