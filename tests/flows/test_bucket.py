"""An installation that keeps its files in a bucket: freezes, downloads, reports, scores and deletions."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from agreement.kind import KIND as AGREEMENT
from agreement.parameters import AgreementParameters
from common.errors import FilesAway
from common.job_attempts import LEASE
from common.jobs import job_run
from common.models import Job, UnnamedPath
from common.stores import bucket as bucket_store
from common.stores.unnamed_paths import unnamed_paths_remove
from corpus.models import Release, ReleaseFile
from corpus.services.release import release_request
from crowd.models import Campaign
from dashboard.services.deletion import campaign_delete
from maintenance.checks.tests.looking import look_at
from reports.models import Report
from reports.services import report_request
from scoring.models import ScoreRun
from scoring.services.runs import scores_request
from scoring.tests.releases import FEW
from tests.support.buckets import Bucket, closed_address, s3_server
from tests.support.clock import Clock
from tests.support.factories import freeze, judged_campaign, make_staff, staff_client
from tests.support.stored import stored_in

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "corpus.jsonl"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with s3_server() as address:
        yield address


@pytest.fixture
def bucket(server: str, settings: Settings) -> Bucket:
    bucket = Bucket(server)
    bucket.use(settings)
    return bucket


class Shelf:
    """A release in the bucket, and a browser of its staff."""

    def __init__(self, bucket: Bucket) -> None:
        self.bucket, self.owner = bucket, make_staff()
        self.release = freeze(judged_campaign(owner=self.owner, sources=2, editors=2))
        self.client = staff_client(self.owner)
        self.address = f"/campaigns/{self.release.campaign.slug}/releases/1/files/{NAME}"

    def key(self, name: str = NAME) -> str:
        return f"precis/releases/{self.release.folder}/{name}"

    @property
    def content(self) -> bytes:
        return self.bucket.files()[self.key()]


@pytest.fixture
def shelf(bucket: Bucket) -> Shelf:
    return Shelf(bucket)


def body(response: Any) -> bytes:
    content: bytes = b"".join(response.streaming_content) if response.streaming else response.content
    return content


def local_files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_release_lies_in_the_bucket_with_its_checksums_and_nowhere_else(shelf: Shelf, tmp_path: Path) -> None:
    files = shelf.bucket.files()

    assert {shelf.key(file.name): file.sha256 for file in ReleaseFile.objects.all()} == {
        key: sha256(content).hexdigest() for key, content in files.items()
    }
    assert json.loads(files[shelf.key("manifest.json")])["release"] == shelf.release.name
    assert local_files(tmp_path) == []
    assert not UnnamedPath.objects.exists()


def test_downloads_have_the_headers_that_a_folder_gives_them(shelf: Shelf) -> None:
    etag = f'"{sha256(shelf.content).hexdigest()}"'
    whole = shelf.client.get(shelf.address)
    part = shelf.client.get(shelf.address, headers={"range": "bytes=3-9", "if-range": etag})
    other = shelf.client.get(shelf.address, headers={"range": "bytes=3-9", "if-range": '"other"'})
    beyond = shelf.client.get(shelf.address, headers={"range": "bytes=99999999-"})
    head = shelf.client.head(shelf.address)

    assert (whole.status_code, body(whole)) == (200, shelf.content)
    assert (part.status_code, body(part)) == (206, shelf.content[3:10])
    assert part.headers["Content-Range"] == f"bytes 3-9/{len(shelf.content)}"
    assert (other.status_code, body(other)) == (200, shelf.content)
    assert (beyond.status_code, body(beyond)) == (416, b"")
    assert (head.status_code, head.headers["Content-Length"]) == (200, str(len(shelf.content)))
    for response in (whole, part, other, head):
        assert response.headers["ETag"] == etag
        assert response.headers["Accept-Ranges"] == "bytes"
        assert response.headers["Content-Type"] == "application/octet-stream"
        assert response.headers["Content-Disposition"] == f'attachment; filename="{shelf.release.name}-{NAME}"'


def test_a_file_is_never_held_in_memory_as_a_whole(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_store, "PIECE", 100)

    response: Any = shelf.client.get(shelf.address)
    pieces = list(response.streaming_content)

    assert max(map(len, pieces)) == 100
    assert b"".join(pieces) == shelf.content


def test_a_signed_link_needs_no_account_and_ends_after_a_week(shelf: Shelf, clock: Clock) -> None:
    from corpus.downloads import link_token  # noqa: PLC0415

    link = f"/files/{link_token(shelf.release.files.get(name=NAME))}/"
    assert body(Client().get(link)) == shelf.content
    with pytest.MonkeyPatch.context() as patch:
        later = timezone.now().timestamp() + timedelta(days=8).total_seconds()
        patch.setattr("django.core.signing.time.time", lambda: later)
        assert Client().get(link).status_code == 404


def test_downloads_can_be_sent_to_the_bucket(shelf: Shelf, settings: Settings) -> None:
    settings.STORED_REDIRECT = True

    response = shelf.client.get(shelf.address)

    assert response.status_code == 302
    assert response.headers["Cache-Control"] == "no-store"
    with urlopen(response.headers["Location"], timeout=10) as answer:
        assert answer.read() == shelf.content
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{shelf.release.name}-{NAME}"'
        assert answer.headers["Content-Type"] == "application/octet-stream"
    assert shelf.client.head(shelf.address).status_code == 200


def test_a_file_that_is_gone_is_not_found(shelf: Shelf) -> None:
    shelf.bucket.delete(shelf.key())

    assert shelf.client.get(shelf.address).status_code == 404
    assert shelf.client.get(shelf.address, headers={"range": "bytes=0-1"}).status_code == 404


def test_a_file_that_was_cut_off_is_not_sent_as_a_whole(shelf: Shelf) -> None:
    shelf.bucket.put(shelf.key(), shelf.content[:-1])

    assert shelf.client.get(shelf.address).status_code == 404


def away(shelf: Shelf, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_store, "TRIES", 1)
    shelf.bucket.use(settings, endpoint=closed_address())


def test_a_bucket_that_does_not_answer_is_said_to_be_away(
    shelf: Shelf, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    away(shelf, settings, monkeypatch)

    for headers in ({}, {"range": "bytes=0-1"}):
        response = shelf.client.get(shelf.address, headers=headers)
        assert response.status_code == 503
        assert response.headers["Retry-After"] == "60"
        assert "cannot be reached" in response.content.decode()


def test_doctor_tells_a_bucket_that_is_away_from_a_file_that_is_lost(
    shelf: Shelf, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def doctor(**looked_for: bool) -> str:
        return look_at("release_files", **looked_for).words

    away(shelf, settings, monkeypatch)
    for words in (doctor(), doctor(all_files=True)):
        assert re.search(
            r"cannot be reached, and may all be there: s3://\S+ at \S+: it does not answer \(\w+\)\.", words
        )
        assert "PRECIS_S3_ENDPOINT" in words
        assert "backup" not in words
    shelf.bucket.use(settings)
    shelf.bucket.delete(shelf.key())
    assert f"{NAME} of {shelf.release.name} is missing. Restore it from a backup" in doctor()
    for key in shelf.bucket.files():
        shelf.bucket.delete(key)
    shelf.bucket.client.delete_bucket(Bucket=shelf.bucket.name)
    assert "there is no such bucket" in doctor()
    assert shelf.client.get(shelf.address).status_code == 503


def test_a_page_says_of_a_damaged_file_that_it_is_damaged(shelf: Shelf) -> None:
    run = ScoreRun.objects.get(pk=scores_request(release=shelf.release, settings=FEW, user=shelf.owner).pk)
    shelf.bucket.put(f"precis/scores/{run.file}", b"damaged")
    page = shelf.client.get(f"/campaigns/{shelf.release.campaign.slug}/releases/1/scores.tsv")
    assert (page.status_code, "is damaged" in page.content.decode()) == (503, True)
    assert "cannot be reached" not in page.content.decode()


def test_a_freeze_fails_while_the_bucket_is_away_and_leaves_nothing(
    shelf: Shelf, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = shelf.bucket.files()
    away(shelf, settings, monkeypatch)

    release = release_request(campaign=shelf.release.campaign, user=shelf.owner)

    job = Job.objects.get(release=release)
    assert (job.state, job.message) == (
        Job.State.FAILED,
        "The files cannot be reached right now. Try again in a few minutes.",
    )
    assert Release.objects.get(pk=release.pk).state == Release.State.FAILED
    assert local_files(tmp_path) == []
    shelf.bucket.use(settings)
    UnnamedPath.objects.update(begun_at=timezone.now() - timedelta(days=2))
    unnamed_paths_remove()
    assert shelf.bucket.files() == before
    assert not UnnamedPath.objects.exists()


def test_reports_and_scores_are_made_from_the_bucket(shelf: Shelf) -> None:
    parameters = AgreementParameters(draws=300, replications=40)
    result = report_request(kind=AGREEMENT, on=shelf.release, parameters=parameters, user=shelf.owner)
    run = scores_request(release=shelf.release, settings=FEW, user=shelf.owner)

    assert Report.objects.get(pk=result.pk).rows
    assert ScoreRun.objects.get(pk=run.pk).summary
    page = f"/campaigns/{shelf.release.campaign.slug}/releases/1/scores"
    assert shelf.client.get(f"{page}/").status_code == 200
    parquet = shelf.client.get(f"{page}.parquet")
    assert body(parquet) == shelf.bucket.files()[f"precis/scores/{ScoreRun.objects.get(pk=run.pk).file}"]
    assert body(shelf.client.get(f"{page}.tsv")).startswith(b"source\t")


def test_the_page_of_an_erasure_reads_releases_or_says_that_they_may_hold_the_person(
    shelf: Shelf, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from corpus.selectors import releases_with  # noqa: PLC0415

    worker = shelf.release.campaign.workers.earliest("pk")
    assert releases_with(worker) == [shelf.release]
    away(shelf, settings, monkeypatch)
    assert releases_with(worker) == [shelf.release]


def test_a_deleted_campaign_leaves_nothing_in_the_bucket(shelf: Shelf) -> None:
    scores_request(release=shelf.release, settings=FEW, user=shelf.owner)
    other = freeze(judged_campaign())

    campaign_delete(campaign=shelf.release.campaign, user=None)

    assert {key.rpartition("/")[0] for key in shelf.bucket.files() if "/releases/" in key} >= {
        f"precis/releases/{other.folder}"
    }
    assert not [key for key in shelf.bucket.files() if f"/{shelf.release.folder}/" in key or "/scores/" in key]
    assert not UnnamedPath.objects.exists()


def test_what_could_not_be_removed_is_removed_later(
    shelf: Shelf, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    away(shelf, settings, monkeypatch)
    campaign_delete(campaign=shelf.release.campaign, user=None)
    assert not Campaign.objects.exists()
    assert shelf.bucket.files()

    with pytest.raises(FilesAway):
        unnamed_paths_remove()
    shelf.bucket.use(settings)
    unnamed_paths_remove()

    assert shelf.bucket.files() == {}


def test_a_job_begun_with_one_data_folder_is_finished_and_read_with_another(
    bucket: Bucket, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_machine(name: str) -> None:
        (tmp_path / name).mkdir(exist_ok=True)
        settings.DATA_DIR = stored_in(tmp_path / name)["DATA_DIR"]

    monkeypatch.setattr("common.jobs.run_job.delay", lambda _job: None)
    owner = make_staff()
    release = release_request(campaign=judged_campaign(owner=owner), user=owner)
    on_machine("one")
    with monkeypatch.context() as patch:
        patch.setattr("corpus.services.building._Building._finish", stop)
        with pytest.raises(KeyboardInterrupt):
            job_run(job_id=release.job_id or 0)
    Job.objects.update(lease_ends_at=timezone.now() - LEASE)

    on_machine("two")
    job_run(job_id=release.job_id or 0)
    on_machine("three")

    release.refresh_from_db()
    address = f"/campaigns/{release.campaign.slug}/releases/1/files/{NAME}"
    assert body(staff_client(owner).get(address)) == bucket.files()[f"precis/releases/{release.folder}/{NAME}"]
    assert {key.split("/")[3] for key in bucket.files()} == {release.folder.split("/")[1]}
    assert release.files.count() == len(bucket.files())


def stop(*_: object) -> None:
    raise KeyboardInterrupt
