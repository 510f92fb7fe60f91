"""Staff set up campaigns and links."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from crowd.default_texts import default_texts
from crowd.forms import CampaignForm
from crowd.models import Campaign, JoinLink, Round
from crowd.services.links import join_link_set_active
from tests.support.factories import RATE, freeze, judged_campaign, link_of, make_campaign, make_staff, staff_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    return staff_client(make_staff("owner"))


def settings_of(campaign: Campaign, **changes: object) -> dict[str, object]:
    return {name: getattr(campaign, name) for name in CampaignForm.Meta.fields} | changes


def test_who_makes_a_campaign_runs_it(staff: Client) -> None:
    model = make_campaign()
    answer = staff.post("/campaigns/new/", settings_of(model, slug="letters", name="Letters"))
    made = Campaign.objects.get(slug="letters")
    assert answer.headers["Location"] == "/campaigns/letters/"
    assert [user.username for user in made.staff.all()] == ["owner"]
    assert sorted(made.links.values_list("round", flat=True)) == sorted(Round.values)


@pytest.mark.parametrize("slug", ["new", "two words", "", "a/b"])
def test_a_campaign_needs_a_slug_that_can_stand_in_addresses(slug: str) -> None:
    form = CampaignForm(settings_of(make_campaign(), slug=slug))
    assert set(form.errors) == {"slug"}


def test_a_slug_that_is_taken_is_refused() -> None:
    form = CampaignForm(settings_of(make_campaign(slug="letters")))
    assert set(form.errors) == {"slug"}


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("editors_per_source", 0),
        ("rater_tasks", 0),
        ("lease_minutes", 0),
        ("lease_minutes", 99_999),
        ("keep_percent", 0),
        ("keep_percent", 100),
    ],
)
def test_settings_without_sense_are_refused_before_the_table_is_asked(setting: str, value: int) -> None:
    campaign = make_campaign(owner=make_staff("owner"))
    page = f"/campaigns/{campaign.slug}/settings/"
    client = Client()
    client.login(username="owner", password="correct horse battery")
    answer = client.post(page, settings_of(campaign, **{setting: value}))
    assert answer.status_code == 422
    assert getattr(Campaign.objects.get(pk=campaign.pk), setting) != value


def test_settings_can_be_changed() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    staff_client(owner).post(
        f"/campaigns/{campaign.slug}/settings/", settings_of(campaign, name="New name", keep_percent=60)
    )
    campaign.refresh_from_db()
    assert (campaign.name, campaign.keep_percent) == ("New name", 60)


def test_a_campaign_keeps_its_slug_so_that_its_releases_stay_where_they_are() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    release = freeze(campaign)
    client = staff_client(owner)
    client.post(f"/campaigns/{campaign.slug}/settings/", settings_of(campaign, slug="renamed"))
    answer = client.get(f"/campaigns/{campaign.slug}/releases/{release.version}/files/corpus.jsonl")
    assert b"".join(answer) == (release.folder / "corpus.jsonl").read_bytes()


def test_a_link_for_a_platform_is_made_with_codes_of_its_own() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    page = f"/campaigns/{campaign.slug}/links/"
    client = staff_client(owner)
    client.post(page, {"round": RATE, "platform_key": "prolific"})
    link = JoinLink.objects.get(campaign=campaign, platform_key="prolific")
    assert len({link.code_done, link.code_failed, link.code_no_work}) == 3
    assert link.token in client.get(page).content.decode()
    assert client.post(page, {"round": RATE, "platform_key": "elsewhere"}).status_code == 422


def test_a_link_that_is_switched_off_lets_nobody_in_until_it_is_on_again(staff: Client) -> None:
    campaign = make_campaign(sources=1, slug="letters", owner=User.objects.get(username="owner"))
    link = link_of(campaign, RATE)
    for active, twice in (("0", 2), ("1", 1)):
        for _ in range(twice):
            staff.post(f"/campaigns/letters/links/{link.pk}/state/", {"active": active})
        link.refresh_from_db()
        assert link.is_active is (active == "1")
        refused = Client().post(f"/join/{link.token}/").status_code == 409
        assert refused is not link.is_active


def test_a_new_campaign_begins_with_texts_to_write_over(staff: Client) -> None:
    page = staff.get("/campaigns/new/").content.decode()
    for text in default_texts().values():
        assert text.splitlines()[0][:60] in page


def test_a_link_that_is_switched_off_says_so_before_it_asks_for_consent() -> None:
    campaign = make_campaign(sources=1)
    link = link_of(campaign, RATE)
    join_link_set_active(link=link, is_active=False)
    answer = Client().get(f"/join/{link.token}/")
    assert answer.status_code == 409
    assert "does not take new people" in answer.content.decode()
    assert campaign.consent not in answer.content.decode()
