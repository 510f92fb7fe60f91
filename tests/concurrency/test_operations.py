"""Jobs that finish a report on editing operations at the same moment, are killed in the middle, and go on."""

from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from common.jobs import job_run
from common.models import Job
from edit_operations import kind
from edit_operations.aligning import aligned_sources
from edit_operations.kind import KIND
from edit_operations.tests.releases import FEW_DRAWS, computed, released_with, reread, started, varied
from reports.models import Report
from reports.services import report_compute, report_request
from tests.support.factories import silent
from tests.support.together import PATIENCE_SECONDS, together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
KIND_MODULE = "edit_operations.kind"


class Killed(BaseException):
    """The end of a process, as far as a thread can have one."""


@pytest.fixture
def expected(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]] | None:
    """The rows, as one worker alone computes them; reports that are begun later have four parts."""
    rows = computed(released_with(varied())).rows
    monkeypatch.setattr(f"{KIND_MODULE}.SOURCES_PER_PART", 2)
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    return rows


class Counted:
    """Something that counts how often it is called."""

    def __init__(self, act: Any) -> None:
        self.act, self.calls = act, 0

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        return self.act(*given, **named)


def asked() -> tuple[Report, list[Job]]:
    report = report_request(kind=KIND, on=released_with(varied()), parameters=FEW_DRAWS, user=None)
    return report, list(Job.objects.filter(parameters__report=report.pk))


@pytest.mark.parametrize("time", range(3))
def test_the_last_parts_done_at_once_are_summed_up_once(
    time: int, expected: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = started(released_with(varied()))
    at_the_end = Barrier(4)
    summed_up = Counted(kind.operations_report)

    def aligned(*given: Any) -> Any:
        found = aligned_sources(*given)
        at_the_end.wait(PATIENCE_SECONDS)
        return found

    monkeypatch.setattr(f"{KIND_MODULE}.aligned_sources", aligned)
    monkeypatch.setattr(f"{KIND_MODULE}.operations_report", summed_up)
    together([partial(report_compute, report=report, progress=silent)] * 4)

    assert reread(report).rows == expected
    assert summed_up.calls == 1
    assert list(report.parts.values_list("attempts", flat=True)) == [1] * 4


@pytest.mark.parametrize("place", ["aligned_sources", "operations_report"])
def test_a_report_whose_jobs_were_killed_in_the_middle_is_the_same_once_they_go_on(
    place: str, expected: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    report, jobs = asked()

    def killed(*_given: Any) -> Any:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(f"{KIND_MODULE}.{place}", killed)
        for job in jobs:
            with pytest.raises(Killed):
                job_run(job_id=job.pk)
            if place == "operations_report":
                break
    assert reread(report).rows is None
    Job.objects.filter(state=Job.State.RUNNING).update(lease_ends_at="2000-01-01T00:00Z")

    together([partial(job_run, job_id=job.pk) for job in jobs])

    assert reread(report).rows == expected
    assert report.parts.filter(content=None).count() == 0
