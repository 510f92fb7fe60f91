"""An upload of outputs is a job: nothing is read in the request, and a job that was stopped is taken up again."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import TestCase
from pytest_django.fixtures import Settings

from common.jobs import job_run
from common.models import Job
from compressions.models import Source, SourceImport, System, SystemOutput
from compressions.services import imports
from corpus.models import OutputImport
from corpus.services import outputs
from crowd.models import Campaign, Item
from ratings.models import Rating
from tests.support.factories import RATE, SENTENCE, make_campaign, make_staff, staff_client


def rows_of(count: int, text: str = "It met, {number}.") -> bytes:
    rows = ({"id": str(n), "genre": "a", "text": text.format(number=n)} for n in range(1, count + 1))
    return "\n".join(map(json.dumps, rows)).encode()


def posted(campaign: Campaign, content: bytes, path: str = "systems/", **fields: str) -> Any:
    """Upload a file; its job is stored, and run only by whoever runs what comes after a commit."""
    file = SimpleUploadedFile("a.jsonl", content)
    client = staff_client(campaign.staff.get())
    sent = {"system": "t3", "file": file, "is_as_is": "on", **fields}
    return client.post(f"/campaigns/{campaign.slug}/{path}", sent)


@pytest.mark.django_db
def test_an_upload_is_stored_and_read_by_a_job_whose_page_asks_for_news() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=3)

    reply = posted(campaign, rows_of(3))

    record = OutputImport.objects.get()
    assert (reply.status_code, reply["Location"]) == (302, f"/campaigns/{campaign.slug}/systems/imports/{record.pk}/")
    assert record.job is not None
    assert (record.job.kind, record.job.state) == ("import_outputs", Job.State.QUEUED)
    assert not System.objects.exists()
    client = staff_client(owner)
    assert f'hx-get="{reply["Location"]}"' in client.get(reply["Location"]).content.decode()

    job_run(job_id=record.job.pk)

    part = client.get(reply["Location"], headers={"HX-Request": "true"}).content.decode()
    assert "hx-get" not in part
    assert "<html" not in part
    assert SystemOutput.objects.count() == 3
    assert bytes(OutputImport.objects.get().content) == b""


@pytest.mark.django_db
def test_an_upload_one_byte_over_the_limit_is_answered_413_and_nothing_is_stored(settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 2**20
    campaign = make_campaign(owner=make_staff(), sources=1)
    exact = rows_of(1).ljust(2**20)

    assert posted(campaign, exact).status_code == 302
    reply = posted(campaign, exact + b" ")

    assert reply.status_code == 413
    assert "The file is larger than 1 MiB. Use manage.py import_outputs." in reply.content.decode()
    assert OutputImport.objects.count() == Job.objects.count() == 1


PATHS = {"systems/": ("output_tidied", outputs), "imports/": ("check_rows", imports)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", PATHS)
def test_no_text_is_looked_at_inside_a_transaction(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(owner=make_staff(), sources=3)
    name, module = PATHS[path]
    inside = list[bool]()

    def noted(act: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*given: Any) -> Any:
            inside.append(connection.in_atomic_block)
            return act(*given)

        return noting

    for each in (name, "read_rows"):
        monkeypatch.setattr(module, each, noted(getattr(module, each)))
    posted(campaign, rows_of(3, SENTENCE), path)

    assert Job.objects.latest("pk").state == Job.State.DONE
    assert inside
    assert not any(inside)


class Stopped(BaseException):
    """A worker that is killed: no handler of errors sees it."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", PATHS)
def test_an_import_that_was_stopped_keeps_its_slices_and_is_finished_by_the_next_attempt(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_campaign(owner=make_staff(), sources=0 if path == "imports/" else 10)
    module = PATHS[path][1]
    monkeypatch.setattr(module, "SLICE", 4)
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    posted(campaign, rows_of(10, SENTENCE), path)
    job, record = Job.objects.get(), (OutputImport if path == "systems/" else SourceImport).objects.get()
    stop_at(module, 2, monkeypatch)

    with pytest.raises(Stopped):
        job_run(job_id=job.pk)

    assert stored(path) == 8
    assert type(record).objects.get().finished_at is None
    Job.objects.update(state=Job.State.QUEUED)
    job_run(job_id=job.pk)
    record.refresh_from_db()
    assert Job.objects.get().state == Job.State.DONE
    assert stored(path) == 10
    assert (record.added, record.unchanged, record.refused) == (10, 0, 0)
    assert Item.objects.filter(campaign=campaign, round=RATE).count() == (10 if path == "systems/" else 0)


def stored(path: str) -> int:
    return SystemOutput.objects.count() if path == "systems/" else Source.objects.count()


def stop_at(module: Any, slices: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the next import after some slices, and none after that."""
    write, left = module._slice_write, [slices]

    def stopping(*given: Any) -> None:
        if left[0] == 0:
            left[0] = -1
            raise Stopped
        left[0] -= 1
        write(*given)

    monkeypatch.setattr(module, "_slice_write", stopping)


@pytest.mark.django_db
def test_an_output_comes_with_its_ratings_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(owner=make_staff(), sources=3)
    monkeypatch.setattr(outputs, "ratings_import", broken)

    rated = b"1\tLetters\tA text. ||| It met.\tt3\t1\t6"
    with TestCase.captureOnCommitCallbacks(execute=True):
        posted(campaign, rated)

    assert Job.objects.get().state == Job.State.FAILED
    assert not SystemOutput.objects.exists()
    assert not Rating.objects.exists()


def broken(**_: Any) -> None:
    raise ValueError("broken")


@pytest.mark.django_db
def test_a_file_of_too_many_rows_or_ratings_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(owner=make_staff(), sources=3)
    monkeypatch.setattr(outputs, "MAX_ROWS", 2)
    monkeypatch.setattr(outputs, "MAX_RATINGS", 2)
    for content, reason in (
        (rows_of(3), "a.jsonl: more than 2 rows. Split the file."),
        (b"bad\n" * 3, "a.jsonl: more than 2 rows. Split the file."),
        (b"1\tL\tA. ||| B.\tt3\t3\t6\t6\t6", "a.jsonl: more than 2 ratings. Split the file."),
    ):
        with TestCase.captureOnCommitCallbacks(execute=True):
            posted(campaign, content)
        assert Job.objects.latest("pk").message == reason
    assert not System.objects.exists()
