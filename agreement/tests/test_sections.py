"""The sections of a report, as the command prints them, against plain loops."""

import math
import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import combinations, product

import pytest

from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText
from tests.support.factories import staff_client
from tests.support.reports import (
    OPTIONS,
    Points,
    Row,
    address,
    against_others,
    agreement_of,
    every_tab,
    half_up,
    kappa_of,
    printed,
    released,
    report_of,
    section,
    source_of,
    tables_of,
    text_of,
)

pytestmark = pytest.mark.django_db

Pairs = list[tuple[int, int]]
DRAWS = 4000
MONDAY = date(2026, 3, 2)
# The genre, the sentences, the words and the ratings of one text each.
SOURCES: list[tuple[str, int, int, Points]] = [
    ("Letters", 1, 10, (3, 2, 3)),
    ("Letters", 1, 11, (1, 1, 2)),
    ("Letters", 2, 20, (2, 3)),
    ("News", 1, 12, (1, 3, 3)),
    ("News", 2, 21, (2, 2, 1)),
    ("News", 2, 40, (3, 1, 2)),
    ("News", 3, 41, (3, None, None)),
]


def seven() -> list[ReleasedSource]:
    return [
        source_of(number, text_of(points), genre=genre, sentences=sentences, words=words)
        for number, (genre, sentences, words, points) in enumerate(SOURCES)
    ]


def texts_of(sources: Sequence[ReleasedSource]) -> list[ReleasedText]:
    return [text for source in sources for text in source.texts]


def assert_mean_of_all_ways(rows: dict[tuple[str, str], Row], group: str, texts: Sequence[ReleasedText]) -> None:
    """A rater of each text is chosen, all alike: the mean over every way to choose them."""
    ways = []
    for text in texts:
        points = [rating.scores["meaning"] for rating in text.ratings]
        if len(points) > 1:
            ways.append([(point, half_up(points[:place] + points[place + 1 :])) for place, point in enumerate(points)])
    found: dict[str, list[float]] = {"agreement": [], "kappa": []}
    for pairs in product(*ways):
        found["agreement"].append(agreement_of(pairs))
        kappa = kappa_of(pairs)
        found["kappa"] += [] if kappa is None else [kappa]
    for measure, values in found.items():
        row, mean = rows[group, measure], sum(values) / len(values)
        spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
        assert row["value"] == pytest.approx(mean, abs=5 * spread / math.sqrt(DRAWS) + 1e-9), (group, measure)
        assert row["variance"] == pytest.approx(spread**2, rel=0.2, abs=1e-9)
        assert row["items"] == len(ways)


@pytest.mark.parametrize(
    ("comparison", "groups"),
    [
        ("by genre", {"Letters": [0, 1, 2], "News": [3, 4, 5, 6]}),
        ("by sentences", {"1 sentence": [0, 1, 3], "2 sentences": [2, 4, 5]}),
        (
            "by length of the source",
            {"up to 12 words": [0, 1, 3], "13 to 21 words": [2, 4], "more than 21 words": [5, 6]},
        ),
    ],
)
def test_a_part_has_the_mean_over_all_ways_to_choose_a_rater_in_it(
    comparison: str, groups: dict[str, list[int]]
) -> None:
    texts = texts_of(seven())

    rows = section(released(seven()), comparison, f"--draws={DRAWS}")

    for group, places in groups.items():
        assert_mean_of_all_ways(rows, group, [texts[place] for place in places])
    assert [group for group, measure in rows if measure == "kappa"] == list(groups) + ["3 sentences"] * (
        comparison == "by sentences"
    )


def test_a_part_in_which_no_text_has_two_ratings_says_so() -> None:
    rows = section(released(seven()), "by sentences")

    for measure in ("agreement", "kappa"):
        assert rows["3 sentences", measure]["value"] is None
        assert rows["3 sentences", measure]["undefined"] == "no item has two ratings"


def test_sources_of_the_same_length_are_one_part() -> None:
    sources = [source_of(number, text_of((3, 1 + number % 3)), words=7) for number in range(6)]

    assert {group for group, _ in section(released(sources), "by length of the source")} == {"up to 7 words"}


def test_one_genre_alone_has_the_numbers_of_the_whole() -> None:
    sources = [source_of(number, text_of(points), genre="Only") for number, (*_, points) in enumerate(SOURCES)]
    release = released(sources)

    of_genre, whole = section(release, "by genre"), section(release, "worker versus worker")

    for measure in ("agreement", "kappa"):
        assert of_genre["Only", measure] == {
            **whole["", measure],
            "paper_low": None,
            "paper_high": None,
            "comparison": "by genre",
            "group": "Only",
        }
    assert len(of_genre) == 2


def over_days(days: Sequence[date | None]) -> list[ReleasedSource]:
    """A text for each day, rated then by two and by a third at no known day."""
    return [
        source_of(number, text_of((1 + number % 3, 1 + number % 2, 3 - number % 3), days=(day, day, None)))
        for number, day in enumerate(days)
    ]


def assert_rows_are(rows: dict[tuple[str, str], Row], expected: dict[str, Pairs]) -> None:
    """Agreement and kappa of the pairs of each group, in the same order."""
    assert list(dict.fromkeys(group for group, _ in rows)) == list(expected)
    for group, pairs in expected.items():
        agreement, kappa = rows[group, "agreement"], rows[group, "kappa"]
        assert agreement["value"] == pytest.approx(agreement_of(pairs)), group
        assert agreement["items"] == kappa["items"] == len(pairs)
        wanted = kappa_of(pairs)
        assert kappa["value"] == (None if wanted is None else pytest.approx(wanted)), group
        assert kappa["undefined"] == ("" if wanted is not None else "all ratings are in one category")


def day_name(day: date) -> str:
    return day.isoformat()


def week_name(day: date) -> str:
    return f"week of {day - timedelta(days=day.weekday())}"


def month_name(day: date) -> str:
    return day.isoformat()[:7]


def year_name(day: date) -> str:
    return day.isoformat()[:4]


def first_days(number: int) -> list[date]:
    return [MONDAY + timedelta(days=place) for place in range(number)]


def two_days_of_weeks(number: int) -> list[date]:
    return [MONDAY + timedelta(days=7 * place + later) for place in range(number) for later in (0, 6)]


def two_days_of_months(number: int) -> list[date]:
    return [date(2026 + place // 12, 1 + place % 12, day) for place in range(number) for day in (1, 28)]


@pytest.mark.parametrize(
    ("days", "name"),
    [
        (first_days(26), day_name),
        (first_days(27), week_name),
        (two_days_of_weeks(26), week_name),
        (two_days_of_weeks(27), month_name),
        (two_days_of_months(26), month_name),
        (two_days_of_months(27), year_name),
        ([date(year, 5, 17) for year in range(1990, 2017)], year_name),
    ],
)
def test_periods_grow_when_there_are_more_than_26(days: list[date], name: Callable[[date], str]) -> None:
    sources, expected = over_days(days), {}
    for period in dict.fromkeys(map(name, days)):

        def within(rating: ReleasedRating, period: str = period) -> bool:
            return rating.day is not None and name(rating.day) == period

        expected[period] = list(against_others(texts_of(sources), within))

    assert_rows_are(section(released(sources), "over time"), expected)


def test_a_rating_of_no_known_day_is_another_to_those_that_have_one() -> None:
    texts = [
        text_of((3, 1, 1), days=(MONDAY, None, None)),
        text_of((2, 2), days=(None, None)),
        text_of((1, 3), days=(None, MONDAY)),
    ]

    rows = section(released([source_of(0, *texts)]), "over time")

    assert_rows_are(rows, {"2026-03-02": [(3, 1), (3, 1)]})


def test_without_any_day_there_is_nothing_over_time() -> None:
    release = released(seven())

    assert section(release, "over time") == {}
    page = every_tab(staff_client(release.campaign.staff.get()), f"{address(release)}/").content.decode()
    assert "Over time" not in tables_of(page)
    assert "Each rater" in tables_of(page)


def test_each_rater_stands_against_the_rounded_mean_of_the_others() -> None:
    sources = seven()
    expected = {}
    for name in "123":

        def theirs(rating: ReleasedRating, name: str = name) -> bool:
            return rating.rater == name

        expected[name] = list(against_others(texts_of(sources), theirs))

    assert_rows_are(section(released(sources), "one rater versus the others"), expected)


def test_raters_stand_by_their_numbers_and_not_by_their_digits() -> None:
    text = text_of((3, 2, 1, 2), names=("10", "9", "x", "2"))

    rows = section(released([source_of(0, text)]), "one rater versus the others")

    assert [group for group, measure in rows if measure == "kappa"] == ["2", "9", "10", "x"]


def test_a_rating_of_nobody_known_stands_in_no_section_of_people_but_is_another_to_theirs() -> None:
    texts = [text_of((3, 1, 1), names=("a", "", "")), *[text_of((2, 2, 1), names=("", "a", "b"))] * 5]
    release = released([source_of(0, *texts)])

    rows = section(release, "one rater versus the others")

    assert_rows_are(rows, {"a": [(3, 1), *[(2, 2)] * 5], "b": [(1, 2)] * 5})
    assert {group for group, _ in section(release, "pair of raters")} == {"a and b"}


def test_two_people_of_one_name_at_one_text_can_be_told_apart() -> None:
    text = text_of((3, 1, 2), names=("a", "a", "b"))

    rows = report_of(released([source_of(0, text)]))["rows"]

    named = [row["group"] for row in rows if row["comparison"] == "one rater versus the others"]
    assert len(named) == 2 * 3
    assert len(set(named)) == 3


def test_pairs_with_five_texts_in_common_or_more_have_their_kappa() -> None:
    points: list[Points] = [
        (3, 2, 3, None),
        (1, 1, 2, None),
        (2, 3, 2, 1),
        (3, 1, 3, 3),
        (2, 2, None, 1),
        (1, 3, None, 2),
        (3, None, 1, 2),
    ]
    expected: dict[str, Pairs] = {}
    for one, other in combinations(range(4), 2):
        both = [(a, b) for each in points if (a := each[one]) and (b := each[other])]
        if len(both) >= 5:
            expected[f"{one + 1} and {other + 1}"] = both

    rows = section(released([source_of(0, *map(text_of, points))]), "pair of raters")

    assert set(expected) == {"1 and 2", "1 and 3", "1 and 4"}
    assert_rows_are(rows, expected)


@pytest.mark.parametrize(
    ("sources", "reason"),
    [
        ([], "no item has two ratings"),
        ([source_of(0, text_of(()))], "no item has two ratings"),
        ([source_of(number, text_of((3,))) for number in range(6)], "no item has two ratings"),
        ([source_of(number, text_of((2, 2), days=(MONDAY, MONDAY))) for number in range(6)], "one category"),
    ],
    ids=["no source", "no rating", "one rater", "one point"],
)
def test_what_does_not_exist_is_undefined_with_its_reason_and_never_a_number(
    sources: list[ReleasedSource], reason: str
) -> None:
    release = released(sources)

    rows = report_of(release)["rows"]

    assert rows
    for row in rows:
        assert (row["value"] is None) == bool(row["undefined"]), row
        of_crowd = not row["comparison"].startswith("expert") and row["group"] != "before"
        if row["measure"].startswith(("kappa", "Krippendorff")) and of_crowd:
            assert reason in row["undefined"], row
    for form in ("csv", "latex"):
        written = printed("report", release.name, "agreement", f"--format={form}", *OPTIONS)
        assert not {"nan", "inf", "None"} & set(re.split(r"[\s,\[\]&]+", written))
    page = every_tab(staff_client(release.campaign.staff.get()), f"{address(release)}/").content.decode()
    tables = tables_of(page)
    assert all("undefined" in line[2] for line in tables["Agreement between raters"][2:])
    cells = {word for table in tables.values() for line in table for cell in line for word in cell.lower().split()}
    assert not {"nan", "inf", "none"} & cells


def test_without_ratings_there_are_no_parts_periods_people_or_plots() -> None:
    report = report_of(released([source_of(0, text_of(()))]))

    assert {row["group"] for row in report["rows"]} == {""}
    assert report["figures"] == {"meaning": {}}


def test_one_rater_alone_has_no_others_and_stands_in_no_section_of_people() -> None:
    release = released([source_of(number, text_of((3,))) for number in range(6)])

    assert section(release, "one rater versus the others") == section(release, "pair of raters") == {}


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@pytest.mark.parametrize("points", [[(3, 3), (3, 2)], [(1, 3), (3, 1)], [(2, 2, 2)], [(1, 2, 3), (2,), ()]])
def test_no_report_holds_nan_or_infinity(weights: str, points: list[Points]) -> None:
    texts = [text_of(each, days=[MONDAY] * len(each), experts=each[:2]) for each in points]

    report = report_of(released([source_of(0, *texts)]), f"--weights={weights}")

    for row in report["rows"]:
        assert row["value"] is None or row["value"] <= 1 + 1e-9 or row["measure"] == "ratings per text"
        assert (row["low"] is None) == (row["high"] is None)
        assert row["low"] is None or row["low"] <= row["high"]


def test_genres_stand_in_the_order_of_the_alphabet_with_those_alone_that_were_judged() -> None:
    sources = [
        source_of(0, text_of((1, 2)), genre="b"),
        source_of(1, genre="c"),
        source_of(2, text_of((3,)), genre="a"),
    ]

    rows = section(released(sources), "by genre")

    assert [group for group, measure in rows if measure == "kappa"] == ["a", "b"]
