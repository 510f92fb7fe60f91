"""Queries for exclusions, and for whose work does not count."""

from django.db.models import Q, QuerySet

from crowd.models import Campaign, Exclusion, Worker


def excluded_workers(campaign: Campaign, work_round: str) -> frozenset[int]:
    """Return the ids of the workers excluded from a round, whose work there does not count."""
    in_force = Exclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    return frozenset(in_force.values_list("worker_id", flat=True))


def workers_of_tests(campaign: Campaign) -> QuerySet[Worker]:
    """Return the test participants, whose work counts nowhere."""
    return Worker.objects.filter(campaign=campaign, is_test=True)


def uncounted_workers(campaign: Campaign, work_round: str) -> frozenset[int]:
    """Return the ids of all workers whose work in a round does not count: excluded ones and test participants."""
    in_force = Exclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    uncounted = Worker.objects.filter(Q(is_test=True) | Q(pk__in=in_force.values("worker")), campaign=campaign)
    return frozenset(uncounted.values_list("pk", flat=True))


def exclusions_of_worker(worker: Worker) -> QuerySet[Exclusion]:
    """Return all of a worker's exclusions, withdrawn ones included, newest first."""
    return Exclusion.objects.filter(worker=worker).select_related("created_by", "withdrawn_by").order_by("-pk")
