"""Accuracy over pairs of outputs of one input, with ties of the metric calibrated."""

from evaluation.judged_release import JudgedRelease
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.core.undefined import Undefined
from measures.meta_evaluation import calibrated_accuracy

TABLE = "ties"
AT_ZERO, CALIBRATED, HELD_OUT = "accuracy at 0", "calibrated accuracy", "calibrated accuracy, held out"


def tie_rows(judged: JudgedRelease) -> SectionResult:
    """Return accuracy where only equal scores tie, at the best epsilon, and with epsilon from other inputs."""
    rows: list[Row] = []
    for judgement in judged.judgements:
        outputs = judged.comparable(judgement)
        found = calibrated_accuracy(outputs.scores, outputs.quality, seed=judged.parameters.seed, names=outputs.inputs)
        for metric, each in zip(outputs.metrics, found, strict=True):
            epsilon = None if isinstance(each.epsilon, Undefined) else each.epsilon
            about = {"judgement": judgement, "metric": metric, "n": each.inputs}
            rows += [
                row(TABLE, AT_ZERO, each.accuracy_at_zero, epsilon=0.0, **about),
                row(TABLE, CALIBRATED, each.accuracy, epsilon=epsilon, **about),
                row(TABLE, HELD_OUT, each.held_out, epsilon=None, **about),
            ]
    return SectionResult(rows, {})


SECTIONS = [ReportSection(140, tie_rows)]
