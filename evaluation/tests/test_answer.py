"""The answer of a report is true for any number of metrics and systems, and for undefined values."""

from typing import Any

import pytest

from evaluation.answer import answer_of, few_systems_sentence, number_of_systems
from evaluation.matrix import comparison_words, matrix_of
from evaluation.page_rows import ReportRows
from evaluation.sections.base import Row, row
from evaluation.tests.made_rows import level, levels, matrix, means
from measures.meta_evaluation.smallest_trusted_difference import NEVER

NAMES = [f"metric {number}" for number in range(80)]


def first(rows: list[Row]) -> str:
    return str(answer_of(ReportRows(rows), "meaning", str, are_comparable=True).first)


def more(rows: list[Row], *, are_comparable: bool = True) -> str:
    return " ".join(map(str, answer_of(ReportRows(rows), "meaning", str, are_comparable=are_comparable).more))


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
            "does as well: length of the output",
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
        ({"value": -0.2}, "no metric follows"),
    ],
)
def test_a_best_metric_that_follows_nothing_is_not_praised(best: dict[str, Any], words: str) -> None:
    assert words in more([level("A", **best)])


def trusted(metric: str, value: float | None) -> Row:
    found = NEVER if value is None else value
    return row("trusted difference", "95%", found, judgement="meaning", metric=metric)


def test_the_smallest_difference_that_is_trusted() -> None:
    rows = [*levels(["A", "B"]), trusted("A", 0.05), trusted("B", 0.03)]
    assert "None is shown to tell systems apart that differ by less than 0.030." in more(rows)
    assert "A is not shown to tell systems apart that differ by less than 0.050." in more(rows, are_comparable=False)
    never = [*levels(["A", "B"]), trusted("A", None), trusted("B", None)]
    assert "No metric agrees with people on 95% of the pairs" in more(never)
    one = [*levels(["A", "B"]), trusted("A", None), trusted("B", 0.03)]
    assert "A reaches 95% agreement with people at no difference" in more(one, are_comparable=False)
    assert "apart" not in more([*levels(["A", "B"]), trusted("B", 0.03)], are_comparable=False)


def test_the_matrix_is_ordered_by_r_and_few_paths_draw_it() -> None:
    backwards = NAMES[::-1]
    found = matrix_of(ReportRows(levels(NAMES)), matrix(backwards), "meaning", str, ["", ""])
    assert found is not None
    assert found.metrics == NAMES
    assert found.won[79][0] == 100
    assert (found.won[1][0], found.won[0][1], found.won[0][0]) == (17, 0, None)
    assert [shade.step for shade in found.shades] == [1, 2, 3, 4, 5]
    assert sum(len(shade.path) for shade in found.shades) < 12_000


def test_a_square_of_each_step_is_drawn_once() -> None:
    names = NAMES[:3]
    stored = {"input level": {"meaning": {"metrics": names, "won": [[None, 0.2, 0.21], [0, None, 1], [None, 0, None]]}}}
    found = matrix_of(ReportRows(levels(names)), stored, "meaning", str, ["metric 1", "nothing"])
    assert found is not None
    assert {shade.step: shade.path for shade in found.shades} == {
        1: "M1 0h1v1h-1z",
        2: "M2 0h1v1h-1z",
        5: "M2 1h1v1h-1z",
    }
    assert found.comparison.words.startswith("Please choose two different metrics")


def test_no_matrix_of_one_metric() -> None:
    assert matrix_of(ReportRows(levels(["A"])), matrix(["A"]), "meaning", str, ["", ""]) is None
    assert matrix_of(ReportRows(levels(["A", "B"])), {}, "meaning", str, ["", ""]) is None


def test_two_metrics_are_compared_in_words() -> None:
    assert "A is shown to be better than B on 83% of the pairs of systems, and to be worse on 0%." in comparison_words(
        "A", "B", 83, 0
    )
    assert "On the others" in comparison_words("A", "B", 83, 0)
    assert "On the others" not in comparison_words("A", "B", 83, 17)
    assert "cannot be compared" in comparison_words("A", "B", None, None)
