"""A backup of an installation whose files lie in a bucket, and one that is restored into a bucket."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from common.stores.bucket import BucketStore
from corpus.models import ReleaseFile
from maintenance.backups.files import digest_of
from maintenance.backups.making import backup_make
from maintenance.checks.installation import fault
from tests.support.backups import new_place, this_place, what_it_says
from tests.support.buckets import Bucket, closed_address, s3_server
from tests.support.factories import freeze, judged_campaign

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with s3_server() as address:
        yield address


def test_files_of_a_bucket_are_restored_into_a_folder_and_into_another_bucket(
    server: str, settings: Settings, tmp_path: Path
) -> None:
    bucket, other = Bucket(server), Bucket(server)
    bucket.use(settings)
    release = freeze(judged_campaign(sources=2, editors=2))
    bucket.put("precis/releases/campaign-9/v1-left/half.tsv", b"x")  # no row names it
    here = this_place(tmp_path)
    archive = here.backup(**bucket.environment())

    with new_place("sqlite", tmp_path / "folder") as place:
        place.manage("restore", str(archive))
        again = place.backup()
    with new_place("sqlite", tmp_path / "bucket") as place:
        place.manage("restore", str(archive), **other.environment())

    assert what_it_says(again) == what_it_says(archive)
    wanted = {f"precis/releases/{release.folder}/{file.name}" for file in ReleaseFile.objects.all()}
    assert wanted <= set(other.files())
    assert other.files() == {key: content for key, content in bucket.files().items() if "v1-left" not in key}


def test_no_file_of_a_bucket_is_in_memory_as_a_whole(
    server: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(*_: object) -> None:
        raise AssertionError("opened, which loads it")

    Bucket(server).use(settings)
    release = freeze(judged_campaign(sources=2, editors=2))
    monkeypatch.setattr(BucketStore, "_open", whole)

    made = backup_make(tmp_path, lambda _text: None)

    file = release.files.get(name="README.md")
    assert made.manifest.files["releases", file.stored_name].sha256 == file.sha256
    assert digest_of(("releases", file.stored_name)).sha256 == file.sha256
    assert not fault(file, checksum=True)


def test_a_bucket_that_does_not_answer_is_no_backup(settings: Settings, tmp_path: Path) -> None:
    here = this_place(tmp_path)
    away = {
        "PRECIS_S3_BUCKET": "precis",
        "PRECIS_S3_ENDPOINT": closed_address(),
        "PRECIS_S3_ACCESS_KEY": "an-id",
        "PRECIS_S3_SECRET_KEY": "a-secret",
    }
    (tmp_path / "backups").mkdir()

    assert "CommandError: " in here.refused("backup", str(tmp_path / "backups"), **away)
    assert list((tmp_path / "backups").iterdir()) == []
