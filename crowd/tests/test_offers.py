"""What people read before they consent: the work, how long it takes and what it pays, as far as staff have set it."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from crowd.models import Round
from crowd.pay import RoundPay
from crowd.templatetags.offers import offer
from tests.support.factories import EDIT, RATE, edit_all, link_of, make_campaign, readable

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({}, "You will shorten up to 10 short texts."),
        ({"editor_tasks": 1}, "You will shorten 1 short text."),
        ({"editor_minutes": 12}, "You will shorten up to 10 short texts. This takes about 12 minutes."),
        ({"editor_minutes": 1}, "You will shorten up to 10 short texts. This takes about 1 minute."),
        ({"editor_pay": "1.5"}, "You will shorten up to 10 short texts. This pays £1.50."),
        (
            {"editor_pay": "1.5", "editor_minutes": 12},
            "You will shorten up to 10 short texts. This takes about 12 minutes and pays £1.50.",
        ),
        (
            {"editor_pay": "0.15", "editor_pay_unit": "text", "currency": "CHF"},
            "You will shorten up to 10 short texts. This pays CHF 0.15 per text.",
        ),
        ({"rater_pay": "9.99", "rater_minutes": 7}, "You will shorten up to 10 short texts."),
    ],
)
def test_editors_read_what_is_set_and_nothing_else(stated: dict[str, Any], words: str) -> None:
    campaign = make_campaign(sources=1, **stated)
    page = readable(Client().get(f"/join/{link_of(campaign, EDIT).token}/"))
    assert f'<p class="lead">{words}</p>' in page


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (
            {"rater_pay": "2", "rater_minutes": 9},
            "You will rate up to 20 shortened texts. This takes about 9 minutes and",
        ),
        ({"rating_task": "pair", "editors_per_source": 2}, "You will compare up to 20 pairs of shortened texts."),
    ],
)
def test_raters_read_what_is_theirs(stated: dict[str, Any], words: str) -> None:
    campaign = make_campaign(sources=1, **stated)
    edit_all(campaign, 2)
    assert words in readable(Client().get(f"/join/{link_of(campaign, RATE).token}/"))


def test_experts_read_of_no_pay() -> None:
    campaign = make_campaign(sources=1, editor_pay="1", rater_pay="1")

    assert offer(link_of(campaign, Round.EXPERT)) == "You will rate shortened texts."


MONEY = st.decimals(0, Decimal("999999.99"), places=2)


@given(amount=MONEY, tasks=st.integers(1, 30_000), is_per_text=st.booleans())
def test_the_price_of_a_text_is_its_share_of_what_a_person_gets(amount: Decimal, tasks: int, is_per_text: bool) -> None:
    pay = RoundPay(amount, is_per_text, tasks, None, "GBP", None)
    whole = pay.of_person(tasks)
    assert whole is not None
    assert pay.per_text is not None
    assert abs(pay.per_text * tasks - whole) <= Decimal("0.00005") * tasks


TEXTS = "We record how your text changes: when, how much,"
LEAVING = "and when you leave the page and come back (not where you go)."
RATING = "While you rate, we record how often and how long you leave the page (not where you go), how often you copy"


@pytest.mark.parametrize(
    ("work_round", "is_on", "said"),
    [(EDIT, True, [TEXTS, LEAVING]), (EDIT, False, [TEXTS]), (RATE, True, [RATING]), (RATE, False, [])],
)
def test_people_read_what_their_page_records_before_they_agree(work_round: Round, is_on: bool, said: list[str]) -> None:
    campaign = make_campaign(sources=1, record_leaving=is_on)
    edit_all(campaign, 1)
    page = readable(Client().get(f"/join/{link_of(campaign, work_round).token}/"))
    assert [each for each in (TEXTS, LEAVING, RATING) if each in page] == said
    assert ("No program rejects work." in page) is bool(said)
