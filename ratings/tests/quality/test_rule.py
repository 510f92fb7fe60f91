"""The rule that staff keep for a campaign: what pages and commands begin with."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client

from crowd.models import AuditEntry, Campaign
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.models import QualityRule, QualityRun
from ratings.selectors.quality import rule_to_begin_with
from ratings.services.quality import quality_apply, quality_rule_set
from tests.support.factories import judged_campaign, make_staff, staff_client

pytestmark = pytest.mark.django_db
OWN = FilterParameters(0.2, 3, Order.EDITORS_FIRST, RaterQuality.DAWID_SKENE, Roles.RATERS)
FIELDS = {
    "share": "20",
    "min_items": "3",
    "order": "editors first",
    "rater_quality": "Dawid-Skene accuracy",
    "roles": "raters only",
}


@pytest.fixture
def campaign() -> Campaign:
    return judged_campaign(sources=3, owner=make_staff())


@pytest.fixture
def client(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def test_without_a_rule_the_active_run_counts_and_without_one_the_defaults(campaign: Campaign) -> None:
    assert rule_to_begin_with(campaign) == FilterParameters()

    quality_apply(campaign=campaign, parameters=FilterParameters(0.15, 4))
    assert rule_to_begin_with(campaign) == FilterParameters(0.15, 4)

    quality_rule_set(campaign=campaign, parameters=OWN, user=None)
    assert rule_to_begin_with(campaign) == OWN


def test_staff_keep_a_rule_and_the_page_begins_with_it(campaign: Campaign, client: Client) -> None:
    address = f"/campaigns/{campaign.slug}/quality/"
    shown = client.get(f"{address}preview/", FIELDS)
    assert "Keep as this campaign’s rule" in shown.content.decode()

    kept = client.post(f"{address}rule/", FIELDS, follow=True)

    assert "This is the campaign’s rule" in kept.content.decode()
    assert "Keep as this campaign’s rule" not in kept.content.decode()
    assert client.get(f"{address}preview/").context["parameters"] == OWN
    assert client.get(f"{address}preview/").context["form"]["share"].value() == "20.0"
    assert not QualityRun.objects.exists()  # it excludes nobody
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.user) == ("quality rule kept", campaign.staff.get())
    assert "share: 0.2, min_items: 3, order: editors first" in entry.detail


def test_another_rule_is_told_from_the_one_that_is_kept(campaign: Campaign, client: Client) -> None:
    quality_rule_set(campaign=campaign, parameters=OWN, user=None)

    page = client.get(f"/campaigns/{campaign.slug}/quality/preview/", {**FIELDS, "share": "5"}).content.decode()

    assert "This differs from the campaign’s rule" in page


def test_a_rule_that_cannot_be_is_refused_and_the_kept_one_stays(campaign: Campaign, client: Client) -> None:
    quality_rule_set(campaign=campaign, parameters=OWN, user=None)

    answer = client.post(f"/campaigns/{campaign.slug}/quality/rule/", {**FIELDS, "share": "90"})

    assert answer.status_code == 422
    assert QualityRule.objects.get().parameters == OWN


def test_the_command_begins_with_the_rule(campaign: Campaign) -> None:
    quality_rule_set(campaign=campaign, parameters=FilterParameters(0.2, 3), user=None)

    call_command("apply_quality", campaign.slug, share=0.05, stdout=StringIO())

    assert QualityRun.objects.get().parameters["share"] == 0.05
    assert QualityRun.objects.get().parameters["min_items"] == 3


@pytest.mark.parametrize("wrong", [{"share": 1.5}, {"min_items": 0}, {"roles": "everyone"}])
def test_the_database_holds_the_ranges(campaign: Campaign, wrong: dict[str, object]) -> None:
    quality_rule_set(campaign=campaign, parameters=OWN, user=None)

    with pytest.raises(IntegrityError), transaction.atomic():
        QualityRule.objects.update(**wrong)
