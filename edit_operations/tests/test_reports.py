"""Reports: computed part by part, once, by whoever is there; the same whatever the parts."""

from dataclasses import replace
from datetime import timedelta

import pytest

from common.clock import database_now
from common.errors import Refused
from common.jobs import job_run
from common.leased_parts import LEASE_DURATION
from common.models import Job
from corpus.models import Release
from edit_operations.aligning import aligned_sources
from edit_operations.kind import KIND
from edit_operations.parameters import OperationsParameters
from edit_operations.tests.releases import (
    FEW_DRAWS,
    computed,
    released_with,
    reread,
    source_of,
    started,
    text_of,
    varied,
)
from reports.models import Report, ReportPart
from reports.services import report_compute, report_get_or_create, report_request
from tests.support.factories import silent

pytestmark = pytest.mark.django_db(transaction=True)

Monkey = pytest.MonkeyPatch
ALIGNED = "edit_operations.kind.aligned_sources"


@pytest.fixture
def release() -> Release:
    return released_with(varied())


def parts_of(number: int, monkeypatch: Monkey) -> None:
    monkeypatch.setattr("edit_operations.kind.SOURCES_PER_PART", number)


class Watched:
    """The real aligning, which counts its calls and may fail at one of them."""

    def __init__(self, fails_at: int = 0) -> None:
        self.calls, self.fails_at = 0, fails_at

    def __call__(self, *given: object) -> object:
        self.calls += 1
        if self.calls == self.fails_at:
            raise OSError("No space left on device")
        return aligned_sources(*given)  # type: ignore[arg-type]


def watched(monkeypatch: Monkey, fails_at: int = 0) -> Watched:
    watch = Watched(fails_at)
    monkeypatch.setattr(ALIGNED, watch)
    return watch


def asked(release: Release) -> Report:
    """Ask as the page does; jobs run at once."""
    return reread(report_request(kind=KIND, on=release, parameters=FEW_DRAWS, user=None))


def held(report: Report, number: int, minutes: float) -> None:
    ends = database_now() + timedelta(minutes=minutes)
    ReportPart.objects.filter(report=report, number=number).update(lease_ends_at=ends)


def done_parts(report: Report) -> list[int]:
    done = report.parts.filter(content__isnull=False)
    return list(done.order_by("number").values_list("number", flat=True))


@pytest.mark.parametrize("size", [1, 2, 6, 7, 8])
def test_any_parts_make_the_same_report(release: Release, size: int, monkeypatch: Monkey) -> None:
    whole = computed(release)
    Report.objects.all().delete()
    parts_of(size, monkeypatch)

    report = computed(release)

    assert report.parts.count() == -(-7 // size)
    assert (report.rows, report.figures, report.pinned["texts"]) == (whole.rows, whole.figures, whole.pinned["texts"])


def test_parts_in_any_order_make_the_same_report(release: Release, monkeypatch: Monkey) -> None:
    whole = computed(release).rows
    Report.objects.all().delete()
    parts_of(2, monkeypatch)
    report = started(release)
    for first in (3, 1):
        for number in range(4):
            held(report, number, minutes=-1 if number >= first else 3)
        report_compute(report=report, progress=silent)
    for number in range(4):
        held(report, number, minutes=-1)

    report_compute(report=report, progress=silent)

    assert reread(report).rows == whole


@pytest.mark.parametrize(("size", "jobs"), [(7, 1), (4, 2), (2, 4), (1, 4)])
def test_a_part_is_work_for_one_job_and_four_are_the_most(
    release: Release, size: int, jobs: int, monkeypatch: Monkey
) -> None:
    parts_of(size, monkeypatch)
    asked(release)

    assert Job.objects.count() == jobs
    assert set(Job.objects.values_list("state", flat=True)) == {Job.State.DONE}


def test_progress_counts_parts(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    seen: list[tuple[int, int]] = []

    report_compute(report=started(release), progress=lambda done, total: seen.append((done, total)))

    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_the_same_question_is_one_report_and_computed_once(release: Release, monkeypatch: Monkey) -> None:
    watch = watched(monkeypatch)

    reports = {asked(release).pk for _ in range(3)}

    assert (len(reports), watch.calls, Job.objects.count()) == (1, 1, 1)
    assert computed(release).pk in reports


@pytest.mark.parametrize(
    "other",
    [
        OperationsParameters(draws=51),
        OperationsParameters(draws=50, seed=1),
        OperationsParameters(draws=50, substitute="paraphrased or inserted"),
        OperationsParameters(draws=50, means="compressions"),
        OperationsParameters(draws=50, apart="by length"),
    ],
)
def test_other_parameters_are_another_report(release: Release, other: OperationsParameters) -> None:
    assert computed(release).pk != computed(release, other).pk


def test_word_pairs_are_another_report_which_aligns_by_them() -> None:
    release = released_with([source_of(1, text_of("The two elderly blokes left.", 2))])
    plain, with_pairs = computed(release), computed(release, word_pairs="old\telderly\nmen\tblokes\n")

    inserted = [
        next(row["value"] for row in report.rows or [] if row["figure"] == "inserted") for report in (plain, with_pairs)
    ]
    assert plain.pk != with_pairs.pk
    assert inserted[0] > inserted[1]


@pytest.mark.parametrize("pairs", ["one word\n", "a\tb\nnothing\n", "a\tb\x00\n", "a\tb\n" * 1_300_000, "\n" * 200_001])
def test_a_list_that_holds_no_pairs_is_refused(release: Release, pairs: str) -> None:
    with pytest.raises(Refused):
        started(release, FEW_DRAWS, pairs)

    assert not Report.objects.exists()


def test_vectors_are_refused_where_there_are_none(release: Release) -> None:
    with pytest.raises(Refused, match="no word vectors"):
        report_get_or_create(kind=KIND, on=release, parameters=OperationsParameters(vectors=True))


def test_a_job_that_dies_leaves_what_is_done_and_asking_again_goes_on(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    monkeypatch.setattr("edit_operations.kind.MAX_PARALLEL_JOBS", 1)
    watch = watched(monkeypatch, fails_at=3)

    report = asked(release)
    assert (done_parts(report), report.rows, report.finished_at) == ([0, 1], None, None)

    again = asked(release)
    assert again.rows is not None
    assert watch.calls == 5


def test_a_job_that_dies_does_not_keep_the_others_from_its_part(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    watched(monkeypatch, fails_at=2)

    report = asked(release)

    assert done_parts(report) == [0, 1, 2, 3]
    assert report.rows is not None


def test_a_part_that_somebody_holds_is_left_alone_until_they_vanish(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    report = started(release)
    held(report, 1, minutes=3)

    report_compute(report=report, progress=silent)
    assert (done_parts(report), reread(report).rows) == ([0, 2, 3], None)

    held(report, 1, minutes=-0.1)
    report_compute(report=report, progress=silent)
    assert reread(report).rows is not None


def test_a_vanished_job_that_is_announced_again_ends_with_a_report(release: Release, monkeypatch: Monkey) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    report = asked(release)
    job = Job.objects.get()
    held(report, 0, minutes=LEASE_DURATION.total_seconds() / 60)
    report.parts.filter(number=0).update(job=job)
    Job.objects.update(state=Job.State.RUNNING, attempts=1, lease_ends_at=database_now() - timedelta(seconds=1))

    job_run(job_id=job.pk)

    assert reread(report).rows is not None


def test_rows_that_another_worker_computes_are_left_to_it(release: Release) -> None:
    report = computed(release)
    Report.objects.update(rows=None, finished_at=None, lease_ends_at=database_now() + timedelta(minutes=1))

    report_compute(report=report, progress=silent)

    assert reread(report).rows is None


def test_a_release_that_is_not_ready_is_refused(release: Release) -> None:
    Release.objects.update(state=Release.State.BUILDING, checksum="", finished_at=None)
    release.refresh_from_db()

    with pytest.raises(Refused, match="not ready"):
        report_request(kind=KIND, on=release, parameters=FEW_DRAWS, user=None)

    assert not Job.objects.exists()


def test_a_report_asked_of_another_version_is_asked_for_again(release: Release) -> None:
    report = started(release)
    Report.objects.update(pinned=report.pinned | {"signature": "another"})

    with pytest.raises(Refused, match="updated"):
        report_compute(report=reread(report), progress=silent)


@pytest.mark.parametrize("sources", [[], [source_of(1)], [source_of(1, text_of(""))], [source_of(1, text_of("Two."))]])
def test_a_release_with_next_to_nothing_has_a_report_with_reasons(sources: list[object]) -> None:
    report = computed(released_with(sources))  # type: ignore[arg-type]

    assert report.rows
    assert all(row["reason"] or row["value"] is not None for row in report.rows)


def test_references_that_nobody_rated_are_aligned_like_the_others() -> None:
    rated = varied()
    unrated = [replace(each, texts=[replace(text, ratings=()) for text in each.texts]) for each in rated]

    by_quality = {"table 5", "table 6", "within editors", "costs", "ordered ratings"}
    first, second = (
        [row for row in computed(released_with(sources)).rows or () if row["table"] not in by_quality]
        for sources in (rated, unrated)
    )

    assert first == second
    assert len(first) > 50
