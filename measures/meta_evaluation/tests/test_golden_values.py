"""Corpus level, agreement about significance, bootstrap, ceiling, power, partial and jackknife: golden values."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_rel, wilcoxon
from sklearn.isotonic import IsotonicRegression

from measures.core.undefined import Undefined
from measures.meta_evaluation.bootstrap import bootstrap_input_level, fisher_interval, weighted_correlations
from measures.meta_evaluation.ceiling import ceiling_of, split_correlations
from measures.meta_evaluation.jackknife import jackknifed
from measures.meta_evaluation.pair_shares import Share, mcnemar
from measures.meta_evaluation.pair_verdicts import verdicts
from measures.meta_evaluation.partial import partial_input_level
from measures.meta_evaluation.power import williams_power
from measures.meta_evaluation.significance_agreement import agreement, agreements
from measures.meta_evaluation.smallest_trusted_difference import agreement_curve
from measures.meta_evaluation.system_correlations import Correlation, corpus_level, system_means, system_tests
from measures.meta_evaluation.tests.golden import DATA, GOLDEN, METRICS, golden_outputs, made_outputs


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_corpus_level(method: Correlation) -> None:
    found = dict(zip(METRICS, corpus_level(golden_outputs(), method=method), strict=True))
    name = "kendall_b" if method == "kendall" else method
    for metric in METRICS[:5]:
        assert found[metric].r == pytest.approx(GOLDEN["corpus_level"]["metrics"][metric][name], abs=1e-9)
        assert isinstance(found[metric].p, Undefined)
    assert found["constant"].r == Undefined("the means of all systems are the same")
    np.testing.assert_allclose(system_means(golden_outputs())[1], GOLDEN["corpus_level"]["judge_means"], atol=1e-9)


def test_systems_against_each_other() -> None:
    outputs = golden_outputs()
    people, metrics = system_tests(outputs)
    expected = [GOLDEN["corpus_level"]["paired_t"][pair] for pair in DATA["pairs"]]
    np.testing.assert_allclose(people.t[0], [each["t"] for each in expected], atol=1e-8)
    np.testing.assert_allclose(people.t_p[0], [each["p"] for each in expected], atol=1e-9)
    for pair, (a, b) in enumerate(outputs.pairs):
        assert metrics.t_p[0, pair] == pytest.approx(ttest_rel(outputs.scores[0, a], outputs.scores[0, b]).pvalue)
        d = np.round(outputs.scores[0, a] - outputs.scores[0, b], 12)
        assert metrics.wilcoxon_p[0, pair] == pytest.approx(wilcoxon(d).pvalue)


def test_agreement_about_significance() -> None:
    found = verdicts(golden_outputs())
    expected = GOLDEN["significance_agreement"]
    assert found.verdict[0].tolist() == [each[0] for each in expected["judge_verdicts"]]
    np.testing.assert_allclose(found.p[0], [each[1] for each in expected["judge_verdicts"]], atol=1e-9)
    for place, result in enumerate(agreements(found)[:4]):
        golden = expected["metrics"][METRICS[place]]
        assert result.table.tolist() == golden["table"]
        for name, key in (("diff", "diff"), ("no diff", "no_diff"), ("sig", "sig"), ("all", "all")):
            share = result.shares[name]  # type: ignore[index]
            assert isinstance(share, Share)
            assert [share.agreed, share.of] == golden[key]


def test_agreement_by_hand() -> None:
    hand = GOLDEN["agreement_by_hand"]
    judge, metric, baseline = (
        [{"+": 1, "0": 0, "-": -1}[sign] for sign in hand[who]] for who in ("judge", "metric", "baseline")
    )
    found = agreement(judge, metric)
    assert found.table.tolist() == hand["rows_judge_columns_metric_plus_zero_minus"]
    sig = found.shares["sig"]
    assert isinstance(sig, Share)
    assert sig.normal == pytest.approx(hand["wald95"], abs=1e-5)
    assert sig.wilson == pytest.approx(hand["wilson95"], abs=1e-5)
    agree = [np.array(judge) == np.array(each) for each in (metric, baseline)]
    assert mcnemar(*agree) == hand["mcnemar_exact_p"]


def test_bootstrap_weights() -> None:
    outputs, weights = golden_outputs(), np.array([GOLDEN["bootstrap_weights"]["weights"]], dtype=float)
    found = []
    for a, b in outputs.pairs:
        difference = outputs.differences(a, b)
        found.append(weighted_correlations(np.vstack([difference.scores[0], difference.quality]), weights)[0, 0])
    assert np.mean(found) == pytest.approx(GOLDEN["bootstrap_weights"]["m1_mean_of_six"], abs=1e-9)
    expected = GOLDEN["bootstrap_weights"]["fisher_interval_r_.59_n_785"]
    assert fisher_interval(0.59, 785) == pytest.approx(tuple(expected), abs=1e-6)


def test_a_metric_given_twice_has_the_same_interval() -> None:
    outputs = made_outputs(1)
    twice = replace(outputs, metrics=("a", "b"), scores=outputs.scores[[0, 0]])
    first, second = bootstrap_input_level(twice, seed=1, draws=50).intervals
    assert first == second


@pytest.mark.parametrize("row", GOLDEN["power"])
def test_power(row: list[float]) -> None:
    assert williams_power(row[0], row[1], row[2], int(row[3])) == pytest.approx(row[4], abs=1e-9)


def test_partial_correlation() -> None:
    outputs, golden = golden_outputs(), GOLDEN["partial"]
    lengths = np.zeros((4, 12))
    lengths[0] = golden["length_difference"]
    found = partial_input_level(replace(outputs, lengths=lengths))
    assert not isinstance(found, Undefined)
    assert found.at(0, DATA["pairs"].index("AD")) == pytest.approx(golden["r"], abs=1e-6)


def test_ceiling() -> None:
    width = max(len(each) for row in DATA["ratings"] for each in row)
    ratings = np.array([[each + [np.nan] * (width - len(each)) for each in row] for row in DATA["ratings"]])
    first = np.broadcast_to(np.arange(width) % 2 == 0, ratings.shape)
    halves = split_correlations(ratings, first)
    np.testing.assert_allclose(halves, GOLDEN["ceiling"]["r_halves_by_pair"], atol=1e-9)
    found = [ceiling_of([each]).ceiling for each in halves]
    np.testing.assert_allclose(found, GOLDEN["ceiling"]["ceiling_of_r"], atol=1e-9)  # type: ignore[arg-type]


def test_jackknife() -> None:
    scores = GOLDEN["jackknife"]["single_scores"]
    found = jackknifed(lambda _, references: max(scores[each] for each in references), "peer", list(scores))
    assert found == pytest.approx(GOLDEN["jackknife"]["peer_jackknife"], abs=1e-9)


def test_the_curve_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    d = rng.random(60)
    agree = rng.random(60) < d
    sizes, agreement = agreement_curve(d, agree)
    np.testing.assert_allclose(agreement, IsotonicRegression().fit(d, agree).predict(sizes))
