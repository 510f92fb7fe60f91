"""The list of campaigns: state, role, progress, last work."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crowd.models import Assignment, Campaign, CampaignState, Item, Membership, Role
from crowd.selectors.progress import RoundProgress, last_submissions, round_progress
from crowd.services.claims import assignment_claim
from tests.support.factories import EDIT, edit_all, edit_next, enrol, make_campaign, make_staff, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def listed(user, query: str = "") -> str:  # type: ignore[no-untyped-def]
    page = readable(staff_client(user).get(f"/campaigns/{query}"))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_a_campaign_is_listed_with_its_state_role_progress_and_last_work() -> None:
    owner, viewer = make_staff(), make_staff()
    campaign = make_campaign(owner=owner, sources=4, editors_per_source=2, name="Letters", state="open")
    Membership.objects.create(campaign=campaign, user=viewer, role=Role.VIEWER)
    edit_all(campaign, 1)
    Campaign.objects.filter(pk=campaign.pk).update(state="paused")
    at = Assignment.objects.filter(state="submitted").latest("submitted_at").submitted_at

    assert at is not None
    assert f"Letters paused viewer 50% of 8 0% of 12 {at:%Y-%m-%d %H:%M}" in listed(viewer)


of_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="a small table of PostgreSQL is read as a whole")


def plans_of(action: Callable[[], object], words: str) -> str:
    """How the database finds what the queries with these words ask for."""
    with CaptureQueriesContext(connection) as captured:
        action()
    asked = [each["sql"] for each in captured if words in each["sql"]]
    assert asked
    with connection.cursor() as cursor:
        return " ".join(str(cursor.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()) for sql in asked)


@of_sqlite
def test_last_work_is_looked_up_in_an_index_person_by_person() -> None:
    campaign = make_campaign()
    assert "COVERING INDEX assignment_last_work (worker_id=?" in plans_of(
        lambda: last_submissions([campaign.pk]), "submitted_at"
    )


@of_sqlite
def test_items_are_counted_from_indexes_and_candidates_keep_theirs() -> None:
    someone = enrol(make_campaign(sources=4), EDIT)
    counting = plans_of(lambda: round_progress(someone.campaign, EDIT), 'FROM "crowd_item"')
    claiming = plans_of(lambda: assignment_claim(enrolment=someone), "ORDER BY i.position")

    assert "COVERING INDEX item_totals (campaign_id=?" in counting
    assert "INDEX item_candidates (campaign_id=?" in counting
    assert "INDEX item_candidates (campaign_id=? AND round=? AND stream=?" in claiming
    assert "item_totals" not in claiming


def test_archived_campaigns_are_listed_only_if_asked_for_and_sandboxes_never() -> None:
    owner = make_staff()
    for state in CampaignState.values:
        make_campaign(owner=owner, state=state, name=f"One {state}")
    sandbox = make_campaign(owner=owner, name="Sandbox")
    Campaign.objects.filter(pk=sandbox.pk).update(sandbox_of=Campaign.objects.earliest("pk"))

    everything, archived, drafts = listed(owner), listed(owner, "?state=archived"), listed(owner, "?state=draft")

    assert "One archived" not in everything
    assert "One open" in everything
    assert ("One archived" in archived, "One open" in archived) == (True, False)
    assert ("One draft" in drafts, "One open" in drafts) == (True, False)
    assert "Sandbox" not in everything + archived + drafts
    assert "Sandbox" not in listed(make_staff(administrator=True))
    assert staff_client(make_staff(administrator=True)).get(f"/campaigns/{sandbox.slug}/").status_code == 404
    assert "One open" in listed(owner, "?state=nonsense")


def test_the_number_of_queries_is_the_same_for_2_and_for_200_campaigns() -> None:
    few, many = make_staff(), make_staff()
    for user, number in ((few, 2), (many, 200)):
        made = Campaign.objects.bulk_create(
            Campaign(slug=f"{user.pk}-{n}", name=f"Campaign {n}", consent="?", editor_guidelines="?")
            for n in range(number)
        )
        Membership.objects.bulk_create(Membership(campaign=each, user=user) for each in made)

    def queries(user) -> int:  # type: ignore[no-untyped-def]
        client = staff_client(user)
        with CaptureQueriesContext(connection) as captured:
            client.get("/campaigns/")
        return len(captured)

    assert queries(few) == queries(many)


@pytest.mark.parametrize(
    ("done", "wanted", "percent"), [(0, 1000, 0), (999, 1000, 99), (1000, 1000, 100), (1, 3, 33), (0, 0, None)]
)
def test_only_all_is_100_percent(done: int, wanted: int, percent: int | None) -> None:
    progress = RoundProgress(wanted=wanted, done=done)
    assert (progress.percent_done, progress.is_complete) == (percent, percent == 100)


def test_the_work_of_test_people_is_not_done() -> None:
    campaign = make_campaign(sources=2, editors_per_source=2)
    real, test = enrol(campaign, EDIT), enrol(campaign, EDIT)
    for _ in range(2):
        assert edit_next(real) is not None
    assert edit_next(test) is not None
    test.worker.is_test = True
    test.worker.save()

    progress = round_progress(campaign, EDIT)

    assert (progress.wanted, progress.done, progress.held_by_tests, progress.complete_items) == (4, 2, 1, 0)
    assert sum(Item.objects.filter(round=EDIT).values_list("open_slots", flat=True)) == 1
