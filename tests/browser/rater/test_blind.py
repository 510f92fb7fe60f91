"""Raters judge blind: nothing that reaches their browser tells who wrote a text, or what others said of it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from compressions.models import Source
from compressions.services.outputs import Output, outputs_add
from crowd.models import Campaign, Enrolment, Worker
from crowd.services.claims import assignment_claim
from ratings.example_check import ExampleText
from ratings.models import Rating
from ratings.services.gold import gold_create
from ratings.services.rating import Judgement, rating_submit
from ratings.subjects import subject_of
from tests.support.browser import BRIDGE, open_task, press_digits, profile, rate
from tests.support.factories import EDIT, RATE, enrol, import_texts, make_campaign, submit_text

SECRETS = re.compile(
    r"zebra|xylophone|quokka|987654|walrus|wombat|aardvark|gold|system\b|\bcheck\b|\beditor|stream|expert",
    re.IGNORECASE,
)
TEXT = "Bridge {} is going to be mended soon."
GOLD = ExampleText(
    source="The old mill, which nobody had used for years, burnt down last night.",
    compression="The old mill burnt down last night.",
    answers={"meaning": [3], "grammar": [3]},
    why="Because of the aardvark.",
)


def mixed_campaign() -> Campaign:
    """One text of a person, one of a system and a gold item, each judged by somebody who said something on it."""
    campaign = make_campaign(ratings_per_page=3, gold_percent=50, rater_tasks=3, editors_per_source=1)
    import_texts(campaign, [BRIDGE.format(number) for number in (1, 2)])
    author = enrol(campaign, EDIT, "xylophone-author")
    Worker.objects.filter(pk=author.worker_id).update(number=987654, imported_name="quokka")
    written = submit_text(author, TEXT.format("One")).source
    other = Source.objects.filter(campaign=campaign).exclude(pk=written.pk).get()
    outputs_add(campaign=campaign, system="zebra-system", outputs=[Output(1, other.source_id, TEXT.format("Two"))])
    gold_create(campaign=campaign, example=GOLD)
    somebody = enrol(campaign, RATE, "walrus-rater")
    while assignment := assignment_claim(enrolment=somebody):
        judgement = Judgement({"meaning": 1, "grammar": 2}, comment="Like a wombat.")
        subject = subject_of(assignment)
        rating_submit(enrolment=somebody, assignment=assignment, subject=subject, judgement=judgement)
    assert Rating.objects.count() == 3
    return campaign


@pytest.fixture
def answers() -> list[str]:
    """All that the server has said to the page."""
    return []


@pytest.fixture
def rater(browser: Browser, live_server: LiveServer, answers: list[str]) -> Iterator[Page]:
    """A rater's page with all three texts; all that comes from the server is listened to."""

    def listen(route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        answers.append("\n".join([answer.url, *map(": ".join, answer.headers.items()), answer.text()]))
        route.fulfill(response=answer)

    with profile(browser) as context:
        page = context.new_page()
        page.clock.install()
        page.route("**/work/**", listen)
        open_task(page, live_server.url, mixed_campaign(), RATE)
        expect(page.locator(".judged")).to_have_count(3)
        yield page


def assert_blind(answers: list[str], *, at_least: int) -> None:
    assert len(answers) >= at_least
    for kind in ("text/html", "application/json"):
        assert any(f"content-type: {kind}" in answer for answer in answers), kind
    assert [SECRETS.findall(answer) for answer in answers if SECRETS.search(answer)] == []


@pytest.mark.smoke
def test_nothing_tells_where_a_text_comes_from(rater: Page, answers: list[str]) -> None:
    rater.get_by_role("button", name="Show differences").first.click()
    rater.clock.fast_forward(120_000)
    rater.context.clear_cookies()
    press_digits(rater, 3, 2, 3, 2)
    rate(rater, 3, 2)
    expect(rater.locator("h1")).to_have_text(re.compile("Thank you!"))
    rater.get_by_role("link", name="Look over your answers").click()
    expect(rater.get_by_role("definition").filter(has_text="2 · Minor errors")).to_have_count(3)
    for number in range(3):
        with rater.expect_navigation():
            rater.get_by_role("link", name="Change").nth(number).click()
        expect(rater.locator("h1")).to_have_text("Change your rating")
        rater.locator("fieldset input").last.focus()
        rate(rater, 1)
    with rater.expect_navigation():
        rater.get_by_role("link", name="Back to the end of the study").click()
    expect(rater.locator("h1")).to_have_text(re.compile("Thank you!"))
    assert Rating.objects.filter(gold=None).count() == 4
    assert_blind(answers, at_least=15)


def test_nothing_tells_it_when_a_text_is_given_back_or_gone(rater: Page, answers: list[str]) -> None:
    rater.get_by_role("button", name="I can’t rate this text").first.click()
    rater.get_by_role("dialog").get_by_label("It is broken or incomplete").check()
    with rater.expect_navigation():
        rater.get_by_role("dialog").get_by_role("button", name="Skip this text").click()
    expect(rater.locator(".judged")).to_have_count(2)
    Enrolment.objects.filter(worker__external_id="browser").update(is_excluded=True)
    rater.goto(rater.url)
    assert_blind(answers, at_least=4)


def test_texts_of_people_and_systems_and_gold_look_alike(rater: Page) -> None:
    """But for the texts themselves and the numbers of the tasks, their part of the page is the same to the byte."""
    parts: list[str] = rater.locator(".judged").evaluate_all(
        """(parts) => parts.map((part) => {
            for (const text of part.querySelectorAll(".reading")) text.textContent = "";
            return part.outerHTML;
        })"""
    )
    assert len({re.sub(r"\d+", "0", part) for part in parts}) == 1
    keys = list(Rating.objects.values_list("target", "gold"))
    assert sum(gold is not None for _, gold in keys) == 1
