"""Stopping early says what it costs before it happens, and may give the partial code; withdrawing uses nothing."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from compressions.models import Compression
from crowd.models import Assignment, Campaign, Enrolment, Exclusion, Item, JoinLink, Outcome
from crowd.services.campaigns import campaign_update
from crowd.services.claims import assignment_claim
from crowd.services.links import join_link_update
from ratings.selectors.quality import people_left_out
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    readable,
    worker_client,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db


def at_work(campaign: Campaign, done: int) -> tuple[Client, Enrolment]:
    """An editor who has submitted some texts and holds the next one."""
    client = worker_client(campaign, EDIT, "ann")
    enrolment = Enrolment.objects.select_related("worker", "link__campaign").get(worker__external_id="ann")
    for _ in range(done):
        assert edit_next(enrolment) is not None
    assignment_claim(enrolment=enrolment)
    return client, enrolment


@pytest.mark.parametrize(
    ("partial_after", "done", "words"),
    [
        (0, 1, "If you stop now, you get no completion code. You get it after the last text"),
        (3, 1, "After 2 more texts you get one for part of the study."),
        (2, 1, "After 1 more text you get one for part of the study."),
        (1, 1, "you get a code for part of the study, not the one for finishing it"),
    ],
)
def test_stopping_says_what_it_costs(partial_after: int, done: int, words: str) -> None:
    client, enrolment = at_work(make_campaign(sources=5, editor_tasks=4, partial_after=partial_after), done)
    page = " ".join(readable(client.get("/work/stop/")).split())
    assert words in page
    assert f"You have finished {done} of 4 texts." in page
    enrolment.refresh_from_db()
    assert enrolment.outcome == Outcome.WORKING
    assert Assignment.objects.filter(state="leased").count() == 1


def test_a_link_without_a_partial_code_promises_none() -> None:
    client, enrolment = at_work(make_campaign(sources=5, partial_after=1), 1)
    join_link_update(link=enrolment.link, code_partial="")
    assert "you get no completion code" in readable(client.get("/work/stop/"))


@pytest.mark.parametrize("done", [1, 2])
def test_the_partial_code_comes_from_the_number_that_the_campaign_says(done: int) -> None:
    client, enrolment = at_work(make_campaign(sources=5, partial_after=2), done)
    page = readable(client.post("/work/leave/", follow=True))
    assert (enrolment.link.code_partial in page) is (done == 2)
    assert enrolment.link.code_done not in page
    assert ("You get your completion code after the last text" in page) is (done == 1)


PAID: dict[str, Any] = {"editor_pay": Decimal(3), "partial_after": 2}


@pytest.mark.parametrize(
    ("paid", "done", "said"),
    [
        ({**PAID, "editor_partial_pay": Decimal("1.20")}, 2, ["It pays £1.20. Finishing all your texts pays £3.00."]),
        (
            {**PAID, "editor_partial_pay": Decimal("1.20")},
            1,
            ["pays £1.20.", "Without a code, this study pays nothing."],
        ),
        ({**PAID, "editor_pay_unit": "text"}, 2, ["It pays £6.00. Finishing all your texts pays £12.00."]),
        (
            {**PAID, "editor_pay_unit": "text"},
            1,
            ["It pays £6.00. Finishing", "Without a code, this study pays nothing."],
        ),
        (PAID, 2, ["The researchers decide what it pays. Finishing all your texts pays £3.00."]),
        (PAID, 1, ["After 1 more text you get one", "Without a code, this study pays nothing."]),
        ({"editor_pay": Decimal(3)}, 1, ["you get no completion code", "Without a code, this study pays nothing."]),
    ],
)
def test_before_one_stops_the_page_says_whether_and_what_it_pays(
    paid: dict[str, Any], done: int, said: list[str]
) -> None:
    client, _ = at_work(make_campaign(sources=5, editor_tasks=4, **paid), done)
    page = " ".join(readable(client.get("/work/stop/")).split())
    assert [words for words in said if words not in page] == []
    assert ("this study pays nothing" in page) is ("Without a code, this study pays nothing." in said)


def test_where_no_pay_is_set_stopping_says_nothing_of_pay() -> None:
    client, _ = at_work(make_campaign(sources=5, editor_tasks=4, partial_after=2), 1)
    assert "pays" not in readable(client.get("/work/stop/"))


def test_who_has_stopped_reads_what_the_partial_code_pays() -> None:
    paid = PAID | {"editor_partial_pay": Decimal("1.20")}
    campaign = make_campaign(sources=5, editor_tasks=4, **paid)
    link = JoinLink.objects.create(campaign=campaign, round=EDIT, platform_key="prolific")
    client = Client()
    client.get(f"/join/{link.token}/", {"PROLIFIC_PID": "5f1c0ffee5f1c0ffee5f1c0f"})
    client.post(f"/join/{link.token}/")
    client.post("/work/guidelines/")
    enrolment = Enrolment.objects.select_related("worker", "link__campaign").get()
    for _ in range(2):
        assert edit_next(enrolment) is not None
    page = readable(client.post("/work/leave/", follow=True))
    assert link.code_partial in page
    assert "It pays £1.20." in page


def test_who_goes_on_after_the_partial_code_gets_the_one_for_finishing() -> None:
    client, enrolment = at_work(make_campaign(sources=2, editor_tasks=2, partial_after=1), 1)
    client.post("/work/leave/")
    client.post("/work/next/")
    enrolment.refresh_from_db()
    assert edit_next(enrolment) is not None
    client.post("/work/next/")
    page = readable(client.get("/work/done/"))
    assert enrolment.link.code_done in page
    assert enrolment.link.code_partial not in page


def back_by_the_link(client: Client, enrolment: Enrolment, *, with_id: bool = True) -> str:
    """Where the link leads whoever confirms there that they come back."""
    address = enrolment.link.get_absolute_url()
    if with_id:
        client.get(f"{address}?participant=ann")
    assert "Welcome back" in readable(client.get(address))
    return str(client.post(address, follow=True).redirect_chain[-1][0])


@pytest.mark.parametrize("with_id", [True, False])
def test_whoever_comes_back_by_the_link_goes_on_at_once(with_id: bool) -> None:
    client, enrolment = at_work(make_campaign(sources=5, editor_tasks=4), 1)
    client.post("/work/leave/")
    assert back_by_the_link(client, enrolment, with_id=with_id).startswith("/work/edit/")
    assert Assignment.objects.filter(worker=enrolment.worker, state="leased").count() == 1


@pytest.mark.parametrize("is_over", [False, True])
def test_whoever_comes_back_while_no_texts_are_given_out_has_stopped_still(is_over: bool) -> None:
    client, enrolment = at_work(make_campaign(sources=5, editor_tasks=4, partial_after=1), 1)
    client.post("/work/leave/")
    Campaign.objects.update(state="closed" if is_over else "paused")
    assert back_by_the_link(client, enrolment) == "/work/done/"
    enrolment.refresh_from_db()
    assert enrolment.outcome == Outcome.STOPPED_EARLY


def test_whoever_comes_back_to_new_guidelines_reads_them_first() -> None:
    campaign = make_campaign(sources=5, editor_tasks=4)
    client, enrolment = at_work(campaign, 1)
    client.post("/work/leave/")
    campaign_update(campaign=campaign, editor_guidelines="Keep the names.", confirmed=1)
    assert back_by_the_link(client, enrolment) == "/work/guidelines/"
    assert client.post("/work/guidelines/")["Location"].startswith("/work/edit/")


def test_whoever_withdrew_is_not_led_back_to_the_texts() -> None:
    client, enrolment = at_work(make_campaign(sources=5, editor_tasks=4), 1)
    client.post("/work/withdraw/")
    assert back_by_the_link(client, enrolment) == "/work/done/"
    assert not Assignment.objects.filter(worker=enrolment.worker, state="leased").exists()


def test_who_withdraws_is_left_out_and_gives_everything_back() -> None:
    campaign = judged_campaign(sources=3, editors_per_source=9)
    client, enrolment = at_work(campaign, 1)
    assert "withdraw" in readable(client.get("/work/stop/"))
    page = readable(client.post("/work/withdraw/", follow=True))
    assert "You have withdrawn" in page
    assert enrolment.link.code_withdrew in page
    enrolment.refresh_from_db()
    assert (enrolment.outcome, enrolment.is_excluded) == (Outcome.WITHDREW, True)
    assert not Assignment.objects.filter(worker=enrolment.worker, state__in=["leased", "submitted"]).exists()
    assert enrolment.worker in [each.worker for each in people_left_out(campaign, None)]
    assert Exclusion.objects.get().note == "The participant withdrew their work."


def test_texts_that_only_somebody_who_withdrew_wrote_go_to_no_more_raters() -> None:
    campaign = make_campaign(sources=1)
    client, enrolment = at_work(campaign, 1)
    text = Compression.objects.get(worker=enrolment.worker)
    assert not Item.objects.get(target=text.target).is_closed
    client.post("/work/withdraw/")
    assert Item.objects.get(target=text.target).is_closed


def test_nothing_of_somebody_who_withdrew_is_released() -> None:
    campaign = judged_campaign(sources=2, editors_per_source=9)
    client, enrolment = at_work(campaign, 1)
    text = Compression.objects.get(worker=enrolment.worker).text
    Compression.objects.filter(worker=enrolment.worker).update(text=f"{text} SAID")
    client.post("/work/withdraw/")
    corpus = (release_folder(freeze(campaign)) / "corpus.jsonl").read_text()
    assert "SAID" not in corpus


def test_withdrawing_is_for_good() -> None:
    client, enrolment = at_work(make_campaign(sources=5), 1)
    for _ in range(2):
        assert client.post("/work/withdraw/").status_code == 302
    assert client.post("/work/next/").headers["Location"] == "/work/done/"
    assert client.get("/work/stop/").headers["Location"] == "/work/done/"
    client.post("/work/leave/")
    enrolment.refresh_from_db()
    assert enrolment.outcome == Outcome.WITHDREW


def test_a_rater_can_withdraw_as_well() -> None:
    campaign = judged_campaign(sources=2)
    client = worker_client(campaign, RATE, "rita")
    assert client.post("/work/withdraw/").status_code == 302
    assert enrol(campaign, RATE, "rita").outcome == Outcome.WITHDREW


def test_the_number_is_a_setting_that_people_are_told() -> None:
    campaign = make_campaign(sources=1)
    assert campaign_update(campaign=campaign, partial_after=5).settings_version.number == 2  # type: ignore[union-attr]
