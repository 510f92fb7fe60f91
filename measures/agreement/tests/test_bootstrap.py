"""Bootstrap intervals of agreement and kappa."""

import numpy as np
import pytest

from measures.agreement.bootstrap import BootstrapAgreement, bootstrap_agreement, table_intervals
from measures.agreement.cohen import Weights, weighted_kappa
from measures.agreement.tests.test_cohen import A, B, value
from measures.core.intervals import Interval, resampled
from measures.core.undefined import Undefined


def bootstrap(a: list[int], b: list[int], replications: int = 25_000, seed: int = 1) -> BootstrapAgreement:
    result = bootstrap_agreement(a, b, categories=3, replications=replications, seed=seed)
    assert isinstance(result, BootstrapAgreement)
    return result


def test_the_values_are_those_of_the_table() -> None:
    result = bootstrap(A, B)
    assert result.agreement == 0.7
    assert result.kappa == weighted_kappa(A, B, categories=3)
    assert (result.items, result.replications, result.undefined_replications) == (10, 25_000, 0)


@pytest.mark.parametrize(("weights", "kappa"), [("quadratic", 4 / 5), ("linear", 5 / 7), ("none", 7 / 11)])
def test_disagreement_weighs_as_it_is_asked_to(weights: Weights, kappa: float) -> None:
    result = bootstrap_agreement([1, 2, 3, 1], [1, 2, 3, 2], categories=3, replications=10, seed=1, weights=weights)
    assert isinstance(result, BootstrapAgreement)
    assert result.kappa == pytest.approx(kappa)
    intervals = table_intervals([[[1, 1, 0], [0, 1, 0], [0, 0, 1]]], weights)
    assert isinstance(intervals[1], Interval)
    assert intervals[1].mean == pytest.approx(kappa)


def test_the_draws_have_the_distribution_of_resampled_items() -> None:
    rng = np.random.default_rng(9)
    a, b = A * 4, B * 4
    agreement, kappa = [], []
    for _ in range(4000):
        chosen = rng.integers(0, len(a), len(a))
        again = np.array(a)[chosen], np.array(b)[chosen]
        agreement.append(np.mean(again[0] == again[1]))
        kappa.append(value(weighted_kappa(*again, categories=3)))
    result = bootstrap(a, b)
    assert isinstance(result.kappa_interval, Interval)
    for found, plain in ((result.agreement_interval, agreement), (result.kappa_interval, kappa)):
        assert found.mean == pytest.approx(np.mean(plain), abs=0.006)
        assert found.variance == pytest.approx(np.var(plain), rel=0.1)
        assert [found.low, found.high] == pytest.approx(np.percentile(plain, [2.5, 97.5]), abs=0.03)


def test_the_variance_of_the_agreement_is_binomial() -> None:
    assert bootstrap(A, B).agreement_interval.variance == pytest.approx(0.7 * 0.3 / 10, rel=0.03)


def test_the_seed_alone_decides() -> None:
    assert bootstrap(A, B, 100, seed=4) == bootstrap(A[::-1], B[::-1], 100, seed=4)
    assert bootstrap(A, B, 100, seed=4) != bootstrap(A, B, 100, seed=5)


def test_replications_with_one_category_are_counted_apart() -> None:
    result = bootstrap([1, 1, 1, 3], [1, 1, 1, 3], replications=2000)
    assert result.undefined_replications == pytest.approx(2000 * (0.75**4 + 0.25**4), abs=80)
    assert result.kappa_interval == Interval(mean=1, variance=0, low=1, high=1)


def test_undefined_has_a_reason() -> None:
    assert bootstrap_agreement([], [], categories=3, seed=1) == Undefined("no item has two ratings")
    same = bootstrap([2, 2], [2, 2])
    assert same.kappa == same.kappa_interval == Undefined("all ratings are in one category")
    assert (same.agreement, same.agreement_interval.low) == (1, 1)
    by_chance = {bootstrap([1, 2], [1, 2], replications=1, seed=seed).kappa_interval for seed in range(20)}
    assert Undefined("all ratings are in one category in every draw") in by_chance


def test_replications_are_checked() -> None:
    with pytest.raises(ValueError, match="replications"):
        bootstrap(A, B, replications=0)


def test_blocks_of_replications_are_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    items = np.array([5, 1, 3])
    (whole,) = resampled(items, 10, np.random.default_rng(4))
    monkeypatch.setattr("measures.core.intervals._BLOCK", 9)
    blocks = list(resampled(items, 10, np.random.default_rng(4)))
    assert [len(block) for block in blocks] == [3, 3, 3, 1]
    assert np.concatenate(blocks).tolist() == whole.tolist()
