"""Query which participants of a campaign share a browser."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, QuerySet

from crowd.models import Campaign, Worker, WorkerBrowser


def workers_of_same_browsers(worker_id: int) -> QuerySet[Worker]:
    """Return the others who have used one of a person's browsers in the campaign, by number.

    Hashes are different in each campaign, so these are people of the same one.
    """
    own = WorkerBrowser.objects.filter(worker=worker_id).values("browser_hash")
    shared = WorkerBrowser.objects.filter(worker=OuterRef("pk"), browser_hash__in=own)
    return Worker.objects.filter(Exists(shared)).exclude(pk=worker_id).order_by("number")


def same_browsers_in(campaign: Campaign) -> dict[int, list[Worker]]:
    """Return for each participant who shares a browser the others who do, by number."""
    people_of: dict[str, list[Worker]] = {}
    for each in _uses_of_shared(campaign):
        people_of.setdefault(each.browser_hash, []).append(each.worker)
    others: dict[int, dict[int, Worker]] = {}
    for people in people_of.values():
        for person in people:
            others.setdefault(person.pk, {}).update({other.pk: other for other in people if other.pk != person.pk})
    return {pk: sorted(found.values(), key=lambda other: other.number) for pk, found in others.items()}


def _uses_of_shared(campaign: Campaign) -> Iterable[WorkerBrowser]:
    same = WorkerBrowser.objects.filter(browser_hash=OuterRef("browser_hash")).exclude(worker=OuterRef("worker"))
    uses = WorkerBrowser.objects.filter(Exists(same), worker__campaign=campaign)
    return uses.select_related("worker").order_by("pk")
