"""Staff set up campaigns and links."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from crowd.default_texts import NAMES, default_texts
from crowd.models import Campaign, JoinLink, Round
from crowd.scales import DEFAULT_SCALES
from crowd.selectors.campaigns import short_name_of
from crowd.services.campaigns import RESERVED_SLUGS
from crowd.services.links import join_link_set_active
from crowd.settings_forms import NewCampaignForm
from tests.support.factories import (
    RATE,
    freeze,
    judged_campaign,
    link_of,
    make_campaign,
    make_staff,
    readable,
    staff_client,
)
from tests.support.settings import settings_send
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    return staff_client(make_staff("owner"))


def new(**changes: object) -> dict[str, object]:
    """What a browser sends for a new campaign."""
    sizes = {"keep_percent": 75, "editors_per_source": 5, "raters_per_compression": 3, "page_language": "en"}
    return {"name": "Letters", "slug": "", "language": "en", "rating_task": "single", **sizes, **changes}


def test_who_makes_a_campaign_runs_it(staff: Client) -> None:
    answer = staff.post("/campaigns/new/", new(slug="letters", rating_task="pair", keep_percent=60))
    made = Campaign.objects.get(slug="letters")
    assert answer.headers["Location"] == "/campaigns/letters/"
    assert made.state == "draft"
    assert [user.username for user in made.staff.all()] == ["owner"]
    assert sorted(made.links.values_list("round", flat=True)) == sorted(Round.values)
    assert (made.keep_percent, made.rating_task, made.state) == (60, "pair", "draft")
    assert made.consent == default_texts()["consent"].strip()


@pytest.mark.parametrize("slug", ["new", "two words", "a/b"])
def test_a_short_name_must_be_able_to_stand_in_addresses(slug: str) -> None:
    form = NewCampaignForm(new(slug=slug))
    assert set(form.errors) == {"slug"}


def test_a_short_name_that_is_taken_is_refused_with_one_that_is_free() -> None:
    make_campaign(slug="letters")
    make_campaign(slug="letters-2")
    form = NewCampaignForm(new(slug="letters"))
    assert form.errors == {"slug": ["Another campaign has this short name. letters-3 is free."]}


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Letters", "letters-3"),
        ("Café Très «Bon»!", "cafe-tres-bon"),
        ("  --A_b--  ", "a_b"),
        ("New", "new-2"),
        ("Ελλάδα", "campaign-2"),
        ("campaign", "campaign"),
        ("x" * 60, "x" * 50),
        ("y" * 60, "y" * 48 + "-2"),
    ],
)
def test_without_a_short_name_one_is_made_of_the_name(staff: Client, name: str, slug: str) -> None:
    for taken in ("letters", "letters-2", "campaign-1", "y" * 50):
        make_campaign(slug=taken)
    assert staff.post("/campaigns/new/", new(name=name)).headers["Location"] == f"/campaigns/{slug}/"


@given(name=st.text(max_size=80))
def test_the_short_name_made_of_any_name_is_one_that_the_form_takes(name: str) -> None:
    made = short_name_of(name, RESERVED_SLUGS)
    form = NewCampaignForm(new(slug=made))
    assert form.is_valid(), form.errors


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("editors_per_source", 0),
        ("rater_tasks", 0),
        ("lease_minutes", 0),
        ("lease_minutes", 99_999),
        ("keep_percent", 0),
        ("keep_percent", 100),
        ("currency", "gbp"),
        ("editor_pay", "-1"),
        ("editor_minutes", 0),
        ("editor_pay_unit", "per hour"),
    ],
)
def test_settings_without_sense_are_refused_before_the_table_is_asked(setting: str, value: object) -> None:
    campaign = make_campaign(owner=make_staff("owner"))
    client = Client()
    client.login(username="owner", password="correct horse battery")
    answer = settings_send(client, campaign, **{setting: value})
    assert answer.status_code == 422
    assert f'href="#id_{setting}"' in answer.content.decode()
    assert getattr(Campaign.objects.get(pk=campaign.pk), setting) == getattr(campaign, setting)


def test_settings_can_be_changed() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    settings_send(staff_client(owner), campaign, name="New name")
    settings_send(staff_client(owner), campaign, keep_percent=60)
    campaign.refresh_from_db()
    assert (campaign.name, campaign.keep_percent) == ("New name", 60)


def test_a_campaign_keeps_its_slug_so_that_its_releases_stay_where_they_are() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    release = freeze(campaign)
    client = staff_client(owner)
    settings_send(client, campaign, slug="renamed")
    answer = client.get(f"/campaigns/{campaign.slug}/releases/{release.version}/files/corpus.jsonl")
    assert b"".join(answer) == (release_folder(release) / "corpus.jsonl").read_bytes()


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
    staff.post("/campaigns/new/", new(slug="letters"))
    pages = "".join(
        readable(staff.get(f"/campaigns/letters/settings/{tab}/"))
        for tab in ("consent", "guidelines", "rater-guidelines")
    )
    for text in default_texts().values():
        assert text.splitlines()[0][:60] in pages


def test_a_new_campaign_begins_with_the_texts_and_scales_of_its_pages_language(staff: Client) -> None:
    staff.post("/campaigns/new/", new(slug="briefe", page_language="de"))
    made = Campaign.objects.get(slug="briefe")
    assert {name: getattr(made, name) for name in NAMES} == {
        name: text.strip() for name, text in default_texts("de").items()
    }
    assert "Kürzen Sie jeden Text" in readable(staff.get("/campaigns/briefe/settings/guidelines/"))
    assert [(scale.key, scale.name) for scale in made.rating_scales] == [
        ("meaning", "Bedeutung"),
        ("grammar", "Grammatik"),
    ]


def test_the_language_of_the_texts_to_be_shortened_does_not_choose_the_words(staff: Client) -> None:
    staff.post("/campaigns/new/", new(slug="briefe", language="de"))
    made = Campaign.objects.get(slug="briefe")
    assert made.consent == default_texts()["consent"].strip()
    assert made.rating_scales == DEFAULT_SCALES


def test_a_link_that_is_switched_off_says_so_before_it_asks_for_consent() -> None:
    campaign = make_campaign(sources=1)
    link = link_of(campaign, RATE)
    join_link_set_active(link=link, is_active=False)
    answer = Client().get(f"/join/{link.token}/")
    assert answer.status_code == 409
    assert "is not open to new participants" in answer.content.decode()
    assert campaign.consent not in answer.content.decode()
