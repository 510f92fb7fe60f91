"""Preview of the worker filter, before it is applied."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from common.histogram_bars import HistogramBar, histogram_bars
from crowd.models import Campaign, Round, Worker
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.histogram import histogram
from measures.quality_control.parameters import FilterParameters
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure, RoleOutcome
from measures.quality_control.share_preview import SharePreview, preview_measured
from measures.quality_control.worker_filter import decide
from ratings.selectors.judgements import judgements_of_campaign, refusing_missing_inputs

SHARES: tuple[float, ...] = (0.0, 0.05, 0.10, 0.15, 0.20, 0.25)
BINS = 24


@dataclass(frozen=True)
class FilteredWorker:
    """A worker with the quality, decision and reason of the worker filter."""

    worker: Worker
    quality: float | None
    items: int
    removed: bool
    reason: str


@dataclass(frozen=True)
class RolePreview:
    """One role: its workers, worst first, and the histogram of their quality with the threshold."""

    round: Round
    measure: Measure
    workers: list[FilteredWorker]
    bars: list[HistogramBar]
    threshold: float | None
    eligible: int

    @property
    def removed(self) -> int:
        return sum(each.removed for each in self.workers)


@dataclass(frozen=True)
class FilterPreview:
    """What the worker filter would remove, for a range of shares and in detail for the chosen one."""

    shares: list[SharePreview]
    raters: RolePreview
    editors: RolePreview
    ratings: int
    ratings_kept: int
    texts: int
    texts_kept: int


def filter_preview(campaign: Campaign, parameters: FilterParameters, shares: Iterable[float] = SHARES) -> FilterPreview:
    """Preview the worker filter with its own share and with `shares`. Nothing is written.

    Raises Refused if an input that the filter needs is missing.
    """
    judgements = judgements_of_campaign(campaign)
    all_shares = sorted({*shares, parameters.share})
    with refusing_missing_inputs():
        measured = judgements.measurements(parameters.rater_quality)
        outcome, previews = decide(measured, parameters), preview_measured(measured, parameters, all_shares)
    by_id = {worker.pk: worker for worker in Worker.objects.filter(campaign=campaign)}
    rater_measure = RATER_MEASURES[parameters.rater_quality]
    return FilterPreview(
        shares=previews,
        raters=_role_preview(Round.RATE, rater_measure, judgements.rater_ids, outcome.raters, by_id),
        editors=_role_preview(Round.EDIT, EDITOR_MEASURE, judgements.editor_ids, outcome.editors, by_id),
        **judgements.counts(outcome),
    )


def _role_preview(
    work_round: Round, measure: Measure, ids: IntArray, role: RoleOutcome, by_id: dict[int, Worker]
) -> RolePreview:
    known = [index for index, pk in enumerate(ids) if int(pk) in by_id]
    workers = [
        FilteredWorker(
            by_id[int(ids[index])],
            None if np.isnan(role.quality[index]) else float(role.quality[index]),
            int(role.items[index]),
            bool(role.removed[index]),
            role.reasons[index],
        )
        for index in known
    ]
    sign = 1 if measure.smallest_is_worst else -1
    workers.sort(key=lambda each: (each.quality is None, sign * (each.quality or 0.0), each.worker.number))
    bars = _bars(role.quality[known], role.removed[known])
    return RolePreview(work_round, measure, workers, bars, role.cut.threshold, role.cut.eligible)


def _bars(quality: FloatArray, removed: BoolArray) -> list[HistogramBar]:
    everyone = histogram(quality, BINS)
    edges = everyone.edges.tolist()
    return histogram_bars(
        edges, everyone.counts.tolist(), histogram(quality[removed], BINS, edges[0], edges[-1]).counts.tolist()
    )
