"""Many people who begin a study by design at the same moment: a row is one person's, and whoever has one has work."""

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from crowd.models import Assignment, Enrolment
from crowd.services.claims import assignment_claim
from protocols.absolute.tests.answered import absolute_campaign
from protocols.models import DesignRow
from protocols.quiz.tests.studies import quiz_study
from protocols.services.design import row_free
from tests.support.factories import EDIT, RATE, enrol
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


@pytest.mark.parametrize("time", range(3))
def test_rows_are_handed_out_once_and_in_whole_blocks(time: int) -> None:
    campaign = quiz_study({"people": 6})
    people = [enrol(campaign, EDIT, f"{time}-{number}") for number in range(9)]
    twice = [Enrolment.objects.select_related("worker", "link__campaign").get(pk=people[0].pk)]

    claimed = together([partial(assignment_claim, enrolment=each) for each in [*people, *twice]])

    held = DesignRow.objects.filter(enrolment__isnull=False)
    assert held.count() == 6
    leases = Assignment.objects.filter(state=Assignment.State.LEASED)
    assert set(leases.values_list("worker", flat=True)) == set(held.values_list("enrolment__worker", flat=True))
    assert {each.pk for each in claimed if each is not None} == set(leases.values_list("pk", flat=True))
    cells = Counter((name, condition) for row in held for name, condition in row.cells)
    assert set(cells.values()) == {2}


def test_a_row_that_is_freed_while_others_wait_goes_to_one_of_them() -> None:
    campaign = quiz_study({"people": 3})
    first, *others = [enrol(campaign, EDIT, str(number)) for number in range(6)]
    assert assignment_claim(enrolment=first) is not None

    acts: list[Callable[[], object]] = [partial(assignment_claim, enrolment=each) for each in others]
    acts.append(partial(row_free, worker=first.worker))
    together(acts)

    rows = DesignRow.objects.filter(campaign=campaign, enrolment__isnull=False)
    assert rows.count() in {2, 3}  # whoever looked before the row was free found the two others
    assert len(set(rows.values_list("enrolment", flat=True))) == rows.count()


def test_rows_of_sources_are_one_persons_though_many_begin_at_once() -> None:
    campaign = absolute_campaign(6, raters_per_compression=3)
    people = [enrol(campaign, RATE, str(number)) for number in range(9)]
    twice = Enrolment.objects.select_related("worker", "link__campaign").get(pk=people[0].pk)

    claimed = together([partial(assignment_claim, enrolment=each) for each in [*people, twice]])

    assert all(claimed)
    rows = DesignRow.objects.filter(campaign=campaign)
    assert set(rows.values_list("enrolment__worker", flat=True)) == {each.worker_id for each in people}
    assert sorted(rows.values_list("block", "row")) == [divmod(number, 3) for number in range(9)]
    assert set(Counter(item for row in rows for item in row.cells).values()) == {3}
