"""Reading who is kept out."""

from django.db.models import QuerySet

from crowd.models import Campaign, Exclusion, Worker


def excluded_workers(campaign: Campaign, work_round: str) -> frozenset[int]:
    """The ids of those whose work in a round counts no more."""
    in_force = Exclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    return frozenset(in_force.values_list("worker_id", flat=True))


def exclusions_of_worker(worker: Worker) -> QuerySet[Exclusion]:
    """All that there were, the newest first."""
    return Exclusion.objects.filter(worker=worker).select_related("created_by", "withdrawn_by").order_by("-pk")
