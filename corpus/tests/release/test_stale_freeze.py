"""A runner that was stopped in the middle of a freeze and goes on after another one has finished the release."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from common.job_attempts import Attempt, LostLease
from common.jobs import MAX_ATTEMPTS, job_run, jobs_requeue
from common.models import Job, UnnamedPath
from common.stores import store, stored_names
from common.stores.unnamed_paths import path_of_attempt, unnamed_paths_remove
from corpus.models import Release, ReleaseFile
from corpus.services import building
from corpus.services.building import release_build
from corpus.services.release import release_request
from tests.support.factories import judged_campaign, make_staff, silent
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

# What a freeze does one after the other; the last one is where it takes the final name.
STEPS = ["ReleaseStream", "draw_splits", "ReleaseWriters", "card", "croissant", "archive_write", "_finish"]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows() -> list[dict[str, Any]]:
    files = ReleaseFile.objects.order_by("name").values("name", "size", "sha256")
    return [*map(dict, Release.objects.values()), *map(dict, files)]


def run_out(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_ends_at=timezone.now() - timedelta(seconds=1))


@pytest.fixture
def release() -> Release:
    return release_request(campaign=judged_campaign(), user=make_staff())


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[[], None]], None]:
    """Do something at the first call of a step, before the step itself."""

    def at(step: str, meanwhile: Callable[[], None]) -> None:
        owner = building._Building if step == "_finish" else building
        original, pending = getattr(owner, step), [meanwhile]

        def interrupted(*args: Any, **kwargs: Any) -> Any:
            if pending:
                pending.pop()()
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, step, interrupted)

    return at


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    heard: list[int] = []
    monkeypatch.setattr("common.jobs.run_job.delay", heard.append)
    return heard


@pytest.mark.parametrize("step", STEPS)
def test_a_release_that_another_runner_finished_stays_byte_for_byte(
    release: Release, interrupt: Callable[..., None], step: str
) -> None:
    job, finished = release.job, []
    assert job

    def another_runner() -> None:
        run_out(job)
        job_run(job_id=job.pk)
        finished.append((rows(), contents(release_folder(release))))

    interrupt(step, another_runner)
    job_run(job_id=job.pk)

    assert [(rows(), contents(release_folder(release)))] == finished
    assert Release.objects.get().state == Release.State.READY
    assert [path.name for path in release_folder(release).parent.iterdir()] == [release_folder(release).name]
    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.DONE, 2)


@pytest.mark.parametrize("step", STEPS)
def test_a_stale_runner_that_fails_does_not_fail_the_release(
    release: Release, interrupt: Callable[..., None], step: str
) -> None:
    job = release.job
    assert job

    def another_runner_then_a_full_disk() -> None:
        run_out(job)
        job_run(job_id=job.pk)
        raise OSError("No space left on device")

    interrupt(step, another_runner_then_a_full_disk)
    job_run(job_id=job.pk)

    assert Release.objects.get().state == Release.State.READY
    assert (release_folder(release) / "manifest.json").is_file()
    job.refresh_from_db()
    assert job.state == Job.State.DONE


def test_a_stale_runner_does_not_touch_what_the_one_at_work_has_stored(
    release: Release, interrupt: Callable[..., None]
) -> None:
    job = release.job
    assert job
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, attempts=2, lease_ends_at=timezone.now())
    path = f"campaign-{release.campaign_id}/v1-at-work"
    store("releases").save(f"{path}/corpus.jsonl", ContentFile(b"half of it"))

    with path_of_attempt("releases", path, Attempt(job.pk, 2)):
        with pytest.raises(LostLease):
            release_build(release=release, progress=silent, attempt=Attempt(job.pk, 1))
        unnamed_paths_remove()

        assert Release.objects.get().state == Release.State.BUILDING
        assert list(stored_names(store("releases"))) == [f"{path}/corpus.jsonl"]
    assert list(stored_names(store("releases"))) == []


def test_what_a_killed_runner_left_is_removed_by_the_worker(release: Release) -> None:
    job = release.job
    assert job
    path = f"campaign-{release.campaign_id}/v1-left"
    store("releases").save(f"{path}/parquet/train.parquet", ContentFile(b"half of it"))
    UnnamedPath.objects.create(storage="releases", path=path, job=job, attempt=1, begun_at=timezone.now())
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, attempts=1)
    run_out(job)

    job_run(job_id=job.pk)
    unnamed_paths_remove()

    assert Release.objects.get().state == Release.State.READY
    assert [path.name for path in release_folder(release).parent.iterdir()] == [release_folder(release).name]


def test_an_attempt_whose_path_was_given_up_names_it_no_more(release: Release) -> None:
    job = release.job
    assert job
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, attempts=1, lease_ends_at=timezone.now())

    with path_of_attempt("releases", "campaign-1/v1-a", Attempt(job.pk, 1)) as own:
        UnnamedPath.objects.update(is_given_up=True)
        with pytest.raises(LostLease):
            own.name_it()

    assert not UnnamedPath.objects.exists()


def test_a_runner_whose_job_was_given_up_publishes_nothing(
    release: Release, interrupt: Callable[..., None], announced: list[int]
) -> None:
    job = release.job
    assert job

    def give_up() -> None:
        Job.objects.filter(pk=job.pk).update(attempts=MAX_ATTEMPTS)
        run_out(job)
        jobs_requeue()

    interrupt("archive_write", give_up)
    job_run(job_id=job.pk)

    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.FAILED, "The worker was lost 3 times on this job.")
    assert Release.objects.get().state != Release.State.READY
    assert not release_folder(release).exists()
    assert not ReleaseFile.objects.exists()
