"""Reading quality decisions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, F, QuerySet, Value, When

from crowd.models import Campaign, Exclusion, Round, Worker
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure
from ratings.models import Inclusion, QualityDecision, QualityRun


def latest_quality_run(campaign: Campaign) -> QualityRun | None:
    """The run in force."""
    return QualityRun.objects.filter(campaign=campaign, withdrawn_at=None).order_by("-pk").first()


def quality_runs(campaign: Campaign) -> QuerySet[QualityRun]:
    return QualityRun.objects.filter(campaign=campaign).select_related("requested_by").order_by("-pk")


def parameters_of(stored: dict[str, Any]) -> FilterParameters:
    """The parameters that a job or a run keeps; those of early ones name fewer."""
    return FilterParameters(
        stored["share"],
        stored["min_items"],
        Order(stored["order"]),
        RaterQuality(stored.get("rater_quality", RaterQuality.DEVIATION)),
        Roles(stored.get("roles", Roles.BOTH)),
    )


def measure_of(run: QualityRun | None, work_round: str) -> Measure:
    """What a run judged the workers of a round by; without a run what it would judge them by."""
    if work_round == Round.EDIT:
        return EDITOR_MEASURE
    return RATER_MEASURES[parameters_of(run.parameters).rater_quality if run else RaterQuality.DEVIATION]


def decisions_of_run(run: QualityRun, work_round: str) -> QuerySet[QualityDecision]:
    """The decisions about one round's workers, the worst first."""
    worst_first = F("quality") * Value(1.0 if measure_of(run, work_round).smallest_is_worst else -1.0)
    unknown_last = Case(When(quality=None, then=Value(1)), default=Value(0))
    return (
        QualityDecision.objects.filter(run=run, round=work_round)
        .select_related("worker")
        .order_by(unknown_last, worst_first, "worker_id")
    )


def decisions_of_worker(worker: Worker) -> QuerySet[QualityDecision]:
    """What rules decided of a person, the newest first."""
    return QualityDecision.objects.filter(worker=worker).select_related("run").order_by("-run", "round")


def all_decisions(campaign: Campaign) -> Iterator[QualityDecision]:
    rows = QualityDecision.objects.filter(run__campaign=campaign).select_related("run", "worker")
    return rows.order_by("run", "round", "worker__number").iterator(chunk_size=1000)


def decisions_by_worker(
    run: QualityRun | None, work_round: str, workers: Iterable[Worker]
) -> dict[int, QualityDecision]:
    """What a run decided about some workers, by their ids."""
    found = QualityDecision.objects.filter(run=run, round=work_round, worker__in=list(workers)) if run else []
    return {decision.worker_id: decision for decision in found}


def included_workers(campaign: Campaign, work_round: str) -> frozenset[int]:
    """The ids of those whom staff keep in, whatever a rule says."""
    in_force = Inclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    return frozenset(in_force.values_list("worker_id", flat=True))


def manual_decisions(campaign: Campaign) -> list[Inclusion | Exclusion]:
    """What staff decided of people and what is in force: it wins over every rule. The newest first."""
    in_force = {"worker__campaign": campaign, "withdrawn_at": None}
    exclusions = Exclusion.objects.filter(**in_force).select_related("worker", "created_by")
    inclusions = Inclusion.objects.filter(**in_force).select_related("worker", "created_by")
    return sorted([*exclusions, *inclusions], key=lambda each: each.created_at, reverse=True)


def inclusions_of_worker(worker: Worker) -> QuerySet[Inclusion]:
    """All that there were, the newest first."""
    return Inclusion.objects.filter(worker=worker).select_related("created_by", "withdrawn_by").order_by("-pk")


@dataclass(frozen=True)
class LeftOutPerson:
    """Whose work in a round a release leaves out, and why."""

    worker: Worker
    round: str
    reason: str


def people_left_out(campaign: Campaign, run: QualityRun | None) -> list[LeftOutPerson]:
    """By a run's rule, unless staff keep them in; and by hand. What staff decided since the run wins over it."""
    decided = QualityDecision.objects.filter(run=run, removed=True, is_by_hand=False).select_related("worker")
    by_rule = {(each.worker, each.round): each.reason for each in decided}
    kept_in = Inclusion.objects.filter(worker__campaign=campaign, withdrawn_at=None).select_related("worker")
    included = {(each.worker, each.round) for each in kept_in}
    in_force = Exclusion.objects.filter(worker__campaign=campaign, withdrawn_at=None).select_related("worker")
    manual = {(each.worker, each.round): "excluded by hand" for each in in_force}
    left_out = {who: reason for who, reason in by_rule.items() if who not in included} | manual
    people = sorted(left_out.items(), key=lambda each: (each[0][1], each[0][0].number))
    return [LeftOutPerson(worker, work_round, reason) for (worker, work_round), reason in people]
