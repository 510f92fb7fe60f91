"""A job whose runner was stopped and goes on when another one has long finished it: nothing changes any more.

Each kind of job is interrupted where it has worked out what to write and not written it. Freezing has more such places
(`corpus/tests/release/test_stale_freeze.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from agreement.kind import KIND as AGREEMENT
from agreement.parameters import AgreementParameters
from agreement.planning.kept_plans import plan_request
from common import jobs
from common.jobs import job_run
from common.models import Job
from compressions.services.imports import source_import_request
from compressions.services.translations import translation_import_request
from corpus.services.outputs import output_import_request, outputs_import
from corpus.services.release import release_request
from crowd.models import Campaign
from dashboard.services.deletion import campaign_deletion_request
from dashboard.services.labelled_sessions import calibration_request
from dashboard.simulation.crowd import simulation_request
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.tests.releases import FEW_DRAWS
from edit_operations.tests.releases import released_with as with_operations
from edit_operations.tests.releases import varied as texts_with_operations
from evaluation.kind import KIND as EVALUATION
from evaluation.tests.releases import FEW_DRAWS as FEW_EVALUATED
from evaluation.tests.releases import scored_release
from measures.quality_control.worker_filter import FilterParameters
from protocols.absolute.report import KIND as ABSOLUTE
from protocols.absolute.tests.answered import scored_campaign
from protocols.comparison.parameters import ComparisonParameters
from protocols.comparison.report import KIND as COMPARISON
from protocols.comparison.tests.releases import compared_release
from protocols.content_units.tests.answered import KIND as UNITS
from protocols.content_units.tests.answered import simulated_campaign
from protocols.links.report import KIND as LINKS
from protocols.links.tests.planted import QUICK as QUICK_LINKS
from protocols.links.tests.planted import planted_campaign as planted_talks
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report import KIND as QUIZ
from protocols.quiz.tests.test_marking import answered_study
from protocols.ranking.report import KIND as RANKING
from protocols.ranking.tests.answered import FEW_DRAWS as FEW_OF_RANKS
from protocols.ranking.tests.answered import twelve_sets
from protocols.scale_against_scale.parameters import ScaleParameters
from protocols.scale_against_scale.report import KIND as SCALES
from protocols.scale_against_scale.tests.planted import planted_release
from protocols.services.material import material_import_request
from protocols.spans.report import KIND as SPANS
from protocols.spans.tests.answered import FEW_DRAWS as FEW_OF_SPANS
from protocols.spans.tests.answered import esa_campaign
from ratings.models import ImportPool
from ratings.services.quality import preview_request, quality_request
from ratings.services.rating_imports import rating_import_request
from reports.models import Report
from reports.services import report_request
from scoring.services.runs import scores_request
from scoring.tests.releases import FEW, released_with, varied
from systems.programs.registry import SYSTEMS
from systems.services.runs import RunRequest, system_run_request
from systems.services.training import TrainRequest, training_request
from systems.tests.learner import Learner
from tests.support.factories import SENTENCE, judged_campaign, make_campaign, make_staff
from tests.support.labelled import campaign_to_label, label_texts, sessions_of
from tests.support.stored import stored_paths

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def learner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SYSTEMS, "learner", Learner().system)


@dataclass(frozen=True)
class Case:
    """How a job comes about, and the function in which its first runner is stopped."""

    request: Callable[[], object]
    stopped_in: str


def request_import(*, strict: bool = False, lines: str = f"id,genre,text\n9,News,{SENTENCE}\n") -> None:
    source_import_request(
        campaign=make_campaign(), file_name="a.csv", content=lines.encode(), strict=strict, user=make_staff()
    )


def request_outputs() -> None:
    campaign = make_campaign(sources=2)
    content = b"id,text\n1,Two men.\n2,They went.\n"
    output_import_request(campaign=campaign, system="A", file_name="a.csv", content=content, user=make_staff())


def request_translations() -> None:
    content = b"id,kind,language,made_by,translated\n1,source,fr,Ann,Deux hommes.\n2,source,fr,Ann,Ils partent.\n"
    translation_import_request(campaign=make_campaign(sources=2), file_name="a.csv", content=content, user=make_staff())


def request_calibration() -> None:
    campaign = campaign_to_label(sources=12)
    label_texts(sessions_of(campaign), people=20, visits=2)
    calibration_request(campaign=campaign, user=make_staff())


def request_ratings(pool: ImportPool) -> None:
    campaign = make_campaign(sources=2)
    outputs_import(campaign=campaign, system="A", file_name="a.csv", content=b"id,text\n1,Two men.\n2,They went.\n")
    content = b"id,system,rater,meaning,grammar\n1,A,x,3,2\n2,A,x,1,1\n"
    rating_import_request(campaign=campaign, pool=pool, file_name="a.csv", content=content, user=make_staff())


def request_scores() -> None:
    scores_request(release=released_with(varied()), settings=FEW, user=None)


def request_operations() -> None:
    report_request(kind=OPERATIONS, on=with_operations(texts_with_operations()), parameters=FEW_DRAWS, user=None)


def request_evaluation() -> None:
    report_request(kind=EVALUATION, on=scored_release(), parameters=FEW_EVALUATED, user=None)


def request_run() -> None:
    request = RunRequest(campaign=make_campaign(sources=2), kind="first", name="First", seed=1)
    system_run_request(request=request, user=make_staff())


def request_training() -> None:
    release = released_with(varied())
    training_request(request=TrainRequest(release=release, kind="learner", name="Learner", seed=1), user=make_staff())


def request_deletion(campaign: Campaign) -> None:
    campaign_deletion_request(campaign=campaign, typed_name=campaign.slug, user=make_staff())


def request_material() -> None:
    campaign = make_campaign(rating_task="spans")
    content = b'{"id": "1", "source": "It rained all day.", "output": "It rained."}'
    material_import_request(campaign=campaign, file_name="m.jsonl", content=content, user=make_staff())


def _request_units(key: str) -> None:
    kind = UNITS[key]
    report_request(
        kind=kind, on=simulated_campaign(key), parameters=kind.parameters.of({"draws": 100}), user=make_staff()
    )


CASES = {
    "quiz_report": Case(
        lambda: report_request(
            kind=QUIZ, on=answered_study("A bridge"), parameters=QuizParameters(draws=100), user=make_staff()
        ),
        "protocols.quiz.report.quiz_report",
    ),
    "import_material": Case(request_material, "protocols.services.material.slices"),
    "absolute_report": Case(
        lambda: report_request(
            kind=ABSOLUTE, on=scored_campaign(), parameters=ABSOLUTE.parameters(), user=make_staff()
        ),
        "protocols.absolute.report.absolute_rows",
    ),
    **{
        f"{key}_report": Case(
            partial(_request_units, key),
            f"protocols.content_units.report.{'pyramid' if key == 'scu' else 'units'}_rows",
        )
        for key in ("factoids", "peer", "scu")
    },
    "ranking_report": Case(
        lambda: report_request(kind=RANKING, on=twelve_sets(), parameters=FEW_OF_RANKS, user=make_staff()),
        "protocols.ranking.report.ranking_rows",
    ),
    "spans_report": Case(
        lambda: report_request(kind=SPANS, on=esa_campaign(), parameters=FEW_OF_SPANS, user=make_staff()),
        "protocols.spans.report.marked_texts",
    ),
    "links_report": Case(
        lambda: report_request(kind=LINKS, on=planted_talks(2, 2), parameters=QUICK_LINKS, user=make_staff()),
        "protocols.links.report.linked_documents",
    ),
    "import_sources": Case(request_import, "compressions.services.imports.check_rows"),
    "import_sources, all refused": Case(
        lambda: request_import(strict=True, lines="id,genre,text\n9,News,\n"),
        "compressions.services.imports.check_rows",
    ),
    "import_outputs": Case(request_outputs, "corpus.services.outputs.slices"),
    "import_translations": Case(request_translations, "compressions.services.translations.slices"),
    **{
        f"import_ratings, {pool}": Case(partial(request_ratings, pool), "ratings.services.rating_imports.slices")
        for pool in ImportPool
    },
    "freeze_release": Case(
        lambda: release_request(campaign=judged_campaign(), user=make_staff()), "corpus.services.building.archive_write"
    ),
    "apply_quality": Case(
        lambda: quality_request(campaign=judged_campaign(), parameters=FilterParameters(), user=make_staff()),
        "ratings.services.quality.decide",
    ),
    "preview_quality": Case(
        lambda: preview_request(campaign=judged_campaign(), parameters=FilterParameters(), user=make_staff()),
        "ratings.services.quality.filter_preview",
    ),
    "plan_ratings": Case(
        lambda: plan_request(campaign=judged_campaign(), raters=[3], texts=[], user=make_staff()),
        "agreement.planning.kept_plans.campaign_plans",
    ),
    "agreement_report": Case(
        lambda: report_request(
            kind=AGREEMENT,
            on=released_with(varied()),
            parameters=AgreementParameters(draws=300, replications=40),
            user=make_staff(),
        ),
        "agreement.kind.agreement_report",
    ),
    "scale_comparison_report": Case(
        lambda: report_request(
            kind=SCALES, on=planted_release(), parameters=ScaleParameters(draws=100), user=make_staff()
        ),
        "protocols.scale_against_scale.report.figures",
    ),
    "comparison_report": Case(
        lambda: report_request(
            kind=COMPARISON, on=compared_release(), parameters=ComparisonParameters(draws=100), user=make_staff()
        ),
        "protocols.comparison.report.scale_rows",
    ),
    "calibration": Case(request_calibration, "dashboard.services.labelled_sessions.calibrate"),
    "delete_campaign": Case(lambda: request_deletion(judged_campaign()), "dashboard.services.deletion._scores_delete"),
    "simulate_crowd": Case(
        lambda: simulation_request(campaign=make_campaign(sources=2), editors=2, raters=2, user=make_staff()),
        "dashboard.simulation.crowd.rater_model",
    ),
    "evaluation_report": Case(request_evaluation, "reports.services.encoded_json"),
    "operations_report": Case(request_operations, "edit_operations.kind.aligned_sources"),
    "operations_report, all parts done": Case(request_operations, "edit_operations.kind.operations_report"),
    "run_system": Case(request_run, "systems.services.runs._compressed"),
    "run_system, outputs named": Case(request_run, "corpus.services.outputs.slices"),
    "train_system": Case(request_training, "systems.services.training._learnt"),
    "score": Case(request_scores, "scoring.services.runs.score"),
    "score, all parts done": Case(request_scores, "scoring.services.runs.write_long"),
}


def everything() -> dict[str, Any]:
    """All rows of all tables but their leases, and the checksums of all files that are stored."""
    rows = {
        model._meta.label: [
            {name: value for name, value in row.items() if name != "lease_ends_at"}
            for row in model._default_manager.order_by("pk").values()
        ]
        for model in models()
    }
    return {**rows, **{str(path): sha256(path.read_bytes()).hexdigest() for path in stored_paths()}}


def models() -> list[Any]:
    return [model for model in apps.get_models() if model._meta.app_label not in {"sessions", "contenttypes", "auth"}]


def run_out(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_ends_at=timezone.now() - timedelta(seconds=1))
    for held in (*job.score_parts.all(), *job.report_parts.all()):
        held.lease_ends_at = timezone.now() - timedelta(seconds=1)
        held.save()
    summed_up = Report.objects.exclude(lease_ends_at=None)
    summed_up.update(lease_ends_at=timezone.now() - timedelta(seconds=1))


def interrupt(monkeypatch: pytest.MonkeyPatch, place: str, meanwhile: Callable[[], None]) -> None:
    """Do something just before the first call of a function returns."""
    module, _, name = place.rpartition(".")
    original, pending = getattr(__import__(module, fromlist=[name]), name), [meanwhile]

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if pending:
            pending.pop()()
        return result

    monkeypatch.setattr(place, interrupted)


def test_every_kind_of_job_is_tried() -> None:
    assert {name.partition(",")[0] for name in CASES} == set(jobs.job_kinds())


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "then",
    [pytest.param("goes on", marks=pytest.mark.both_databases), "fails", "was given up", "finds another at work"],
)
def test_a_runner_that_was_overtaken_changes_nothing(name: str, then: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    case.request()
    job, finished = Job.objects.get(), []

    def meanwhile() -> None:
        run_out(job)
        if then == "finds another at work":
            begun = {"attempts": 2, "lease_ends_at": timezone.now() + timedelta(minutes=2)}
            Job.objects.filter(pk=job.pk).update(**begun)
        elif then == "was given up":
            Job.objects.filter(pk=job.pk).update(attempts=jobs.MAX_ATTEMPTS)
            jobs.jobs_requeue()
        else:
            job_run(job_id=job.pk)
        finished.append(everything())
        if then == "fails":
            raise OSError("No space left on device")

    interrupt(monkeypatch, case.stopped_in, meanwhile)
    job_run(job_id=job.pk)

    (expected,) = finished
    assert everything() == expected
    if not Job.objects.exists():  # it went with the campaign that it deleted
        assert name == "delete_campaign"
        return
    job.refresh_from_db()
    ends = {"was given up": Job.State.FAILED, "finds another at work": Job.State.RUNNING}
    assert job.state == ends.get(then, Job.State.FAILED if "refused" in name else Job.State.DONE)


@pytest.mark.parametrize("name", [name for name in CASES if "," not in name])
def test_what_a_job_made_stays_as_it_is_when_the_job_is_forgotten(name: str) -> None:
    CASES[name].request()
    job_run(job_id=Job.objects.get().pk)
    Job.objects.update(finished_at=timezone.now() - timedelta(days=9999))
    before = everything()

    forgotten = jobs.jobs_forget_old()

    after = everything()
    assert len(before.pop("common.Job")) - len(after.pop("common.Job")) == forgotten
    assert after == before
