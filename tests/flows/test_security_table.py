"""docs/security.md: each row of its table names tests that are there, and has a protection to take away."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))

from safety_mutants import SAFETY_MUTANTS  # noqa: E402

ROWS = 35
_ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
_TESTS = re.compile(r"^(\d+)\. (.+)\n((?: +- `.+`\n)*)", re.MULTILINE)
_TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


def table() -> dict[int, list[tuple[str, str]]]:
    """The tests that are named for each row of the table, as file and function."""
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    tests = {(number, risk): named for number, risk, named in _TESTS.findall(text)}
    return {int(number): _TEST.findall(tests[number, risk]) for number, risk in _ROW.findall(text)}


@cache
def functions(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_every_row_is_there_once_and_names_a_test() -> None:
    assert list(table()) == list(range(1, ROWS + 1))
    assert [number for number, tests in table().items() if not tests] == []


@pytest.mark.parametrize(("file", "name"), sorted({test for tests in table().values() for test in tests}))
def test_a_named_test_is_there(file: str, name: str) -> None:
    assert name in functions(ROOT / file)


@pytest.mark.parametrize("number", range(1, ROWS + 1))
def test_a_protection_of_the_row_can_be_taken_away(number: int) -> None:
    """`make mutants ARGS="--area safety"` takes them away and sees whether the tests named there fail."""
    for mutant in SAFETY_MUTANTS[number]:
        file, _, name = mutant.first.partition("::")
        assert (file, name) in table()[number] or (not name and file in {each for each, _ in table()[number]})


def test_the_test_names_each_file_that_it_could_miss() -> None:
    assert functions(Path(__file__)) >= {"table", "test_a_named_test_is_there"}
    assert "test_that_was_renamed" not in functions(Path(__file__))
