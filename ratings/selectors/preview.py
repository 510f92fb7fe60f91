"""Preview of the worker filter, before it is applied."""

from dataclasses import dataclass

import numpy as np

from common.jobs import Progress
from common.plots import HistogramBar, histogram_bars
from crowd.models import Campaign, Round, Worker
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.histogram import histogram
from measures.quality_control.lowest_share import Cutoff
from measures.quality_control.measured_quality import in_standard_errors
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure, RoleOutcome
from measures.quality_control.share_preview import SharePreview, preview_measured
from measures.quality_control.worker_filter import decide
from ratings.quality_notes import role_notes
from ratings.selectors.judgements import judgements_of_campaign, refusing_missing_inputs
from ratings.selectors.kept import has_at_most

SHARES: tuple[float, ...] = (0.0, 0.05, 0.10, 0.15, 0.20, 0.25)
BINS = 24
QUICK_RATINGS = 40_000
"""Up to here a preview takes at most about 0.4 s on one core, and a page need not ask a job for it."""

QUICK_RATINGS_OF_A_FIT = 4_000
"""Up to here one fit of the model of Dawid and Skene does so."""

PREVIEW_VERSION = 1
"""Of what is kept of a preview; raise it with any change of its form or figures."""


@dataclass(frozen=True)
class FilteredWorker:
    """A worker with the quality, decision and reason of the worker filter."""

    worker: Worker
    quality: float | None
    standard_error: float | None
    gap: float | None
    items: int
    removed: bool
    reason: str

    @property
    def gap_in_errors(self) -> float | None:
        return in_standard_errors(self.gap, self.standard_error)


@dataclass(frozen=True)
class RolePreview:
    """One role: its workers, worst first, the histogram of their quality with the cut, and what else to know."""

    round: Round
    measure: Measure
    workers: list[FilteredWorker]
    bars: list[HistogramBar]
    cut: Cutoff
    notes: list[str]

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


def filter_preview(
    campaign: Campaign, parameters: FilterParameters, progress: Progress = lambda _done, _total: None
) -> FilterPreview:
    """Preview the worker filter with its own share and with `SHARES`. Nothing is written.

    Raises Refused if an input that the filter needs is missing.
    """
    all_shares = sorted({*SHARES, parameters.share})
    steps = 2 + len(all_shares)
    judgements = judgements_of_campaign(campaign)
    progress(1, steps)
    with refusing_missing_inputs():
        measured = judgements.measurements(parameters.rater_quality)
        outcome, previews = decide(measured, parameters), []
        for done, share in enumerate(all_shares, start=2):
            progress(done, steps)
            previews += preview_measured(measured, parameters, [share])
    by_id = {worker.pk: worker for worker in Worker.objects.filter(campaign=campaign)}
    rater_measure, unassessed = RATER_MEASURES[parameters.rater_quality], judgements.unassessed(outcome)
    notes = {each: role_notes(each, parameters, unassessed[each], outcome.raters.convergence) for each in unassessed}
    progress(steps, steps)
    return FilterPreview(
        shares=previews,
        raters=_role_preview(Round.RATE, rater_measure, outcome.raters, judgements.rater_ids, by_id, notes[Round.RATE]),
        editors=_role_preview(
            Round.EDIT, EDITOR_MEASURE, outcome.editors, judgements.editor_ids, by_id, notes[Round.EDIT]
        ),
        **judgements.counts(outcome),
    )


def preview_is_quick(campaign: Campaign, parameters: FilterParameters) -> bool:
    """Whether a preview surely takes less than a second."""
    bound = QUICK_RATINGS
    if parameters.rater_quality is RaterQuality.DAWID_SKENE and parameters.judges_raters:
        fits = len({*SHARES, parameters.share}) if parameters.order is Order.EDITORS_FIRST else 1
        bound = QUICK_RATINGS_OF_A_FIT // fits
    return has_at_most(campaign, bound)


def _role_preview(
    work_round: Round,
    measure: Measure,
    role: RoleOutcome,
    ids: IntArray,
    by_id: dict[int, Worker],
    notes: list[str],
) -> RolePreview:
    known = [index for index, pk in enumerate(ids) if int(pk) in by_id]
    workers = [_filtered_worker(by_id[int(ids[index])], role, index) for index in known]
    sign = 1 if measure.smallest_is_worst else -1
    workers.sort(key=lambda each: (each.quality is None, sign * (each.quality or 0.0), each.worker.number))
    bars = _bars(role.quality[known], role.removed[known])
    return RolePreview(work_round, measure, workers, bars, role.cut, notes)


def _filtered_worker(worker: Worker, role: RoleOutcome, index: int) -> FilteredWorker:
    return FilteredWorker(
        worker,
        number_or_none(role.quality[index]),
        number_or_none(role.standard_error[index]),
        number_or_none(role.gap[index]),
        int(role.items[index]),
        bool(role.removed[index]),
        role.reasons[index],
    )


def number_or_none(value: float) -> float | None:
    """Return a number, or None for NaN."""
    return None if np.isnan(value) else float(value)


def _bars(quality: FloatArray, removed: BoolArray) -> list[HistogramBar]:
    everyone = histogram(quality, BINS)
    edges = everyone.edges.tolist()
    return histogram_bars(
        edges, everyone.counts.tolist(), histogram(quality[removed], BINS, edges[0], edges[-1]).counts.tolist()
    )
