"""The test that raters pass before they work."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from common.errors import Refused
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Outcome
from crowd.services.claims import assignment_claim
from ratings.models import QualificationAttempt, QualificationItem
from ratings.selectors.qualification import qualification_items
from ratings.services.qualification import qualification_items_add, qualification_items_replace
from ratings.services.sittings import qualification_submit
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    add_qualification,
    edit_next,
    enrol,
    link_of,
    make_campaign,
    readable,
    worker_client,
)
from tests.support.qualification import answers_of as filled_in
from tests.support.qualification import take_test

pytestmark = pytest.mark.django_db

PAGE = "/work/qualification/"
Answer = dict[str, int]


def answer(meaning: int, grammar: int) -> Answer:
    return {"meaning": meaning, "grammar": grammar}


RIGHT, HALF, WRONG = answer(3, 3), answer(3, 1), answer(1, 1)


def campaign_with_test(items: int = 2, **settings: Any) -> Campaign:
    """A campaign with a test and one text to judge."""
    campaign = make_campaign(sources=1, **settings)
    edit_next(enrol(campaign, EDIT))
    add_qualification(campaign, items)
    return campaign


def attempt(enrolment: Enrolment, *answers: Answer, number: int = 1) -> QualificationAttempt:
    items = qualification_items(enrolment.campaign)
    given = {item.pk: each for item, each in zip(items, answers, strict=True)}
    tried = qualification_submit(enrolment=enrolment, number=number, answers=given)
    assert tried is not None
    enrolment.refresh_from_db()
    return tried


@pytest.mark.parametrize(
    ("answers", "correct"), [((RIGHT, RIGHT), 4), ((RIGHT, HALF), 3), ((HALF, HALF), 2), ((WRONG, WRONG), 0)]
)
def test_each_scale_of_each_example_is_one_question(answers: tuple[Answer, ...], correct: int) -> None:
    tried = attempt(enrol(campaign_with_test(), RATE), *answers)

    assert (tried.correct, tried.questions) == (correct, 4)


@pytest.mark.parametrize(("meaning", "correct"), [(1, 1), (2, 2), (3, 2)])
def test_an_example_may_have_several_right_answers(meaning: int, correct: int) -> None:
    campaign = campaign_with_test()
    qualification_items_replace(
        campaign=campaign, examples=[replace(EXAMPLE, answers={"meaning": [2, 3], "grammar": [3]})]
    )

    assert attempt(enrol(campaign, RATE), answer(meaning, 3)).correct == correct


@pytest.mark.parametrize(("percent", "passed"), [(75, True), (76, False), (100, False), (0, True)])
def test_the_pass_mark_is_enough_and_less_is_not(percent: int, passed: bool) -> None:
    enrolment = enrol(campaign_with_test(qualification_pass_percent=percent), RATE)

    assert attempt(enrolment, RIGHT, HALF).passed is passed
    assert (enrolment.qualified_at is not None) is passed


def test_who_fails_may_try_again_and_then_works() -> None:
    enrolment = enrol(campaign_with_test(), RATE)

    assert not attempt(enrolment, WRONG, WRONG).passed
    assert enrolment.outcome == Enrolment.Outcome.WORKING
    assert attempt(enrolment, RIGHT, RIGHT, number=2).passed
    assert assignment_claim(enrolment=enrolment) is not None


def test_a_try_sent_twice_counts_once() -> None:
    enrolment = enrol(campaign_with_test(), RATE)

    first, second = attempt(enrolment, WRONG, WRONG), attempt(enrolment, RIGHT, RIGHT)

    assert first == second
    assert enrolment.qualified_at is None
    assert enrolment.qualification_attempts.count() == 1


def test_a_passed_test_is_not_taken_again() -> None:
    enrolment = enrol(campaign_with_test(), RATE)
    attempt(enrolment, RIGHT, RIGHT)

    assert attempt(enrolment, WRONG, WRONG, number=2).passed
    assert enrolment.qualification_attempts.count() == 1


def last_answer(client: Client, points: Answer) -> dict[str, str]:
    return filled_in(client.get(f"{PAGE}?practised=1", follow=True), points)


def test_who_stops_in_another_tab_and_passes_goes_on() -> None:
    campaign = campaign_with_test(1)
    client = worker_client(campaign, RATE)
    form = last_answer(client, RIGHT)
    client.post("/work/leave/")
    client.post(PAGE, form)
    assert Enrolment.objects.get(round=RATE).qualified_at is not None
    assert client.post("/work/next/").headers["Location"].startswith("/work/rate/")


def test_who_is_done_and_passes_a_test_that_was_added_later_goes_on() -> None:
    campaign = campaign_with_test(1)
    client = worker_client(campaign, RATE)
    Enrolment.objects.filter(round=RATE).update(outcome=Outcome.DONE)
    take_test(client, **RIGHT)
    assert client.post("/work/next/").headers["Location"].startswith("/work/rate/")


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        (Outcome.STOPPED_EARLY, Outcome.FAILED),
        (Outcome.NO_WORK, Outcome.FAILED),
        (Outcome.DONE, Outcome.DONE),
        (Outcome.WITHDREW, Outcome.WITHDREW),
    ],
)
def test_failing_the_last_try_after_the_visit_ended(ended: str, outcome: str) -> None:
    enrolment = enrol(campaign_with_test(1, qualification_tries=1), RATE)
    Enrolment.objects.filter(pk=enrolment.pk).update(outcome=ended)
    attempt(enrolment, WRONG)
    assert (enrolment.outcome, enrolment.qualified_at) == (outcome, None)


def test_a_passed_try_counts_even_if_it_was_never_recorded_with_the_visit() -> None:
    client = worker_client(campaign_with_test(1, qualification_tries=2), RATE)
    take_test(client, **RIGHT)
    Enrolment.objects.filter(round=RATE).update(qualified_at=None, outcome=Outcome.STOPPED_EARLY)
    assert "/qualification/" not in client.get("/work/").headers["Location"]
    assert client.get(f"{PAGE}1/").context["may_retry"] is False
    assert client.post("/work/next/").headers["Location"].startswith("/work/rate/")


def test_numbers_out_of_thin_air_give_no_further_tries() -> None:
    enrolment = enrol(campaign_with_test(qualification_tries=2), RATE)

    for number in (0, 99):
        attempt(enrolment, WRONG, WRONG, number=number)

    assert list(enrolment.qualification_attempts.order_by("number").values_list("number", flat=True)) == [1, 2]
    with pytest.raises(Refused, match="no attempts left"):
        attempt(enrolment, RIGHT, RIGHT, number=7)
    assert enrolment.qualified_at is None


def test_the_last_failure_ends_the_visit_for_good() -> None:
    enrolment = enrol(campaign_with_test(qualification_tries=1), RATE)

    attempt(enrolment, WRONG, WRONG)

    assert enrolment.outcome == Enrolment.Outcome.FAILED
    assert enrolment.completion_code(0) == enrolment.link.code_failed
    assert assignment_claim(enrolment=enrolment) is None


def test_a_test_with_a_gap_is_kept_and_costs_no_try() -> None:
    enrolment = enrol(campaign_with_test(items=3), RATE)
    first = QualificationItem.objects.order_by("position")[0]

    assert qualification_submit(enrolment=enrolment, number=1, answers={first.pk: RIGHT}) is None

    assert not QualificationAttempt.objects.exists()
    assert enrolment.qualification_sitting.answers[str(first.pk)]["points"] == RIGHT


@pytest.mark.parametrize("answers", [[], [0], [4], [3, 4]])
def test_an_example_needs_answers_on_the_scale(answers: list[int]) -> None:
    campaign = campaign_with_test(items=1)

    example = replace(EXAMPLE, answers={"meaning": [3], "grammar": answers})
    with pytest.raises(Refused, match="Question 1: The accepted answers for grammar"):
        qualification_items_replace(campaign=campaign, examples=[example])

    assert QualificationItem.objects.filter(campaign=campaign).count() == 1


def test_editors_take_no_test() -> None:
    reply = worker_client(campaign_with_test(), EDIT).post("/work/next/")

    assert reply["Location"].startswith("/work/edit/")


def answers_of(page: Any, chosen: int) -> dict[str, str]:
    return filled_in(page, answer(chosen, chosen))


def send(client: Client, chosen: int) -> Any:
    """Take the test by its pages, all questions answered alike; return the result."""
    return take_test(client, meaning=chosen, grammar=chosen)


def test_the_way_to_the_first_text_leads_through_the_test() -> None:
    client = worker_client(campaign_with_test(), RATE)

    for reply in (client.get("/work/"), client.post("/work/next/")):
        assert (reply.status_code, reply["Location"]) == (302, PAGE)
    assert not Assignment.objects.filter(round=RATE, state=Assignment.State.LEASED).exists()


def test_the_test_asks_both_scales_of_one_example_at_a_time_and_tells_no_answer() -> None:
    page = worker_client(campaign_with_test(items=3), RATE).get(PAGE)

    text = readable(page)
    assert text.count(EXAMPLE.compression) == 1
    assert EXAMPLE.why not in text
    assert "checked" not in text
    assert len(answers_of(page, 3)) == 2 + 2
    assert "Question 1 of 3" in text
    assert "get 5 of 6 answers right to start." in text
    assert "Attempt 1 of 2." in text


def test_a_right_test_shows_why_and_leads_to_the_texts() -> None:
    client = worker_client(campaign_with_test(), RATE)

    page = send(client, 3)

    assert page.status_code == 200
    assert EXAMPLE.why in readable(page)
    assert "4 of 4 answers" in readable(page)
    assert client.post("/work/next/")["Location"].startswith("/work/rate/")
    assert client.get(PAGE)["Location"] == "/work/"


def test_a_wrong_test_offers_the_next_try_and_keeps_its_reasons() -> None:
    client = worker_client(campaign_with_test(items=3), RATE)

    page = send(client, 1)

    assert EXAMPLE.why not in readable(page)
    assert re.findall(r"Question \d+ of \d+", readable(page)) == [f"Question {n} of 3" for n in (1, 2, 3)]
    assert "You have 1 more attempt." in readable(page)
    assert "Attempt 2 of 2." in readable(client.get(PAGE))


def test_a_last_answer_sent_twice_shows_the_same_result() -> None:
    client = worker_client(campaign_with_test(), RATE)
    page = client.post(PAGE, answers_of(client.get(PAGE), 1), follow=True)
    form = answers_of(page, 1)

    first, second = client.post(PAGE, form, follow=True), client.post(PAGE, form, follow=True)

    assert "0 of 4 answers" in readable(first)
    assert "0 of 4 answers" in readable(second)
    assert QualificationAttempt.objects.count() == 1


def test_the_last_failure_leads_to_the_code_for_it_and_to_no_work() -> None:
    campaign = campaign_with_test(qualification_tries=1)
    link = campaign.links.get(round=RATE)
    client = worker_client(campaign, RATE)

    text = readable(send(client, 1))
    page = client.post("/work/next/", follow=True)

    assert "No attempts left" in text
    assert "This is not a judgement of you." in text
    assert page.redirect_chain[-1][0] == "/work/done/"
    assert link.code_failed in readable(page)
    assert link.code_done not in readable(page)
    assert link.code_no_work not in readable(page)
    assert not Assignment.objects.filter(round=RATE, state=Assignment.State.LEASED).exists()


def test_a_gap_comes_back_named_with_the_answer_given() -> None:
    client = worker_client(campaign_with_test(items=4), RATE)
    form = answers_of(client.get(PAGE), 2)
    gap = next(name for name in form if name.startswith("grammar"))

    page = client.post(PAGE, {name: value for name, value in form.items() if name != gap})

    text = readable(page)
    assert page.status_code == 422
    assert re.search(r"<title>\s*Error: question 1 of 4", text)
    assert "Answer “Grammar”." in text
    assert re.findall(r'<a href="#([\w-]+)" dir="auto">\s*Answer “(\w+)”', text) == [(gap, "Grammar")]
    assert text.index("autofocus") < text.index('id="submit"')
    assert len(re.findall(r"checked", text)) == 1
    assert not QualificationAttempt.objects.exists()


@pytest.mark.parametrize("value", ["0", "4", "-1", "3.0", "three", "٣", ""])
def test_an_answer_off_the_scale_is_no_answer(value: str) -> None:
    client = worker_client(campaign_with_test(items=1), RATE)
    form = {
        name: value if name.startswith(("meaning", "grammar")) else given
        for name, given in answers_of(client.get(PAGE), 3).items()
    }

    assert client.post(PAGE, form).status_code == 422
    assert not QualificationAttempt.objects.exists()


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 50, "²"])
def test_a_strange_number_of_a_try_does_no_harm(number: str) -> None:
    client = worker_client(campaign_with_test(items=1), RATE)
    form = answers_of(client.get(PAGE), 3)

    assert client.post(PAGE, {**form, "number": number})["Location"] == f"{PAGE}1/"
    assert QualificationAttempt.objects.get().number == 1


@pytest.mark.parametrize("number", [0, 2, 99, 10**25])
def test_there_is_no_result_of_a_try_that_was_not_made(number: int) -> None:
    client = worker_client(campaign_with_test(items=1), RATE)
    send(client, 1)

    assert client.get(f"{PAGE}{number}/")["Location"] == PAGE


# What failing pays


@pytest.mark.parametrize(
    ("pay", "code", "said"),
    [
        (None, "", "you can’t rate texts in this study. You then get no completion code."),
        (None, "FAILED1", "you can’t rate texts in this study. You get a completion code even so."),
        ("0.50", "FAILED1", "The test then pays £0.50. You get a completion code even so."),
        ("0", "", "The test then pays nothing. You then get no completion code."),
    ],
)
def test_what_failing_pays_is_said_before_the_test_begins(pay: str | None, code: str, said: str) -> None:
    campaign = campaign_with_test(items=2)
    Campaign.objects.filter(pk=campaign.pk).update(failed_pay=pay)
    link = link_of(campaign, RATE)
    JoinLink.objects.filter(pk=link.pk).update(code_failed=code, code_done="DONE1", platform_key="prolific")
    client = Client()
    client.get(f"/join/{link.token}/?PROLIFIC_PID=5f0c1f5e8a9b3c0012345678")
    client.post(f"/join/{link.token}/")
    client.post("/work/guidelines/")

    page = client.get(PAGE)

    assert said in readable(page)
    begun = client.post(PAGE, answers_of(page, 1), follow=True)
    assert "If you don’t pass the test" not in readable(begun)


def test_practice_says_what_failing_means_before_the_first_question() -> None:
    campaign = campaign_with_test(items=1)
    qualification_items_add(campaign=campaign, examples=[replace(EXAMPLE, is_practice=True)])

    page = readable(worker_client(campaign, RATE).get("/work/practice/1/"))

    assert "A test comes after practice." in page
    assert "If you don’t pass the test, you can’t rate texts in this study." in page
