"""Reading quality decisions."""

from collections.abc import Iterable

from django.db.models import Case, F, QuerySet, Value, When

from crowd.models import Campaign, Round, Worker
from ratings.models import QualityDecision, QualityRun


def latest_quality_run(campaign: Campaign) -> QualityRun | None:
    return QualityRun.objects.filter(campaign=campaign).order_by("-pk").first()


def quality_runs(campaign: Campaign) -> QuerySet[QualityRun]:
    return QualityRun.objects.filter(campaign=campaign).select_related("requested_by").order_by("-pk")


def decisions_of_run(run: QualityRun, work_round: str) -> QuerySet[QualityDecision]:
    """The decisions about one round's workers, the worst first: low quality of editors, high deviation of raters."""
    worst_first = F("quality") if work_round == Round.EDIT else F("quality") * Value(-1.0)
    unknown_last = Case(When(quality=None, then=Value(1)), default=Value(0))
    return (
        QualityDecision.objects.filter(run=run, round=work_round)
        .select_related("worker")
        .order_by(unknown_last, worst_first, "worker_id")
    )


def decisions_by_worker(
    run: QualityRun | None, work_round: str, workers: Iterable[Worker]
) -> dict[int, QualityDecision]:
    """What a run decided about some workers, by their ids."""
    found = QualityDecision.objects.filter(run=run, round=work_round, worker__in=list(workers)) if run else []
    return {decision.worker_id: decision for decision in found}


def removed_workers(run: QualityRun | None, work_round: str) -> frozenset[int]:
    if run is None:
        return frozenset()
    removed = QualityDecision.objects.filter(run=run, round=work_round, removed=True)
    return frozenset(removed.values_list("worker_id", flat=True))
