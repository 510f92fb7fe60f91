"""Two of the staff who mark the same people as paid at the same moment."""

from functools import partial

import pytest
from django.db import connection

from crowd.models import AuditEntry, PaidVisit
from crowd.services.payments import visits_paid_set
from tests.support.factories import EDIT, enrol, link_of, make_campaign
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


@pytest.mark.parametrize("_time", range(5))
def test_everyone_is_marked_once_and_counted_once(_time: int) -> None:
    campaign = make_campaign()
    numbers = [enrol(campaign, EDIT).worker.number for _ in range(6)]
    link = link_of(campaign, EDIT)

    marked = together(
        partial(visits_paid_set, link=link, numbers=some, is_paid=True, user=None)
        for some in (numbers[:4], numbers[2:], numbers[1:3])
    )

    assert sum(marked) == PaidVisit.objects.filter(link=link).count() == 6
    assert AuditEntry.objects.filter(action="visits marked as paid").count() == sum(each > 0 for each in marked)
