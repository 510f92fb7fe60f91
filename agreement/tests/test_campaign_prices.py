"""Plans of ratings cost what the campaign pays, unless staff type another price."""

from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from agreement.planning.campaign_prices import StatedPrices
from agreement.planning.plans import Prices
from crowd.models import Campaign
from tests.support.factories import judged_campaign, make_campaign, readable, staff_client

pytestmark = pytest.mark.django_db
PAID: dict[str, Any] = {
    "rater_pay": Decimal("1.50"),
    "rater_tasks": 20,
    "editor_pay": Decimal("0.30"),
    "editor_pay_unit": "text",
}


def plan_of(campaign: Campaign, **asked: str) -> Any:
    return staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/plan/", asked)


def test_pay_per_study_is_shared_among_its_texts() -> None:
    stated = StatedPrices.of(make_campaign(**PAID))
    assert stated.or_else(None, None) == Prices(Decimal("0.0750"), Decimal("0.30"))
    assert stated.or_else(Decimal(0), Decimal(2)) == Prices(Decimal(0), Decimal(2))


def test_without_pay_nothing_costs_anything() -> None:
    assert not StatedPrices.of(make_campaign()).or_else(None, None)


def test_the_page_says_where_its_prices_come_from() -> None:
    page = readable(plan_of(make_campaign(**PAID)))
    assert "If empty: 0.0750 GBP, from the campaign’s pay of £1.50 for 20 texts." in page
    assert "If empty: £0.30, the campaign’s pay per text." in page
    assert "In any currency." in readable(plan_of(make_campaign()))


def costs(campaign: Campaign, **asked: str) -> list[Decimal | None]:
    return [each.cost for each in plan_of(campaign, raters="2", texts="10", **asked).context["found"][0][0].plans]


def test_plans_cost_what_the_campaign_pays_unless_another_price_is_typed() -> None:
    campaign = judged_campaign(sources=4, editors=1, scores=((3, 3), (2, 3)))
    assert costs(campaign) == [None]
    Campaign.objects.filter(pk=campaign.pk).update(**{**PAID, "rater_tasks": 15})
    assert costs(campaign) == [Decimal("0.1") * 20 + Decimal("0.30") * 10]
    assert costs(campaign, price_per_rating="0.2") == [Decimal("0.2") * 20 + Decimal("0.30") * 10]
    assert costs(campaign, price_per_rating="0", price_per_compression="0") == [None]


def test_the_command_takes_the_same_prices() -> None:
    campaign = judged_campaign(sources=4, editors=1, scores=((3, 3), (2, 3)))
    Campaign.objects.filter(pk=campaign.pk).update(**PAID)
    for typed, cost in (([], "4.50"), (["--price-per-rating=1"], "23.00")):
        said = StringIO()
        call_command("plan_ratings", campaign.slug, "--raters=2", "--texts=10", *typed, stdout=said)
        assert f" {cost} " in said.getvalue()
