"""The answer of a report is true for any number of metrics and systems, and for undefined values."""

from typing import Any

import pytest

from common.grids import Grid
from evaluation.answer import answer_of, few_systems_sentence, number_of_systems
from evaluation.matrix import Matrix, comparison_words, matrix_of
from evaluation.page_rows import ReportRows
from evaluation.sections.base import Row, row
from evaluation.tests.made_rows import level, levels, matrix, means
from measures.core.undefined import Undefined
from measures.meta_evaluation.ceiling import FEW_RATERS
from measures.meta_evaluation.smallest_trusted_difference import NEVER, too_few_pairs

NAMES = [f"metric {number}" for number in range(80)]


def first(rows: list[Row]) -> str:
    return str(answer_of(ReportRows(rows), "meaning", str).first)


def more(rows: list[Row]) -> str:
    return " ".join(map(str, answer_of(ReportRows(rows), "meaning", str).more))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "is unknown: the report has no correlations"),
        (
            [level("BLEU", None, reason="fewer than 2 systems")],
            "No metric can be held against these ratings: fewer than 2",
        ),
        ([level("A", None, reason="one"), level("B", None, reason="other")], "The table says why"),
        (
            [level("BLEU", 0.4, low=0.3, high=0.5)],
            "one metric can be held against these ratings: BLEU, r = 0.40 [0.30, 0.50].",
        ),
        (
            levels(NAMES, top=9),
            "On this corpus 9 of 80 metrics are not shown to be worse than any other; the highest is "
            "metric 0, r = 0.60 [0.55, 0.65].",
        ),
        (levels(NAMES, top=1), "1 of 80 metrics is not shown to be worse than any other"),
        (levels(NAMES[:3], top=3), "none of 3 metrics is shown to be worse than another; the highest is metric 0"),
        (levels(NAMES[:3], top=0), "each of 3 metrics is shown to be worse than some other"),
        ([level("A", 0.4, is_top=True), level("B", 0.4, is_top=True)], "The highest are A, B, r = 0.40 each."),
        ([level(name, 0.4, is_top=True) for name in NAMES[:5]], "5 share the highest r, 0.40."),
        ([level("A", 0.4, is_top=True), level("B", 0.1)], "r = 0.40 (no interval)."),
    ],
)
def test_the_first_sentence_says_what_is_known(rows: list[Row], words: str) -> None:
    assert words in first(rows)


def test_names_of_metrics_are_escaped() -> None:
    assert "&lt;b&gt;100% x" in first([level("<b>100% x", 0.4, is_top=True), level("B", 0.1)])


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ([level("C", None, reason="constant")], "1 more metric has no correlation that is defined."),
        (
            [row("sentinels", "r", 0.7, judgement="meaning", metric="length, words")],
            "should lose to has a higher r: length of the output",
        ),
    ],
)
def test_what_limits_the_answer_is_said(extra: list[Row], words: str) -> None:
    rows = levels(NAMES[:3])
    assert words not in more(rows)
    assert words in more([*rows, *extra])


@pytest.mark.parametrize(
    ("systems", "words"),
    [
        ("ABCD", "This is coarse: 4 systems make only 6 pairs."),
        ("AB", "This is coarse: 2 systems make only 1 pair."),
        ("A", ""),
        ("ABCDEFGHIJ", ""),
    ],
)
def test_few_systems_are_called_coarse(systems: str, words: str) -> None:
    assert few_systems_sentence(number_of_systems(ReportRows(means(systems)))) == words


@pytest.mark.parametrize(
    ("best", "words"),
    [
        ({"value": 0.1, "low": -0.1, "high": 0.3}, "may not follow these ratings at all"),
        ({"value": -0.2}, "On these texts no metric rises with the ratings."),
        ({"value": 0.2}, "It has no interval, so this says nothing beyond these texts."),
    ],
)
def test_a_best_metric_that_follows_nothing_is_not_praised(best: dict[str, Any], words: str) -> None:
    assert words in more([level("A", **best)])


@pytest.mark.parametrize(
    ("r", "words"),
    [
        (0.54, ""),
        (0.55, "Its interval reaches down to what no metric should lose to: random numbers, r = 0.55 (no interval)."),
        (0.6, "Its interval reaches down to"),
        (0.61, "has a higher r: random numbers"),
    ],
)
def test_random_numbers_stand_beside_a_metric_that_is_not_clearly_above_them(r: float, words: str) -> None:
    rows = [level("A", 0.6, low=0.55, high=0.65), row("sentinels", "r", r, judgement="meaning", metric="random")]
    assert (words in more(rows)) if words else "no metric should lose to" not in more(rows)
    without = [level("A", 0.6), *rows[1:]]
    assert "should lose to" in more(without)


def test_where_nothing_could_be_tested_the_first_sentence_says_so() -> None:
    for rows in (levels(NAMES[:3], top=3), [level("A", 0.4, is_top=True), level("B", 0.4, is_top=True)]):
        said = answer_of(ReportRows(rows), "meaning", str, are_tested=False).first
        assert "can be tested against each other" in said
        assert "worse" not in said


def test_ratings_by_one_rater_are_called_that() -> None:
    alone = row("ceiling", "mean over pairs", FEW_RATERS, judgement="meaning")
    assert "Hardly an output has two ratings" in more([*levels(["A"]), alone])
    assert "Hardly" not in more(levels(["A"]))


def shown_difference(metric: str, found: float | Undefined) -> Row:
    return row("shown difference", "95%", found, judgement="meaning", metric=metric)


def test_of_many_metrics_the_headline_takes_no_smallest_difference() -> None:
    rows = [*levels(["A", "B"]), shown_difference("A", 0.05), shown_difference("B", 0.03)]
    assert "0.03" not in more(rows)
    assert "0.05" not in more(rows)
    assert (
        "Where two systems differ by at least 0.050 in A, it is shown to agree with people on 95% of the pairs."
        in more([*levels(["A"]), shown_difference("A", 0.05)])
    )


@pytest.mark.parametrize("reason", [NEVER, too_few_pairs(12)])
def test_a_difference_that_is_not_shown_is_left_to_the_table(reason: Undefined) -> None:
    assert "95%" not in more([*levels(["A"]), shown_difference("A", reason)])


def test_what_earlier_reports_call_trusted_is_not_repeated() -> None:
    old = row("trusted difference", "95%", 0.05, judgement="meaning", metric="A", missed=3)
    assert "0.050" not in more([*levels(["A"]), old])


def best_of_many(metric: str, others: list[str], **more: Any) -> list[Row]:
    values = {"judgement": "meaning", "metric": metric, "r": 0.6, "luck": 0.08, "metrics": 68, **more}
    group = [
        row("best of many", "not shown to be worse", judgement="meaning", metric=metric, other=name) for name in others
    ]
    return [row("best of many", "adjusted r", 0.52, **values), *group]


def test_the_best_of_many_is_not_praised_for_its_luck() -> None:
    rows = [*levels(NAMES[:68]), *best_of_many("metric 0", [])]
    assert "The best of 68 on these texts owes about 0.08 of its r to luck, so expect about 0.52 on others." in more(
        rows
    )
    assert "luck" not in more(levels(NAMES[:68]))
    assert "As the best of 68 on these texts, it owes hardly any of its r to luck." in more(
        [*levels(NAMES[:68]), *best_of_many("metric 0", [], luck=0.004)]
    )
    other = best_of_many("metric 0", [], r=0.61)
    assert "luck" not in more([*levels(NAMES[:68]), *other])


@pytest.mark.parametrize(
    ("others", "words"),
    [
        (NAMES[1:3], "Within its error, and perhaps better: metric 1, metric 2."),
        (NAMES[1:10], "perhaps better: metric 1, metric 2, metric 3, metric 4, metric 5 and 4 more."),
    ],
)
def test_metrics_within_the_error_of_the_best_are_named(others: list[str], words: str) -> None:
    assert words in more([*levels(NAMES[:68]), *best_of_many("metric 0", others)])


def shades_of(matrix: Matrix) -> dict[int, str]:
    assert isinstance(matrix.figure.plot, Grid)
    return {shade.step: shade.path for shade in matrix.figure.plot.shades}


def test_the_matrix_is_ordered_by_r_and_few_paths_draw_it() -> None:
    backwards = NAMES[::-1]
    found = matrix_of(ReportRows(levels(NAMES)), matrix(backwards), "meaning", "Meaning", ["", ""])
    assert found is not None
    assert found.metrics == NAMES
    assert found.won[79][0] == 100
    assert (found.won[1][0], found.won[0][1], found.won[0][0]) == (17, 0, None)
    shades = shades_of(found)
    assert [*shades] == [1, 2, 3, 4, 5]
    assert sum(map(len, shades.values())) < 12_000


def test_a_square_of_each_step_is_drawn_once() -> None:
    names = NAMES[:3]
    stored = {"input level": {"meaning": {"metrics": names, "won": [[None, 0.2, 0.21], [0, None, 1], [None, 0, None]]}}}
    found = matrix_of(ReportRows(levels(names)), stored, "meaning", "Meaning", ["metric 1", "nothing"])
    assert found is not None
    assert shades_of(found) == {
        1: "M1 0h1v1h-1z",
        2: "M2 0h1v1h-1z",
        5: "M2 1h1v1h-1z",
    }
    assert found.comparison.words.startswith("Choose two different metrics")


def test_no_matrix_of_one_metric() -> None:
    assert matrix_of(ReportRows(levels(["A"])), matrix(["A"]), "meaning", "Meaning", ["", ""]) is None
    assert matrix_of(ReportRows(levels(["A", "B"])), {}, "meaning", "Meaning", ["", ""]) is None


def test_two_metrics_are_compared_in_words() -> None:
    assert "A is shown to be better than B on 83% of the pairs of systems, and to be worse on 0%." in comparison_words(
        "A", "B", 83, 0
    )
    assert "On the others" in comparison_words("A", "B", 83, 0)
    assert "On the others" not in comparison_words("A", "B", 83, 17)
    assert "cannot be compared" in comparison_words("A", "B", None, None)
