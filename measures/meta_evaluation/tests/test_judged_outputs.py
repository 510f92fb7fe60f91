"""Records become arrays, and what does not fit is refused by name."""

import numpy as np
import pytest

from measures.meta_evaluation.judged_outputs import JudgedOutputs, arrange_outputs
from measures.meta_evaluation.system_differences import Missing

SCORES = [
    ("x", "B", "R", 0.1),
    ("x", "A", "R", 0.3),
    ("y", "A", "R", 0.5),
    ("y", "B", "R", 0.1),
    ("x", "A", "TER", 7.0),
    ("y", "A", "TER", 5.0),
    ("y", "B", "TER", 9.0),
]
QUALITY = [("x", "A", 5 / 3), ("x", "B", 4 / 3), ("y", "A", 2.0), ("y", "B", 3.0)]


def test_records_are_arranged_by_system_and_input() -> None:
    outputs = arrange_outputs(SCORES, QUALITY, lengths=[("y", "B", 40)], smaller_is_better=["TER"])
    assert (outputs.metrics, outputs.systems, outputs.inputs) == (("R", "TER"), ("A", "B"), ("x", "y"))
    np.testing.assert_array_equal(outputs.scores, [[[0.3, 0.5], [0.1, 0.1]], [[-7, -5], [np.nan, -9]]])
    np.testing.assert_array_equal(outputs.quality, [[5 / 3, 2], [4 / 3, 3]])
    np.testing.assert_array_equal(outputs.lengths, [[np.nan, np.nan], [np.nan, 40]])
    assert outputs.pairs == ((0, 1),)


@pytest.mark.parametrize(
    ("scores", "quality", "smaller", "message"),
    [
        ([*SCORES, SCORES[0]], QUALITY, (), "the R of system 'B' for input 'x' is there twice"),
        (
            [("x", "A", "R", float("nan"))],
            [],
            (),
            "the R of system 'A' for input 'x' is nan: it must be",
        ),
        (SCORES, [("x", "C", 1.0)], (), "system 'C' has a quality but no score"),
        (SCORES, [("z", "A", 1.0)], (), "input 'z' has a quality but no score"),
        (SCORES, [QUALITY[0], QUALITY[0]], (), "the quality of system 'A' for input 'x' is there twice"),
        (SCORES, [("x", "A", float("inf"))], (), "the quality of system 'A' for input 'x' is inf"),
        (SCORES, QUALITY, ("BLEU",), "there is no metric called BLEU"),
    ],
)
def test_records_that_do_not_fit_are_refused(
    scores: list[tuple[str, str, str, float]],
    quality: list[tuple[str, str, float]],
    smaller: tuple[str, ...],
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        arrange_outputs(scores, quality, smaller_is_better=smaller)


@pytest.mark.parametrize(("missing", "inputs"), [("by pair", [0, 1, 3]), ("complete", [0, 3])])
def test_a_pair_is_compared_where_both_have_everything(missing: Missing, inputs: list[int]) -> None:
    scores = np.arange(24.0).reshape(2, 3, 4) ** 2
    scores[0, 2, 1] = scores[1, 0, 2] = np.nan
    outputs = JudgedOutputs(("m", "n"), ("A", "B", "C"), tuple("wxyz"), scores, np.zeros((3, 4)))
    assert outputs.differences(0, 1, missing=missing).inputs.tolist() == inputs


def test_a_metric_without_values_takes_no_input_from_the_others() -> None:
    scores = np.arange(12.0).reshape(2, 2, 3)
    scores[1, 1] = np.nan
    differences = JudgedOutputs(("m", "n"), ("A", "B"), tuple("xyz"), scores, np.zeros((2, 3))).differences(0, 1)
    assert differences.inputs.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(differences.scores, [[-3, -3, -3], [np.nan] * 3])


def test_equal_means_of_thirds_differ_by_nothing() -> None:
    quality = np.array([[1 / 3 + 1 / 3 + 1], [5 / 3]])
    outputs = JudgedOutputs(("m",), ("A", "B"), ("x",), np.array([[[0.1 + 0.2], [0.3]]]), quality)
    assert outputs.differences(0, 1).quality.tolist() == [0.0]
    assert outputs.differences(0, 1).scores.tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("systems", "scores", "message"),
    [
        (("B", "A"), np.zeros((1, 2, 1)), "order of their names"),
        (("A", "A"), np.zeros((1, 2, 1)), "each system needs a name of its own"),
        (("A", "B"), np.zeros((1, 2, 2)), "scores must be of shape"),
        (("A", "B"), np.full((1, 2, 1), np.inf), "scores must be finite"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(systems: tuple[str, ...], scores: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        JudgedOutputs(("m",), systems, ("x",), scores, np.zeros((2, 1)))


def test_parts_keep_what_they_are_parts_of() -> None:
    outputs = arrange_outputs(SCORES, QUALITY, lengths=[("y", "B", 40)])
    part = outputs.of_metrics(["TER"]).of_inputs([1])
    assert (part.metrics, part.inputs, part.scores.tolist()) == (("TER",), ("y",), [[[5.0], [9.0]]])
    assert part.lengths is not None
    with pytest.raises(ValueError, match="no metric called BLEU"):
        outputs.of_metrics(["BLEU"])
