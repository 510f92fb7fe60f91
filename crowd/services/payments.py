"""Remember which visits staff have paid on the platform. Nothing is paid here."""

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db import transaction

from common.clock import database_now
from crowd.models import Enrolment, JoinLink, PaidVisit, PastVisit
from crowd.services.audit import audit_record


@transaction.atomic
def visits_paid_set(*, link: JoinLink, numbers: Collection[int], is_paid: bool, user: User | None) -> int:
    """Mark the visits by a link of the people with these numbers as paid, or no longer; return how many changed.

    Numbers of others, and of those who are marked so already, change nothing.
    """
    JoinLink.objects.select_for_update(no_key=True).get(pk=link.pk)  # two who mark the same people take turns
    marked = dict(PaidVisit.objects.filter(link=link).values_list("worker_id", "pk"))
    came = {
        worker
        for visits, path in ((Enrolment.objects, "worker"), (PastVisit.objects, "enrolment__worker"))
        for worker, number in visits.filter(link=link).values_list(path, f"{path}__number")
        if number in numbers and (worker in marked) != is_paid
    }
    if not came:
        return 0
    if is_paid:
        now = database_now()
        rows = [PaidVisit(worker_id=worker, link=link, paid_at=now, paid_by=user) for worker in sorted(came)]
        PaidVisit.objects.bulk_create(rows, batch_size=1000)
    else:
        for worker in came:
            PaidVisit.objects.filter(pk=marked[worker]).delete()
    audit_record(
        campaign=link.campaign,
        user=user,
        action="visits marked as paid" if is_paid else "visits no longer marked as paid",
        subject=f"{link.title} (link {link.pk})",
        detail=f"{len(came)} participant{'' if len(came) == 1 else 's'}",
    )
    return len(came)
