"""The best metric of each unit, measure and way to use references, as in Table 9."""

from collections.abc import Iterator, Sequence

from evaluation.judged_release import JudgedRelease
from evaluation.scored_outputs import MetricInfo
from evaluation.sections.base import ReportSection, Row, SectionResult, row
from measures.meta_evaluation import GroupBest, group_bests

TABLE = "table 9"
UNIT, MEASURE, REFERENCES, OTHER = "unit", "measure", "references", "other"
OF_THE_GRID = ("Precision", "Recall", "F-1")
DOMINATES, DOMINATED = "*", "-"


def best_rows(judged: JudgedRelease) -> SectionResult:
    """Return the best correlation of each label; metrics beyond the paper's grid of units and measures are apart."""
    rows = [
        each
        for judgement in judged.judgements
        for by, labels in labels_of(judged.metrics).items()
        for each in _rows(judged, judgement, by, labels)
    ]
    return SectionResult(rows, {})


def labels_of(metrics: Sequence[MetricInfo]) -> dict[str, list[str | None]]:
    """Return the label of each metric in each respect, None where it has none."""
    in_grid = [each.measure in OF_THE_GRID and not each.unit.startswith("ROUGE") for each in metrics]
    return {
        UNIT: [each.unit if fits else None for each, fits in zip(metrics, in_grid, strict=True)],
        MEASURE: [each.measure if fits else None for each, fits in zip(metrics, in_grid, strict=True)],
        REFERENCES: [each.references if fits else None for each, fits in zip(metrics, in_grid, strict=True)],
        OTHER: [None if fits else each.unit or each.name for each, fits in zip(metrics, in_grid, strict=True)],
    }


def _rows(judged: JudgedRelease, judgement: str, by: str, labels: list[str | None]) -> Iterator[Row]:
    compared = judged.compared[judgement]
    for found in group_bests(compared.tests, compared.dominance, labels):
        metric = "" if found.metric is None else compared.outputs.metrics[found.metric]
        about = {"judgement": judgement, "by": by, "label": found.label, "metric": metric}
        number = 0 if found.metric is None else compared.level.least_inputs(found.metric)
        yield row(TABLE, "r", found.r, mark=mark_of(found), n=number, **about)


def mark_of(found: GroupBest) -> str:
    """Return the paper's mark: "-" if any metric dominates this one, "*" if it dominates one so marked."""
    return DOMINATED if found.dominated else DOMINATES if found.dominates_group else ""


SECTIONS = [ReportSection(50, best_rows)]
