"""Practice before the test, tries with a wait between them, beginning anew, and how staff write the examples."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from common.errors import Refused
from crowd.models import Assignment, Campaign, Enrolment
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.campaigns import campaign_update
from ratings.example_check import ExampleText
from ratings.models import QualificationAttempt, QualificationItem
from ratings.selectors.qualification import practice_items, qualification_items
from ratings.services.qualification import qualification_items_replace
from tests.support.clock import Clock
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    edit_next,
    enrol,
    link_of,
    make_campaign,
    readable,
    staff_client,
)
from tests.support.factories import worker_client as browser
from tests.support.qualification import TEST, TO_TEST, take_test
from tests.support.qualification import answers_of as filled_in

pytestmark = pytest.mark.django_db

PRACTICE = "/work/practice/1/"
PRACTISED = replace(EXAMPLE, compression="The mill burnt.", why="This is how we see it.", is_practice=True)
WHY = EXAMPLE.why
Points = tuple[int, int]
RIGHT, HALF, WRONG = (3, 3), (1, 3), (1, 1)


def campaign_with(*examples: ExampleText, **settings: Any) -> Campaign:
    """A campaign with one text to judge, behind these examples."""
    campaign = make_campaign(sources=1, gold_percent=0, **settings)
    edit_next(enrol(campaign, EDIT))
    qualification_items_replace(campaign=campaign, examples=examples)
    return campaign


def accepting(meaning: Sequence[int], grammar: Sequence[int] = (3,), **changes: Any) -> ExampleText:
    return replace(EXAMPLE, answers={"meaning": meaning, "grammar": grammar}, **changes)


def answers_of(page: Any, points: Points) -> dict[str, str]:
    """The filled in form of a question."""
    return filled_in(page, {"meaning": points[0], "grammar": points[1]})


def take(client: Client, points: Points) -> Any:
    """Take the test by its pages, with the same answers to every question; return the result."""
    return take_test(client, meaning=points[0], grammar=points[1])


def practise(client: Client, points: Points, address: str = PRACTICE) -> Any:
    return client.post(address, answers_of(client.get(address), points), follow=True)


def without_tokens(page: Any) -> str:
    """A page without what differs between any two."""
    text = readable(page).replace(str(page.context["csrf_token"]), "")
    return re.sub(r"(meaning|grammar|example|mark)-\d+", r"\1-n", text)


# Practice


def test_practice_comes_before_the_first_try_only() -> None:
    client = browser(campaign_with(PRACTISED, EXAMPLE), RATE)
    assert client.get(TEST)["Location"] == PRACTICE

    take(client, WRONG)

    assert "Question 1 of 1" in readable(client.get(TEST))


def test_practice_may_be_skipped() -> None:
    client = browser(campaign_with(PRACTISED, EXAMPLE), RATE)

    page = readable(client.get(PRACTICE))

    assert re.search(rf'<a href="{re.escape(TO_TEST)}">\s*Skip practice', page)
    assert "Question 1 of 1" in readable(client.get(TO_TEST))


def test_who_has_begun_the_test_is_not_led_back_to_practice() -> None:
    client = browser(campaign_with(PRACTISED, EXAMPLE, EXAMPLE), RATE)
    client.post(TEST, answers_of(client.get(TO_TEST), RIGHT))

    assert "Question 2 of 2" in readable(client.get(TEST))


def test_without_examples_of_practice_the_test_comes_first() -> None:
    client = browser(campaign_with(EXAMPLE), RATE)

    assert "Question 1 of 1" in readable(client.get(TEST))
    assert client.get(PRACTICE)["Location"] == TO_TEST


def test_a_practised_example_tells_at_once_how_it_went() -> None:
    client = browser(campaign_with(replace(PRACTISED, answers={"meaning": [2, 3], "grammar": [1]}), EXAMPLE), RATE)

    page = readable(practise(client, (2, 3)))

    assert "✓ 2, same as ours" in page
    assert "✗ You: 3, ours: 1" in page
    assert PRACTISED.why in page


def test_several_accepted_answers_are_all_told() -> None:
    client = browser(campaign_with(replace(PRACTISED, answers={"meaning": [2, 3], "grammar": [3]}), EXAMPLE), RATE)

    assert "✗ You: 1, ours: 2 or 3" in readable(practise(client, (1, 3)))


def test_our_ratings_are_brought_into_view_on_a_page_that_can_be_reloaded() -> None:
    client = browser(campaign_with(PRACTISED, EXAMPLE), RATE)

    page = practise(client, RIGHT)

    [(address, status)] = page.redirect_chain
    assert (status, address.partition("#")[2]) == (302, "our-ratings")
    assert re.search(r"<title>\s*Our ratings\s*·\s*Practice 1 of 1", readable(page))
    assert re.search(r'<h2 id="our-ratings" tabindex="-1" autofocus>', readable(page))
    assert PRACTISED.why in readable(client.get(address))


@pytest.mark.parametrize("points", [(3,), (3, 9), (3, "x"), (3, "")])
def test_an_address_without_all_the_points_tells_nothing(points: tuple[int | str, ...]) -> None:
    campaign = campaign_with(PRACTISED, EXAMPLE)
    name = practice_items(campaign).get().pk
    given = {f"{scale}-{name}": point for scale, point in zip(("meaning", "grammar"), points, strict=False)}

    page = browser(campaign, RATE).get(PRACTICE, given)

    assert page.status_code == 200
    assert "Check my answers" in readable(page)
    assert PRACTISED.why not in readable(page)


def test_practice_stores_nothing() -> None:
    campaign = campaign_with(PRACTISED, EXAMPLE)
    client = browser(campaign, RATE, "ann")
    before = Enrolment.objects.filter(worker__external_id="ann").values().get()

    for points in (RIGHT, WRONG):
        practise(client, points)

    assert not QualificationAttempt.objects.exists()
    assert Enrolment.objects.filter(worker__external_id="ann").values().get() == before
    assert client.post("/work/next/")["Location"] == TEST


def test_before_it_is_answered_a_practised_example_tells_nothing() -> None:
    pages = []
    for accepted in ([1], [2, 3]):
        campaign = campaign_with(replace(PRACTISED, answers={"meaning": accepted, "grammar": accepted}), EXAMPLE)
        pages.append(without_tokens(browser(campaign, RATE).get(PRACTICE)))

    assert pages[0] == pages[1]
    assert PRACTISED.why not in pages[0]
    assert "checked" not in pages[0]


def test_half_an_answer_is_asked_for_the_rest_and_told_nothing() -> None:
    client = browser(campaign_with(PRACTISED, EXAMPLE), RATE)
    form = answers_of(client.get(PRACTICE), RIGHT)

    page = client.post(PRACTICE, {name: value for name, value in form.items() if name.startswith("meaning")})

    assert page.status_code == 422
    assert "Answer “Grammar”." in readable(page)
    assert "same as ours" not in readable(page)
    assert PRACTISED.why not in readable(page)
    assert re.findall(r'name="(\w+)-\d+"\s+value="(\d)" checked', readable(page)) == [("meaning", "3")]


def test_practice_goes_from_example_to_example_and_on_to_the_test() -> None:
    client = browser(campaign_with(PRACTISED, PRACTISED, EXAMPLE), RATE)

    assert 'href="/work/practice/2/"' in readable(practise(client, RIGHT))
    assert f'href="{TO_TEST}"' in readable(practise(client, RIGHT, "/work/practice/2/"))
    assert "Start the test" in readable(practise(client, RIGHT, "/work/practice/2/"))


@pytest.mark.parametrize("number", [0, 2, 999_999])
def test_past_the_last_example_practice_leads_to_the_test(number: int) -> None:
    assert browser(campaign_with(PRACTISED, EXAMPLE), RATE).get(f"/work/practice/{number}/")["Location"] == TO_TEST


def test_practice_is_no_part_of_the_test() -> None:
    client = browser(campaign_with(PRACTISED, EXAMPLE), RATE)

    assert PRACTISED.compression not in readable(client.get(TO_TEST))
    assert "2 of 2 answers" in readable(take(client, RIGHT))


# Tries


def test_every_accepted_answer_is_right_in_the_test() -> None:
    for points, right in (((2, 1), 2), ((3, 3), 2), ((1, 3), 1), ((1, 2), 0)):
        client = browser(campaign_with(accepting([2, 3], [1, 3])), RATE)
        assert f"{right} of 2 answers" in readable(take(client, points))


def test_after_a_failed_try_neither_reasons_nor_answers_are_told() -> None:
    page = readable(take(browser(campaign_with(EXAMPLE), RATE), WRONG))

    assert WHY not in page
    assert "We tell you the reasons behind our ratings once you have passed, or after your last attempt." in page
    assert "✗ You: 1. Ours is different." in page
    assert "ours:" not in page


def test_the_result_of_a_failed_try_is_the_same_whatever_is_accepted() -> None:
    pages = []
    for accepted in ([2], [3], [2, 3]):
        campaign = campaign_with(accepting(accepted, accepted))
        pages.append(without_tokens(take(browser(campaign, RATE), WRONG)))

    assert len(set(pages)) == 1


@pytest.mark.parametrize("tries", [1, 3])
def test_after_the_last_try_the_answers_are_told_too(tries: int) -> None:
    client = browser(campaign_with(accepting([2, 3]), qualification_tries=tries), RATE)

    pages = [readable(take(client, WRONG)) for _ in range(tries)]

    assert not any("ours:" in page for page in pages[:-1])
    assert "✗ You: 1, ours: 2 or 3" in pages[-1]
    assert "No attempts left" in pages[-1]
    assert WHY in pages[-1]


def test_after_a_passed_try_the_answers_are_told_too() -> None:
    client = browser(campaign_with(EXAMPLE, qualification_pass_percent=50), RATE)

    page = readable(take(client, HALF))

    assert "You passed the test" in page
    assert "✗ You: 1, ours: 3" in page


def test_who_failed_for_good_gets_a_code_of_their_own_and_no_work() -> None:
    campaign = campaign_with(EXAMPLE, qualification_tries=2)
    client, link = browser(campaign, RATE), link_of(campaign, RATE)
    for _ in range(2):
        take(client, WRONG)

    page = readable(client.get("/work/", follow=True))

    assert link.code_failed in page
    assert link.code_done not in page
    assert link.code_no_work not in page
    assert client.post("/work/next/")["Location"] == "/work/done/"
    assert not Assignment.objects.filter(round=RATE, state=Assignment.State.LEASED).exists()


def test_between_two_tries_there_is_no_code() -> None:
    campaign = campaign_with(EXAMPLE)
    client = browser(campaign, RATE)
    take(client, WRONG)

    assert link_of(campaign, RATE).code_failed not in readable(client.get("/work/done/", follow=True))


# The wait between two tries


def waiting(clock: Clock, minutes: int = 30, **settings: Any) -> Client:
    """Ann, who has just failed for the first time."""
    client = browser(campaign_with(EXAMPLE, qualification_wait_minutes=minutes, **settings), RATE, "ann")
    take(client, WRONG)
    return client


def test_the_result_says_when_the_next_try_may_begin(clock: Clock) -> None:
    client = browser(campaign_with(EXAMPLE, qualification_wait_minutes=30), RATE)

    page = readable(take(client, WRONG))

    assert "You have 1 more attempt." in page
    assert "Please wait 30 minutes before you try again." in page
    assert "Try again" not in page


@pytest.mark.parametrize(
    ("passed", "shown"),
    [(0, "30 minutes"), (0.5, "30 minutes"), (1, "29 minutes"), (28.5, "2 minutes"), (29, "1 minute\n")],
)
def test_the_test_page_says_how_long_to_wait_still(clock: Clock, passed: float, shown: str) -> None:
    client = waiting(clock)

    clock.advance(minutes=passed)

    page = readable(client.get(TEST))
    assert f"Please wait {shown}" in page
    assert "Submit the test" not in page


def test_a_try_before_its_time_is_refused_and_not_counted(clock: Clock) -> None:
    client = waiting(clock)
    item = QualificationItem.objects.get()
    clock.advance(minutes=29)

    page = client.post(TEST, {"number": "2", f"meaning-{item.pk}": "3", f"grammar-{item.pk}": "3"})

    assert page.status_code == 422
    assert "Please wait 1 minute\n" in readable(page)
    assert QualificationAttempt.objects.count() == 1
    assert client.post("/work/next/")["Location"] == TEST


def test_after_the_wait_the_test_is_taken_again(clock: Clock) -> None:
    client = waiting(clock)

    clock.advance(minutes=30)

    assert "Attempt 2 of 2." in readable(client.get(TEST))
    assert "You passed the test" in readable(take(client, RIGHT))


def test_every_failed_try_is_followed_by_the_wait(clock: Clock) -> None:
    client = waiting(clock, qualification_tries=3)
    clock.advance(minutes=30)

    take(client, WRONG)

    assert "Please wait 30 minutes" in readable(client.get(TEST))


def test_a_failed_try_sent_again_during_the_wait_shows_its_result(clock: Clock) -> None:
    client = browser(campaign_with(EXAMPLE, qualification_wait_minutes=30), RATE)
    form = answers_of(client.get(TEST), WRONG)

    pages = [client.post(TEST, form, follow=True) for _ in range(2)]

    assert [page.redirect_chain for page in pages] == [[(f"{TEST}1/", 302)]] * 2
    assert "0 of 2 answers" in readable(pages[1])
    assert QualificationAttempt.objects.count() == 1


def test_without_a_wait_the_next_try_begins_at_once() -> None:
    client = browser(campaign_with(EXAMPLE), RATE)

    assert "Try again" in readable(take(client, WRONG))
    assert "Attempt 2 of 2." in readable(client.get(TEST))


def test_after_the_last_try_nobody_is_asked_to_wait(clock: Clock) -> None:
    client = browser(campaign_with(EXAMPLE, qualification_wait_minutes=30, qualification_tries=1), RATE)

    page = readable(take(client, WRONG))

    assert "minute" not in page
    assert "Finish" in page


# Beginning anew


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def reset(campaign: Campaign, name: str = "ann") -> Any:
    number = campaign.workers.get(external_id=name).number
    return staff_of(campaign).post(f"/campaigns/{campaign.slug}/people/{number}/reset-test/", follow=True)


def failed(**settings: Any) -> tuple[Campaign, Client]:
    """Ann, who has used all her tries."""
    campaign = campaign_with(EXAMPLE, qualification_tries=2, **settings)
    client = browser(campaign, RATE, "ann")
    for _ in range(2):
        take(client, WRONG)
    return campaign, client


def enrolment_of(name: str = "ann") -> Enrolment:
    return Enrolment.objects.get(worker__external_id=name, round=RATE)


def test_staff_let_somebody_take_the_test_anew() -> None:
    campaign, client = failed()
    assert enrolment_of().outcome == Enrolment.Outcome.FAILED

    page = readable(reset(campaign))

    assert "This participant can take the test again, using the same link." in page
    assert enrolment_of().outcome == Enrolment.Outcome.WORKING
    assert "Attempt 1 of 2." in readable(client.get(TEST))
    assert "You passed the test" in readable(take(client, RIGHT))
    assert client.post("/work/next/")["Location"].startswith("/work/rate/")


def test_the_tries_before_a_reset_are_kept_and_do_not_count() -> None:
    campaign, client = failed()

    reset(campaign)
    take(client, WRONG)

    attempts = QualificationAttempt.objects.order_by("number")
    assert [(each.number, each.reset_at is None) for each in attempts] == [(1, False), (2, False), (3, True)]
    assert enrolment_of().outcome == Enrolment.Outcome.WORKING
    page = readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/people/{enrolment_of().worker.number}/"))
    assert page.count("before a reset") == 2
    assert page.count("0 of 2, not passed") == 3


def test_after_a_reset_there_are_as_many_tries_as_at_first() -> None:
    campaign, client = failed()
    reset(campaign)

    for _ in range(2):
        take(client, WRONG)

    assert enrolment_of().outcome == Enrolment.Outcome.FAILED
    assert link_of(campaign, RATE).code_failed in readable(client.get("/work/", follow=True))


def test_after_a_reset_nobody_has_to_wait(clock: Clock) -> None:
    client = waiting(clock)

    reset(Campaign.objects.get())

    assert "Attempt 1 of 2." in readable(client.get(TEST))


def test_after_a_reset_practice_is_offered_again() -> None:
    campaign = campaign_with(PRACTISED, EXAMPLE, qualification_tries=1)
    client = browser(campaign, RATE, "ann")
    take(client, WRONG)

    reset(campaign)

    assert client.get(TEST)["Location"] == PRACTICE


def test_a_page_from_before_the_reset_is_no_new_try() -> None:
    campaign = campaign_with(EXAMPLE, qualification_tries=1)
    client = browser(campaign, RATE, "ann")
    form = answers_of(client.get(TEST), RIGHT)
    take(client, WRONG)
    reset(campaign)

    client.post(TEST, form)

    assert QualificationAttempt.objects.count() == 1
    assert enrolment_of().qualified_at is None


def test_who_passed_takes_a_test_that_was_reset_before_any_other_text() -> None:
    campaign = campaign_with(EXAMPLE)
    client = browser(campaign, RATE, "ann")
    take(client, RIGHT)

    reset(campaign)

    assert client.post("/work/next/")["Location"] == TEST
    take(client, RIGHT)
    assert client.post("/work/next/")["Location"].startswith("/work/rate/")


def test_a_reset_is_for_one_person_alone() -> None:
    campaign, _ = failed()
    other = browser(campaign, RATE, "ben")
    for _ in range(2):
        take(other, WRONG)

    reset(campaign, "ann")

    assert enrolment_of("ben").outcome == Enrolment.Outcome.FAILED
    assert QualificationAttempt.objects.filter(reset_at=None).count() == 2


def test_who_is_no_rater_has_no_test_to_reset() -> None:
    campaign = campaign_with(EXAMPLE)
    browser(campaign, EDIT, "eve")

    assert reset(campaign, "eve").status_code == 404


# Staff write the examples


def form_of(**changes: Any) -> dict[str, Any]:
    texts = {"source": EXAMPLE.source, "compression": EXAMPLE.compression, "why": EXAMPLE.why}
    return {**texts, "answers-meaning": ["2", "3"], "answers-grammar": ["3"], **changes}


def examples_of(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/examples/"


def test_staff_write_an_example_of_the_test() -> None:
    campaign = make_campaign()
    staff = staff_of(campaign)

    page = readable(staff.post(f"{examples_of(campaign)}new/", form_of(), follow=True))

    item = qualification_items(campaign).get()
    assert (item.source_text, item.compression_text, item.why) == (EXAMPLE.source, EXAMPLE.compression, EXAMPLE.why)
    assert item.answers == {"meaning": [2, 3], "grammar": [3]}
    assert "The question is saved." in page
    assert "meaning 2 or 3" in page


def test_staff_write_an_example_of_practice() -> None:
    campaign = make_campaign()

    staff_of(campaign).post(f"{examples_of(campaign)}new/", form_of(is_practice="on"))

    assert practice_items(campaign).count() == 1
    assert not qualification_items(campaign).exists()


def test_examples_stand_in_the_order_in_which_they_were_written() -> None:
    campaign = make_campaign()
    staff = staff_of(campaign)
    for text in ("First.", "Second.", "Third."):
        staff.post(f"{examples_of(campaign)}new/", form_of(compression=text))
    staff.post(f"{examples_of(campaign)}{qualification_items(campaign)[1].pk}/delete/")

    staff.post(f"{examples_of(campaign)}new/", form_of(compression="Fourth."))

    texts = [item.compression_text for item in qualification_items(campaign)]
    assert texts == ["First.", "Third.", "Fourth."]


def test_staff_change_an_example_in_its_place() -> None:
    campaign = campaign_with(EXAMPLE, accepting([1]))
    item = qualification_items(campaign)[0]
    address = f"{examples_of(campaign)}{item.pk}/"
    staff = staff_of(campaign)
    assert EXAMPLE.compression in readable(staff.get(address))

    staff.post(address, form_of(compression="The mill is gone.", **{"answers-meaning": ["1"]}))

    changed = qualification_items(campaign)[0]
    assert (changed.pk, changed.position) == (item.pk, item.position)
    assert (changed.compression_text, changed.answers) == ("The mill is gone.", {"meaning": [1], "grammar": [3]})
    assert qualification_items(campaign).count() == 2


def test_the_form_of_an_example_has_its_accepted_answers_ticked() -> None:
    campaign = campaign_with(accepting([1, 3], [2]))
    item = qualification_items(campaign).get()

    page = readable(staff_of(campaign).get(f"{examples_of(campaign)}{item.pk}/"))

    ticked = re.findall(r'<input type="checkbox" name="answers-(\w+)" value="(\d)"[^>]* checked', page)
    assert ticked == [("meaning", "3"), ("meaning", "1"), ("grammar", "2")]


def test_staff_take_an_example_out_and_the_tries_keep_their_score() -> None:
    campaign = campaign_with(EXAMPLE, EXAMPLE)
    client = browser(campaign, RATE, "ann")
    take(client, WRONG)
    address = f"{examples_of(campaign)}{qualification_items(campaign)[0].pk}/delete/"

    replies = [staff_of(campaign).post(address) for _ in range(2)]

    assert {reply["Location"] for reply in replies} == {examples_of(campaign)}
    assert qualification_items(campaign).count() == 1
    assert QualificationAttempt.objects.get().questions == 4
    assert "2 of 2 answers" in readable(take(client, RIGHT))


def test_without_its_last_example_there_is_no_test() -> None:
    campaign = campaign_with(EXAMPLE)
    client = browser(campaign, RATE)

    staff_of(campaign).post(f"{examples_of(campaign)}{qualification_items(campaign).get().pk}/delete/")

    assert client.post("/work/next/")["Location"].startswith("/work/rate/")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"answers-meaning": []}, "Choose at least one answer that is right."),
        ({"answers-meaning": ["2", "4"]}, "4 is not one of the available choices."),
        ({"source": "   "}, "This field is required."),
        ({"compression": ""}, "This field is required."),
        ({"why": ""}, "This field is required."),
        ({"source": "x" * 5001}, "at most 5000 characters"),
    ],
)
def test_an_example_that_nobody_could_judge_is_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    campaign = make_campaign()

    page = staff_of(campaign).post(f"{examples_of(campaign)}new/", form_of(**changes))

    assert page.status_code == 422
    assert reason in readable(page)
    assert not QualificationItem.objects.exists()


def test_a_change_that_is_refused_leaves_the_example_as_it_was() -> None:
    campaign = campaign_with(EXAMPLE)
    item = qualification_items(campaign).get()

    page = staff_of(campaign).post(f"{examples_of(campaign)}{item.pk}/", form_of(compression="New.", why=""))

    assert page.status_code == 422
    assert "New." in readable(page)
    assert qualification_items(campaign).get().compression_text == EXAMPLE.compression


def test_side_by_side_an_example_has_two_versions() -> None:
    scales = scales_dump(scales_from_text("Style: Which reads better?", side_by_side=True))
    campaign = make_campaign(rating_task="pair", scales=scales)
    form = {"source": EXAMPLE.source, "compression": "The mill burnt.", "why": "Shorter.", "answers-style": ["1", "2"]}
    address = f"{examples_of(campaign)}new/"

    assert staff_of(campaign).post(address, form).status_code == 422
    assert staff_of(campaign).post(address, {**form, "other": "The old mill burnt."}).status_code == 302

    page = readable(browser(campaign, RATE).get(TEST))
    assert "Shortened text A" in page
    assert "The old mill burnt." in page
    assert "Shorter." not in page


def test_examples_of_another_campaign_do_not_exist() -> None:
    own, other = campaign_with(EXAMPLE), campaign_with(EXAMPLE)
    address = f"{examples_of(own)}{qualification_items(other).get().pk}/"

    assert staff_of(own).get(address).status_code == 404
    assert staff_of(own).post(address, form_of(why="Mine now.")).status_code == 404
    staff_of(own).post(f"{address}delete/")
    assert staff_of(own).get(examples_of(other)).status_code == 404
    assert qualification_items(other).get().why == EXAMPLE.why


def test_scales_that_the_test_does_not_know_are_not_taken_up() -> None:
    """Nobody could pass a test whose accepted answers are for other scales."""
    campaign = make_campaign()
    qualification_items_replace(campaign=campaign, examples=[EXAMPLE])
    scales = scales_dump(scales_from_text("Fluency: How well does it read?\n2 Well\n1 Badly"))

    with suppress(Refused):
        campaign_update(campaign=campaign, scales=scales)

    kept = Campaign.objects.get(pk=campaign.pk)
    keys = {scale.key for scale in kept.rating_scales}
    assert all(set(item.answers) == keys for item in qualification_items(kept))
