"""The dashboard: its figures are those of the database, however large the campaign."""

import html
import random
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agreement.kind import KIND
from agreement.parameters import AgreementParameters
from compressions.models import Compression
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Round, Worker
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, worker_enter
from crowd.services.items import items_create
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import Rating, Score
from ratings.services.quality import quality_apply
from reports.services import report_complete, report_get_or_create
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    edit_next,
    enrol,
    freeze,
    golden_campaign,
    judged_campaign,
    link_of,
    make_campaign,
    make_staff,
    open_link,
    rate_each,
    readable,
    silent,
    staff_client,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return make_staff()


def shown(owner: User, campaign: Campaign) -> str:
    page = staff_client(owner).get(f"/campaigns/{campaign.slug}/")
    assert page.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", readable(page)))


def test_an_empty_campaign_has_a_dashboard(owner: User) -> None:
    campaign = make_campaign(owner=owner)
    assert "nothing to do yet" in shown(owner, campaign)

    Campaign.objects.update(state="closed")

    text = shown(owner, campaign)
    assert "No release yet" in text
    assert "No quality rule is active." in text


def test_the_progress_of_both_rounds_is_that_of_the_database(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=4, editors_per_source=2, raters_per_compression=3)
    edit_all(campaign, 1)
    assert edit_next(enrol(campaign, EDIT, "second")) is not None
    assert assignment_claim(enrolment=enrol(campaign, EDIT, "third")) is not None

    text = shown(owner, campaign)

    done = Compression.objects.count()
    assert done == 5
    assert "62% done" in text
    assert "Compressions 5 of 8 Complete texts 1 of 4 Claimed now 1" in text
    assert "Ratings 0 of 15 Complete compressions 0 of 5 Claimed now 0" in text


def test_the_distribution_of_ratings_is_that_of_the_database(owner: User) -> None:
    campaign = judged_campaign(owner=owner, sources=2, scores=((3, 3), (2, 3), (3, 1), (1, 3)))

    text = shown(owner, campaign)

    assert Rating.objects.count() == 8
    assert "8 so far" in text
    assert "2.25" in text
    assert "2.50" in text


def test_a_text_with_more_ratings_weighs_no_more_than_another_in_the_mean_over_texts(owner: User) -> None:
    campaign = make_campaign(owner=owner, sources=2, editors_per_source=1, raters_per_compression=3)
    edit_all(campaign, 1)
    for name in ("ann", "ben", "cem"):
        rate_each(enrol(campaign, RATE, name), lambda target: (3 if target.source.source_id == "1" else 1, 2))
    for_one = Rating.objects.filter(target__source__source_id="1").order_by("pk")[1:]
    Score.objects.filter(rating__in=[rating.pk for rating in for_one]).delete()

    text = shown(owner, campaign)

    assert "Meaning mean over texts 2.00, over ratings 1.50" in text
    assert "Grammar mean over texts 2.00, over ratings 2.00" in text


def test_quality_release_and_agreement_are_summed_up(owner: User) -> None:
    campaign = golden_campaign()
    campaign.staff.add(owner)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5))
    release = freeze(campaign)
    result = report_get_or_create(kind=KIND, on=release, parameters=AgreementParameters(draws=10, replications=10))
    report_complete(report=result, progress=silent)
    Campaign.objects.update(state="closed")

    text = shown(owner, campaign)

    assert "Editors excluded 1 of 2 Raters excluded 1 of 3" in text
    assert "Compressions kept 5 of 10 Ratings kept 10 of 30" in text
    assert f"Report on {release.name}" in text
    assert "undefined" in text
    assert "no expert has rated texts of this release" in text


def test_the_links_can_be_copied_as_they_are_to_be_handed_out(owner: User) -> None:
    campaign = make_campaign(owner=owner)

    page = readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/"))

    for work_round in Round.values:
        assert f"http://testserver/join/{link_of(campaign, work_round).token}/" in page


def test_a_link_is_listed_by_its_name_with_what_the_platform_replaces_and_whether_it_is_open(owner: User) -> None:
    campaign = make_campaign(owner=owner)
    link = open_link(campaign=campaign, work_round=EDIT, platform_key="prolific")
    JoinLink.objects.filter(pk=link.pk).update(name="Pilot, 20 people", is_test=True, max_people=1)
    worker_enter(link=JoinLink.objects.get(pk=link.pk), ids=PlatformIds(worker_id="a"))

    page = readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/"))

    assert f"/join/{link.token}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID=" in html.unescape(page)
    assert f'<a href="/campaigns/{campaign.slug}/links/{link.pk}/">Pilot, 20 people</a>' in page
    assert "Pilot, 20 people Editor round · Prolific · test · closed to new participants 1 of 1" in shown(
        owner, campaign
    )
    JoinLink.objects.filter(pk=link.pk).update(max_people=2, is_test=False)
    assert "Pilot, 20 people Editor round · Prolific 1 of 2" in shown(owner, campaign)


def test_more_links_with_limits_cost_no_more_queries(owner: User) -> None:
    campaign, client = make_campaign(owner=owner), staff_client(owner)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/campaigns/{campaign.slug}/")
        return len(captured)

    before = queries()
    for _ in range(3):
        open_link(campaign=campaign, work_round=EDIT, platform_key="prolific")
    JoinLink.objects.update(max_people=5)
    assert queries() == before


def test_the_form_for_a_new_campaign_is_reached(owner: User) -> None:
    reply = staff_client(owner).get("/campaigns/new/")

    assert reply.status_code == 200
    assert 'name="slug"' in readable(reply)


def crowded(owner: User, number: int) -> Campaign:
    """So many items and workers, each with a piece of work done, in as few statements."""
    campaign = make_campaign(owner=owner, sources=2)
    link = link_of(campaign, EDIT)
    items = items_create(campaign=campaign, work_round=EDIT, count=number, rng=random.Random(1))
    workers = Worker.objects.bulk_create(
        Worker(campaign=campaign, platform_key="direct", external_id=f"person {each}", number=each + 1)
        for each in range(number)
    )
    when: dict[str, Any] = {"leased_at": link.campaign.created_at, "submitted_at": link.campaign.created_at}
    Enrolment.objects.bulk_create(
        Enrolment(worker=worker, round=EDIT, link=link, consented_at=campaign.created_at) for worker in workers
    )
    Assignment.objects.bulk_create(
        Assignment(item=item, worker=worker, round=EDIT, state="submitted", lease_ends_at=campaign.created_at, **when)
        for item, worker in zip(items, workers, strict=True)
    )
    return campaign


def test_the_number_of_queries_is_the_same_for_10_and_for_200_items_and_workers(owner: User) -> None:
    client = staff_client(owner)

    def queries(campaign: Campaign) -> int:
        with CaptureQueriesContext(connection) as captured:
            page = client.get(f"/campaigns/{campaign.slug}/")
        (editors,) = (row for row, _ in page.context["links"] if row.link.round == EDIT)
        assert editors.link.people == campaign.workers.count()
        return len(captured)

    assert queries(crowded(owner, 10)) == queries(crowded(owner, 200))
