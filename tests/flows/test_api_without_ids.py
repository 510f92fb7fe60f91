"""Who people are on their platform stands in no answer to a GET, whatever the token may do."""

import pytest

from crowd.models import Enrolment, PastVisit, Worker
from tests.support.api_addresses import API_TABLE, api_address
from tests.support.api_client import Api
from tests.support.world import World

pytestmark = pytest.mark.django_db


def test_no_answer_to_a_get_has_an_id_of_a_person() -> None:
    world = World()
    addresses = {name: api_address(name, world) for name in API_TABLE}
    mark_ids(world)
    ids = stored_ids(world)
    assert len(ids) > 3
    api = Api(world.owner)
    told = {name: b"".join(api.call("get", addresses[name])) for name, row in API_TABLE.items() if "get" in row.calls}
    assert len(told) > 20
    wrong = {(name, each) for name, content in told.items() for each in ids if each.encode() in content}
    assert not wrong
    given = api.post(addresses["ratings-api:participant-ids"])
    assert any(each.encode() in given.content for each in ids)


def mark_ids(world: World) -> None:
    """Give all people ids that stand nowhere else."""
    for worker in Worker.objects.filter(campaign=world.campaign).exclude(external_id=""):
        Worker.objects.filter(pk=worker.pk).update(external_id=f"PLATFORM-{worker.pk}-ID")
        Enrolment.objects.filter(worker=worker).update(
            study_id=f"STUDY-{worker.pk}-ID", session_id=f"SESSION-{worker.pk}-ID"
        )


def stored_ids(world: World) -> set[str]:
    of_workers = Worker.objects.filter(campaign=world.campaign).values_list("external_id", flat=True)
    found = set(of_workers)
    for model, path in ((Enrolment, "worker"), (PastVisit, "enrolment__worker")):
        rows = model.objects.filter(**{f"{path}__campaign": world.campaign}).values_list("study_id", "session_id")
        found |= {each for row in rows for each in row}
    return found - {""}
