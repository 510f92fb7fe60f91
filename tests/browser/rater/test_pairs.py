"""Two versions side by side: whichever stands first, the choice is kept in the order in which they are kept."""

import itertools

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Assignment
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from ratings.models import Rating
from ratings.subjects import is_swapped, subject_of
from tests.support.browser import choose, chosen, press_digits, rate, rater_at_work, stored

SCALES = scales_dump(
    scales_from_text("Meaning: Which one keeps more?\n\nGrammar: Which one reads better?", side_by_side=True)
)
MIRRORED = {1: 3, 2: 2, 3: 1}


def own_task() -> Assignment:
    return Assignment.objects.get(worker__external_id="browser", state="leased")


def open_turned(page: Page, *, swapped: bool) -> Assignment:
    """Open the task under a number by which the sides are drawn as wanted."""
    task = own_task()
    highest = Assignment.objects.latest("pk").pk
    number = next(each for each in itertools.count(highest + 1000) if is_swapped(Assignment(pk=each)) == swapped)
    Assignment.objects.filter(pk=task.pk).update(id=number)
    page.goto(page.url.replace(f"/{task.pk}/", f"/{number}/"))
    return own_task()


def texts_on(page: Page) -> list[str]:
    return [
        page.get_by_role("region", name=f"Shortened text {letter}").locator(".version").inner_text() for letter in "AB"
    ]


@pytest.mark.parametrize("swapped", [False, True], ids=["as kept", "swapped"])
def test_the_choice_is_kept_in_the_order_of_the_texts(browser: Browser, live_server: LiveServer, swapped: bool) -> None:
    settings = {"rating_task": "pair", "scales": SCALES}
    with rater_at_work(browser, live_server.url, texts=4, editors=2, **settings) as page:
        expected = []
        for shown in [(1, 2), (2, 3), (3, 1)]:
            texts = list(subject_of(open_turned(page, swapped=swapped)).texts)
            expect(page.locator("h1")).to_have_text("Compare the two shortened texts")
            assert len(set(texts)) == 2
            assert texts_on(page) == (texts[::-1] if swapped else texts)
            rate(page, *shown)
            expected.append(tuple(MIRRORED[point] for point in shown) if swapped else shown)
        assert stored() == expected
        assert list(Rating.objects.values_list("is_swapped", flat=True)) == [swapped] * 3


@pytest.mark.parametrize("swapped", [False, True], ids=["as kept", "swapped"])
def test_an_answer_is_shown_again_and_changed_as_it_was_given(
    browser: Browser, live_server: LiveServer, swapped: bool
) -> None:
    with rater_at_work(browser, live_server.url, texts=2, editors=2, rating_task="pair", scales=SCALES) as page:
        open_turned(page, swapped=swapped)
        texts = texts_on(page)
        rate(page, 1, 2)
        choose(page, "Your answers so far")
        expect(page.get_by_role("definition")).to_have_text(["A is better", "About the same"])
        expect(page.locator(".example .reading")).to_have_text([f"A {texts[0]}", f"B {texts[1]}"])
        with page.expect_navigation():
            page.get_by_role("link", name="Change").click()
        assert (chosen(page), texts_on(page)) == ([1, 2], texts)
        page.locator("fieldset input").last.focus()
        press_digits(page, 3)
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert stored() == [(3, 1) if swapped else (1, 3)]
        expect(page.get_by_role("definition")).to_have_text(["A is better", "B is better"])


def test_answers_are_in_words_and_both_versions_have_marks(browser: Browser, live_server: LiveServer) -> None:
    with rater_at_work(browser, live_server.url, texts=2, editors=2, rating_task="pair", scales=SCALES) as page:
        before = texts_on(page)
        expect(page.get_by_role("group", name="Meaning").locator("label")).to_have_text(
            ["1 A is better", "2 About the same", "3 B is better"]
        )
        expect(page.get_by_role("region", name="The original").locator(".original")).to_contain_text("the committee")
        page.get_by_role("button", name="Show differences").click()
        for letter in "AB":
            expect(page.get_by_role("region", name=f"Shortened text {letter}").locator("del")).not_to_have_count(0)
        page.get_by_role("button", name="Show differences").click()
        assert texts_on(page) == before
        press_digits(page, 4)
        assert chosen(page) == [0, 0]


def test_several_comparisons_on_a_page(browser: Browser, live_server: LiveServer) -> None:
    settings = {"rating_task": "pair", "scales": SCALES, "ratings_per_page": 3}
    with rater_at_work(browser, live_server.url, texts=3, editors=2, **settings) as page:
        shown = [(1, 1), (1, 3), (2, 1)]
        rate(page, *itertools.chain(*shown))
        swapped = Rating.objects.order_by("pk").values_list("is_swapped", flat=True)
        turned = [tuple(MIRRORED[point] for point in points) for points in shown]
        assert stored() == [turned[place] if swap else shown[place] for place, swap in enumerate(swapped)]
        assert list(swapped) == [
            is_swapped(task) for task in Assignment.objects.filter(rating__isnull=False).order_by("page_position")
        ]
