"""A preview that takes long is computed by a job, kept, and marked once there are newer ratings."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from common import jobs
from common.errors import Refused
from common.models import Job
from compressions.models import Target
from crowd.models import Campaign, Worker
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality
from ratings.models import KeptResult
from ratings.selectors import preview, shown_preview
from ratings.services import kept as kept_service
from ratings.services import quality as quality_service
from ratings.services.exclusions import person_exclude
from ratings.services.rating_counts import rating_counts_forget
from ratings.tests.quality.test_preview import figures_of, preview_page, query_of, rows_of, section_of, staff_of
from tests.support.factories import RATE, enrol, golden_campaign, judged_campaign, rate, rate_all, readable

pytestmark = pytest.mark.django_db
BUTTON = "Compute</button>"


@pytest.fixture
def campaign() -> Campaign:
    return judged_campaign(sources=3, scores=((3, 3), (2, 3), (1, 2)), raters_per_compression=5)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every campaign with a rating is too large for a page."""
    monkeypatch.setattr(preview, "QUICK_RATINGS", 0)
    monkeypatch.setattr(preview, "QUICK_RATINGS_OF_A_FIT", 0)


def ask(campaign: Campaign, **query: Any) -> Any:
    return staff_of(campaign).post(f"/campaigns/{campaign.slug}/quality/preview/compute/", query)


@pytest.fixture
def computed(
    slow: None, campaign: Campaign, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> Campaign:
    with django_capture_on_commit_callbacks(execute=True):
        ask(campaign)
    assert Job.objects.get().state == Job.State.DONE
    return campaign


def test_a_small_campaign_needs_no_job(campaign: Campaign) -> None:
    assert BUTTON not in preview_page(campaign)
    assert figures_of(preview_page(campaign))
    assert not KeptResult.objects.exists()


def test_the_bound_depends_on_how_often_a_model_is_fitted(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = FilterParameters(rater_quality=RaterQuality.DAWID_SKENE)
    often = FilterParameters(rater_quality=RaterQuality.DAWID_SKENE, order=Order.EDITORS_FIRST)

    def quick() -> list[bool]:
        return [preview.preview_is_quick(campaign, each) for each in (FilterParameters(), fitted, often)]

    assert quick() == [True, True, True]
    monkeypatch.setattr(preview, "QUICK_RATINGS_OF_A_FIT", 9)  # as many ratings as there are
    assert quick() == [True, True, False]
    monkeypatch.setattr(preview, "QUICK_RATINGS_OF_A_FIT", 8)
    assert quick() == [True, False, False]
    monkeypatch.setattr(preview, "QUICK_RATINGS", 8)
    assert quick() == [False, False, False]


def test_a_page_that_would_take_long_offers_a_job_instead(slow: None, campaign: Campaign) -> None:
    page = preview_page(campaign, share=12.5)

    assert BUTTON in page
    assert "Other shares" not in page
    assert not KeptResult.objects.exists(), "looking writes nothing"


def test_a_job_finds_what_a_quick_page_shows(
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    parameters = FilterParameters(share=0.2, min_items=1)
    at_once = preview_page(campaign, **query_of(parameters))
    monkeypatch.setattr(preview, "QUICK_RATINGS", 0)

    with django_capture_on_commit_callbacks(execute=True):
        reply = ask(campaign, **query_of(parameters))
    page = readable(staff_of(campaign).get(reply["Location"]))

    assert figures_of(page) == figures_of(at_once)
    for label in ("Other shares", "Raters, worst first", "Editors, worst first"):
        assert rows_of(page, label) == rows_of(at_once, label)
    assert "There are no newer ratings or decisions." in page
    assert BUTTON not in page
    job = Job.objects.get()
    assert job.done == job.total > 2
    assert "See the preview" in readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/jobs/{job.pk}/"))


def test_asked_twice_one_job_runs_and_the_page_shows_it(slow: None, campaign: Campaign) -> None:
    ask(campaign)
    ask(campaign)

    job = Job.objects.get()
    page = preview_page(campaign)
    assert f'hx-get="/campaigns/{campaign.slug}/jobs/{job.pk}/"' in page
    assert "htmx" in page
    assert BUTTON not in page
    assert BUTTON in preview_page(campaign, share=20), "other parameters are another question"


def test_what_is_up_to_date_is_not_computed_again(computed: Campaign) -> None:
    ask(computed)

    assert Job.objects.count() == 1


def test_newer_ratings_and_decisions_are_told_and_computed_in(
    computed: Campaign, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = figures_of(preview_page(computed))
    rate_all(enrol(computed, RATE, "a-late-rater"), 3, 3)
    person_exclude(worker=Worker.objects.filter(campaign=computed)[0], work_round=RATE, note="A bot.", user=None)

    page = preview_page(computed)
    assert "before 3 newer ratings and 1 newer decision about participants." in page
    assert figures_of(page) == before, "the old result is shown until there is a new one"
    with django_capture_on_commit_callbacks(execute=True):
        ask(computed)

    page = preview_page(computed)
    assert figures_of(page) != before
    assert "There are no newer ratings or decisions." in page
    assert KeptResult.objects.count() == 1


def test_a_correction_is_told(computed: Campaign) -> None:
    rating = Target.objects.filter(source__campaign=computed)[0].ratings.select_related("assignment__worker")[0]
    assert rating.assignment
    rate(rating.assignment.worker.enrolments.get(round=RATE), rating.assignment, known_version=1, meaning=1, grammar=1)

    assert "before 1 newer correction." in preview_page(computed)


def test_ratings_of_other_campaigns_are_not_newer(computed: Campaign) -> None:
    judged_campaign(sources=2)

    assert "There are no newer ratings or decisions." in preview_page(computed)


def test_a_failure_is_shown_and_can_be_tried_again(
    slow: None,
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    def fail(*_: object) -> None:
        raise Refused("An input is missing.")

    monkeypatch.setattr(quality_service, "filter_preview", fail)
    with django_capture_on_commit_callbacks(execute=True):
        ask(campaign)

    page = preview_page(campaign)
    assert "An input is missing." in page
    assert BUTTON in page
    ask(campaign)
    assert Job.objects.count() == 2


def test_parameters_without_sense_are_refused(campaign: Campaign) -> None:
    reply = ask(campaign, share="many")

    assert reply.status_code == 422
    assert "Correct this first" in readable(reply)
    assert not Job.objects.exists()


def test_deleted_ratings_take_the_results_with_them(computed: Campaign) -> None:
    rating_counts_forget(campaign=computed)

    assert not KeptResult.objects.exists()
    assert BUTTON in preview_page(computed)


def test_a_question_that_was_forgotten_meanwhile_is_answered_with_a_refusal(slow: None, campaign: Campaign) -> None:
    ask(campaign)
    KeptResult.objects.all().delete()

    jobs.job_run(job_id=Job.objects.get().pk)

    assert "Compute the preview again." in Job.objects.get().message


def test_the_oldest_questions_are_forgotten(slow: None, campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_service, "MAX_KEPT", 2)

    for share in (1, 2, 3):
        ask(campaign, share=share)

    assert [each.parameters["share"] for each in KeptResult.objects.order_by("pk")] == [0.02, 0.03]


def test_the_people_kept_and_shown_are_bounded(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_preview, "MAX_PEOPLE", 2)
    monkeypatch.setattr(shown_preview, "PEOPLE_PER_PAGE", 1)

    section = section_of(preview_page(campaign, raters=2, share=5), RATE)

    assert "Showing the first 2 of 3." in section
    assert "Page 2 of 2" in section
    assert 'href="?raters=1&share=5"' in section
    assert section.count("<tr") == 2


def test_a_page_of_a_kept_preview_has_as_many_queries_for_many_people_as_for_few(
    slow: None, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    numbers = []
    for raters in (2, 6):
        made = judged_campaign(sources=2, scores=((2, 2),) * raters, raters_per_compression=raters)
        with django_capture_on_commit_callbacks(execute=True):
            ask(made)
        client: Client = staff_of(made)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/campaigns/{made.slug}/quality/preview/").status_code == 200
        numbers.append(len(captured))

    assert numbers[0] == numbers[1] <= 20


def test_a_result_cannot_be_stored_without_its_basis_nor_a_question_twice() -> None:
    of = {"campaign": golden_campaign(), "kind": KeptResult.Kind.PREVIEW, "digest": "a", "parameters": {}}
    KeptResult.objects.create(**of)
    for wrong in ({}, {"digest": "b", "result": {}}, {"digest": "c", "kind": "looks"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            KeptResult.objects.create(**(of | wrong))
