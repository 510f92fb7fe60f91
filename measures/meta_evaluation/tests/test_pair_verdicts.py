"""Verdicts on pairs of systems, what is made of them, and shares of pairs."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import permutation_test

from measures.core.undefined import Undefined
from measures.meta_evaluation import (
    agreement,
    agreements,
    beats_baseline,
    over_sets,
    pair_kinds,
    restricted,
    share_of,
    verdicts,
)
from measures.meta_evaluation.pair_shares import NO_SETS, Share
from measures.meta_evaluation.sign_flips import sign_flip_p
from measures.meta_evaluation.significance_agreement import NEVER_BOTH, NO_PAIRS
from measures.meta_evaluation.tests.golden import made_outputs


def test_kinds_of_pairs_are_by_how_many_of_the_two_are_people() -> None:
    found = verdicts(made_outputs(1))
    kinds = pair_kinds(found, [False, True, False, True])
    assert {kind: each.pairs.tolist() for kind, each in kinds.items()} == {
        "auto-auto": [[0, 2]],
        "human-auto": [[0, 1], [0, 3], [1, 2], [2, 3]],
        "human-human": [[1, 3]],
    }
    assert kinds["human-human"].p[:, 0].tolist() == found.p[:, 4].tolist()
    assert sum(int(agreements(each)[0].table.sum()) for each in kinds.values()) == 6


def test_kinds_are_those_of_the_pairs_that_are_left() -> None:
    outputs = made_outputs(1)
    quality = outputs.quality.copy()
    quality[0, 5:] = np.nan
    found = verdicts(replace(outputs, quality=quality))
    assert found.left_out == 3
    assert [len(each.pairs) for each in pair_kinds(found, [False, False, False, True]).values()] == [1, 2, 0]


def test_pairs_are_restricted_to_those_that_every_judge_tells_apart() -> None:
    outputs = made_outputs(1, inputs=60)
    found = verdicts(outputs)
    other = verdicts(replace(outputs, quality=np.random.default_rng(1).permuted(outputs.quality, axis=0)))
    kept = restricted(found, [found])
    assert kept.pairs.tolist() == found.pairs[found.verdict[0] != 0].tolist()
    assert len(kept.pairs) > 0
    both = restricted(found, [found, other])
    significant = (found.verdict[0] != 0) & (other.verdict[0] != 0)
    assert both.pairs.tolist() == found.pairs[significant].tolist()
    assert both.verdict.tolist() == found.verdict[:, significant].tolist()
    assert len(restricted(found, [verdicts(replace(outputs, quality=np.ones((4, 60))))]).pairs) == 0


def test_a_pair_that_a_judge_did_not_see_is_left_out() -> None:
    outputs = made_outputs(1, inputs=60)
    quality = outputs.quality.copy()
    quality[3] = np.nan
    kept = restricted(verdicts(outputs), [verdicts(replace(outputs, quality=quality))])
    assert 3 not in kept.pairs
    assert len(kept.pairs)


def test_shares_of_several_sets() -> None:
    sets: list[Share | Undefined] = [share_of(1, 2), share_of(9, 10), Undefined("no pairs in this genre")]
    assert over_sets(sets) == pytest.approx((0.5 + 0.9) / 2)
    assert over_sets(sets, pooled=True) == pytest.approx(10 / 12)
    assert over_sets(sets[2:]) == over_sets([], pooled=True) == NO_SETS


def test_a_metric_beats_the_baseline_with_its_whole_interval() -> None:
    # 90 of 100: .9 - 1.96 x .03 = .8412.
    assert beats_baseline(share_of(90, 100), share_of(84, 100))
    assert not beats_baseline(share_of(90, 100), share_of(85, 100))
    assert not beats_baseline(share_of(80, 100), share_of(80, 100))
    # Of few pairs none is better, unless all agree.
    assert not beats_baseline(share_of(5, 6), share_of(4, 6))
    assert beats_baseline(share_of(6, 6), share_of(5, 6))


def test_contradictions_of_the_pairs_that_both_find_significant() -> None:
    judge, metric = [1, 1, 0, -1, -1], [1, -1, 1, 0, -1]
    by_all = agreement(judge, metric).shares["contr"]
    by_both = agreement(judge, metric, contradictions_of="pairs significant by both").shares["contr"]
    assert isinstance(by_all, Share)
    assert isinstance(by_both, Share)
    assert ((by_all.agreed, by_all.of), (by_both.agreed, by_both.of)) == ((1, 5), (1, 3))
    nothing = agreement([1, 0], [0, 1], contradictions_of="pairs significant by both").shares["contr"]
    assert nothing == NEVER_BOTH
    assert agreement([], [], contradictions_of="pairs significant by both").shares["contr"] == NO_PAIRS
    found = verdicts(made_outputs(1))
    assert agreements(found, contradictions_of="pairs significant by both")[0].table.sum() == 6


@pytest.mark.parametrize("inputs", [10, 16])
def test_permutation_p_is_scipys(inputs: int) -> None:
    outputs = made_outputs(3, inputs=inputs)
    found = verdicts(outputs, test="permutation", min_inputs=5)
    for place, (a, b) in enumerate(outputs.pairs):
        d = outputs.differences(a, b)
        for row, values in enumerate((d.quality, *d.scores[:2])):
            exact = permutation_test((values,), np.mean, permutation_type="samples", n_resamples=2**16, batch=2**12)
            assert found.p[row, place] == pytest.approx(exact.pvalue)


def test_permutation_p_by_draws_is_near_the_exact_one_and_never_0() -> None:
    d = np.random.default_rng(1).normal(0.3, 1, (3, 16))
    padded = np.concatenate([d, np.full((3, 9), np.nan)], axis=1)
    np.testing.assert_allclose(sign_flip_p(padded, draws=20_000, seed=1), sign_flip_p(d, seed=1), atol=0.015)
    assert sign_flip_p(np.ones((1, 40)), draws=99, seed=1) == 0.01
    assert sign_flip_p(np.zeros((1, 40)), draws=99, seed=1) == 1
    with pytest.raises(ValueError, match="at least 1"):
        sign_flip_p(d, draws=0, seed=1)


def test_verdicts_by_permutation_agree_with_the_t_test_where_it_is_clear() -> None:
    outputs = made_outputs(1, inputs=80)
    one, other = verdicts(outputs, test="permutation"), verdicts(outputs, test="paired t")
    clear = (other.p < 0.01) | (other.p > 0.15)
    assert clear.sum() > 20
    np.testing.assert_array_equal(one.verdict[clear], other.verdict[clear])
