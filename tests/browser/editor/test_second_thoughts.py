"""What is asked before a text is sent, in a real browser: it asks by the rule that flags are made by."""

import json
import random

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from measures.text.normalization import length
from measures.text.second_thoughts import second_thought
from measures.text.tests.vectors import SECOND_THOUGHTS, second_thought_vectors

PIECES = [
    "The ",
    "committee",
    " ",
    "委员会",
    "e\u0301lève ",
    "İstanbul ",
    "ΣΑΣ ",
    "समिति ",
    "한국어",
    "x\u200by",
    "_",
    "12",
]
ASK = """async (cases) => {
    const { secondThought } = await import("/static/js/lib/second-thoughts.js");
    const { length } = await import("/static/js/lib/length.js");
    return JSON.parse(cases).map(([, source, text, allowed]) =>
        secondThought({ source, text, length: length(text), allowed }));
}"""


@pytest.fixture
def page(page: Page, live_server: LiveServer) -> Page:
    page.goto(f"{live_server.url}/login/")
    return page


def test_the_browser_asks_as_the_server_flags(page: Page) -> None:
    asked = page.evaluate(ASK, SECOND_THOUGHTS.read_text(encoding="ascii"))
    vectors = second_thought_vectors()
    assert [(name, got) for (name, *_, want), got in zip(vectors, asked, strict=True) if got != want] == []


def test_the_browser_agrees_about_drawn_texts(page: Page, seed: int) -> None:
    rng = random.Random(2016 + seed)
    drawn = [["".join(rng.choices(PIECES, k=rng.randrange(30))) for _ in range(2)] for _ in range(300)]
    cases = [("", source, text, rng.randrange(2 * length(text) + 2)) for source, text in drawn]
    asked = page.evaluate(ASK, json.dumps(cases))
    assert asked == [second_thought(source, text, allowed) for _, source, text, allowed in cases]
    assert len(set(asked)) == 3


def test_the_questions_are_whole_sentences(page: Page) -> None:
    said = page.evaluate(
        """async () => {
            const { questionBefore } = await import("/static/js/lib/second-thoughts.js");
            const source = "They will meet again about their budget";
            return ["No", "Something entirely different stands here", "They meet about their budget"].map(
                (text) => questionBefore({ source, text, length: text.length, allowed: 30 }, (words) => `~${words}`));
        }"""
    )
    assert said == [
        "~This is very short. Submit it anyway?",
        "~Your text shares very few words with the original. Submit it anyway?",
        None,
    ]
