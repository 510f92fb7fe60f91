"""Whoever saves something while a file is being read does so at once, and two imports of the same rows are one."""

import json
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from common.jobs import job_run
from common.models import Job
from compressions.models import Compression, Source, SystemOutput
from compressions.services import imports
from compressions.services.imports import source_import
from corpus.services import outputs
from corpus.services.outputs import Taken, outputs_import
from crowd.models import Campaign, ItemConflict
from crowd.services.campaigns import campaign_update
from tests.support.factories import EDIT, SENTENCE, edit_next, enrol, make_campaign, make_staff, staff_client
from tests.support.together import PATIENCE_SECONDS, together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
MODULES = {"systems/": outputs, "imports/": imports}


def rows_of(*numbers: int, **fields: Any) -> bytes:
    rows = ({"id": str(n), "genre": "a", "text": SENTENCE.format(number=n), **fields} for n in numbers)
    return "\n".join(map(json.dumps, rows)).encode()


@pytest.mark.parametrize("path", MODULES)
def test_an_editor_and_other_staff_save_while_a_file_is_being_read(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = make_staff()
    campaign = make_campaign(sources=2, owner=owner)
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    file = SimpleUploadedFile("a.jsonl", rows_of(1, 2, 3))
    assert (
        staff_client(owner).post(f"/campaigns/{campaign.slug}/{path}", {"system": "t3", "file": file}).status_code
        == 302
    )
    being_read, saved = Event(), Event()
    read = MODULES[path].read_rows

    def slowly(*given: Any) -> Any:
        being_read.set()
        assert saved.wait(PATIENCE_SECONDS)
        return read(*given)

    def save() -> None:
        assert being_read.wait(PATIENCE_SECONDS)
        edit_next(enrol(campaign, EDIT, "ann"))
        campaign_update(campaign=Campaign.objects.get(pk=campaign.pk), name="As it is called now")
        saved.set()

    monkeypatch.setattr(MODULES[path], "read_rows", slowly)
    acts: list[Callable[[], object]] = [partial(job_run, job_id=Job.objects.get().pk), save]
    together(acts)

    assert Job.objects.get().state == Job.State.DONE
    assert Compression.objects.count() == 1


@pytest.mark.parametrize("time", range(3))
def test_of_imports_of_the_same_rows_at_once_each_source_is_added_by_one(
    time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "SLICE", 2 + time)
    campaign = make_campaign()
    content = rows_of(*range(1, 11)) + b"\n" + rows_of(11, paragraph="1")

    records = together([partial(source_import, campaign=campaign, file_name="a.jsonl", content=content)] * 3)

    assert Source.objects.count() == sum(record.added for record in records) == 11
    assert [record.added + record.unchanged for record in records] == [11, 11, 11]
    assert ItemConflict.objects.count() == 2


@pytest.mark.parametrize("time", range(3))
def test_of_imports_of_the_same_outputs_at_once_each_is_added_by_one(
    time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "SLICE", 2 + time)
    campaign = make_campaign(sources=10)
    rows = rows_of(*range(1, 11))
    as_is = Taken(as_is=True)
    act = partial(outputs_import, campaign=campaign, system="t3", file_name="a.jsonl", content=rows, taken=as_is)

    records = together([act] * 3)

    assert SystemOutput.objects.count() == sum(record.added for record in records) == 10
    assert [record.added + record.unchanged for record in records] == [10, 10, 10]
