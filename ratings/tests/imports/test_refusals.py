"""What a file may not say: each line is refused with its number and the reason, the others are imported."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common.errors import Refused
from compressions.readers import BadLine
from crowd.models import Campaign
from ratings import rating_files
from ratings.models import ImportPool, ModelRating, Rating, RatingImport
from ratings.rating_files import FileRating, rating_lines
from ratings.services import rating_imports
from ratings.tests.imports.files import as_jsonl, counts, imported, line, output, with_outputs
from tests.support.factories import make_campaign

pytestmark = pytest.mark.django_db

PEOPLE = {
    "no id of a source": {"id": ""},
    "neither a text nor a system": {"system": " "},
    "the campaign has no source 'x\\x00'": {"id": "x\0"},
    "the campaign has no system 'Gamma'": {"system": "Gamma"},
    "the source has no such text": {"system": "", "text": "Nobody wrote this."},
    "the system’s output for this source is another text": {"text": "Nobody wrote this."},
    "there is no scale or column 'fluency'; there are id, text, system, rater, meaning, grammar.": {"fluency": 3},
    "grammar: no point": {"grammar": None},
    "meaning: 2.5 is not one of the points 1, 2, 3": {"meaning": 2.5},
    "meaning: 4 is not one of the points 1, 2, 3": {"meaning": 4},
    "meaning: 0 is not one of the points 1, 2, 3": {"meaning": 0},
    "meaning: '2,0' is not one of the points 1, 2, 3": {"meaning": "2,0"},
    "meaning: 'nan' is not one of the points 1, 2, 3": {"meaning": "nan"},
    "meaning: '٣' is not one of the points 1, 2, 3": {"meaning": "٣"},
    "meaning: True is not one of the points 1, 2, 3": {"meaning": True},
    "meaning: [3] is not one of the points 1, 2, 3": {"meaning": [3]},
    "'rater' is not a string": {"rater": {"name": "ann"}},
    "'id' is not a string": {"id": 1.5},
    "the rater’s name has 41 characters, at most 40 allowed": {"rater": "a" * 41},
    r"a rater’s name has no control characters and none of / \ ; |": {"rater": "a;b"},
    "U+0000 control character at character 2 of the text": {"system": "", "text": "a\0b"},
    "the text: 60,000 characters, at most 50,000 are read": {"system": "", "text": "a" * 60_000},
}
MODELS = {
    "no rater: the name of the model": {"rater": " "},
    "no number on any scale": {"meaning": None, "grammar": ""},
    "meaning: 3.01 is not a number from 1 to 3": {"meaning": 3.01},
    "meaning: nan is not a number from 1 to 3": {"meaning": float("nan")},
    "meaning: inf is not a number from 1 to 3": {"meaning": float("inf")},
    f"meaning: {'9' * 40} is not a number from 1 to 3": {"meaning": 10**50 - 1},
    f"meaning: '{'1' * 40}' is not a number from 1 to 3": {"meaning": "1" * 5000},
    "the rater’s name has 61 characters, at most 60 allowed": {"rater": "a" * 61},
    r"a rater’s name has no control characters and none of / \ ; |": {"rater": "a\0"},
}


@pytest.mark.parametrize(
    ("pool", "reason", "changed"),
    [
        *(("crowd", reason, changed) for reason, changed in PEOPLE.items()),
        *(("model", reason, changed) for reason, changed in MODELS.items()),
    ],
)
def test_a_line_is_refused_with_its_number_and_the_reason(pool: str, reason: str, changed: Mapping[str, Any]) -> None:
    campaign = with_outputs()

    record = imported(campaign, [line(), {**line("Beta"), **changed}, line("Beta", 2)], pool)

    assert record.problems == [[2, reason]]
    assert counts(record) == (2, 0, 1)


def test_unreadable_lines_are_refused_one_by_one() -> None:
    campaign = with_outputs()
    content = b"\n".join(
        [
            b"\xef\xbb\xbf" + json.dumps(line()).encode(),
            b"{",
            b"[]",
            b'"\xff"',
            b"",
            b"[" * 90_000,
            b'{"id": 1' * 200_000,
        ]
    )

    record = imported(campaign, content)

    assert [number for number, _ in record.problems] == [2, 3, 4, 6, 7]
    assert record.added == 1


def test_rows_of_a_table_that_cannot_be_read_are_refused_one_by_one() -> None:
    campaign = with_outputs()
    content = b"id,system,rater,meaning,grammar\n1,Alpha,ann,3,3\n1,Beta\n2,Alpha,\xff,3,3\n2,Beta,ann,3,\n"

    record = imported(campaign, content, name="a.csv")

    assert [number for number, _ in record.problems] == [3, 4, 5]
    assert record.added == 1


@pytest.mark.parametrize(
    ("header", "pool", "reason"),
    [
        (b"id,system,rater,meaning", "crowd", "no column named grammar"),
        (b"id,system,meaning", "model", "no column named rater"),
        (b"id,system,rater,meaning,meaning", "model", "the column meaning appears twice"),
        (b"id,system,rater,meaning,fluency", "model", "line 1: there is no scale or column 'fluency'"),
        (b"id;system;rater;meaning;grammar", "crowd", "the fields are separated by semicolons"),
        (b'"', "model", "no readable first line"),
    ],
)
def test_a_table_without_the_columns_is_refused_as_a_whole(header: bytes, pool: str, reason: str) -> None:
    campaign = with_outputs()

    with pytest.raises(Refused, match=reason.replace(";", ".")):
        imported(campaign, header + b"\n1,Alpha,ann,3,3\n", pool, "a.csv")

    assert RatingImport.objects.get().problems[0][0] == 0


def test_other_kinds_of_files_are_refused() -> None:
    with pytest.raises(Refused, match=r"a file of ratings ends in \.jsonl, \.csv or \.tsv"):
        imported(with_outputs(), b"", name="a.xlsx")


def test_a_campaign_that_compares_texts_takes_no_ratings_of_single_ones() -> None:
    campaign = make_campaign(sources=1, rating_task="pair")

    with pytest.raises(Refused, match="compare two texts"):
        imported(campaign, [line()], "model")

    assert not RatingImport.objects.exists()


def test_a_file_of_too_many_rows_is_refused_before_any_text_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = with_outputs()
    monkeypatch.setattr(rating_imports, "MAX_ROWS", 2)
    monkeypatch.setattr(rating_imports, "TextFinder", None)

    with pytest.raises(Refused, match="more than 2 rows"):
        imported(campaign, [line(), line("Beta"), line(number=2)], "model")

    assert not ModelRating.objects.exists()


def test_more_ratings_of_one_text_than_a_text_can_have_are_refused_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = with_outputs()
    monkeypatch.setattr(rating_imports, "MAX_PEOPLE", 2)

    record = imported(campaign, [line(rater=""), line(rater=""), line(rater=""), line("Beta")])

    assert counts(record) == (3, 0, 1)
    assert record.problems == [[3, "more than 2 ratings of one text"]]


def test_a_line_that_says_the_same_twice_names_the_first() -> None:
    campaign = with_outputs()
    by_text = {**line(), "system": "", "text": output("Alpha", 1)}

    record = imported(campaign, [line(), line(), line(meaning=1), line(rater="bob")])
    assert record.problems == [[each, "line 1 has the same text and rater"] for each in (2, 3)]
    assert Rating.objects.count() == 2
    assert counts(imported(campaign, [by_text, line()])) == (0, 2, 0)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=2)
)
NAMES = st.sampled_from(["id", "text", "system", "rater", "meaning", "grammar"])


@given(st.lists(st.dictionaries(NAMES, ANYTHING), max_size=6), st.sampled_from(ImportPool))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_lines_say_each_is_a_rating_or_has_a_reason(
    campaign: Campaign, found: list[dict[str, Any]], pool: ImportPool
) -> None:
    lines = list(rating_lines("a.jsonl", as_jsonl(found), campaign.rating_scales, pool))

    assert len(lines) == len(found)
    for each in lines:
        assert isinstance(each, BadLine | FileRating)
        if isinstance(each, FileRating):
            assert each.scores
            assert all(1 <= point <= 3 for point in each.scores.values())
            assert pool == ImportPool.MODEL or all(isinstance(point, int) for point in each.scores.values())
        else:
            json.dumps(each.reason).encode()


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign()


def test_a_scale_with_the_name_of_a_column_has_no_place_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_files, "COLUMNS", ("id", "text", "system", "rater", "meaning"))

    with pytest.raises(Refused, match="The scale meaning has the name of another column"):
        imported(with_outputs(), [line()], "model")
