"""A campaign whose raters do a judgement task with material of its own, as its staff meet it."""

import json

import pytest
from django.apps import apps

from common.errors import Refused
from corpus.services.people_of_tests import people_of_tests_remove
from crowd.models import Campaign, Item, Round, Worker
from dashboard.services.deletion import campaign_delete
from dashboard.services.previews import preview_create, preview_end
from protocols.models import Material, PracticeAnswer, Response, TaskItem
from protocols.tests.test_flow import GIVEN, TEXT, at_task, with_material
from ratings.example_check import ExampleText
from ratings.services.gold import gold_create
from tests.support.factories import RATE, make_campaign, readable, staff_client, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
PRACTICE = TEXT | {"id": "p", "expected": {"marks": [], "no_errors": True, "score": 90}}


def answered(*, practised: bool = False) -> Campaign:
    campaign = with_material(TEXT, *([PRACTICE] if practised else []))
    client, address = at_task(campaign)
    if practised:
        client.post(address, {"answer": json.dumps(GIVEN), "material": Material.objects.get(name="p").pk})
        address = client.post(address).headers["Location"]
    assert client.post(address, {"answer": json.dumps(GIVEN), "version": "0"}).status_code == 302
    return campaign


def test_a_deleted_campaign_leaves_neither_material_nor_answers() -> None:
    campaign = answered(practised=True)
    assert PracticeAnswer.objects.exists()

    campaign_delete(campaign=campaign, user=None)

    rows = {each.__name__: each._default_manager.count() for each in apps.get_app_config("protocols").get_models()}
    assert set(rows.values()) == {0}, rows


def test_test_participants_are_removed_with_their_answers() -> None:
    campaign = answered()
    Worker.objects.filter(campaign=campaign).update(is_test=True)

    removal = people_of_tests_remove(campaign=campaign, user=None)

    assert (removal.people, removal.answers, removal.slots) == (1, 1, 1)
    assert "1 answer, 1 slot" in removal.words
    assert not Response.objects.exists()
    item = Item.objects.get(task_item__isnull=False)
    assert item.open_slots == item.wanted


def test_a_preview_has_the_practice_and_some_of_the_material() -> None:
    campaign = with_material(PRACTICE, *({**TEXT, "id": str(number)} for number in range(5)))

    link = preview_create(campaign=campaign, work_round=Round.RATE)

    assert Material.objects.filter(campaign=link.campaign, expected__isnull=False).count() == 1
    assert TaskItem.objects.filter(item__campaign=link.campaign).count() == 3
    client = worker_client(link.campaign, RATE)
    assert client.post("/work/next/").headers["Location"] == "/work/task/practice/"
    preview_end(slug=link.campaign.slug)
    assert Material.objects.count() == 6


def test_there_is_no_preview_without_material() -> None:
    campaign = make_campaign(rating_task="spans")

    with pytest.raises(Refused, match="no material yet"):
        preview_create(campaign=campaign, work_round=Round.RATE)


def test_all_staff_pages_of_such_a_campaign_are_there() -> None:
    campaign = answered()
    client = staff_client(campaign.memberships.get().user)
    worker = Worker.objects.get(campaign=campaign)
    page = readable(client.get(f"/campaigns/{campaign.slug}/"))
    addresses = {each for each in page.split('href="') if each.startswith(f"/campaigns/{campaign.slug}/")}
    found = {each.split('"')[0].split("#")[0] for each in addresses} | {
        f"/campaigns/{campaign.slug}/people/{worker.number}/"
    }

    wrong = {each: client.get(each).status_code for each in sorted(found)}

    assert {address for address, status in wrong.items() if status >= 400} == set()


def test_the_dashboard_speaks_of_material_and_answers_and_not_of_ratings() -> None:
    campaign = answered()
    client = staff_client(campaign.memberships.get().user)

    page = readable(client.get(f"/campaigns/{campaign.slug}/"))
    people = readable(client.get(f"/campaigns/{campaign.slug}/participants/rate/"))

    assert f'href="/campaigns/{campaign.slug}/task/"' in page
    of_ratings = (
        "Ratings wanted",
        "Compressions to rate",
        "Raters take no test",
        "Compute agreement",
        "gold questions",
    )
    assert [words for words in of_ratings if words in page + people] == []


def test_without_material_the_next_step_is_to_import_it() -> None:
    campaign = make_campaign(rating_task="spans")
    client = staff_client(campaign.memberships.get().user)

    assert f'<a href="/campaigns/{campaign.slug}/task/">Import material</a>' in readable(
        client.get(f"/campaigns/{campaign.slug}/")
    )
    Campaign.objects.update(state="draft")
    steps = client.get(f"/campaigns/{campaign.slug}/").context["steps"]
    titles = [str(step.title) for step in steps if not step.is_ready]
    assert titles[0] == "Material"
    assert {"Test", "Gold questions", "Texts"} & {str(step.title) for step in steps} == set()


def test_raters_of_such_a_campaign_are_given_no_gold_questions() -> None:
    campaign = make_campaign(rating_task="spans")
    example = ExampleText("A source.", "A text.", {"meaning": [3], "grammar": [3]})

    with pytest.raises(Refused, match="practice is part of its material"):
        gold_create(campaign=campaign, example=example)
