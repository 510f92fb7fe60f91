"""A try at the test, question by question: kept over reloads, changed before the end, and what staff change then."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from corpus.services.erasure import worker_erase
from crowd.models import Campaign, Enrolment
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from ratings.example_check import ExampleText
from ratings.models import QualificationAttempt, QualificationItem, QualificationSitting
from ratings.selectors.qualification import qualification_items
from ratings.services.qualification import (
    example_of,
    qualification_item_delete,
    qualification_item_save,
    qualification_items_add,
    qualification_items_replace,
    qualification_reset,
)
from ratings.services.starter_test import starter_test_add
from tests.support.factories import EDIT, EXAMPLE, RATE, edit_next, enrol, make_campaign, readable, worker_client
from tests.support.qualification import TEST, TO_TEST, answers_of, take_test

pytestmark = pytest.mark.django_db
RIGHT, WRONG = {"meaning": 3, "grammar": 3}, {"meaning": 1, "grammar": 1}


def texts(count: int, first: int = 1) -> list[ExampleText]:
    """Questions that can be told apart."""
    return [replace(EXAMPLE, compression=f"Text {number}.") for number in range(first, first + count)]


def campaign_with(count: int, **settings: Any) -> Campaign:
    campaign = make_campaign(sources=1, gold_percent=0, **settings)
    edit_next(enrol(campaign, EDIT))
    qualification_items_replace(campaign=campaign, examples=texts(count))
    return campaign


def shown(page: Any) -> str:
    (text,) = re.findall(r"Text \d+\.", readable(page))
    return str(text)


def place(page: Any) -> str:
    (heading,) = re.findall(r"<h1>\s*(.*?)\s*</h1>", readable(page), re.DOTALL)
    return str(heading)


def answer(client: Client, points: dict[str, int], page: Any = None) -> Any:
    """Answer the question of a page, or the one that is due."""
    return client.post(TEST, answers_of(page or client.get(TEST), points), follow=True)


def asked(client: Client, points: dict[str, int]) -> list[str]:
    """Take a try and return its questions in their order."""
    found, page = [], client.get(TEST)
    while 'name="number"' in readable(page):
        found.append(shown(page))
        page = answer(client, points, page)
    return found


def item_of(campaign: Campaign, text: str) -> QualificationItem:
    return qualification_items(campaign).get(compression_text=text)


def rater(campaign: Campaign) -> Enrolment:
    return Enrolment.objects.select_related("worker", "link__campaign").get(round=RATE, worker__campaign=campaign)


# One question at a time


def test_the_questions_come_one_by_one_and_the_last_answer_scores() -> None:
    client = worker_client(campaign_with(3), RATE)

    page = client.get(TEST)
    for number in (1, 2, 3):
        assert place(page) == f"Question {number} of 3"
        assert ("Submit the test" in readable(page)) == (number == 3)
        assert not QualificationAttempt.objects.exists()
        page = answer(client, RIGHT, page)

    assert page.redirect_chain[-1][0] == f"{TEST}1/"
    assert place(page) == "You passed the test"
    assert not QualificationSitting.objects.exists()


def test_the_answers_so_far_are_there_after_a_reload_and_in_another_session() -> None:
    campaign = campaign_with(3)
    client = worker_client(campaign, RATE, "ann")
    first = shown(client.get(TEST))
    answer(client, RIGHT)

    for _ in range(2):
        assert place(client.get(TEST)) == "Question 2 of 3"
    before = client.get(f"{TEST}?question=1")

    assert shown(before) == first
    assert readable(before).count("checked") == 2


def test_an_answer_may_be_changed_until_the_last_one() -> None:
    client = worker_client(campaign_with(2), RATE)
    first = client.get(TEST)
    second = answer(client, WRONG, first)
    assert "Previous question" in readable(second)

    back = answer(client, RIGHT, client.get(f"{TEST}?question=1"))
    result = answer(client, RIGHT, back)

    assert shown(back) == shown(second)
    assert "4 of 4 answers are the same as ours." in readable(result)


def test_after_the_last_answer_none_is_changed() -> None:
    client = worker_client(campaign_with(1), RATE)
    page = client.get(TEST)
    answer(client, WRONG, page)

    again = answer(client, RIGHT, page)

    assert again.redirect_chain[-1][0] == f"{TEST}1/"
    assert "0 of 2 answers" in readable(again)
    assert QualificationAttempt.objects.get().correct == 0


@pytest.mark.parametrize("question", ["0", "3", "4", "99999", "x", "-1", "²"])
def test_a_place_that_is_not_reached_is_the_next_one(question: str) -> None:
    client = worker_client(campaign_with(3), RATE)
    answer(client, RIGHT)

    assert place(client.get(TEST, {"question": question})) == "Question 2 of 3"


def test_an_answer_sent_twice_is_stored_once() -> None:
    client = worker_client(campaign_with(2), RATE)
    page = client.get(TEST)

    pages = [answer(client, RIGHT, page) for _ in range(2)]

    assert [place(each) for each in pages] == ["Question 2 of 2"] * 2
    assert len(QualificationSitting.objects.get().answers) == 1


def test_looking_stores_nothing() -> None:
    client = worker_client(campaign_with(2), RATE)
    for _ in range(2):
        client.get(TEST)
    assert not QualificationSitting.objects.exists()


def test_side_by_side_the_questions_come_one_by_one() -> None:
    scales = scales_dump(scales_from_text("Style: Which reads better?", side_by_side=True))
    campaign = make_campaign(rating_task="pair", scales=scales)
    pair = replace(EXAMPLE, answers={"style": [1]}, other="The mill burnt down.")
    qualification_items_replace(campaign=campaign, examples=[pair, pair])
    client = worker_client(campaign, RATE)

    page = readable(client.get(TEST))

    assert "Question 1 of 2" in page
    assert "Shortened text B" in page
    assert "get 2 of 2 answers right to start." in page
    assert "2 of 2 answers" in readable(take_test(client, style=1))


# Which questions


def test_the_second_try_has_other_questions_if_there_are_twice_as_many() -> None:
    client = worker_client(campaign_with(6, qualification_questions=3), RATE)

    first, second = asked(client, WRONG), asked(client, WRONG)

    assert len(first) == len(second) == 3
    assert not set(first) & set(second)


def test_with_fewer_the_second_try_has_as_many_others_as_there_are() -> None:
    client = worker_client(campaign_with(5, qualification_questions=3), RATE)

    first, second = asked(client, WRONG), asked(client, WRONG)

    assert len(set(second) - set(first)) == 2


@pytest.mark.parametrize("chosen", [{"qualification_questions": 0}, {"qualification_questions": 4}, {}])
def test_a_try_that_asks_all_comes_again_in_another_order(chosen: dict[str, int]) -> None:
    client = worker_client(campaign_with(4, **chosen), RATE)

    first, second = asked(client, WRONG), asked(client, WRONG)

    assert sorted(first) == sorted(second)
    assert first != second


@pytest.mark.parametrize(("questions", "says"), [(2, True), (3, False)])
def test_the_result_promises_other_questions_only_where_they_are(questions: int, says: bool) -> None:
    client = worker_client(campaign_with(4, qualification_questions=questions), RATE)

    page = readable(take_test(client, **WRONG))

    assert ("The next attempt has different questions." in page) is says


@pytest.mark.both_databases
def test_a_new_campaign_with_the_starter_test_has_practice_and_asks_twelve_and_then_twelve_others() -> None:
    campaign = make_campaign()
    starter_test_add(campaign=campaign)
    client = worker_client(campaign, RATE)

    first, page = client.get(TEST, follow=True), readable(client.get(TO_TEST))

    assert "Practice 1 of 3" in readable(first)
    assert "Question 1 of 12" in page
    assert "get 17 of 24 answers right to start." in page
    assert "Attempt 1 of 2." in page
    take_test(client, **WRONG)
    take_test(client, **WRONG)
    tries = [set(attempt.asked) for attempt in QualificationAttempt.objects.order_by("number")]
    assert [len(asked) for asked in tries] == [12, 12]
    assert not tries[0] & tries[1]


def test_the_result_shows_the_questions_of_its_try_in_their_order() -> None:
    client = worker_client(campaign_with(6, qualification_questions=3), RATE)
    tries = [asked(client, WRONG), asked(client, RIGHT)]

    for number, questions in enumerate(tries, start=1):
        assert re.findall(r"Text \d+\.", readable(client.get(f"{TEST}{number}/"))) == questions


# What staff change meanwhile


def test_a_deleted_question_is_replaced_by_one_that_was_not_drawn() -> None:
    campaign = campaign_with(4, qualification_questions=3)
    client = worker_client(campaign, RATE)
    first = client.get(TEST)
    answer(client, RIGHT, first)
    drawn = QualificationSitting.objects.get().questions
    qualification_item_delete(item=item_of(campaign, shown(first)))

    page = client.get(TEST)
    result = take_test(client, **RIGHT)

    assert place(page) == "Question 1 of 3"
    attempt = QualificationAttempt.objects.get()
    assert attempt.asked[:2] == drawn[1:]
    assert attempt.asked[2] not in drawn
    assert "6 of 6 answers" in readable(result)


def test_without_others_a_deleted_question_is_not_asked_and_does_not_count() -> None:
    campaign = campaign_with(3)
    client = worker_client(campaign, RATE)
    first = client.get(TEST)
    answer(client, WRONG, first)
    qualification_item_delete(item=item_of(campaign, shown(first)))

    assert place(client.get(TEST)) == "Question 1 of 2"
    assert "4 of 4 answers" in readable(take_test(client, **RIGHT))


def test_where_only_answered_questions_are_left_one_of_them_is_submitted_again() -> None:
    campaign = campaign_with(2)
    client = worker_client(campaign, RATE)
    second = answer(client, RIGHT)
    qualification_item_delete(item=item_of(campaign, shown(second)))

    page = client.get(TEST)

    assert "Submit the test" in readable(page)
    assert "2 of 2 answers" in readable(answer(client, RIGHT, page))


def test_an_answer_to_a_text_that_has_changed_is_asked_again() -> None:
    campaign = campaign_with(2)
    client = worker_client(campaign, RATE)
    first = client.get(TEST)
    answer(client, RIGHT, first)
    item = item_of(campaign, shown(first))
    qualification_item_save(campaign=campaign, example=replace(example_of(item), compression="Text 99."), item=item)

    assert shown(client.get(TEST)) == "Text 99."


def test_a_page_with_a_text_that_has_changed_is_not_taken() -> None:
    campaign = campaign_with(2)
    client = worker_client(campaign, RATE)
    page = client.get(TEST)
    item = item_of(campaign, shown(page))
    qualification_item_save(campaign=campaign, example=replace(example_of(item), compression="Text 99."), item=item)

    after = answer(client, RIGHT, page)

    assert "This question has changed. Answer it as it is now." in readable(after)
    assert QualificationSitting.objects.get().answers == {}


def test_right_points_that_have_changed_count_as_they_are_now() -> None:
    campaign = campaign_with(1)
    client = worker_client(campaign, RATE)
    page = client.get(TEST)
    item = item_of(campaign, "Text 1.")
    changed = replace(example_of(item), answers={"meaning": [1], "grammar": [1]})
    qualification_item_save(campaign=campaign, example=changed, item=item)

    assert "2 of 2 answers" in readable(answer(client, WRONG, page))


def test_a_test_that_was_replaced_begins_again_with_the_new_questions_and_costs_no_try() -> None:
    campaign = campaign_with(2)
    client = worker_client(campaign, RATE)
    page = client.get(TEST)
    answer(client, WRONG, page)
    qualification_items_replace(campaign=campaign, examples=texts(2, first=51))

    after = answer(client, WRONG, page)

    assert shown(after) in {"Text 51.", "Text 52."}
    assert "Attempt 1 of 2." in readable(after)
    assert "4 of 4 answers" in readable(take_test(client, **RIGHT))


def test_without_a_test_there_is_nothing_to_finish() -> None:
    campaign = campaign_with(2)
    client = worker_client(campaign, RATE)
    page = client.get(TEST)
    answer(client, WRONG, page)
    qualification_items_replace(campaign=campaign, examples=[])

    assert answer(client, WRONG, page).redirect_chain[-1][0] == "/work/"
    assert client.post("/work/next/")["Location"].startswith("/work/rate/")
    assert not QualificationAttempt.objects.exists()


def test_a_try_goes_on_as_it_began_when_the_settings_change() -> None:
    campaign = campaign_with(6, qualification_questions=2, qualification_tries=3)
    client = worker_client(campaign, RATE)
    asked(client, WRONG)
    answer(client, RIGHT)
    changed = {"qualification_questions": 5, "qualification_tries": 1, "qualification_wait_minutes": 60}
    Campaign.objects.filter(pk=campaign.pk).update(**changed)

    page = client.get(TEST)

    assert place(page) == "Question 2 of 2"
    assert "ours:" not in readable(client.get(f"{TEST}1/"))
    assert place(answer(client, RIGHT, page)) == "You passed the test"


def test_who_has_no_try_left_by_new_settings_gets_the_code_for_it() -> None:
    campaign = campaign_with(1, qualification_tries=3)
    client = worker_client(campaign, RATE)
    asked(client, WRONG)
    Campaign.objects.filter(pk=campaign.pk).update(qualification_tries=1)

    page = readable(client.get(TEST))
    done = client.post(TEST, follow=True)

    assert "No attempts left" in page
    assert done.redirect_chain[-1][0] == "/work/done/"
    assert rater(campaign).outcome == Enrolment.Outcome.FAILED


def test_a_try_goes_on_after_a_reset() -> None:
    campaign = campaign_with(2)
    client = worker_client(campaign, RATE)
    asked(client, WRONG)
    answer(client, RIGHT)
    qualification_reset(enrolment=rater(campaign))

    page = client.get(TEST)

    assert place(page) == "Question 2 of 2"
    assert "Attempt 1 of 2." in readable(page)
    assert place(answer(client, RIGHT, page)) == "You passed the test"


def test_tries_before_a_reset_count_for_what_was_asked() -> None:
    campaign = campaign_with(4, qualification_questions=2)
    client = worker_client(campaign, RATE)
    first = asked(client, WRONG)
    qualification_reset(enrolment=rater(campaign))

    assert not set(first) & set(asked(client, WRONG))


def test_questions_that_were_added_are_not_drawn_into_a_try_that_has_begun() -> None:
    campaign = campaign_with(2)
    client = worker_client(campaign, RATE)
    answer(client, RIGHT)
    qualification_items_add(campaign=campaign, examples=texts(5, first=51))

    assert place(client.get(TEST)) == "Question 2 of 2"


def test_an_erased_person_has_no_try_any_more() -> None:
    campaign = campaign_with(2)
    answer(worker_client(campaign, RATE), RIGHT)

    worker_erase(worker=rater(campaign).worker)

    assert not QualificationSitting.objects.exists()


def test_an_attempt_from_before_the_order_was_stored_shows_its_questions() -> None:
    client = worker_client(campaign_with(3), RATE)
    questions = asked(client, WRONG)
    QualificationAttempt.objects.update(asked=[])

    assert sorted(re.findall(r"Text \d+\.", readable(client.get(f"{TEST}1/")))) == sorted(questions)
