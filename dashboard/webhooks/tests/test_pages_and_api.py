"""Pages and endpoints of webhooks: who has which, what is shown once, and what is refused in words."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from common.models import KeptAnswer
from common.outgoing.hosts import checked_receivers
from crowd.models import AuditEntry, Campaign, Membership, Role, Webhook, WebhookDelivery
from dashboard.webhooks.calls import webhook_secret
from dashboard.webhooks.services import MOST_WEBHOOKS, webhook_create
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff, readable, staff_client
from tests.support.webhooks import make_webhook

pytestmark = pytest.mark.django_db
ADDRESS = "https://hooks.example.org/precis"
FORM: dict[str, Any] = {"address": ADDRESS, "events": ["round.complete", "job.failed"]}


@pytest.fixture(autouse=True)
def hosts(settings: Settings) -> None:
    settings.WEBHOOK_RECEIVERS = checked_receivers(
        "PRECIS_WEBHOOK_HOSTS", ["hooks.example.org", "http://127.0.0.1:9000"]
    )


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def campaign(owner: User) -> Campaign:
    return make_campaign(owner=owner)


def page_of(campaign: Campaign, below: str = "") -> str:
    return f"/campaigns/{campaign.slug}/webhooks/{below}"


def test_a_secret_is_shown_once_and_stored_nowhere(owner: User, campaign: Campaign) -> None:
    client = staff_client(owner)
    made = readable(client.post(page_of(campaign), FORM))
    webhook = Webhook.objects.get()
    secret = webhook_secret(webhook)
    assert secret in made
    assert "Copy its secret now" in made
    for page in (page_of(campaign), page_of(campaign, f"{webhook.pk}/")):
        shown = readable(client.get(page))
        assert ADDRESS in shown
        assert secret not in shown
    stored = [value for row in Webhook.objects.values_list() for value in row]
    assert not any(secret.removeprefix("whsec_") in str(value) for value in stored)
    assert (webhook.events, webhook.made_by) == (["round.complete", "job.failed"], owner)


def test_a_secret_is_of_one_webhook_and_one_installation(campaign: Campaign, settings: Settings) -> None:
    first, second = (webhook_create(campaign=campaign, user=None, **FORM) for _ in range(2))
    assert first[1] != second[1]
    settings.SECRET_KEY = "another" * 10
    assert webhook_secret(first[0]) != first[1]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({**FORM, "address": "https://other.example.org/"}, "This installation may not call this address."),
        ({**FORM, "address": "https://hooks.example.org@127.0.0.1/"}, "This installation may not call this address."),
        ({**FORM, "address": ""}, "This field is required."),
        ({**FORM, "address": "https://hooks.example.org/" + "a" * 500}, "at most 500 characters"),
        ({"address": ADDRESS}, "This field is required."),
        ({**FORM, "events": ["test"]}, "Select a valid choice."),
    ],
)
def test_a_form_that_is_wrong_says_why_and_makes_nothing(
    owner: User, campaign: Campaign, form: dict[str, Any], words: str
) -> None:
    response = staff_client(owner).post(page_of(campaign), form)
    assert response.status_code == 422
    assert words in readable(response)
    assert not Webhook.objects.exists()


def test_without_hosts_the_page_says_so_and_nothing_can_be_made(
    owner: User, campaign: Campaign, settings: Settings
) -> None:
    settings.WEBHOOK_RECEIVERS = ()
    page = readable(staff_client(owner).get(page_of(campaign)))
    assert "This installation does not allow webhooks." in page
    assert "Make the webhook" not in page
    assert staff_client(owner).post(page_of(campaign), FORM).status_code == 422
    answer = Api(owner).post(f"campaigns/{campaign.slug}/webhooks/", FORM)
    assert answer.status_code == 409
    assert "does not allow webhooks" in answer.json()["detail"]
    assert not Webhook.objects.exists()


def test_a_repeated_request_makes_one_webhook_and_tells_its_secret_once(owner: User, campaign: Campaign) -> None:
    api, base = Api(owner), f"campaigns/{campaign.slug}/webhooks/"
    first, again = (api.post(base, FORM, Idempotency_Key="one").json() for _ in range(2))
    assert first["secret"].startswith("whsec_")
    assert again == first | {"secret": None}
    assert first["secret"] not in KeptAnswer.objects.get().body
    assert Webhook.objects.count() == 1


def test_the_audit_log_keeps_the_path_of_an_address_to_itself(owner: User, campaign: Campaign) -> None:
    webhook_create(campaign=campaign, user=owner, address=f"{ADDRESS}/SECRET", events=FORM["events"])
    assert "SECRET" not in str(list(AuditEntry.objects.values_list("subject", "detail")))


def test_a_campaign_has_a_bounded_number(owner: User, campaign: Campaign) -> None:
    for _ in range(MOST_WEBHOOKS):
        webhook_create(campaign=campaign, user=owner, **FORM)
    response = staff_client(owner).post(page_of(campaign), FORM)
    assert response.status_code == 422
    assert f"This campaign has {MOST_WEBHOOKS} webhooks." in readable(response)


def test_staff_switch_try_repeat_and_delete(owner: User, campaign: Campaign) -> None:
    client, webhook = staff_client(owner), make_webhook(campaign, ADDRESS)
    at = page_of(campaign, f"{webhook.pk}/")
    assert "A test event will be sent" in readable(client.post(f"{at}test/", follow=True))
    delivery = WebhookDelivery.objects.get(state="given up")
    assert "will be sent again" in readable(client.post(f"{at}deliveries/{delivery.pk}/again/", follow=True))
    assert WebhookDelivery.objects.filter(state="waiting").count() == 2
    assert "The webhook is off." in readable(client.post(f"{at}state/", {"active": "0"}, follow=True))
    assert "The webhook was switched off." in readable(client.get(at))
    assert "Switch it on first." in readable(client.post(f"{at}test/", follow=True))
    client.post(f"{at}state/", {"active": "1"})
    assert Webhook.objects.get().is_active
    assert "The webhook is deleted." in readable(client.post(f"{at}delete/", follow=True))
    assert not WebhookDelivery.objects.exists()
    actions = AuditEntry.objects.filter(action__startswith="webhook").order_by("pk").values_list("action", "subject")
    named = f"webhook {webhook.pk} to {urlsplit(ADDRESS).netloc}"
    assert list(actions) == [("webhook changed", named)] * 2 + [("webhook deleted", named)]


def test_tests_cannot_fill_the_queue(owner: User, campaign: Campaign) -> None:
    webhook, client = make_webhook(campaign, ADDRESS), staff_client(owner)
    for _ in range(7):
        client.post(page_of(campaign, f"{webhook.pk}/test/"))
    assert WebhookDelivery.objects.filter(webhook=webhook, state="waiting").count() == 5


def test_the_same_by_programs(owner: User, campaign: Campaign) -> None:
    api, base = Api(owner), f"campaigns/{campaign.slug}/webhooks/"
    made = api.post(base, FORM)
    assert made.status_code == 201
    webhook = Webhook.objects.get()
    assert made.json()["secret"] == webhook_secret(webhook)
    (one,) = api.get(base).json()["results"]
    assert (one["address"], one["events"], one["is_active"]) == (ADDRESS, FORM["events"], True)
    assert "secret" not in one
    assert api.call("delete", f"{base}{webhook.pk}/").status_code == 204
    assert api.get(base).json()["results"] == []


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"address": "http://127.0.0.1:9001/"}, "address"),
        ({"events": []}, "events"),
        ({"events": ["test"]}, "events.0"),
        ({"secret": "mine"}, "secret"),
    ],
)
def test_a_program_is_told_which_field_is_wrong(
    owner: User, campaign: Campaign, sent: dict[str, Any], field: str
) -> None:
    answer = Api(owner).post(f"campaigns/{campaign.slug}/webhooks/", FORM | sent)
    assert answer.status_code == 400
    assert [each["field"] for each in answer.json()["errors"]] == [field]
    assert not Webhook.objects.exists()


def test_webhooks_are_those_of_their_campaign_and_its_managers(owner: User, campaign: Campaign) -> None:
    stranger, viewer = make_staff(), make_staff()
    other = make_campaign(owner=stranger)
    Membership.objects.create(campaign=campaign, user=viewer, role=Role.VIEWER)
    webhook = make_webhook(campaign, ADDRESS)
    assert staff_client(viewer).get(page_of(campaign)).status_code == 403
    for below in ("", "state/", "test/", "delete/"):
        client = staff_client(stranger)
        call = client.post if below else client.get
        assert call(page_of(other, f"{webhook.pk}/{below}")).status_code == 404
    assert Api(stranger).call("delete", f"campaigns/{other.slug}/webhooks/{webhook.pk}/").status_code == 404
    assert Api(owner).call("delete", f"campaigns/{campaign.slug}/webhooks/{2**70}/").status_code == 404
    assert Webhook.objects.filter(is_active=True).exists()


@pytest.mark.parametrize("below", ["", "{0}/"])
def test_pages_take_as_many_queries_for_many(owner: User, campaign: Campaign, below: str) -> None:
    client, counts = staff_client(owner), []
    webhook = make_webhook(campaign, ADDRESS)
    page = page_of(campaign, below.format(webhook.pk))
    api, caller = f"/api/v1/campaigns/{campaign.slug}/webhooks/", Api(owner)
    caller.get(api)  # the first use of a token is noted
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            client.get(page)
            caller.get(api)
        counts.append(len(queries))
        for _ in range(3):
            webhook_create(campaign=campaign, user=owner, **FORM)
            client.post(page_of(campaign, f"{webhook.pk}/test/"))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    "columns",
    [
        {"tells_jobs": False},
        {"address": "ftp://hooks.example.org/"},
        {"salt": ""},
    ],
)
def test_the_table_refuses_webhooks_that_cannot_be(campaign: Campaign, columns: dict[str, Any]) -> None:
    make_webhook(campaign)
    with pytest.raises(IntegrityError), transaction.atomic():
        Webhook.objects.update(**columns)


def test_an_archived_campaign_keeps_its_webhooks_as_they_are(owner: User, campaign: Campaign) -> None:
    webhook = make_webhook(campaign, ADDRESS)
    Campaign.objects.filter(pk=campaign.pk).update(state="archived")
    assert staff_client(owner).get(page_of(campaign)).status_code == 200
    assert staff_client(owner).post(page_of(campaign, f"{webhook.pk}/test/")).status_code == 409
