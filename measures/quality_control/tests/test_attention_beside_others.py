"""What is flagged in the work of one rater beside that of the others: disagreement and drift."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from measures.core.arrays import FloatArray
from measures.quality_control.attention_flags import AttentionFlagName, RaterWork
from measures.quality_control.drift import drift
from measures.quality_control.permutation_test import permutation_z
from measures.quality_control.tests.works import DISAGREES, DRIFTS, STRAIGHT, UNKNOWN, column, flags, work
from measures.quality_control.worker_quality import others_means

# No better than chance


@pytest.mark.parametrize(
    ("texts", "gold", "is_flagged"), [(99, 2, False), (100, 2, True), (11, 3, False), (12, 3, True), (12, 0, False)]
)
def test_how_many_texts_disagreement_needs(texts: int, gold: int, is_flagged: bool) -> None:
    """Few are enough where there are three gold questions."""
    scores = column([1 + place % 3 for place in range(texts + gold)])
    others = 4 - scores
    others[texts:] = np.nan
    right = {row: ([4 - int(scores[row, 0])],) for row in range(texts, texts + gold)}
    assert (DISAGREES in flags(work(scores, others, right))) == is_flagged


def test_gold_questions_count_as_texts_whose_answers_are_known() -> None:
    scores, others = [[3], [1]] * 8, [[2], [2]] * 6 + [[UNKNOWN]] * 5
    right = {12: ([3],), 13: ([1],), 14: ([3],), 15: ([1],), 16: ([3],)}
    assert DISAGREES not in flags(work([*scores, [3]], others, right))
    assert "over 12 texts and 5 gold questions" in flags(work([*scores[::-1], [1]], others, right))[DISAGREES]


def test_disagreement_by_hand() -> None:
    # Against 1 and 3 in turn, the answer 3 and 1 in turn: 4 as it is, 2 on average; 2 sd sd / sqrt(19).
    scores = column([3, 1] * 10)
    assert flags(work(scores, 4 - scores), min_shared_alone=20) == {
        DISAGREES: "over 20 texts the mean squared difference from the others is 4.00; "
        "with the same answers shuffled it would be 2.00, give or take 0.46"
    }


def test_disagreement_is_judged_on_scales_of_one_length() -> None:
    scores = np.column_stack([[3, 1] * 10, [5, 1] * 10]).astype(float)
    found = flags(work(scores, [4, 6] - scores, points=(3, 5)), min_shared_alone=20)
    assert "from the others is 4.00; with the same answers shuffled it would be 2.00," in found[DISAGREES]


def test_how_much_better_than_chance_is_enough() -> None:
    # Thirteen pairs of 1 and 3, of which the rater turns three round: correlation 7/13, times the root of 25.
    work_of_26 = work(column([3, 1] * 3 + [1, 3] * 10), column([1, 3] * 13))
    z = 5 * 7 / 13
    assert DISAGREES not in flags(work_of_26, min_shared_alone=26, chance_z_alone=z - 1e-9)
    assert DISAGREES in flags(work_of_26, min_shared_alone=26, chance_z_alone=z + 1e-9)
    exact = permutation_z(*work_of_26.on_common_scale()).z
    assert exact is not None
    assert DISAGREES not in flags(work_of_26, min_shared_alone=26, chance_z_alone=exact)


@pytest.mark.parametrize(
    ("scores", "others"),
    [
        ([2] * 30, [1, 3] * 15),
        ([1, 3] * 15, [7 / 3] * 30),
        ([2] * 30, [7 / 3] * 30),
    ],
)
def test_who_never_varies_is_not_judged_here(scores: list[float], others: list[float]) -> None:
    assert DISAGREES not in flags(work(column(scores), column(others)), min_shared_alone=30, chance_z_alone=1e9)


def test_texts_that_nobody_else_rated_do_not_count() -> None:
    scores = column([1 + place % 3 for place in range(25)])
    others = 4 - scores
    others[[3, 5, 7, 9, 11]] = np.nan
    assert "over 20 texts" in flags(work(scores, others), min_shared_alone=20)[DISAGREES]
    others[1] = np.nan
    assert DISAGREES not in flags(work(scores, others), min_shared_alone=20)


# Drift


def changing(texts: int, before: float, after: float) -> RaterWork:
    """Somebody whose answers are 2 while the others' mean falls by the change, at the middle of the work."""
    half = texts // 2
    return work([[2]] * texts, column([2 - before] * half + [2 - after] * (texts - half)))


@pytest.mark.parametrize(
    ("before", "after", "evidence"),
    [
        (
            0,
            0.75,
            "grew milder: level with the others over the first 10 of 31 texts, 0.75 points milder than the others",
        ),
        (
            -0.25,
            0.5,
            "grew milder: 0.25 points stricter than the others over the first 10 of 31 texts, 0.50 points milder",
        ),
        (
            0.75,
            0.25,
            "grew stricter: 0.75 points milder than the others over the first 10 of 31 texts, 0.25 points milder",
        ),
    ],
)
def test_drift_is_told(before: float, after: float, evidence: str) -> None:
    found = flags(changing(31, before, after))[DRIFTS]
    assert found.startswith(evidence)
    assert found.endswith(" than the others over the last 10, on scales of 1 to 3")


@pytest.mark.parametrize(
    ("min_drift", "texts", "is_flagged"), [(30, 29, False), (30, 30, True), (6, 5, False), (6, 6, True)]
)
def test_how_many_texts_drift_needs(min_drift: int, texts: int, is_flagged: bool) -> None:
    assert (DRIFTS in flags(changing(texts, 0, 1), min_drift=min_drift)) == is_flagged


@pytest.mark.parametrize(
    ("before", "after", "is_flagged"),
    [(0, 0.299, False), (0, 0.3, True), (0.1, 0.4, True), (-0.4, -0.1, True), (0.5, 0.2, True), (0, -0.299, False)],
)
def test_how_many_points_drift_needs(before: float, after: float, is_flagged: bool) -> None:
    assert (DRIFTS in flags(changing(30, before, after))) == is_flagged


def test_how_sure_drift_must_be() -> None:
    # Differences of 0 ± 0.5, then 0.75 ± 0.5.
    scores = column([2] * 15 + [3] * 15)
    others = column([1.5, 2.5] * 7 + [2] + [2.25] + [1.75, 2.75] * 7)
    found = drift((scores - others)[:, 0])
    z = found.change / found.error
    assert z == pytest.approx(0.75 / np.sqrt(2 * (10 * 0.25 / 9) / 10))
    assert DRIFTS in flags(work(scores, others))
    assert DRIFTS in flags(work(scores, others), drift_z=z * (1 - 1e-9))
    assert DRIFTS not in flags(work(scores, others), drift_z=z * (1 + 1e-9))


def test_scales_that_drift_apart_cancel_out() -> None:
    apart = work([[2, 2]] * 30, [[2, 2]] * 15 + [[1, 3]] * 15)
    assert DRIFTS not in flags(apart)


def test_drift_is_measured_on_scales_of_one_length() -> None:
    """Points of a scale of five are half as wide: 0.6 of them make 0.3, 0.58 do not."""
    for change, is_flagged in ((0.6, True), (0.58, False)):
        five = work([[3]] * 30, column([3] * 15 + [3 - change] * 15), points=(5,))
        assert (DRIFTS in flags(five)) == is_flagged


def test_texts_that_nobody_else_rated_do_not_drift() -> None:
    scores, others = column([2] * 40), column([2] * 20 + [1] * 20)
    others[10:20] = np.nan
    assert "over the first 10 of 30 texts" in flags(work(scores, others))[DRIFTS]
    others[0] = np.nan
    assert DRIFTS not in flags(work(scores, others))


# A crowd


def crowd(seed: int, texts: int = 520, raters: int = 20) -> tuple[FloatArray, FloatArray, list[npt.NDArray[Any]]]:
    """Five honest raters on each text, two scales: all scores, the others' means, and the rows of each rater."""
    rng = np.random.default_rng(seed)
    rater = np.concatenate([rng.permutation(raters)[:5] for _ in range(texts)])
    text = np.repeat(np.arange(texts), 5)
    quality = rng.normal(2.6, 0.5, (texts, 1)) + rng.normal(0, 0.2, (texts, 2))
    scores = np.clip(np.round(quality[text] + rng.normal(0, 0.6, (len(text), 2))), 1, 3)
    rows = [np.flatnonzero(rater == one) for one in range(raters)]
    return scores, others_means(text, rater, scores, texts), rows


@pytest.mark.parametrize(
    ("kind", "name", "low", "high"),
    [
        ("honest", DISAGREES, 0, 0.03),
        ("honest", DRIFTS, 0, 0.02),
        ("honest", STRAIGHT, 0, 0),
        ("shuffled", DISAGREES, 0.78, 0.92),
        ("random", DISAGREES, 0.78, 0.92),
        ("always 3", STRAIGHT, 1, 1),
        ("always 3", DISAGREES, 0, 0),
        ("milder by the end", DRIFTS, 0.5, 1),
    ],
)
def test_how_often_raters_are_flagged(kind: str, name: AttentionFlagName, low: float, high: float) -> None:
    """Shuffled answers look so much better than chance in one case of six: that is what the threshold says."""
    found = []
    for seed in range(10):
        scores, others, of_raters = crowd(seed)
        rng = np.random.default_rng([seed, 1])
        for rows in of_raters:
            answers = {
                "honest": scores[rows],
                "shuffled": rng.permutation(scores[rows]),
                "random": rng.integers(1, 4, (len(rows), 2)),
                "always 3": np.full((len(rows), 2), 3),
                "milder by the end": np.minimum(scores[rows] + (np.arange(len(rows)) > len(rows) / 2)[:, None], 3),
            }[kind]
            found.append(name in flags(work(answers, others[rows])))
    assert low <= np.mean(found) <= high
