"""Texts and pages in languages that are written from right to left, or without spaces."""

import time

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from crowd.models import Campaign
from tests.support.browser import check, open_task, profile, saved, write
from tests.support.factories import import_texts, make_campaign

ARABIC = (
    "اجتمعت اللجنة مساء يوم الثلاثاء ووافقت أخيرا على إصلاح الجسر الخشبي القديم فوق النهر قبل حلول فصل الشتاء الطويل."
)
HEBREW = "הוועדה שהתכנסה ביום שלישי בערב למשך שלוש שעות הסכימה לבסוף לתקן את הגשר הישן מעל הנהר לפני שהחורף יגיע."
WORDS = {  # a text, what is written of it, and what is marked as deleted: whole words
    "zh": ("委员会在星期二晚上开会讨论修复旧木桥。", "委员会在晚上开会讨论修复木桥。", ["星期二", "旧"]),
    "th": ("คณะกรรมการประชุมกันเมื่อวันอังคาร", "คณะกรรมการประชุมเมื่อวันอังคาร", ["กัน"]),
    "ja": ("委員会は火曜日の夜に会議を開いた。", "委員会は夜に会議を開いた。", ["火曜日の"]),
}


def campaign_in(language: str, text: str) -> Campaign:
    campaign = make_campaign(language=language)
    import_texts(campaign, [text])
    return campaign


def left(page: Page, selector: str) -> float:
    return float(page.locator(selector).evaluate("(each) => each.getBoundingClientRect().left"))


@pytest.mark.parametrize(("language", "text"), [("ar", ARABIC), ("he", HEBREW)])
def test_a_text_from_right_to_left_on_an_english_page(
    browser: Browser, live_server: LiveServer, language: str, text: str
) -> None:
    with profile(browser) as context:
        page = context.new_page()
        open_task(page, live_server.url, campaign_in(language, text))
        for part in ("#source", "#marks", "#draft"):
            expect(page.locator(part)).to_have_attribute("lang", language)
            expect(page.locator(part)).to_have_attribute("dir", "rtl")
        expect(page.locator("#comment")).to_have_attribute("dir", "auto")
        page.get_by_role("button", name="Show differences").click()
        words = text.rstrip(".").split()
        write(page, f"{' '.join([*words[:3], *words[4:]])}.")
        expect(page.locator("#source del")).to_have_text([f" {words[3]}"])
        saved(page, page.locator("#draft").input_value())
        check(page, f"editing in {language}")


def test_a_page_from_right_to_left_mirrors_with_an_english_text(desk: Page) -> None:
    desk.set_viewport_size({"width": 1280, "height": 780})
    desk.evaluate("document.documentElement.dir = 'rtl'")
    assert left(desk, "#source-title") > left(desk, "#draft")
    assert left(desk, ".where") > left(desk, "details.menu")
    assert left(desk, "#counter") > left(desk, "#submit")
    fill = desk.locator("#length-fill").evaluate("(each) => each.getBoundingClientRect().right")
    bar = desk.locator(".length").evaluate("(each) => each.getBoundingClientRect().right")
    assert fill == pytest.approx(bar, abs=1)  # it grows from the right
    assert left(desk, "#length-limit") < left(desk, "#length-fill") + 5
    assert desk.locator("#draft").evaluate("(each) => getComputedStyle(each).direction") == "ltr"
    desk.locator("details.menu > summary").click()
    assert left(desk, "details.menu > ul") >= 0
    assert desk.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", WORDS)
def test_words_are_found_where_no_spaces_part_them(page: Page, live_server: LiveServer, language: str) -> None:
    page.goto(f"{live_server.url}/login/")
    before, after, gone = WORDS[language]
    parts = page.evaluate(
        """async ([before, after, language]) => {
            const { wordDiff, wordsOf } = await import("/static/js/lib/word-diff.js");
            return wordDiff(wordsOf(before, language), wordsOf(after, language)).map(({ kind, text }) => [kind, text]);
        }""",
        [before, after, language],
    )
    assert [text for kind, text in parts if kind == "gone"] == gone
    assert [text for kind, text in parts if kind == "new"] == []


def test_differences_of_long_texts_take_no_long_time(page: Page, live_server: LiveServer) -> None:
    """A text of 2,000 characters, and one as long as the box takes, of which no word is the same."""
    page.goto(f"{live_server.url}/login/")
    began = time.monotonic()
    kinds = page.evaluate(
        """async () => {
            const { wordDiff, wordsOf } = await import("/static/js/lib/word-diff.js");
            const kindsOf = (before, after) =>
                wordDiff(wordsOf(before, "zh"), wordsOf(after, "zh")).map(({ kind }) => kind);
            const chinese = "委员会在星期二晚上开会讨论修复旧木桥。".repeat(105);
            for (let key = 0; key < 20; key += 1) kindsOf(chinese, chinese.slice(key + 3, -key - 3));
            return kindsOf("委 ".repeat(10_000).trimEnd(), "会 ".repeat(10_000).trimEnd());
        }"""
    )
    assert kinds == ["gone", "new"]
    assert time.monotonic() - began < 10
