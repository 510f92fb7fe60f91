"""The rule in a real browser: on every string it says what the server says."""

import json
import random
import sys
import unicodedata

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from measures.text.length_rule import check_compression
from measures.text.normalization import INVISIBLE_RANGES, WHITE_SPACE_RANGES, forbidden_character
from measures.text.tests.vectors import LENGTHS, VERDICTS, length_vectors, verdict_vectors

PIECES = [
    "The ",
    "committee",
    "s",
    " ",
    "e\u0301",
    "ǆ",
    "\u1112\u1161\u11ab",
    "👩\u200d👧",
    "🇩🇪",
    "7\ufe0f\u20e3",
    "\r\n",
    "x" + "\u0315\u0300" * 15,
]
ASSIGNED = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) != "Cn"]
UNUSUAL = [
    [chr(code) for first, last in INVISIBLE_RANGES for code in range(first, last + 1)],
    [chr(code) for first, last in WHITE_SPACE_RANGES for code in range(first, last + 1)],
    [c for c in ASSIGNED if unicodedata.decomposition(c)],
    [c for c in ASSIGNED if unicodedata.combining(c)],
    [c for c in ASSIGNED if unicodedata.category(c) in {"Cc", "Cs", "Nl", "No", "Lm", "Mc", "Me"}],
    ASSIGNED,
]


@pytest.fixture
def page(page: Page, live_server: LiveServer) -> Page:
    page.goto(f"{live_server.url}/login/")
    return page


@pytest.mark.smoke
def test_the_browser_counts_as_the_server_does(page: Page) -> None:
    counted = page.evaluate(
        """async (vectors) => {
            const { length } = await import("/static/js/lib/length.js");
            return JSON.parse(vectors).map(([, text]) => length(text));
        }""",
        LENGTHS.read_text(encoding="ascii"),
    )
    vectors = length_vectors()
    wrong = [(name, count, got) for (name, _, count), got in zip(vectors, counted, strict=True) if got != count]
    assert wrong == []
    assert len(vectors) >= 300


def test_the_browser_judges_as_the_server_does(page: Page) -> None:
    judged = page.evaluate(
        """async (vectors) => {
            const { length, ruleFor } = await import("/static/js/lib/length.js");
            return JSON.parse(vectors).map(([, source, compression, keepPercent]) => {
                const verdict = ruleFor(source, keepPercent)(compression);
                return { ...verdict, sourceIsCounted: verdict.sourceLength === length(source) };
            });
        }""",
        VERDICTS.read_text(encoding="ascii"),
    )
    for vector, got in zip(verdict_vectors(), judged, strict=True):
        found = (got["length"], got["allowed"], got["reasons"], got["stackedAt"], got["sourceIsCounted"])
        assert found == (vector.length, vector.allowed, vector.reasons, vector.stacked_at, True), vector.name


def test_the_browser_agrees_about_drawn_texts(page: Page, seed: int) -> None:
    rng = random.Random(2016 + seed)
    cases = [_drawn_case(rng) for _ in range(300)]
    judged = page.evaluate(
        """async (cases) => {
            const { forbiddenCharacter, ruleFor } = await import("/static/js/lib/length.js");
            return JSON.parse(cases).map(([source, compression, keepPercent]) => [
                ruleFor(source, keepPercent)(compression),
                forbiddenCharacter(compression),
            ]);
        }""",
        json.dumps(cases),
    )
    seen = set()
    for (source, compression, keep), (got, forbidden) in zip(cases, judged, strict=True):
        verdict = check_compression(source, compression, keep)
        found = (got["length"], got["allowed"], got["sourceLength"], tuple(got["reasons"]), got["stackedAt"])
        expected = (verdict.length, verdict.allowed, verdict.source_length, verdict.reasons, verdict.stacked_at)
        assert found == expected, ascii(compression)
        assert (tuple(forbidden) if forbidden else None) == forbidden_character(compression), ascii(compression)
        seen |= {*verdict.reasons, verdict.accepted}
    assert len(seen) == 9  # every reason, accepted, and not


def test_the_counter_says_where_marks_are_stacked(page: Page) -> None:
    said = page.evaluate(
        """async () => {
            const { ruleFor } = await import("/static/js/lib/length.js");
            const { wordsFor } = await import("/static/js/lib/counter.js");
            return wordsFor(ruleFor("The committee will meet again on Tuesday.", 100)("They" + "\\u0301".repeat(31)));
        }"""
    )
    assert said == "Character 4 has more than 30 accents or marks on it. Remove some."


def _drawn_case(rng: random.Random) -> tuple[str, str, int]:
    source = _drawn_text(rng, 30)
    compression = rng.choice([_drawn_text(rng, 20), _drawn_text(rng, 3), source[: rng.randint(0, len(source))]])
    # As JSON has it: there, halves of a pair that follow each other are one character.
    texts: tuple[str, str] = json.loads(json.dumps((source, compression)))
    return *texts, rng.choice([75, 75, 50, 100])


def _drawn_text(rng: random.Random, most: int) -> str:
    return "".join(rng.choice(rng.choice([PIECES, PIECES, *UNUSUAL])) for _ in range(rng.randint(0, most)))
