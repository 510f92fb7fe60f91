"""What the pay settings come to, said beside their fields before anything is spent."""

import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crowd.models import Campaign
from crowd.pay import cost_of_sources, sources_for
from tests.support.factories import edit_all, make_campaign, make_staff, readable, staff_client

UNITS = st.sampled_from(["text", "study"])
PRICES = st.decimals("0.01", "50", places=2)


@given(
    editor=PRICES,
    rater=PRICES,
    units=st.tuples(UNITS, UNITS),
    tasks=st.tuples(st.integers(1, 30), st.integers(1, 30)),
    people=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    fee=st.none() | st.decimals(0, 200, places=2),
    sources=st.integers(1, 500),
)
def test_a_budget_buys_as_many_texts_as_it_can_pay_and_no_more(
    editor: Decimal,
    rater: Decimal,
    units: tuple[str, str],
    tasks: tuple[int, int],
    people: tuple[int, int],
    fee: Decimal | None,
    sources: int,
) -> None:
    campaign = Campaign(
        editor_pay=editor,
        rater_pay=rater,
        editor_pay_unit=units[0],
        rater_pay_unit=units[1],
        editor_tasks=tasks[0],
        rater_tasks=tasks[1],
        editors_per_source=people[0],
        raters_per_compression=people[1],
        platform_fee_percent=fee,
    )
    cost = cost_of_sources(campaign, sources)
    assert cost is not None
    bought = sources_for(campaign, cost)
    assert bought is not None
    assert bought >= sources
    assert cost_of_sources(campaign, bought) == cost
    assert (cost_of_sources(campaign, bought + 1) or 0) > cost


PAY = {"currency": "GBP", "editor_pay_unit": "study", "rater_pay_unit": "study", "partial_after": "0"}


def campaign_of(sources: int = 0, **settings: Any) -> Campaign:
    return make_campaign(owner=make_staff(), sources=sources, **settings)


def notes(campaign: Campaign, first: str, **typed: str) -> str:
    """What stands beside a group of fields: as it is stored, or as it is typed and not yet saved."""
    client, address = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/settings/pay/"
    page = client.post(address, {**PAY, **typed, "preview": "1"}) if typed else client.get(address)
    assert page.status_code == 200
    (found,) = re.findall(rf'<div id="costs-{first}"[^>]*>(.*?)</div>', readable(page), re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", found).split())


@pytest.mark.django_db
def test_the_whole_round_costs_what_its_ratings_cost_with_the_fee() -> None:
    """36 texts with 5 compressions of 3 ratings: 540 ratings, 20 by each person, for 3 pounds."""
    campaign = campaign_of(36)
    typed = {"rater_pay": "3", "editor_pay": "2.50", "platform_fee_percent": "33.3"}
    assert notes(campaign, "rater_pay", rater_pay="3") == (
        "Set the minutes to see the pay per hour. The whole round: 540 ratings by at least 27 participants for £81.00."
    )
    assert "for £45.00. With the platform’s fee of 33.3%: £59.99." in notes(campaign, "editor_pay", **typed)
    assert "Both rounds with the texts that are here: £126.00. With the platform’s fee of 33.3%: £167.96." in notes(
        campaign, "currency", **typed
    )
    assert Campaign.objects.get(pk=campaign.pk).rater_pay is None


@pytest.mark.django_db
def test_the_round_of_raters_counts_what_is_there_and_what_will_come() -> None:
    campaign = campaign_of(2, editors_per_source=2, rater_pay=Decimal(1), rater_tasks=4)
    edit_all(campaign, 1)
    assert "12 ratings by at least 3 participants for £3.00." in notes(campaign, "rater_pay")


@pytest.mark.django_db
def test_without_texts_or_pay_nothing_is_said_of_the_round() -> None:
    assert notes(campaign_of(), "currency") == notes(campaign_of(2), "editor_pay") == ""
    assert "whole round" not in notes(campaign_of(), "rater_pay", rater_pay="3")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "said", "warns"),
    [
        (
            {"editor_pay": "2", "editor_minutes": "20", "minimum_hourly_pay": "9"},
            "£6.00 per hour: £2.00 for 10 texts in 20 minutes. "
            "That is less than your minimum of £9.00 per hour. Pay £3.00 per study to reach it.",
            True,
        ),
        (
            {"editor_pay": "0.10", "editor_pay_unit": "text", "editor_minutes": "7", "minimum_hourly_pay": "9"},
            "£8.57 per hour: £1.00 for 10 texts in 7 minutes. "
            "That is less than your minimum of £9.00 per hour. Pay £0.11 per text to reach it.",
            True,
        ),
        (
            {"editor_pay": "3", "editor_minutes": "20", "minimum_hourly_pay": "9"},
            "£9.00 per hour: £3.00 for 10 texts in 20 minutes.",
            False,
        ),
        (
            {"editor_pay": "3", "editor_minutes": "20", "editor_partial_pay": "3"},
            "£9.00 per hour: £3.00 for 10 texts in 20 minutes. "
            "The partial pay is not less than the pay for everything.",
            True,
        ),
    ],
)
def test_the_pay_per_hour_follows_what_is_typed(typed: dict[str, str], said: str, warns: bool) -> None:
    campaign = campaign_of()
    assert notes(campaign, "editor_pay", **typed) == said
    page = staff_client(campaign.staff.get()).post(
        f"/campaigns/{campaign.slug}/settings/pay/", {**PAY, **typed, "preview": "1"}
    )
    assert ('class="note wrong"' in readable(page)) is warns


@pytest.mark.django_db
def test_a_budget_says_how_many_more_texts_it_buys() -> None:
    campaign = campaign_of()
    typed = {"editor_pay": "0.50", "editor_pay_unit": "text", "rater_pay": "4.09", "budget": "3000"}
    assert notes(campaign, "currency", **typed, platform_fee_percent="42.8") == (
        "£3,000.00 buys 377 more texts with 5 compressions and 3 ratings each. They cost £2,998.76."
    )
    assert notes(campaign, "currency", **typed | {"budget": "3"}) == (
        "£3.00 buys 0 more texts with 5 compressions and 3 ratings each. One costs £14.77."
    )
    assert "Set the pay of editors and raters" in notes(campaign, "currency", budget="3000")


@pytest.mark.django_db
def test_what_cannot_be_stored_is_refused_beside_its_field_and_nothing_else_is_lost() -> None:
    campaign = campaign_of(1, editor_pay=Decimal(3), editor_minutes=20)
    said = notes(campaign, "editor_pay", editor_pay="much", editor_minutes="30", platform_fee_percent="201")
    assert said.startswith("£6.00 per hour: £3.00 for 10 texts in 30 minutes.")


@pytest.mark.django_db
def test_other_tabs_say_nothing_of_costs() -> None:
    campaign = campaign_of(1, editor_pay=Decimal(3))
    page = readable(staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/settings/texts/"))
    assert "data-costs" not in page
