"""The disk of the data folder is full, and that of the database is not: jobs fail as a whole and can be done again."""

from collections.abc import Iterator
from functools import partial
from http.client import FOUND

import pytest

from tests.support.installations import OWNER, PASSWORD, Installation, Wanted, installed
from tests.support.jobs_under_way import FREEZE, is_done, release_whole, state_of
from tests.support.patient_browser import StaffBrowser
from tests.support.product import eventually, shell
from tests.support.small_disk import SmallDisk, small_disk

MEGABYTES = 32
TOO_LITTLE = 64 * 1024  # for a release, and enough for the messages of a job


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("installation")
    with (
        small_disk(MEGABYTES, folder / "var") as disk,
        installed(folder, Wanted(texts=1)) as installation,
    ):
        assert disk.path == installation.folder
        yield installation


@pytest.fixture
def disk(installation: Installation) -> SmallDisk:
    return SmallDisk(installation.folder)


def test_a_release_for_which_there_is_no_room_fails_whole_and_can_be_frozen_later(
    installation: Installation, disk: SmallDisk
) -> None:
    disk.fill()
    disk.free(TOO_LITTLE)
    try:
        failed = int(shell(installation.env, FREEZE))
        eventually(lambda: state_of(installation, failed)[0] == "failed", "the job has failed")
        assert state_of(installation, failed) == ("failed", 1, "failed")
        ((message,),) = installation.query(f"SELECT message FROM common_job WHERE id = {failed}")
        assert "No space left on device" in message
        assert installation.half_files() == []
    finally:
        disk.free()

    later = int(shell(installation.env, FREEZE))
    eventually(partial(is_done, installation, later), "the release is frozen")
    assert release_whole(installation, later)
    assert installation.half_files() == []


def test_a_job_whose_message_finds_no_room_is_done_once_there_is_room(
    installation: Installation, disk: SmallDisk
) -> None:
    staff, worker = StaffBrowser(installation.door), installation.product.worker()
    staff.log_in(OWNER, PASSWORD)
    disk.fill()
    try:
        reply = staff.ask("POST", "/campaigns/frozen/quality/apply/")
        assert reply.status == FOUND, reply.text[:500]
        ((job,),) = installation.query("SELECT max(id) FROM common_job")
        assert state_of(installation, job)[0] == "queued"
    finally:
        disk.free()

    eventually(partial(is_done, installation, job), "the job is done", pause=0.5)
    assert installation.product.worker() == worker
