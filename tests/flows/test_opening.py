"""A round opens on a platform that pays only if its pay, its minutes and a consent text of one's own are set."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from crowd.default_texts import default_texts
from crowd.models import AuditEntry, Campaign, JoinLink
from crowd.opening import CAN_BE_CONFIRMED, NotReady
from crowd.services.campaigns import campaign_state_set
from crowd.services.links import join_link_create, join_link_set_active, round_pause_set
from dashboard.campaign_files.templates import consents
from tests.support.factories import EDIT, RATE, make_campaign, make_staff, open_link, readable, staff_client

pytestmark = pytest.mark.django_db
READY: dict[str, Any] = {"editor_pay": Decimal(3), "editor_minutes": 15, "consent": "We are the lab of X."}


def lacking(state: str = "draft", **settings: Any) -> Campaign:
    """A campaign with a link on Prolific for editors; nothing is set unless it is named."""
    owner = make_staff()
    campaign = make_campaign(owner=owner, state=state, **{"consent": default_texts()["consent"]} | settings)
    open_link(campaign=campaign, work_round=EDIT, platform_key="prolific")
    return campaign


def missing(campaign: Campaign, **more: Any) -> tuple[str, ...]:
    """What keeps the campaign from being opened."""
    try:
        campaign_state_set(campaign=campaign, state="open", user=None, **more)
    except NotReady as refusal:
        assert Campaign.objects.get(pk=campaign.pk).state == "draft"
        return refusal.missing
    assert Campaign.objects.get(pk=campaign.pk).state == "open"
    return ()


@pytest.mark.parametrize(
    ("named", "lacks"),
    [
        ({}, ("editor_pay", "editor_minutes", "consent")),
        ({"editor_pay": Decimal(0)}, ("editor_minutes", "consent")),
        (READY | {"editor_minutes": None}, ("editor_minutes",)),
        (READY | {"consent": default_texts("de")["consent"].replace("\n", "\r\n")}, ("consent",)),
        (READY, ()),
    ],
    ids=["nothing", "pay", "no minutes", "ours in German", "all"],
)
def test_a_campaign_does_not_open_without_what_its_participants_need(
    named: dict[str, Any], lacks: tuple[str, ...]
) -> None:
    assert missing(lacking(**named)) == lacks


def test_the_consent_texts_of_the_templates_are_nobody_s_own() -> None:
    assert len(consents()) >= 4
    for text in consents():
        assert missing(lacking(**READY | {"consent": text})) == ("consent",)


def test_every_thing_that_is_missing_is_confirmed_by_its_name() -> None:
    campaign = lacking()
    assert missing(campaign, confirmed=["editor_pay", "consent"]) == ("editor_pay", "editor_minutes", "consent")
    assert missing(campaign, confirmed=CAN_BE_CONFIRMED) == ()
    entry = AuditEntry.objects.get(action="state changed")
    assert entry.detail == "from draft to open, without editor_pay, editor_minutes, consent"


@pytest.mark.parametrize(
    "change",
    [{"platform_key": "direct"}, {"is_test": True}, {"is_active": False}],
    ids=lambda change: next(iter(change)),
)
def test_links_by_which_nobody_comes_for_a_reward_need_nothing(change: dict[str, Any]) -> None:
    campaign = lacking()
    JoinLink.objects.filter(platform_key="prolific").update(**change)
    assert missing(campaign) == ()


def test_a_paused_round_is_asked_about_when_it_goes_on() -> None:
    campaign = lacking(edit_paused=True)
    assert missing(campaign) == ()
    with pytest.raises(NotReady):
        round_pause_set(campaign=campaign, work_round=EDIT, is_paused=False)
    assert Campaign.objects.get(pk=campaign.pk).edit_paused
    round_pause_set(campaign=campaign, work_round=EDIT, is_paused=False, confirmed=CAN_BE_CONFIRMED)
    assert not Campaign.objects.get(pk=campaign.pk).edit_paused


def test_raters_need_their_own_pay() -> None:
    campaign = lacking(**READY)
    open_link(campaign=campaign, work_round=RATE, platform_key="connect")
    assert missing(campaign) == ("rater_pay", "rater_minutes")


def test_who_comes_for_credits_is_told_how_long_it_takes_and_by_whom_but_no_pay() -> None:
    campaign = lacking()
    JoinLink.objects.filter(platform_key="prolific").update(platform_key="sona")
    assert missing(campaign) == ("editor_minutes", "consent")
    assert missing(campaign, confirmed=["editor_pay"]) == ("editor_minutes", "consent")
    open_link(campaign=campaign, work_round=RATE, platform_key="connect")
    assert missing(campaign) == ("editor_minutes", "consent", "rater_pay", "rater_minutes")
    open_link(campaign=campaign, work_round=EDIT, platform_key="connect")
    assert missing(campaign) == ("editor_pay", "editor_minutes", "consent", "rater_pay", "rater_minutes")
    assert missing(campaign, confirmed=CAN_BE_CONFIRMED) == ()


def test_a_new_link_for_credits_is_made_closed_and_a_campaign_that_has_all_opens_it() -> None:
    unready, ready = (lacking("open", **named) for named in ({}, {"editor_minutes": 15, "consent": "We are the lab."}))
    links = [
        join_link_create(campaign=campaign, work_round=EDIT, platform_key="sona", name="pool")
        for campaign in (unready, ready)
    ]
    assert [link.is_active for link in links] == [False, True]


def test_a_link_that_would_open_a_round_unready_is_made_closed_and_opened_by_name() -> None:
    campaign = lacking("open")
    link = join_link_create(campaign=campaign, work_round=EDIT, platform_key="prolific", name="second")
    assert not link.is_active
    with pytest.raises(NotReady):
        join_link_set_active(link=link, is_active=True)
    join_link_set_active(link=link, is_active=True, confirmed=CAN_BE_CONFIRMED)
    assert JoinLink.objects.get(pk=link.pk).is_active
    assert AuditEntry.objects.get(action="link opened").detail == "without editor_pay, editor_minutes, consent"


def test_what_is_open_already_can_be_said_to_be_open_again() -> None:
    campaign = lacking("open")
    join_link_set_active(link=campaign.links.get(platform_key="prolific"), is_active=True)
    assert not campaign_state_set(campaign=campaign, state="open", user=None)
    round_pause_set(campaign=campaign, work_round=EDIT, is_paused=False)


# The pages


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def confirmed_by_the_form(client: Client, address: str, sent: dict[str, str]) -> Any:
    """Tick everything on the page that asks, and send it."""
    page = client.post(address, sent)
    assert page.status_code == 409
    names = re.findall(r'name="confirmed"\s+value="(\w+)"\s+required', readable(page))
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', readable(page)))
    hidden.pop("csrfmiddlewaretoken", None)
    assert hidden == sent
    return client.post(address, {**hidden, "confirmed": names})


def test_the_page_names_what_is_missing_and_where_to_set_it() -> None:
    campaign = lacking()
    page = readable(staff_of(campaign).post(f"/campaigns/{campaign.slug}/state/", {"state": "open"}))
    for label in ("Pay of an editor", "Minutes an editor needs", "Consent text"):
        assert f"Set “{label}”" in page
        assert f"without “{label[0].lower()}{label[1:]}”" in page
    assert f'href="/campaigns/{campaign.slug}/settings/pay/"' in page
    assert f'href="/campaigns/{campaign.slug}/settings/consent/"' in page
    assert Campaign.objects.get(pk=campaign.pk).state == "draft"


@pytest.mark.parametrize("what", ["campaign", "round", "link"])
def test_a_round_opens_once_everything_is_ticked(what: str) -> None:
    campaign = lacking("draft" if what == "campaign" else "open", edit_paused=what == "round")
    link = campaign.links.get(platform_key="prolific")
    JoinLink.objects.filter(pk=link.pk).update(is_active=what != "link")
    start = f"/campaigns/{campaign.slug}"
    address, sent = {
        "campaign": (f"{start}/state/", {"state": "open"}),
        "round": (f"{start}/rounds/edit/pause/", {"paused": "0"}),
        "link": (f"{start}/links/{link.pk}/state/", {"active": "1"}),
    }[what]

    assert confirmed_by_the_form(staff_of(campaign), address, sent).status_code == 302

    link = JoinLink.objects.select_related("campaign").get(pk=link.pk)
    assert link.takes_people


def test_a_new_link_says_that_it_is_closed() -> None:
    campaign = lacking("open")
    sent = {"name": "Pilot", "round": "edit", "platform_key": "prolific"}
    page = readable(staff_of(campaign).post(f"/campaigns/{campaign.slug}/links/", sent, follow=True))
    assert "It is closed: pay, minutes or the consent text are not set yet." in page
    assert not JoinLink.objects.get(name="Pilot").is_active
