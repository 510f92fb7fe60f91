"""Several texts on a rater's page: each is judged by itself, and what befalls one leaves the others alone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Assignment, Remark
from ratings.models import Rating
from tests.support.browser import choose, chosen, eventually, press_digits, rate, rater_at_work, stored
from tests.support.factories import RATE, enrol, lease_run_out, rate_next


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A rater's page with the first three of four texts, each of which one rater judges."""
    with rater_at_work(
        browser, live_server.url, texts=4, ratings_per_page=3, raters_per_compression=1, editors_per_source=1
    ) as page:
        yield page


def texts_on(page: Page) -> list[str]:
    return page.locator(".version").all_inner_texts()


def place_of_focus(page: Page) -> tuple[str, str]:
    """The text and the scale with the focus."""
    title, scale = page.evaluate(
        """["section.judged h2", "fieldset strong"].map((selector) => {
            const part = document.activeElement.closest(selector.split(" ")[0]);
            return part?.querySelector(selector.split(" ")[1]).innerText ?? "";
        })"""
    )
    return title, scale


def give_back(page: Page, number: int) -> None:
    """Say of one text of the page that it cannot be judged."""
    if page.locator(".judged").count() == 1:
        choose(page, "I can’t rate this text")
    else:
        page.get_by_role("region", name=f"Text {number} of").get_by_role("button", name="I can’t rate").click()
    dialog = page.get_by_role("dialog", name="Why can’t you rate this text?")
    dialog.get_by_label("It is broken or incomplete").check()
    with page.expect_navigation():
        dialog.get_by_role("button", name="Skip this text").click()


@pytest.mark.smoke
def test_digits_alone_answer_all_texts_in_order(rater: Page) -> None:
    expect(rater.locator("h1")).to_have_text("Rate the shortened texts")
    expect(rater.locator("header")).to_contain_text("Text 1 of 4")
    first = texts_on(rater)
    assert len(set(first)) == 3
    press_digits(rater, 3)
    assert place_of_focus(rater) == ("Text 1 of 3 on this page", "Grammar")
    press_digits(rater, 2)
    assert place_of_focus(rater) == ("Text 2 of 3 on this page", "Meaning")
    expect(rater.get_by_role("region", name="Text 2 of 3").locator("fieldset").first).to_be_in_viewport()
    rate(rater, 2, 1, 1, 3)
    assert stored() == [(3, 2), (2, 1), (1, 3)]
    assert list(Rating.objects.order_by("pk").values_list("target__text", flat=True)) == first
    expect(rater.locator("h1")).to_have_text("Rate the shortened text")
    expect(rater.locator("header")).to_contain_text("Text 4 of 4")
    assert len(texts_on(rater)) == 1
    assert not set(texts_on(rater)) & set(first)
    rate(rater, 2, 2)
    assert stored()[3:] == [(2, 2)]
    expect(rater.locator("h1")).to_have_text("All 4 texts done. Thank you!")


@pytest.mark.parametrize("by", ["Enter", "click"])
def test_a_page_with_an_open_scale_is_not_sent(rater: Page, by: str) -> None:
    sent: list[str] = []
    rater.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    for scale in (0, 1, 2, 4, 5):
        rater.locator("fieldset").nth(scale).get_by_role("radio").first.check()
    if by == "click":
        rater.get_by_role("button", name="Submit and continue").click()
        expect(rater.locator("#answer")).to_contain_text("Not submitted: Text 2: Answer “Grammar”.")
    else:
        rater.keyboard.press("Enter")
    assert place_of_focus(rater) == ("Text 2 of 3 on this page", "Grammar")
    expect(rater.locator("fieldset").nth(3)).to_be_in_viewport()
    assert (sent, chosen(rater)) == ([], [3, 3, 3, 0, 3, 3])
    rate(rater, 1)
    assert stored() == [(3, 3), (3, 1), (3, 3)]


def test_a_comment_stays_with_its_text(rater: Page) -> None:
    second = rater.get_by_role("region", name="Text 2 of 3")
    second.get_by_text("Add a comment").click()
    second.get_by_label("Comment for the researchers").fill("Which bridge?")
    rater.locator("fieldset input").first.focus()
    text = texts_on(rater)[1]
    rate(rater, 3, 3, 3, 3, 3, 3)
    assert list(Remark.objects.values_list("text", "assignment__item__target__text")) == [("Which bridge?", text)]


def test_a_text_that_is_given_back_leaves_the_answers_to_the_others(rater: Page) -> None:
    first, _, third = texts_on(rater)
    press_digits(rater, 3, 2)
    rater.get_by_role("region", name="Text 3 of").get_by_role("radio").nth(1).check()
    rater.get_by_role("region", name="Text 1 of").get_by_text("Add a comment").click()
    rater.get_by_role("region", name="Text 1 of").get_by_label("Comment for the researchers").fill("Which bridge?")
    give_back(rater, 2)
    assert texts_on(rater) == [first, third]
    assert chosen(rater) == [3, 2, 2, 0]
    expect(rater.get_by_label("Comment for the researchers").first).to_have_value("Which bridge?")
    rater.locator("fieldset input").last.focus()
    rate(rater, 1)
    assert stored() == [(3, 2), (2, 1)]
    assert Remark.objects.filter(kind="skip").count() == 1


def test_what_is_left_of_a_page_is_done_before_a_new_one(rater: Page) -> None:
    give_back(rater, 1)
    assert len(texts_on(rater)) == 2
    give_back(rater, 1)
    assert len(texts_on(rater)) == 1
    give_back(rater, 1)
    assert len(texts_on(rater)) == 1
    rate(rater, 2, 3)
    assert stored() == [(2, 3)]
    expect(rater.locator("h1")).to_have_text("We have no more texts for you")


def test_a_reload_keeps_all_answers(rater: Page) -> None:
    press_digits(rater, 3, 2, 1, 1)
    rater.reload()
    assert chosen(rater) == [3, 2, 1, 1, 0, 0]
    rate(rater, 2, 2)
    assert stored() == [(3, 2), (1, 1), (2, 2)]


def test_the_reply_to_a_page_is_lost(rater: Page) -> None:
    def reply_lost(route: Route) -> None:
        route.fetch()
        route.abort("connectionrefused")

    rater.route("**/work/rate/*/", reply_lost, times=1)
    press_digits(rater, 3, 2, 2, 1, 1, 3)
    rater.keyboard.press("Enter")
    eventually(rater, lambda: Rating.objects.count() == 3)
    with rater.expect_navigation():
        rater.clock.fast_forward(3000)
    assert stored() == [(3, 2), (2, 1), (1, 3)]
    assert {rating.versions.count() for rating in Rating.objects.all()} == {1}
    expect(rater.locator("header")).to_contain_text("Text 4 of 4")


@pytest.mark.parametrize("place", [0, 1])
def test_one_text_that_somebody_else_has_taken_takes_no_other_answer_along(rater: Page, place: int) -> None:
    """Told when the page is sent: whichever text it is, the others are stored."""
    lost = Assignment.objects.get(round=RATE, page_position=place, state="leased")
    lease_run_out(lost)
    somebody = enrol(lost.item.campaign, RATE, "somebody")
    while not Assignment.objects.filter(item=lost.item, worker=somebody.worker, state="submitted").exists():
        assert rate_next(somebody)
    press_digits(rater, 3, 2, 2, 1, 1, 3)
    rater.keyboard.press("Enter")
    expect(rater.get_by_role("alert")).to_contain_text("Someone else has this text now")
    answers = [(3, 2), (2, 1), (1, 3)]
    assert stored() == [answer for number, answer in enumerate(answers) if number != place]
    with rater.expect_navigation():
        rater.get_by_role("button", name="Continue with the next text").click()
    expect(rater.locator("h1")).to_have_text("2 texts done. Thank you!")


def test_one_text_that_is_gone_before_the_page_is_sent_leaves_the_answers_to_the_others(rater: Page) -> None:
    """Told when the page asks for more time: what was answered is there again for the texts that are left."""
    lost = Assignment.objects.get(round=RATE, page_position=0, state="leased")
    press_digits(rater, 3, 2, 2, 1)
    lease_run_out(lost)
    somebody = enrol(lost.item.campaign, RATE, "somebody")
    while not Assignment.objects.filter(item=lost.item, worker=somebody.worker, state="submitted").exists():
        assert rate_next(somebody)
    rater.clock.fast_forward(120_000)
    expect(rater.get_by_role("alert")).to_contain_text("Someone else has this text now")
    with rater.expect_navigation():
        rater.get_by_role("button", name="Continue with the next text").click()
    assert chosen(rater) == [2, 1, 0, 0]
    rate(rater, 1, 3)
    assert stored() == [(2, 1), (1, 3)]
