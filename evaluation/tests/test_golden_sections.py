"""The worked example of the methods, with values found by other programs, as the report gives it."""

from typing import Any

import pytest

from evaluation.judged_release import JudgedRelease
from evaluation.parameters import EvaluationParameters
from evaluation.sections.base import Row, SectionResult
from evaluation.sections.heterogeneity import heterogeneity_rows
from evaluation.sections.significance import significance_rows
from evaluation.sections.summary_level import summary_rows
from evaluation.sections.system_order import order_rows
from evaluation.sections.ties import tie_rows
from evaluation.tests.made_releases import made_release
from measures.core.arrays import FloatArray
from measures.meta_evaluation.sentinels import SOURCE_LENGTH
from measures.meta_evaluation.tests import golden, later_methods

FOUR = ("m1", "m2", "m3", "m4")


def worked_example(*metrics: str, names: tuple[str, ...] = (), draws: int = 5000) -> JudgedRelease:
    """The metrics of the example, perhaps under other names."""
    data = dict(zip(golden.METRICS, golden.golden_outputs().scores, strict=True))
    chosen: dict[str, FloatArray] = {name: data[metric] for name, metric in zip(names or metrics, metrics, strict=True)}
    return made_release(golden.DATA["ratings"], chosen, EvaluationParameters(draws=draws))


def cells(found: SectionResult, **wanted: object) -> dict[tuple[str, str], Row]:
    """The rows for meaning by metric and figure."""
    rows = [row for row in (*found.rows, *found.by_pair) if row["judgement"] == "meaning"]
    kept = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    return {(row["metric"], row["figure"]): row for row in kept}


def test_agreement_about_significance() -> None:
    found = cells(significance_rows(worked_example(*FOUR)), other="auto-auto")
    for metric in FOUR:
        expected: dict[str, Any] = golden.GOLDEN["significance_agreement"]["metrics"][metric]
        for figure, key in (("diff", "diff"), ("no diff", "no_diff"), ("sig", "sig"), ("all", "all")):
            agreed, of = expected[key]
            assert (found[metric, figure]["value"], found[metric, figure]["n"]) == (agreed / of, of)
        assert found[metric, "contr"]["value"] == expected["contradictions"] / 6
    assert found["m1", "sig"]["is_coarse"] is True


def test_a_baseline_is_compared_with_all_metrics() -> None:
    rouge = "LR-2+Recall+MULT-ALL"
    found = cells(significance_rows(worked_example("m1", "m3", names=("other", rouge))), other="auto-auto")
    assert {row["baseline"] for row in found.values() if row["figure"] in ("sig", "all")} <= {rouge}
    # All six directions of one are right, and four of the other: the two that differ are a coin's.
    better = found["other", "all"]
    assert (better["versus_baseline"], better["p"]) == (pytest.approx(1 / 3), 0.5)
    assert better["beats_baseline"] is True
    assert better["no_versus_interval"] == "there are fewer than 10 systems to draw"
    assert (better["p_holm"], better["p_bh"]) == (0.5, 0.5)
    assert found[rouge, "all"]["p"] is None


def test_the_first_metric_stands_in_for_the_baseline() -> None:
    found = cells(significance_rows(worked_example(*FOUR)), other="auto-auto")
    assert found["m3", "sig"]["baseline"] == "m1"


def test_metrics_combined_without_ratings() -> None:
    expected = later_methods.GOLDEN["hbr"]
    found = cells(heterogeneity_rows(worked_example(*FOUR)))
    for metric, value in expected["auc_pooled"].items():
        assert found[metric, "auc"]["value"] == pytest.approx(value, abs=1e-9)
        assert found[metric, "auc"]["n"] == sum(expected["pairs_by_input"])
    topics = found["HBR", "worst rank"]
    assert (topics["topics"], topics["inconsistent"]) == (12, len(expected["inconsistent_inputs"]))
    assert found["m1", "auc"]["is_best_single"] is True


def test_the_order_of_systems() -> None:
    expected = later_methods.GOLDEN["modern"]["metrics"]
    found = cells(order_rows(worked_example(*FOUR)))
    for metric in FOUR:
        agreed, of = expected[metric]["pairwise_accuracy"]
        assert found[metric, "pairwise accuracy"]["value"] == agreed / of
        # All vectors of signs are taken for twelve inputs, so this has no error of drawing.
        soft = found[metric, "soft pairwise accuracy"]["value"]
        assert soft == pytest.approx(expected[metric]["spa_exact"], abs=1e-9)
    assert found["m1", "pairwise accuracy, significant pairs"]["n"] == 5


def test_ties() -> None:
    expected = later_methods.GOLDEN["modern"]["metrics"]
    found = cells(tie_rows(worked_example(*FOUR)))
    for metric in FOUR:
        assert found[metric, "calibrated accuracy"]["value"] == pytest.approx(expected[metric]["acc_eq"], abs=1e-9)
        assert found[metric, "calibrated accuracy"]["epsilon"] == pytest.approx(expected[metric]["epsilon"])
        assert found[metric, "accuracy at 0"]["value"] == pytest.approx(expected[metric]["acc_at_0"], abs=1e-9)


@pytest.mark.parametrize(("kind", "key"), [("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "kendall_b")])
def test_correlations_over_systems(kind: str, key: str) -> None:
    found = cells(summary_rows(worked_example(*FOUR)), other=kind)
    for metric in FOUR:
        expected = golden.GOLDEN["corpus_level"]["metrics"][metric][key]
        assert found[metric, "r_SYS"]["value"] == pytest.approx(expected, abs=1e-9)


def test_sentinels_stand_beside_what_rewards_knowing_the_source() -> None:
    found = cells(summary_rows(worked_example(*FOUR)), is_sentinel=True, other="pearson")
    assert {figure for _metric, figure in found} == {"r_SYS", "r_SUM", "within systems", "over all outputs"}
    assert found[SOURCE_LENGTH, "r_SUM"]["value"] is None
