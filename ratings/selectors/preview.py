"""What a rule would do, before it is applied."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from crowd.models import Campaign, Round, Worker
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.histogram import histogram
from measures.quality_control.parameters import FilterParameters
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure, RoleOutcome
from measures.quality_control.share_preview import SharePreview, preview_measured
from measures.quality_control.worker_filter import decide
from ratings.selectors.judgements import judgements_of_campaign, refusing_what_is_missing

SHARES: tuple[float, ...] = (0.0, 0.05, 0.10, 0.15, 0.20, 0.25)
BINS = 24


@dataclass(frozen=True)
class Judged:
    """A worker as the rule sees them."""

    worker: Worker
    quality: float | None
    items: int
    removed: bool
    reason: str


@dataclass(frozen=True)
class HistogramBar:
    """A bar of the distribution, in percent of the plot: below those who would be kept, on them those who would go."""

    x: float
    width: float
    kept_height: float
    removed_height: float
    low: float
    high: float
    kept: int
    removed: int

    @property
    def height(self) -> float:
        return self.kept_height + self.removed_height


@dataclass(frozen=True)
class RolePreview:
    """One role: everybody judged, the worst first, and the distribution of their quality with the cut."""

    round: Round
    measure: Measure
    judged: list[Judged]
    bars: list[HistogramBar]
    threshold: float | None
    eligible: int

    @property
    def removed(self) -> int:
        return sum(each.removed for each in self.judged)


@dataclass(frozen=True)
class FilterPreview:
    """What would go, for a range of shares and for the chosen one."""

    shares: list[SharePreview]
    raters: RolePreview
    editors: RolePreview
    ratings: int
    ratings_kept: int
    texts: int
    texts_kept: int


def filter_preview(campaign: Campaign, parameters: FilterParameters, shares: Iterable[float] = SHARES) -> FilterPreview:
    """What the rule would do with its own share and others. Nothing is written.

    Refused where the rule rests on what is not there.
    """
    judgements = judgements_of_campaign(campaign)
    asked = sorted({*shares, parameters.share})
    with refusing_what_is_missing():
        measured = judgements.measurements(parameters.rater_quality)
        outcome, previews = decide(measured, parameters), preview_measured(measured, parameters, asked)
    workers = {worker.pk: worker for worker in Worker.objects.filter(campaign=campaign)}
    rater_measure = RATER_MEASURES[parameters.rater_quality]
    return FilterPreview(
        shares=previews,
        raters=_role(Round.RATE, rater_measure, judgements.rater_ids, outcome.raters, workers),
        editors=_role(Round.EDIT, EDITOR_MEASURE, judgements.editor_ids, outcome.editors, workers),
        **judgements.counts(outcome),
    )


def _role(
    work_round: Round, measure: Measure, ids: IntArray, role: RoleOutcome, workers: dict[int, Worker]
) -> RolePreview:
    known = [index for index, pk in enumerate(ids) if int(pk) in workers]
    judged = [
        Judged(
            workers[int(ids[index])],
            None if np.isnan(role.quality[index]) else float(role.quality[index]),
            int(role.items[index]),
            bool(role.removed[index]),
            role.reasons[index],
        )
        for index in known
    ]
    sign = 1 if measure.smallest_is_worst else -1
    judged.sort(key=lambda each: (each.quality is None, sign * (each.quality or 0.0), each.worker.number))
    bars = _bars(role.quality[known], role.removed[known])
    return RolePreview(work_round, measure, judged, bars, role.cut.threshold, role.cut.eligible)


def _bars(quality: FloatArray, removed: BoolArray) -> list[HistogramBar]:
    everybody = histogram(quality, BINS)
    low, high = float(everybody.edges[0]), float(everybody.edges[-1])
    gone = histogram(quality[removed], BINS, low, high)
    most, width = max(1, int(everybody.counts.max(initial=0))), 100 / BINS
    return [
        HistogramBar(
            x=round(index * width, 3),
            width=round(width * 0.9, 3),
            kept_height=100 * int(everybody.counts[index] - gone.counts[index]) / most,
            removed_height=100 * int(gone.counts[index]) / most,
            low=float(everybody.edges[index]),
            high=float(everybody.edges[index + 1]),
            kept=int(everybody.counts[index] - gone.counts[index]),
            removed=int(gone.counts[index]),
        )
        for index in range(BINS)
    ]
