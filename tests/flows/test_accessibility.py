"""The accessibility statement: it has every criterion, names tests that are there, and those whom it is for find it."""

import ast
import re
from pathlib import Path

import pytest
from django.test import Client

from tests.support.factories import EDIT, link_of, make_campaign

ROOT = Path(__file__).resolve().parents[2]
STATEMENT = (ROOT / "docs" / "accessibility.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"\d[\d.]+")
A = NUMBER.findall("""
    1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 2.4.4
    2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2
""")
AA = NUMBER.findall("""
    1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8 3.1.2
    3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3
""")
ROW = re.compile(r"^- \*\*((?:[\d.]+(?:, )?)+) [^*]+\*\* \((AA?(?: and AA)?)\): (\w+)", re.MULTILINE)
STANDS = {"met", "partly", "not"}  # "not applicable"


def rows() -> list[tuple[list[str], str, str]]:
    """The criteria of each row, their levels and how they stand."""
    return [(numbers.split(", "), levels, stands) for numbers, levels, stands in ROW.findall(STATEMENT)]


def test_every_criterion_is_there_once_in_its_order_and_with_its_level() -> None:
    named = [number for numbers, _levels, _stands in rows() for number in numbers]
    assert (len(A), len(AA)) == (31, 24)
    assert named == sorted([*A, *AA], key=lambda number: [int(part) for part in number.split(".")])
    for numbers, levels, stands in rows():
        assert levels == " and ".join(level for level, all_of in (("A", A), ("AA", AA)) if {*numbers} & {*all_of})
        assert stands in STANDS


def test_what_is_partly_met_is_listed_as_not_conforming() -> None:
    faults = STATEMENT.partition("## What is known not to conform")[2].partition("\n## ")[0]
    partly = [number for numbers, _levels, stands in rows() if stands == "partly" for number in numbers]
    assert re.findall(r"^- \*\*([\d.]+)\*\*", faults, re.MULTILINE) == partly


def test_every_test_that_it_names_is_there() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.glob("tests/browser/**/test_*.py")]
    tests = {each.name for tree in trees for each in tree.body if isinstance(each, ast.FunctionDef)}
    named = set(re.findall(r"`(test_\w+)`", STATEMENT))
    assert len(named) > 10
    assert named - tests == set()


@pytest.mark.django_db
def test_participants_find_it_before_they_consent_and_staff_beside_the_login(client: Client) -> None:
    campaign = make_campaign(sources=1, page_language="de")
    page = client.get(f"/join/{link_of(campaign, EDIT).token}/?participant=ann", follow=True).content.decode()
    assert '<a href="/accessibility/" hreflang="en">Barrierefreiheit</a>' in page
    assert '<a href="/accessibility/">Accessibility</a>' in client.get("/login/").content.decode()


@pytest.mark.django_db
def test_the_page_shows_all_of_it_and_asks_nobody_to_log_in(client: Client) -> None:
    page = client.get("/accessibility/").content.decode()
    for number in (*A, *AA):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.])", page)
    assert "/login/" not in page
