"""What the comparison of systems computes: planted differences, the paper's shares, and what is undefined."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from common.errors import Refused
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource
from crowd.scales import NumberRange, Scale
from protocols.comparison.figures import difference_rows, scale_rows
from protocols.comparison.judged import judged_scales
from protocols.comparison.parameters import ComparisonParameters
from protocols.comparison.tests.planted import BASELINE, CONTENT, NEW, planted_sources

FEW = ComparisonParameters(baseline=(BASELINE,), draws=200, seed=1)
Row = dict[str, Any]


def rows_of(sources: Sequence[ReleasedSource], parameters: ComparisonParameters = FEW) -> list[Row]:
    (judged,) = judged_scales(sources, [CONTENT], parameters)
    return list(scale_rows(judged, parameters))


def one(rows: Sequence[Row], table: str, figure: str, group: str = "") -> Row:
    (found,) = [row for row in rows if (row["table"], row["figure"], row["group"]) == (table, figure, group)]
    return found


def answered(points: Sequence[tuple[Sequence[int], Sequence[int]]], *, rater: str = "{}") -> list[ReleasedSource]:
    """Questions with the points of the baseline's and the new system's answer, a column a judge."""
    return [
        ReleasedSource(
            str(number),
            "Questions",
            f"Question {number}?",
            1,
            "",
            str(number),
            "train",
            [],
            [
                ReleasedOutput(
                    system,
                    f"{system} {number}",
                    tuple(
                        ReleasedRating(rater.format(judge), {"content": point}) for judge, point in enumerate(given, 1)
                    ),
                )
                for system, given in zip((BASELINE, NEW), both, strict=True)
            ],
        )
        for number, both in enumerate(points)
    ]


# Table 5 and 6 of Mithun et al. (2012): 50 questions, better 29, equal 15, worse 6; their shares as texts.
OLIST, BLOGSUM = (3, 8, 19, 13, 7), (7, 19, 13, 9, 2)


def as_published() -> list[ReleasedSource]:
    """Answers whose shares are the paper's; who is better than whom is not published text by text."""
    first, second = (
        [point for point, n in zip((5, 4, 3, 2, 1), shares, strict=True) for _ in range(n)]
        for shares in (OLIST, BLOGSUM)
    )
    return answered([((a, a, a), (b, b, b)) for a, b in zip(first, second, strict=True)])


def test_shares_are_those_of_texts_by_their_rounded_mean() -> None:
    rows = rows_of(as_published())

    shares = {(row["group"], row["figure"]): row["value"] for row in rows if row["table"] == "shares"}
    assert [shares[BASELINE, str(point)] for point in (5, 4, 3, 2, 1)] == [0.06, 0.16, 0.38, 0.26, 0.14]
    assert [shares[NEW, str(point)] for point in (5, 4, 3, 2, 1)] == [0.14, 0.38, 0.26, 0.18, 0.04]


def test_what_is_better_equal_and_worse_is_counted_by_whole_sums() -> None:
    rows = rows_of(answered([((2, 3, 3), (3, 3, 3)), ((2, 2, 3), (3, 2, 2)), ((4, 4, 4), (4, 4, 3))]))

    assert [one(rows, "direction", figure)["n"] for figure in ("better", "equal", "worse")] == [1, 1, 1]
    assert one(rows, "direction", "superiority")["value"] == 0.5


def test_with_both_a_judge_of_one_answer_alone_does_not_count() -> None:
    lopsided = [((1, 1), (1, 1, 5))] * 12

    both = rows_of(answered(lopsided))
    everybody = rows_of(answered(lopsided), replace(FEW, judges="all"))

    assert one(both, "direction", "equal")["n"] == 12
    assert one(everybody, "direction", "better")["n"] == 12


def test_the_median_can_be_counted_instead_of_the_mean() -> None:
    uneven = [((1, 1, 5), (3, 3, 3))] * 3

    rows = rows_of(answered(uneven), replace(FEW, middle="median"))

    assert one(rows, "shares", "1", BASELINE)["value"] == 1
    assert one(rows_of(answered(uneven)), "shares", "2", BASELINE)["value"] == 1


def test_all_differences_the_same_have_no_test_and_say_why() -> None:
    rows = rows_of(answered([((2, 2, 2), (3, 3, 3))] * 12))

    test = one(rows, "tests", "t")
    assert (test["value"], test["p"]) == (None, None)
    assert test["reason"] == "all differences are the same"
    assert one(rows, "tests", "sign")["p"] < 0.001


def test_holm_is_over_all_pairs_of_systems() -> None:
    rows = rows_of(planted_sources(3, effects=(0.6, 0.1)))

    tests = [row for row in rows if row["table"] == "tests" and row["figure"] == "t"]
    assert len(tests) == 3
    smallest = min(tests, key=lambda row: row["p"])
    assert smallest["p_holm"] == pytest.approx(3 * smallest["p"])
    assert {row["figure"] for row in rows if row["table"] == "order"} == {
        "friedman",
        "permutation",
        "kendall_w",
        "conover",
        "nemenyi",
    }
    assert [row["value"] for row in rows if row["table"] == "means" and row["figure"] == "rank"] == [1, 2, 3]


def test_a_few_sources_have_no_model_that_tests() -> None:
    rows = rows_of(planted_sources(1, questions=5))

    mixed, ordered = one(rows, "models", "mixed"), one(rows, "models", "ordered")
    assert mixed["p"] is None
    assert ordered["p"] is None
    assert mixed["reason"]
    assert ordered["reason"]


def test_agreement_is_of_the_judges_over_all_answers() -> None:
    rows = rows_of(planted_sources(1))

    assert one(rows, "agreement", "kappa")["n"] == 3
    pairs = [row for row in rows if row["table"] == "judges" and row["figure"] == "kappa"]
    mean = sum(row["value"] for row in pairs) / 3
    assert one(rows, "agreement", "kappa")["value"] == pytest.approx(mean)
    assert {row["n"] for row in pairs} == {100}
    assert one(rows, "agreement", "kappa_quadratic")["value"] > one(rows, "agreement", "kappa")["value"]


def test_a_pair_of_judges_with_too_few_texts_in_common_is_listed_without_a_kappa() -> None:
    both = [((2, 3), (3, 3))] * 2
    apart = answered([((4,), (5,))] * 6, rater="9")
    rows = rows_of([*answered(both), *(replace(each, source_id=f"a{each.source_id}") for each in apart)])

    pairs = {(row["first"], row["second"]): row for row in rows if (row["table"], row["figure"]) == ("judges", "kappa")}
    assert {who: (row["n"], row["value"], row["reason"]) for who, row in pairs.items()} == {
        ("1", "2"): (4, None, "4 of 5 texts in common"),
        ("1", "9"): (0, None, "no text in common"),
        ("2", "9"): (0, None, "no text in common"),
    }


def test_pairs_without_a_kappa_are_counted_where_many_judge() -> None:
    rows = rows_of(answered([(tuple([2, 3] * 11), tuple([3, 3] * 11))] * 2), FEW)

    assert one(rows, "judges", "few_common")["value"] == 22 * 21 / 2
    assert not [row for row in rows if row["table"] == "judges" and row["figure"] == "kappa"]


def test_judges_whom_nobody_knows_are_people_of_their_own() -> None:
    rows = rows_of(answered([((2, 3), (3, 3))] * 12, rater=""), replace(FEW, judges="all"))

    assert one(rows, "agreement", "kappa")["reason"].startswith("no two judges have 5 texts in common")
    assert one(rows, "direction", "better")["n"] == 12
    assert not [row for row in rows if row["table"] == "judges" and row["figure"] == "kappa"]


def test_differences_are_sorted_and_name_their_sources() -> None:
    (judged,) = judged_scales(answered([((2,), (2,)), ((1,), (4,)), ((3,), (2,))]), [CONTENT], FEW)

    found = difference_rows(judged, FEW)

    assert [(row["group"], row["value"]) for row in found[NEW]] == [("1", 3), ("0", 0), ("2", -1)]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        (
            replace(FEW, baseline=("MEAD",)),
            "There are no such ratings of the outputs of MEAD. There are of BlogSum, OList.",
        ),
        (replace(FEW, systems=(BASELINE,)), "Choose 2 to 10 systems: 1 are chosen of BlogSum, OList."),
        (replace(FEW, pool="experts"), "Outputs of two systems or more must have ratings"),
    ],
)
def test_what_cannot_be_compared_is_refused(parameters: ComparisonParameters, words: str) -> None:
    with pytest.raises(Refused, match=words):
        judged_scales(planted_sources(1, questions=3), [CONTENT], parameters)


def test_more_than_ten_systems_are_refused() -> None:
    with pytest.raises(Refused, match="Choose 2 to 10 systems: 12 are chosen"):
        judged_scales(planted_sources(1, questions=2, effects=(0,) * 11), [CONTENT], FEW)


@pytest.mark.parametrize(
    "scale",
    [
        replace(CONTENT, is_preference=True),
        replace(CONTENT, numbers=NumberRange(0, 100, 1)),
        replace(CONTENT, numbers=NumberRange(1, 5, 1, less_is_better=True)),
    ],
)
def test_scales_that_do_not_fit_are_left_out(scale: Scale) -> None:
    with pytest.raises(Refused):
        judged_scales(planted_sources(1, questions=2), [scale], FEW)


@pytest.mark.slow
def test_a_planted_difference_is_covered() -> None:
    """The difference in the mean of whole points is that of a very large study, as points are cut at both ends."""
    (large,) = judged_scales(planted_sources(10_000, questions=20_000), [CONTENT], FEW)
    found = [row["value"] for row in difference_rows(large, FEW)[NEW]]
    truth = sum(found) / len(found)
    superior = sum((value > 0) + (value == 0) / 2 for value in found) / len(found)

    effects, shares, better = 0, 0, 0
    for seed in range(100):
        rows = rows_of(planted_sources(seed), replace(FEW, draws=1000))
        effect, share = one(rows, "effects", "difference"), one(rows, "direction", "superiority")
        effects += effect["low"] <= truth <= effect["high"]
        shares += share["low"] <= superior <= share["high"]
        better += effect["low"] > 0

    assert effects >= 90
    assert shares >= 90
    assert better >= 90
