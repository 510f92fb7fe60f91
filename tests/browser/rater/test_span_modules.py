"""What the scripts of the page of marks compute: places, pieces, what is sent, undoing; by the browser itself."""

from typing import Any

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from measures.spans import Mark, SpanAnswer, cluster_starts, from_utf16, preset, refusals, to_utf16

TEXT = "Cafe\u0301 \U0001f469\u200d\U0001f680 (rained)…\r\nnot a\u0301 bit."
MODULES = """const [{ TextPlaces, piecesOf }, marks, history] = await Promise.all(
    ["text-places", "span-marks", "span-history"].map((name) => import(`/static/js/lib/${name}.js`)));"""


@pytest.fixture
def page(page: Page, live_server: LiveServer) -> Page:
    page.goto(f"{live_server.url}/login/")
    return page


def run(page: Page, body: str, **given: Any) -> Any:
    """Run statements with the modules, which end in a return."""
    return page.evaluate(f"async ({{ {', '.join(given)} }}) => {{ {MODULES} {body} }}", given)


def joined(text: str) -> list[int]:
    return sorted(set(range(len(text))) - set(cluster_starts(text)))


def on_text(page: Page, body: str, snap: str = "word", text: str = TEXT, **given: Any) -> Any:
    whole = "const places = new TextPlaces(text, joined, 'en', snap); " + body
    return run(page, whole, text=text, joined=joined(text), snap=snap, **given)


@pytest.mark.smoke
def test_code_points_and_code_units_are_those_of_python(page: Page) -> None:
    units, points = on_text(
        page,
        """const units = [...Array(places.length + 1).keys()].map((each) => places.unitOf(each));
        return [units, units.map((each) => places.placeOf(each))]""",
    )

    assert units == [to_utf16(TEXT, place) for place in range(len(TEXT) + 1)]
    assert points == [from_utf16(TEXT, unit) for unit in units] == list(range(len(TEXT) + 1))


def test_words_are_whole_characters_and_runs_of_signs(page: Page) -> None:
    words = on_text(page, "return places.words.map(({ start, end }) => places.slice(start, end))")

    assert words[:2] == ["Cafe\u0301", "\U0001f469\u200d\U0001f680"]
    assert words[2:] == ["(", "rained", ")…", "not", "a\u0301", "bit", "."]


@pytest.mark.parametrize("snap", ["word", "character"])
def test_whatever_is_selected_becomes_a_span_of_whole_characters_without_blanks(page: Page, snap: str) -> None:
    spans = on_text(
        page,
        """return [...Array(places.length).keys()].flatMap((start) =>
            [...Array(places.length + 1).keys()].map((end) => [start, end, places.snapped(start, end)]))""",
        snap,
    )

    edges = {*cluster_starts(TEXT), len(TEXT)}
    for start, end, span in spans:
        if start >= end or not TEXT[start:end].strip("\u0301\u200d \r\n"):
            continue
        found = TEXT[span["start"] : span["end"]]
        assert {span["start"], span["end"]} <= edges
        assert found == found.strip()
        assert TEXT[start:end].strip() in found


def test_a_blank_is_nothing(page: Page) -> None:
    assert on_text(page, "return [places.snapped(5, 6), places.snapped(3, 3)]") == [None, None]


def test_ends_move_by_words_or_characters_and_never_past_each_other(page: Page) -> None:
    body = "return moves.map(([start, end, which, by]) => Object.values(places.moved({ start, end }, which, by)))"
    text = "one a\u0301\u0300b two"
    moves = [(4, 8, "start", 1), (4, 8, "end", -1), (4, 8, "end", 1), (4, 8, "start", -1), (0, 12, "start", -1)]

    assert on_text(page, body, "character", text, moves=moves) == [[7, 8], [4, 7], [4, 10], [2, 8], [0, 12]]
    by_words = [(0, 8, "start", 1), (0, 8, "end", -1), (0, 3, "end", -1), (0, 3, "start", 1), (4, 8, "end", 1)]
    assert on_text(page, body, "word", text, moves=by_words) == [[4, 8], [0, 3], [0, 3], [0, 3], [4, 12]]


def test_pieces_hold_the_whole_text_and_overlapping_marks_have_levels_of_their_own(page: Page) -> None:
    spans = [[0, 9], [4, 12], [4, 7], [9, 12], [50, 60]]
    pieces = on_text(
        page,
        """return piecesOf(places, spans.map(([start, end], id) => ({ start, end, id }))).map(({ start, end, marks }) =>
            [start, end, marks.map(({ mark, level }) => [mark.id, level])])""",
        text="one two six.",
        spans=spans,
    )

    assert "".join("one two six."[start:end] for start, end, _marks in pieces) == "one two six."
    for start, end, marks in pieces:
        covering = [number for number, (one, other) in enumerate(spans) if one < end and other > start and other < 13]
        assert sorted(number for number, _level in marks) == covering
        assert len({level for _number, level in marks}) == len(marks)
    assert max(level for _start, _end, marks in pieces for _number, level in marks) == 2


def test_what_is_sent_is_what_the_server_reads(page: Page) -> None:
    rows = [
        Mark("m1", "output", 0, 3, kind="insertion", answers={"grammar_error": False}),
        Mark("m2", "both", pairs=(("source", 0, 3), ("output", 4, 7)), kind="substitution", note="so"),  # type: ignore[arg-type]
        Mark("m3", "both", kind="split", parts=("m1", "m2")),
        Mark("a1", "source", 4, 7, kind="deletion", origin="alignment", fate="deleted", at_ms=5),
        Mark("m4", "output", missing=True),
        Mark("m5", "output", 2, 2, missing=True),
    ]
    sent = run(
        page,
        "return marks.answerOf({ ...marks.stateFrom({ marks: rows }), score: 7 }, preset, 'abc', [[1, 'add', 'm1']])",
        rows=[each.as_dict() for each in rows],
        preset=dict(preset("salsa").data),
    )

    assert {each.id: each for each in map(Mark.from_dict, sent["marks"])} == {each.id: each for each in rows}
    assert {key: sent[key] for key in ("digest", "score", "no_errors", "actions")} == {
        "digest": "abc",
        "score": 7,
        "no_errors": False,
        "actions": [[1, "add", "m1"]],
    }


LACKING = [
    ("mqm", {"side": "output", "start": 0, "end": 3}, ["kind", "severity"]),
    ("mqm", {"side": "output", "start": 0, "end": 3, "kind": "Other", "severity": "minor"}, ["note"]),
    ("esa", {"side": "output", "start": 0, "end": 3, "origin": "file"}, ["decision", "severity"]),
    ("esa", {"side": "output", "start": 0, "end": 3, "origin": "file", "fate": "deleted"}, []),
    ("esa", {"side": "output", "missing": True, "severity": "minor"}, []),
    ("salsa", {"side": "output", "start": 0, "end": 3, "kind": "substitution"}, ["places", "answers"]),
    ("salsa", {"side": "both", "kind": "split"}, ["parts", "answers"]),
    (
        "salsa",
        {
            "side": "output",
            "start": 0,
            "end": 3,
            "kind": "insertion",
            "answers": {"insertion_type": {"val": "elaboration"}, "grammar_error": True},
        },
        ["answers"],
    ),
    (
        "salsa",
        {
            "side": "output",
            "start": 0,
            "end": 3,
            "kind": "insertion",
            "answers": {"insertion_type": {"val": "elaboration", "elaboration": 2}, "grammar_error": True},
        },
        [],
    ),
]


@pytest.mark.parametrize(("key", "row", "lacking"), LACKING)
def test_what_a_mark_lacks_is_what_the_server_would_refuse(
    page: Page, key: str, row: dict[str, Any], lacking: list[str]
) -> None:
    used = preset(key)
    found = run(
        page, "return marks.lackingOf(marks.markFrom(row), preset)", row={"id": "m", **row}, preset=dict(used.data)
    )

    answer = SpanAnswer("one two", "one two", (Mark.from_dict({"id": "m", **row}),), score=50 if key == "esa" else None)
    is_empty = row.get("fate") == "deleted"
    assert found == lacking
    assert bool(refusals(answer, used)) == (bool(lacking) or is_empty)


def test_each_severity_has_a_letter_of_its_own(page: Page) -> None:
    body = "return lists.map(marks.lettersOf)"
    lists = [["minor", "major"], ["major", "minor", "neutral"], ["a", "a1", "A b"]]

    assert run(page, body, lists=lists) == [
        {"m": "minor", "a": "major"},
        {"m": "major", "i": "minor", "n": "neutral"},
        {"a": "a", "b": "A b"},
    ]


def test_actions_are_undone_and_redone_as_a_whole_also_after_they_were_kept(page: Page) -> None:
    found = run(
        page,
        """
        const { SpanHistory } = history;
        const mark = (id) => marks.newMark(id, { places: [["output", 0, 3]] });
        let log = new SpanHistory({ marks: {}, noErrors: true, done: false, score: null });
        const seen = [];
        const look = () => seen.push([Object.keys(log.state.marks).sort().join(" "), log.state.noErrors]);
        log.become({ ...log.state, noErrors: false, marks: marks.byId([mark("a"), mark("b")]) }, [1, "add", "a"]);
        log.become({ ...log.state, marks: marks.byId([mark("c")]) }, [2, "kind", "c"]);
        look();
        log = SpanHistory.of(log.dump("digest"), "digest");
        log.undo(3); look();
        log.undo(4); look();
        seen.push(log.undo(5), log.canUndo, log.canRedo);
        log = SpanHistory.of(log.dump("digest"), "digest");
        log.redo(6); log.redo(7); look();
        seen.push(log.redo(8), SpanHistory.of(log.dump("digest"), "other"), SpanHistory.of("no JSON", "digest"));
        return [seen, log.acts.map(([at, act]) => `${at} ${act}`)];
        """,
    )

    seen, acts = found
    assert seen[:3] == [["c", False], ["a b", False], ["", True]]
    assert seen[3:] == [False, False, True, ["c", False], False, None, None]
    assert acts == ["1 add", "2 kind", "3 undo", "4 undo", "6 redo", "7 redo"]


def test_two_hundred_actions_can_be_undone(page: Page) -> None:
    undone = run(
        page,
        """
        const log = new history.SpanHistory({ marks: {}, noErrors: false, done: false, score: 0 });
        for (let score = 1; score <= 250; score++) log.become({ ...log.state, score }, [score, "score", ""]);
        let count = 0;
        while (log.undo(0)) count++;
        return [count, log.state.score];
        """,
    )

    assert undone == [200, 50]
