"""Ratings on the scales of a file: direct assessments from 0 to 100, real numbers, and what is refused."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from common.errors import Refused
from compressions.readers import with_columns
from crowd.models import Campaign, ImportedScale
from crowd.scale_texts import imported_scale_from_text, imported_scale_to_text
from ratings.models import ImportedScore, ImportPool, ModelRating, Rating, RatingImport, Score
from ratings.rating_files import wide_lines
from ratings.services.rating_imports import file_ratings_import
from ratings.tests.imports.files import Line, as_jsonl, as_table, counts, imported, line, output, with_outputs

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

DA = "score 0..100 real"


def assessed(rater: str, score: object, system: str = "Alpha", number: int = 1, **others: Any) -> Line:
    return {"id": str(number), "system": system, "rater": rater, "score": score, **others}


def taken(
    campaign: Campaign, rows: Sequence[Line] | bytes, *scales: str, pool: str = "crowd", name: str = "da.jsonl"
) -> RatingImport:
    content = rows if isinstance(rows, bytes) else as_jsonl(rows)
    record = file_ratings_import(
        campaign=campaign, pool=ImportPool(pool), file_name=name, content=content, scales=scales or [DA]
    )
    record.refresh_from_db()
    return record


def numbers() -> list[tuple[str, str, float]]:
    rows = ImportedScore.objects.values_list("rating__worker__imported_name", "scale__key", "number")
    return sorted(rows)


def test_real_numbers_are_kept_as_they_were_given_and_apart_from_points() -> None:
    campaign = with_outputs()

    record = taken(campaign, [assessed("ann", 73.25), assessed("bob", "0"), assessed("eve", 100)])

    assert counts(record) == (3, 0, 0)
    assert numbers() == [("ann", "score", 73.25), ("bob", "score", 0.0), ("eve", "score", 100.0)]
    assert not Score.objects.exists()
    scale = ImportedScale.objects.get(campaign=campaign)
    assert (scale.lowest, scale.highest, scale.step, scale.less_is_better) == (0, 100, None, False)


def test_the_same_file_again_changes_nothing_and_other_numbers_are_refused() -> None:
    campaign = with_outputs()
    taken(campaign, [assessed("ann", 73.25), assessed("", 12.5)])

    again = taken(campaign, [assessed("ann", 73.25), assessed("", 12.5)])
    other = taken(campaign, [assessed("ann", 73)])

    assert counts(again) == (0, 2, 0)
    assert other.problems == [[1, "the rater has given this text other points; they stay as they are"]]


@pytest.mark.parametrize(
    ("scale", "number", "reason"),
    [
        (DA, 100.1, "score: 100.1 is not a number from 0 to 100"),
        (DA, -1, "score: -1 is not a number from 0 to 100"),
        (DA, "much", "score: 'much' is not a number from 0 to 100"),
        ("score 0..100 step 1", 50.5, "score: 50.5 is not a number from 0 to 100 in steps of 1"),
        ("score 1..5 step 1", 6, "score: 6 is not one of the points 1, 2, 3, 4, 5"),
        (DA, "", "score: no point"),
    ],
)
def test_a_number_off_the_scale_is_refused_by_line(scale: str, number: object, reason: str) -> None:
    record = taken(with_outputs(), [assessed("ann", number)], scale)

    assert counts(record) == (0, 0, 1)
    assert record.problems == [[1, reason]]


def test_a_step_need_not_be_whole() -> None:
    record = taken(with_outputs(), [assessed("ann", 0.3), assessed("bob", 0.35)], "score 0..1 step 0.1")

    assert counts(record) == (1, 0, 1)


@pytest.mark.parametrize("name", ["da.csv", "da.tsv", "da.jsonl"])
def test_other_columns_are_left_aside_and_named(name: str) -> None:
    rows = [assessed("ann", 73.25, spans="[]", doc="d1")]
    content = as_jsonl(rows) if name.endswith("jsonl") else as_table(rows, "," if name.endswith("csv") else "\t")

    record = taken(with_outputs(), content, name=name)

    assert counts(record) == (1, 0, 0)
    assert record.warnings == [[1, "the column 'doc' is left aside"], [1, "the column 'spans' is left aside"]]


@pytest.mark.parametrize(
    ("scales", "reason"),
    [
        (["score"], "is no scale"),
        (["score 100..0 real"], "must be above the lowest"),
        (["score 0..100 step 0"], "the step must lead"),
        (["score 0..101 step 1"], "2 to 101 points"),
        (["score 0..1 step 0.3"], "the step must lead"),
        ([DA, DA], "named twice"),
        (["meaning 0..100 real"], "have a scale meaning of their own"),
        (["rater 0..100 real"], "the name of another column"),
        (["version 0..100 real"], "No scale can have the key version"),
        ([f"a{n} 0..1 real" for n in range(7)], "at most 6 scales"),
    ],
)
def test_scales_that_cannot_be_are_refused(scales: list[str], reason: str) -> None:
    campaign = with_outputs()

    with pytest.raises(Refused, match=reason):
        taken(campaign, [assessed("ann", 1)], *scales)

    assert not RatingImport.objects.exists()
    assert not Rating.objects.exists()


def test_a_name_means_one_scale() -> None:
    campaign = with_outputs()
    taken(campaign, [assessed("ann", 73.25)])

    with pytest.raises(Refused, match=r"Earlier files have the scale “score 0\.\.100 real”"):
        taken(campaign, [assessed("bob", 3)], "score 0..5 step 1")


def test_two_files_may_have_different_scales_but_a_rating_has_those_of_one() -> None:
    campaign = with_outputs()
    taken(campaign, [assessed("ann", 73.25)])
    second = [{"id": "1", "system": "Alpha", "rater": rater, "esa": 80} for rater in ("ann", "bob")]

    record = taken(campaign, second, "esa 0..100 step 1")

    assert counts(record) == (1, 0, 1)
    assert "has rated this text on another scale" in record.problems[0][1]
    assert numbers() == [("ann", "score", 73.25), ("bob", "esa", 80.0)]


def test_ratings_on_points_of_the_campaign_stay_beside() -> None:
    campaign = with_outputs()
    imported(campaign, [line("Beta", 1, "ann", 3, 2)])

    taken(campaign, [assessed("ann", 73.25)])

    assert sorted(Score.objects.values_list("scale", "value")) == [("grammar", 2), ("meaning", 3)]
    assert numbers() == [("ann", "score", 73.25)]


def test_a_model_may_rate_on_the_scale_of_a_file() -> None:
    campaign = with_outputs()

    taken(campaign, [assessed("judge", 73.256)], pool="model")

    assert ModelRating.objects.get().scores == {"score": 73.256}


@pytest.mark.parametrize("text", [DA, "adequacy 1..5 step 1", "errors 0..25 step 0.5, less is better", "x -1..1 real"])
def test_a_scale_is_written_as_it_is_read(text: str) -> None:
    assert imported_scale_to_text(imported_scale_from_text(text)) == text


@pytest.mark.parametrize(
    "wrong",
    [
        {"lowest": 1, "highest": 1},
        {"lowest": 2, "highest": 1},
        {"lowest": 0, "highest": 100, "step": 0.5},
        {"lowest": 0, "highest": 100, "step": -1},
        {"lowest": 0, "highest": 1e7},
        {"lowest": 0, "highest": 1, "key": ""},
    ],
)
def test_the_database_holds_what_a_scale_is(wrong: dict[str, Any]) -> None:
    campaign = with_outputs()

    with pytest.raises(IntegrityError), transaction.atomic():
        ImportedScale.objects.create(**({"campaign": campaign, "key": "score"} | wrong))


def test_the_database_holds_one_number_for_a_rating_and_scale_and_no_infinity() -> None:
    campaign = with_outputs()
    taken(campaign, [assessed("ann", 73.25)])
    rating, scale = Rating.objects.get(), ImportedScale.objects.get()

    for score in ({"number": 1}, {"number": float("inf")}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ImportedScore.objects.create(rating=rating, scale=scale, **score)
    with pytest.raises(IntegrityError), transaction.atomic():
        ImportedScale.objects.create(campaign=campaign, key="score", lowest=0, highest=5)


ASPECTS = ("meaning 0..100 step 1", "fluency 0..100 step 1")
LONG = [
    {"id": "1", "text": output("Alpha", 1), "rater": "ann", "aspect": "meaning", "rating": 80, "hit": "x"},
    {"id": "1", "text": output("Alpha", 1), "rater": "bob", "aspect": "Fluency", "rating": 30, "hit": "y"},
    {"id": "1", "text": output("Alpha", 1), "rater": "ann", "aspect": "fluency", "rating": 70, "hit": "z"},
    {"id": "2", "text": output("Alpha", 2), "rater": "ann", "aspect": "meaning", "rating": 101, "hit": "x"},
    {"id": "2", "text": output("Alpha", 2), "rater": "ann", "aspect": "fluency", "rating": 5, "hit": "x"},
    {"id": "1", "text": output("Alpha", 1), "rater": "bob", "aspect": "meaning", "rating": 20, "hit": "y"},
    {"id": "2", "text": output("Alpha", 2), "rater": "bob", "aspect": "meaning", "rating": 5, "hit": "x"},
    {"id": "1", "text": output("Alpha", 1), "rater": "ann", "aspect": "meaning", "rating": 80, "hit": "x"},
    {"id": "1", "text": output("Alpha", 1), "rater": "ann", "aspect": "fluency", "rating": 70, "hit": "x"},
    {"id": "2", "text": output("Beta", 2), "rater": "", "aspect": "meaning", "rating": 5, "hit": "x"},
    {"id": "2", "text": output("Beta", 2), "rater": "", "aspect": "fluency", "rating": 5, "hit": "x"},
]


@pytest.mark.parametrize("name", ["long.csv", "long.tsv"])
def test_a_line_for_each_scale_becomes_one_for_each_rating(name: str) -> None:
    scales = [each.replace("meaning", "adequacy") for each in ASPECTS]
    rows = [{**row, "aspect": str(row["aspect"]).replace("meaning", "adequacy")} for row in LONG]
    campaign, content = with_outputs(), as_table(rows, "," if name.endswith("csv") else "\t")

    record = taken(campaign, wide_lines(name, content, "aspect=rating", {}), *scales, name=name)

    expected = [("ann", "adequacy", 80), ("ann", "fluency", 70), ("bob", "adequacy", 20), ("bob", "fluency", 30)]
    assert numbers() == expected
    assert record.problems == [
        [5, "adequacy: '101' is not a number from 0 to 100 in steps of 1"],
        [8, "fluency: no point"],
        [9, "line 2 has the same text and rater"],
        [11, "fluency: no point"],
        [12, "adequacy: no point"],
    ]
    assert record.warnings == [[1, "the column 'hit' is left aside"]]


def test_a_cell_of_several_lines_moves_no_number() -> None:
    rows = [{**row, "hit": "two\nlines"} for row in LONG if row["aspect"] != "meaning"]
    rows.append({**rows[0], "id": "3"})
    content = wide_lines("a.csv", as_table(rows), "aspect = rating", {})

    record = taken(with_outputs(), content, "fluency 0..100 step 1", name="a.csv")

    # A line of the file for the header, then two for each row.
    assert record.problems == [
        [2 + 2 * 3, "line 4 has the same text and rater"],
        [12, "the campaign has no source '3'"],
    ]
    assert counts(record) == (4, 0, 2)


def test_a_long_table_may_lack_the_rater_and_call_columns_otherwise() -> None:
    rows = [{"no": row["id"], "mt": row["text"], "q": row["aspect"], "n": row["rating"]} for row in LONG[:5:2]]
    columns = {"id": "No", "text": "mt", "adequacy": "meaning"}

    content = wide_lines("a.csv", as_table(rows), "q=n", columns, ["rater"])

    content = with_columns("a.csv", content, columns=columns, values={"rater": "ann"})
    record = taken(with_outputs(), content, "adequacy 0..100 step 1", "fluency 0..100 step 1", name="a.csv")
    assert numbers() == [("ann", "adequacy", 80), ("ann", "fluency", 70)]
    assert record.problems == [[4, "adequacy: no point"]]


@pytest.mark.parametrize(
    ("name", "columns", "reason"),
    [
        ("a.jsonl", "aspect=rating", "only columns of CSV and TSV files"),
        ("a.csv", "aspect", "write COLUMN=COLUMN"),
        ("a.csv", "aspects=rating", "line 1: no column named aspects; found id, text, rater, aspect, rating, hit"),
        ("a.csv", "aspect=rating", "line 3: 1 fields, 6 wanted"),
    ],
)
def test_what_is_no_long_table_is_refused(name: str, columns: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        wide_lines(name, as_table(LONG[:1]) + b"odd\n", columns, {})


def test_a_long_table_of_too_many_names_is_refused() -> None:
    rows = [{**LONG[0], "aspect": f"aspect{number}"} for number in range(1000)]
    with pytest.raises(Refused, match="the column aspect has too many different names"):
        wide_lines("a.csv", as_table(rows), "aspect=rating", {})
