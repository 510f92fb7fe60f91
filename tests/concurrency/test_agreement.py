"""Staff who ask the same of a release at the same moment: one job, one answer."""

from functools import partial

import pytest
from django.db import connection

from common.models import Job
from reports.models import Report
from tests.support.factories import freeze, judged_campaign, make_staff, staff_client
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


@pytest.mark.parametrize("time", range(3))
@pytest.mark.parametrize("failed_before", [False, True])
def test_the_same_question_at_once_is_one_job(time: int, failed_before: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = make_staff()
    release = freeze(judged_campaign(sources=2, owner=owner))
    clients = [staff_client(owner) for _ in range(6)]
    address = f"/campaigns/{release.campaign.slug}/releases/{release.version}/agreement/reports/"
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    if failed_before:
        clients[0].post(address)
        Job.objects.update(state=Job.State.FAILED)
    before = Job.objects.count()

    replies = together([partial(client.post, address) for client in clients])

    assert {reply.status_code for reply in replies} == {302}
    assert Report.objects.count() == 1
    assert Job.objects.count() == before + 1
