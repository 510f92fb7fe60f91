"""Jobs of a real installation, stopped in the middle of their work."""

import hashlib
import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.support.installations import Installation
from tests.support.product import eventually, shell

ROWS = 3000
FREEZE = """
from crowd.models import Campaign
from corpus.services.release import release_request
release = release_request(campaign=Campaign.objects.get(slug="frozen"), user=None)
print(release.job_id)
"""
RUN = "from common.jobs import job_run; print(job_run(job_id={job}))"
IMPORT = """
import json
from crowd.models import Campaign
from compressions.services.imports import source_import_request
text = "Someone asked the two old men at noon whether they knew the way to town number %d, and they did not."
rows = [json.dumps(dict(id="{name}-%d" % n, genre="News", text=text % n)) for n in range({rows})]
record = source_import_request(
    campaign=Campaign.objects.get(slug="imports"), file_name="one.jsonl", content="\\n".join(rows).encode(),
    strict=True, user=None,
)
print(record.job_id)
"""
SCORE = """
from corpus.models import Release
from crowd.models import Campaign
from scoring.services.runs import scores_request
from scoring.models import JOBS, ScoreRun
from scoring.settings import ScoreSettings
from tests.support.factories import freeze
ScoreRun.objects.all().delete()
ready = Release.objects.filter(campaign__slug="frozen", state="ready").order_by("version")
release = ready.first() or freeze(Campaign.objects.get(slug="frozen"))
run = scores_request(release=release, settings=ScoreSettings(), user=None)
print(JOBS.of(run.pk).last().pk)
"""


@dataclass(frozen=True)
class Kind:
    """A kind of job: how it is asked for, how it is seen to be under way, and what it must have made at its end."""

    request: Callable[[str], str]
    is_under_way: Callable[[Installation, str], object]
    result: Callable[[Installation, int, str], object]


def state_of(installation: Installation, job: int) -> tuple[str, int, str | None]:
    """Return the state of a job, how often it was begun, and the state of its release if it has one."""
    joined = "common_job LEFT JOIN corpus_release ON corpus_release.job_id = common_job.id"
    ((state, attempts, release),) = installation.query(
        f"SELECT common_job.state, attempts, corpus_release.state FROM {joined} WHERE common_job.id = {job}"
    )
    return state, attempts, release


def end_lease(installation: Installation, job: int) -> None:
    """As if two minutes had passed: the job can be taken over, and the part of a scoring run that it held."""
    long_ago = "SET lease_ends_at = '2020-01-01 00:00:00+00:00'"
    installation.query(f"UPDATE common_job {long_ago} WHERE id = {job}")
    installation.query(f"UPDATE scoring_scorepart {long_ago} WHERE job_id = {job} AND lease_ends_at IS NOT NULL")


def is_done(installation: Installation, job: int) -> bool:
    state, attempts, _ = state_of(installation, job)
    assert state != "failed", attempts
    return state == "done"


def job_stopped_in_the_middle(installation: Installation, kind: Kind, name: str) -> tuple[int, int, str]:
    """Ask for jobs until the worker is stopped while it does one; return the ids of job and worker, and its name."""
    for number in range(10):
        this = f"{name}-{number}"
        job, worker = _stop_worker_at_work(installation, kind, this)
        if state_of(installation, job)[0] == "running" and kind.is_under_way(installation, this):
            return job, worker, this
        os.kill(worker, signal.SIGCONT)  # it was quicker than this test
        eventually(partial(is_done, installation, job), "the job is done")
    raise AssertionError("no job could be caught in the middle")


def _stop_worker_at_work(installation: Installation, kind: Kind, name: str) -> tuple[int, int]:
    worker = installation.product.worker()
    job = int(shell(installation.env, kind.request(name)))
    eventually(
        lambda: kind.is_under_way(installation, name) or state_of(installation, job)[0] == "done",
        "a job under way",
        pause=0.002,
    )
    os.kill(worker, signal.SIGSTOP)
    return job, worker


# What each kind makes


def release_whole(installation: Installation, job: int, _name: str = "") -> dict[str, str]:
    """Compare the files of the release with its manifest; return the checksums of all."""
    ((named,),) = installation.query(f"SELECT folder FROM corpus_release WHERE job_id = {job}")
    folder = installation.releases / named
    for file in json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]:
        assert checksum(folder / file["name"]) == file["sha256"]
    return {str(path.relative_to(folder)): checksum(path) for path in folder.rglob("*") if path.is_file()}


def corpus_of_release(installation: Installation, job: int, _name: str = "") -> dict[str, str]:
    """The checksums of the texts, which are the same in every release of the same campaign."""
    return {name: digest for name, digest in release_whole(installation, job).items() if name.startswith("RawData/")}


def imported_once(installation: Installation, _job: int, name: str) -> int:
    """How many rows of the file are stored; each once, and no piece of work without its text."""
    sources = f"compressions_source WHERE source_id LIKE '{name}-%'"
    ((rows, distinct),) = installation.query(f"SELECT count(*), count(DISTINCT source_id) FROM {sources}")
    campaign = "SELECT id FROM crowd_campaign WHERE slug = 'imports'"
    unknown = "id NOT IN (SELECT item_id FROM compressions_source)"
    items = installation.query(f"SELECT count(*) FROM crowd_item WHERE campaign_id = ({campaign}) AND {unknown}")
    assert (rows, items) == (distinct, [(0,)])
    return int(rows)


def table_of_scores(installation: Installation, _job: int, _name: str) -> str:
    """The checksum of the finished table."""
    ((run,),) = installation.query("SELECT count(*) FROM scoring_scorerun WHERE summary IS NOT NULL")
    assert run == 1
    ((named,),) = installation.query("SELECT file FROM scoring_scorerun WHERE summary IS NOT NULL")
    return checksum(installation.folder / "scores" / named)


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_freezing(installation: Installation, _name: str) -> bool:
    return any(installation.scratch.glob("*/release"))


def _is_importing(installation: Installation, name: str) -> bool:
    return bool(installation.query(f"SELECT 1 FROM compressions_source WHERE source_id LIKE '{name}-%' LIMIT 1"))


def _is_scoring(installation: Installation, _name: str) -> bool:
    return bool(installation.query("SELECT 1 FROM scoring_scorepart WHERE outputs IS NOT NULL"))


KINDS = {
    "freeze": Kind(lambda _: FREEZE, _is_freezing, corpus_of_release),
    "scoring run": Kind(lambda _: SCORE, _is_scoring, table_of_scores),
    "import": Kind(lambda name: IMPORT.format(name=name, rows=ROWS), _is_importing, imported_once),
}
