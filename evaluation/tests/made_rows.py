"""Reports whose numbers are made up, for pages: any number of metrics, in the tables that the sections write."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from corpus.models import Release
from evaluation.sections.base import Row, row
from evaluation.tests.releases import FEW_DRAWS, started
from reports.models import Report

PAIRS = 6


def made_report(release: Release, rows: Sequence[Row], figures: Mapping[str, Any] | None = None) -> Report:
    """A finished report with these rows."""
    report = started(release, FEW_DRAWS)
    Report.objects.filter(pk=report.pk).update(rows=list(rows), figures=dict(figures or {}), finished_at=timezone.now())
    report.refresh_from_db()
    return report


def level(metric: str, value: float | None, judgement: str = "meaning", **more: Any) -> Row:
    """A metric's correlation at input level."""
    known = {"low": None, "high": None, "n": 24, "is_top": False, "rank": 1, "dominates": 0, "dominated_by": 0}
    return row("input level", "r", value, judgement=judgement, metric=metric, **{**known, **more})


def means(systems: Sequence[str], judgement: str = "meaning") -> list[Row]:
    """The mean rating of each system."""
    return [
        row("table 8", "mean", 1.5 + place / 10, judgement=judgement, other=system, n=24)
        for place, system in enumerate(systems)
    ]


def levels(metrics: Sequence[str], *, top: int = 1, judgement: str = "meaning") -> list[Row]:
    """Metrics with falling correlations, each with an interval."""
    values = [0.6 - 0.5 * place / len(metrics) for place in range(len(metrics))]
    return [
        level(metric, value, judgement, low=value - 0.05, high=value + 0.05, is_top=place < top)
        for place, (metric, value) in enumerate(zip(metrics, values, strict=True))
    ]


def matrix(metrics: Sequence[str], judgement: str = "meaning") -> dict[str, Any]:
    """Each metric is better than each later one on the more pairs, the further apart they are."""
    size = len(metrics)
    won = [[0.0 if b <= a else min(1.0, (b - a) / PAIRS) for b in range(size)] for a in range(size)]
    for place in range(size):
        won[place][place] = None  # type: ignore[call-overload]
    return {"input level": {judgement: {"metrics": list(metrics), "won": won}}}
