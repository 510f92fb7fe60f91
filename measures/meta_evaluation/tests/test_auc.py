"""AUC, robustness and plain combinations, against golden values, SciPy and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ttest_rel
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.auc import (
    FEW_TOPICS,
    NO_DIFFERENT_PAIR,
    NO_SPREAD,
    AucCounts,
    auc_counts,
    auc_differences,
)
from measures.meta_evaluation.combinations import (
    ALL_CONSTANT,
    best_single,
    first_component,
    mean_rank,
    mean_z_score,
)
from measures.meta_evaluation.tests.later_methods import GOLDEN, METRICS, quality, scores
from measures.meta_evaluation.unlike_measures import HeterogeneityRanking, heterogeneity_ranking
from measures.meta_evaluation.worst_topics import ONE_MEASURE, robustness

WITH_HBR = (*METRICS, "HBR")
EXPECTED = GOLDEN["hbr"]


def with_hbr() -> FloatArray:
    found = heterogeneity_ranking(scores())
    assert isinstance(found, HeterogeneityRanking)
    return np.concatenate([scores(), found.outputs[None]])


def test_auc_pooled_and_by_input() -> None:
    counts = auc_counts(with_hbr(), quality())
    assert counts.pairs.tolist() == EXPECTED["pairs_by_input"]
    assert counts.pooled() == pytest.approx([EXPECTED["auc_pooled"][each] for each in WITH_HBR], abs=1e-9)
    expected = np.array([EXPECTED["auc_by_input"][each] for each in WITH_HBR])
    np.testing.assert_allclose(counts.by_topic(), expected, atol=1e-9)
    assert counts.topic_mean() == pytest.approx(tuple(expected.mean(axis=1)), abs=1e-9)


@settings(max_examples=50)
@given(
    arrays(np.float64, (1, 6, 1), elements=st.integers(0, 5).map(float)),
    arrays(np.bool_, 6).filter(lambda each: each.any() and not each.all()),
)
def test_two_levels_of_quality_are_scikit_learns_auc(values: FloatArray, good: FloatArray) -> None:
    (found,) = auc_counts(values, good.astype(float)[:, None]).pooled()
    assert found == pytest.approx(roc_auc_score(good, values[0, :, 0]))


@settings(max_examples=40)
@given(arrays(np.float64, (2, 3, 4), elements=st.integers(0, 6).map(float)), st.permutations(range(3)))
def test_a_growing_transformation_and_renamed_systems_change_nothing(values: FloatArray, order: list[int]) -> None:
    q = np.round(values[0] - 0.5 * values[1] ** 2, 3)
    counts = auc_counts(values, q)
    moved = auc_counts(np.exp(values)[:, order], q[order])
    np.testing.assert_allclose(counts.won, moved.won)
    np.testing.assert_array_equal(counts.pairs, moved.pairs)


def test_topics_may_be_genres() -> None:
    counts = auc_counts(scores(), quality())
    grouped = counts.grouped(["news", "letters"] * 6)
    assert grouped.pairs.tolist() == [counts.pairs[1::2].sum(), counts.pairs[::2].sum()]
    assert grouped.pooled() == pytest.approx(counts.pooled())
    with pytest.raises(ValueError, match="topics must name each of 12 inputs"):
        counts.grouped(["news"])


def test_differences_are_a_paired_t_over_topics() -> None:
    counts = auc_counts(with_hbr(), quality())
    found = auc_differences(counts, 4)
    for place, each in enumerate(found[:4]):
        oracle = ttest_rel(counts.by_topic()[4], counts.by_topic()[place])
        assert (each.t, each.p) == pytest.approx((oracle.statistic, oracle.pvalue))
        assert isinstance(each.low, float)
        assert isinstance(each.high, float)
        assert isinstance(each.difference, float)
        assert each.low < each.difference < each.high or each.difference == 0
    assert (found[4].difference, found[4].t, found[4].p) == (0, NO_SPREAD, NO_SPREAD)


def test_differences_without_topics_are_undefined() -> None:
    empty = AucCounts(np.zeros((2, 3)), np.zeros(3, dtype=np.int64))
    assert {each.difference for each in auc_differences(empty, 0)} == {NO_DIFFERENT_PAIR}
    assert empty.pooled() == empty.topic_mean() == (NO_DIFFERENT_PAIR,) * 2
    one = AucCounts(np.array([[3.0, 0], [2.0, 0]]), np.array([4, 0]))
    assert auc_differences(one, 0)[1].p == FEW_TOPICS


@pytest.mark.parametrize(("share", "name"), [(0.1, "worst_rank_10_percent"), (0.3, "worst_rank_30_percent")])
def test_worst_ranks(share: float, name: str) -> None:
    found = robustness(auc_counts(with_hbr(), quality()), share=share, combined=[4])
    assert found.worst_rank == pytest.approx([EXPECTED[name][each] for each in WITH_HBR], abs=1e-9)
    assert list(found.inconsistent) == EXPECTED["inconsistent_inputs"]


def test_auc_without_inconsistent_topics() -> None:
    counts = auc_counts(with_hbr(), quality())
    rest = np.setdiff1d(np.arange(12), EXPECTED["inconsistent_inputs"])
    expected = auc_counts(with_hbr()[:, :, rest], quality()[:, rest]).pooled()
    assert robustness(counts, combined=[4]).auc_without == pytest.approx(expected)


def test_ranks_need_two_measures_and_a_topic() -> None:
    assert robustness(auc_counts(scores("m1"), quality())).worst_rank == (ONE_MEASURE,)
    same = auc_counts(scores(), np.ones((4, 12)))
    assert robustness(same).worst_rank == (NO_DIFFERENT_PAIR,) * 4
    with pytest.raises(ValueError, match="share"):
        robustness(same, share=0)


def test_first_component_is_scikit_learns() -> None:
    flat = scores().reshape(4, -1).T
    expected = PCA(1).fit_transform(StandardScaler().fit_transform(flat))[:, 0]
    found = first_component(scores())
    assert not isinstance(found, Undefined)
    np.testing.assert_allclose(np.abs(found.ravel()), np.abs(expected), atol=1e-9)
    z = mean_z_score(scores())
    assert not isinstance(z, Undefined)
    np.testing.assert_allclose(z.ravel(), StandardScaler().fit_transform(flat).mean(axis=1))
    assert np.corrcoef(found.ravel(), z.ravel())[0, 1] > 0


def test_combinations_pass_over_constants_and_missing_outputs() -> None:
    values = scores("m1", "constant")
    both, alone = mean_z_score(values), mean_z_score(scores("m1"))
    assert not isinstance(both, Undefined)
    assert not isinstance(alone, Undefined)
    np.testing.assert_allclose(both, alone)
    assert mean_z_score(scores("constant")) == first_component(scores("constant")) == ALL_CONSTANT
    values[0, 2, 5] = np.nan
    for found in (mean_rank(values), mean_rank(values, among="all"), mean_z_score(values), first_component(values)):
        assert not isinstance(found, Undefined)
        assert np.argwhere(np.isnan(found)).tolist() == [[2, 5]]


def test_mean_rank_among_outputs_of_an_input_or_all() -> None:
    found = mean_rank([[[0.1, 0.5, np.nan], [0.2, 0.5, 0.9]]])
    np.testing.assert_array_equal(found, [[1, 1.5, np.nan], [2, 1.5, 1]])
    everywhere = mean_rank([[[0.1, 0.5, np.nan], [0.2, 0.5, 0.9]]], among="all")
    np.testing.assert_array_equal(everywhere, [[1, 3.5, np.nan], [2, 3.5, 5]])


def test_the_best_measure_is_the_first_with_the_largest_value() -> None:
    assert best_single(auc_counts(with_hbr(), quality()).pooled()) == 0
    assert isinstance(best_single([NO_DIFFERENT_PAIR]), Undefined)
