"""A log that would become too long is merged by the browser: it still leads to the text, and the server takes it."""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from measures.keystrokes.edit_log import NO_CHANGES, Kind, Operation, dump_log, parse_log, replay
from measures.keystrokes.effort import effort, effort_flags
from measures.keystrokes.log_bounds import log_bounds

MERGE = """async (cases) => {
    const { boundsFor, withinBounds } = await import("/static/js/lib/log-merge.js");
    return JSON.parse(cases).map(([source, start, log]) => {
        const bounds = boundsFor(Array.from(source).length);
        return [bounds, withinBounds(start, log, bounds)];
    });
}"""
Case = tuple[str, str, list[Operation]]


@pytest.fixture
def page(page: Page, live_server: LiveServer) -> Page:
    page.goto(f"{live_server.url}/login/")
    return page


def merged(page: Page, cases: list[Case]) -> list[tuple[dict[str, int], Any]]:
    sent = json.dumps([[source, start, dump_log(log)] for source, start, log in cases])
    found: list[tuple[dict[str, int], Any]] = page.evaluate(MERGE, sent)
    return found


def typed(start: str, times: int, pause: int = 120) -> list[Operation]:
    """Somebody types at the end, deletes a letter now and then, and uses an input method between."""
    log, text = [], start
    for number in range(times):
        at_ms, kind = number * pause, (Kind.TYPING, Kind.TYPING, Kind.COMPOSITION)[number // 40 % 3]
        if number % 11 == 10:
            log.append(Operation(len(text) - 1, text[-1], "", Kind.DELETION, at_ms))
            text = text[:-1]
        else:
            log.append(Operation(len(text), "", "\U0001f600" if number % 50 == 7 else "x", kind, at_ms))
            text += log[-1].inserted
        if len(text) > 400:
            log.append(Operation(100, text[100:], "", Kind.CUT, at_ms))
            text = text[:100]
    return log


def drawn(rng: random.Random, start: str, times: int) -> list[Operation]:
    """Changes of all kinds anywhere; now and then the page is left and come back to."""
    kinds = [kind for kind in Kind if kind not in (*NO_CHANGES, Kind.SOURCE)]
    log, text, at_ms = [], start, 0
    for _ in range(times):
        at_ms += rng.randrange(3_000)
        position = rng.randrange(len(text) + 1) if rng.random() < 0.5 else len(text)
        removed = text[position : position + rng.choice((0, 0, 1, 5))]
        inserted = "".join(
            rng.choices("ab \U0001f600é", k=rng.choice((0, 1, 1, 3, 40) if len(text) < 300 else (0, 0, 1)))
        )
        if rng.random() < 0.05:
            log += [Operation(0, "", "", kind, at_ms) for kind in NO_CHANGES]
        log.append(Operation(position, removed, inserted, rng.choice(kinds), at_ms))
        text = text[:position] + inserted + text[position + len(removed) :]
    return log


def test_the_bounds_are_those_of_the_server(page: Page) -> None:
    for length in (0, 1, 300, 2_000, 5_000, 20_000):
        ((bounds, _),) = merged(page, [("x" * length, "", [])])
        known = log_bounds(length)
        assert bounds == {
            "operations": known.operations,
            "characters": known.characters,
            "replayed": known.replayed,
        }


@pytest.mark.parametrize("times", [100, 1_700, 3_000, 20_000])
def test_long_typing_is_taken_and_is_not_flagged_for_it(page: Page, times: int) -> None:
    source = "A source of words. " * 15
    log = typed(source, times)
    ((_, raw),) = merged(page, [(source, source, log)])
    bounds = log_bounds(len(source))
    shorter = parse_log(raw, max_operations=bounds.operations, max_characters=bounds.characters)
    assert replay(source, shorter, max_replayed=bounds.replayed) == replay(source, log)
    assert (len(shorter) < len(log)) == (len(log) > 0.8 * bounds.operations)
    assert [flag.name for flag in effort_flags(source, source, shorter)] == []
    assert effort(source, source, shorter).total_ms == effort(source, source, log).total_ms


def test_drawn_logs_lead_to_the_same_text_within_the_bounds(page: Page, seed: int) -> None:
    rng = random.Random(2016 + seed)
    cases = [("x" * length, "y" * 50, drawn(rng, "y" * 50, rng.randrange(4_000))) for length in range(0, 600, 30)]
    for (source, start, log), (_, raw) in zip(cases, merged(page, cases), strict=True):
        bounds = log_bounds(len(source))
        shorter = parse_log(raw, max_operations=bounds.operations, max_characters=bounds.characters)
        assert replay(start, shorter, max_replayed=bounds.replayed) == replay(start, log)


def test_pages_pasted_by_mistake_do_not_use_up_the_log(page: Page) -> None:
    source = "They agreed to it."
    log = [
        operation
        for number in range(30)
        for operation in (
            Operation(0, "", "z" * 40_000, Kind.PASTE, number * 1_000),
            Operation(0, "z" * 40_000, "", Kind.UNDO, number * 1_000 + 500),
        )
    ]
    ((_, raw),) = merged(page, [(source, source, log)])
    bounds = log_bounds(len(source))
    shorter = parse_log(raw, max_operations=bounds.operations, max_characters=bounds.characters)
    assert replay(source, shorter, max_replayed=bounds.replayed) == source
