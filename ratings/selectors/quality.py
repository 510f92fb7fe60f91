"""Query runs of the worker filter and manual decisions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, F, QuerySet, Value, When

from crowd.models import Campaign, Exclusion, Round, Worker
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure
from ratings.models import Inclusion, QualityDecision, QualityRule, QualityRun, RaterPool, Rating


def latest_quality_run(campaign: Campaign) -> QualityRun | None:
    """Return the run in force: the latest that is not withdrawn."""
    return QualityRun.objects.filter(campaign=campaign, withdrawn_at=None).order_by("-pk").first()


@dataclass(frozen=True)
class SinceRun:
    """What came after the active run of the worker filter, and so was no part of it."""

    raters: int
    ratings: int
    parameters: FilterParameters


def since_latest_run(campaign: Campaign) -> SinceRun | None:
    """Return what came after the active run, test participants aside; None if nothing did, or no run is active."""
    run = latest_quality_run(campaign)
    if run is None:
        return None
    # By the index of ids, from the newest on: the time of a rating has none.
    before = Rating.objects.filter(created_at__lte=run.created_at).order_by("-pk").values_list("pk", flat=True).first()
    newer = Rating.objects.filter(
        pk__gt=before or 0,
        created_at__gt=run.created_at,
        worker__campaign=campaign,
        worker__is_test=False,
        rater_pool=RaterPool.CROWD,
    )
    ratings = newer.count()
    assessed = QualityDecision.objects.filter(run=run, round=Round.RATE).values("worker")
    raters = newer.exclude(worker__in=assessed).order_by().values("worker").distinct().count()
    return SinceRun(raters, ratings, parameters_of(run.parameters)) if ratings else None


def quality_runs(campaign: Campaign) -> QuerySet[QualityRun]:
    return QualityRun.objects.filter(campaign=campaign).select_related("requested_by").order_by("-pk")


def kept_rule(campaign: Campaign) -> QualityRule | None:
    """Return the rule that staff keep for a campaign."""
    return QualityRule.objects.filter(campaign=campaign).select_related("kept_by").first()


def rule_to_begin_with(campaign: Campaign) -> FilterParameters:
    """Return what pages, commands and programs begin with: the rule that is kept, else the active run's, else ours."""
    if kept := kept_rule(campaign):
        return kept.parameters
    run = latest_quality_run(campaign)
    return parameters_of(run.parameters) if run else FilterParameters()


def parameters_of(stored: dict[str, Any]) -> FilterParameters:
    """Return the stored parameters of a job or run; early ones lack some, which get their defaults."""
    return FilterParameters(
        stored["share"],
        stored["min_items"],
        Order(stored["order"]),
        RaterQuality(stored.get("rater_quality", RaterQuality.DEVIATION)),
        Roles(stored.get("roles", Roles.BOTH)),
    )


def measure_of(run: QualityRun | None, work_round: str) -> Measure:
    """Return the measure that a run applied to the workers of a round; without a run, the default one."""
    if work_round == Round.EDIT:
        return EDITOR_MEASURE
    return RATER_MEASURES[parameters_of(run.parameters).rater_quality if run else RaterQuality.DEVIATION]


def decisions_of_run(run: QualityRun, work_round: str) -> QuerySet[QualityDecision]:
    """Return the decisions about the workers of a round, worst first."""
    worst_first = F("quality") * Value(1.0 if measure_of(run, work_round).smallest_is_worst else -1.0)
    unknown_last = Case(When(quality=None, then=Value(1)), default=Value(0))
    return (
        QualityDecision.objects.filter(run=run, round=work_round)
        .select_related("worker")
        .order_by(unknown_last, worst_first, "worker_id")
    )


def decisions_of_worker(worker: Worker) -> QuerySet[QualityDecision]:
    """Return the worker filter's decisions about a person, newest first."""
    return QualityDecision.objects.filter(worker=worker).select_related("run").order_by("-run", "round")


def all_decisions(campaign: Campaign) -> Iterator[QualityDecision]:
    rows = QualityDecision.objects.filter(run__campaign=campaign).select_related("run", "worker")
    return rows.order_by("run", "round", "worker__number").iterator(chunk_size=1000)


def included_workers(campaign: Campaign, work_round: str) -> frozenset[int]:
    """Return the ids of the workers whom staff keep, whatever the worker filter decides."""
    in_force = Inclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    return frozenset(in_force.values_list("worker_id", flat=True))


def manual_decisions(campaign: Campaign) -> list[Inclusion | Exclusion]:
    """Return the manual decisions in force, newest first. They take precedence over the worker filter."""
    in_force = {"worker__campaign": campaign, "withdrawn_at": None}
    exclusions = Exclusion.objects.filter(**in_force).select_related("worker", "created_by")
    inclusions = Inclusion.objects.filter(**in_force).select_related("worker", "created_by")
    return sorted([*exclusions, *inclusions], key=lambda each: each.created_at, reverse=True)


def inclusions_of_worker(worker: Worker) -> QuerySet[Inclusion]:
    """Return all inclusions of a worker, withdrawn ones too, newest first."""
    return Inclusion.objects.filter(worker=worker).select_related("created_by", "withdrawn_by").order_by("-pk")


TEST = "test participant"


@dataclass(frozen=True)
class LeftOutPerson:
    """A person whose work in a round is left out of releases, and why."""

    worker: Worker
    round: str
    reason: str


def people_left_out(campaign: Campaign, run: QualityRun | None) -> list[LeftOutPerson]:
    """Return whom a release leaves out. Manual decisions, also those after the run, take precedence over the run's."""
    decided = QualityDecision.objects.filter(run=run, removed=True, is_by_hand=False).select_related("worker")
    by_filter = {(each.worker, each.round): each.reason for each in decided}
    inclusions = Inclusion.objects.filter(worker__campaign=campaign, withdrawn_at=None).select_related("worker")
    included = {(each.worker, each.round) for each in inclusions}
    exclusions = Exclusion.objects.filter(worker__campaign=campaign, withdrawn_at=None).select_related("worker")
    manual = {(each.worker, each.round): "excluded by hand" for each in exclusions}
    tests = Worker.objects.filter(campaign=campaign, is_test=True)
    as_tests = {(each, work_round.value): TEST for each in tests for work_round in Round}
    left_out = {who: reason for who, reason in by_filter.items() if who not in included} | manual | as_tests
    people = sorted(left_out.items(), key=lambda each: (each[0][1], each[0][0].number))
    return [LeftOutPerson(worker, work_round, reason) for (worker, work_round), reason in people]
