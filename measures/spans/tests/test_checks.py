"""What an answer is refused for, and what is asked once."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.spans.checks import Oddity, SpanAnswer, asked_once, refusals
from measures.spans.mark import Mark, Place
from measures.spans.presets import Preset, preset, preset_from

MQM, ESA, SALSA = preset("mqm"), preset("esa"), preset("salsa")
SOURCE, OUTPUT = "It rained all day in the north.", "Rain fq\u0301ll \U0001f469\u200d\U0001f680 there."
GOOD = Mark("m1", "output", 0, 4, kind="Style/Unnatural or awkward", severity="minor")
SAME = {"val": "same", "same": {"val": "trivial"}}
SUBSTITUTION = Mark(
    "m1",
    "both",
    kind="substitution",
    pairs=(Place("source", 0, 2), Place("output", 0, 4)),
    answers={"substitution_info_change": SAME, "grammar_error": False},
)
SPLIT = Mark("m2", "both", kind="split", parts=("m1",), answers={"impact": {"val": "trivial"}, "grammar_error": True})


def mark(**changes: Any) -> Mark:
    return replace(GOOD, **changes)


def refused(marks: list[Mark], kinds: Preset = MQM, **answer: Any) -> tuple[str, ...]:
    return refusals(SpanAnswer(SOURCE, OUTPUT, tuple(marks), **answer), kinds)


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ([mark(start=-1)], "mark m1: places -1 to 4 are not in the output of 21 characters"),
        ([mark(end=22)], "mark m1: places 0 to 22 are not in the output of 21 characters"),
        ([mark(start=4)], "mark m1: start 4 is not before end 4"),
        ([mark(end=7)], "mark m1: places 0 to 7 of the output cut a character in two"),
        ([mark(start=13, end=15)], "mark m1: places 13 to 15 of the output cut a character in two"),
        ([mark(kind=None)], "mark m1: no kind is given"),
        ([mark(kind="Style")], "mark m1: there is no kind 'Style'"),
        ([mark(severity=None)], "mark m1: no severity is given"),
        ([mark(severity="critical")], "mark m1: there is no severity 'critical' of kind Style/Unnatural or awkward"),
        ([mark(start=None, end=None)], "mark m1: it has no span"),
        ([mark(parts=("m2",), start=None, end=None)], "mark m1: there is no mark 'm2' that it could be made of"),
        ([mark(kind="Source issue")], "mark m1: kind Source issue is of the source"),
        ([mark(kind="Other")], "mark m1: kind Other needs a note"),
        ([mark(note="x" * 2001)], "mark m1: its note has more than 2,000 characters"),
        ([mark(answers={"why": 1})], "mark m1: there is no question 'why'"),
        ([mark(missing=True, start=4)], "mark m1: what is missing cannot be marked as Style/Unnatural or awkward"),
        ([mark(kind="Non-translation!")], "mark m1: kind Non-translation! is of the whole text"),
        ([mark(origin="alignment")], "mark m1: it was there before, and is neither kept, changed nor deleted"),
        ([mark(pairs=(Place("output", 0, 4),))], "mark m1: it has both pairs and a span"),
        (
            [mark(start=None, end=None, pairs=(Place("output", 0, 2), Place("output", 2, 4)))],
            "mark m1: kind Style/Unnatural or awkward has one span of each side",
        ),
        (
            [mark(start=None, end=None, pairs=(Place("source", 0, 2),))],
            "mark m1: its side is output, and its spans are of the source",
        ),
        ([GOOD, mark(start=5, end=8)], "mark m1: there are 2 marks of this id"),
        ([GOOD, mark(id="m2", severity="major")], "mark m2: mark m1 has the same side, span and kind"),
        (
            [GOOD, mark(id="m2", start=0, end=21, kind="Non-translation!")],
            "mark m2: kind Non-translation! stands for all others, and there are 1",
        ),
        ([], 'neither a mark nor "no errors" is given'),
        ([mark(fate="deleted")], 'neither a mark nor "no errors" is given'),
    ],
)
def test_refusals_name_the_mark(marks: list[Mark], message: str) -> None:
    assert message in refused(marks)


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ([replace(SUBSTITUTION, answers={})], "mark m1: substitution_info_change is not answered"),
        (
            [replace(SUBSTITUTION, answers={"substitution_info_change": SAME, "grammar_error": 1})],
            "mark m1: grammar_error must be true or false",
        ),
        (
            [replace(SUBSTITUTION, answers={"substitution_info_change": {"val": "same"}, "grammar_error": True})],
            "mark m1: same is not answered",
        ),
        (
            [
                replace(
                    SUBSTITUTION,
                    answers={"substitution_info_change": {"val": "different", "different": 4}, "grammar_error": True},
                )
            ],
            "mark m1: different must be 1, 2 or 3",
        ),
        (
            [replace(SUBSTITUTION, answers={"substitution_info_change": "alike", "grammar_error": True})],
            "mark m1: substitution_info_change must be one of same, less, more, different",
        ),
        (
            [replace(SUBSTITUTION, side="output", pairs=(Place("output", 0, 4),))],
            "mark m1: kind substitution needs spans",
        ),
        ([replace(SUBSTITUTION, severity="minor")], "mark m1: there is no severity 'minor' of kind substitution"),
        ([replace(SPLIT, parts=())], "mark m2: kind split is made of other marks, and none is named"),
        (
            [SUBSTITUTION, replace(SPLIT, start=0, end=4)],
            "mark m2: it is made of other marks and has a span of its own",
        ),
        ([SUBSTITUTION, replace(SPLIT, parts=("m1", "m1"))], "mark m2: it names mark m1 twice"),
        (
            [SPLIT, replace(SPLIT, id="m3", parts=("m2",))],
            "mark m3: mark m2, which it is made of, is made of marks itself",
        ),
        ([replace(SUBSTITUTION, parts=("m1",))], "mark m1: it names parts, and its kind is not made of other marks"),
    ],
)
def test_refusals_of_edits(marks: list[Mark], message: str) -> None:
    assert any(each.startswith(message) for each in refused(marks, SALSA))


def test_edits_that_fit_are_taken_and_share_parts() -> None:
    assert refused([SUBSTITUTION, SPLIT], SALSA) == ()


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (None, "the score is missing"),
        (101, "the score must be a whole number from 0 to 100"),
        (-1, "the score must be a whole number from 0 to 100"),
        (70.5, "the score must be a whole number from 0 to 100"),
        (True, "the score must be a whole number from 0 to 100"),
        ("70", "the score must be a whole number from 0 to 100"),
    ],
)
def test_refused_scores(score: object, message: str) -> None:
    assert refused([], ESA, no_errors=True, score=score) == (message,)


def test_scores_where_none_is_asked_and_no_errors_beside_a_mark() -> None:
    assert refused([GOOD], score=70) == ("a score is given, and none is asked for",)
    assert refused([GOOD], no_errors=True) == ('"no errors" is given beside mark m1',)


def test_more_marks_than_possible() -> None:
    few = preset_from({**MQM.data, "max_spans": 1})
    marks = [GOOD, mark(id="m2", start=5, end=8), mark(id="m3", start=5, end=10, fate="deleted")]
    assert refused(marks, few) == ("mark m2: there are 2 marks, at most 1 are possible",)
    assert refused([marks[0], marks[2]], few) == ()


def test_missing_content_has_a_place_or_none_and_may_be_there_more_than_once() -> None:
    gap = Mark("m1", missing=True, severity="minor")
    assert refused([gap, replace(gap, id="m2"), replace(gap, id="m3", start=4, end=4)], ESA, score=50) == ()
    span = replace(gap, start=0, end=4)
    assert refused([span], ESA, score=50) == ("mark m1: what is missing has no span: one place, or none",)
    assert "cut a character in two" in refused([replace(gap, start=7, end=7)], ESA, score=50)[0]


def test_overlap_and_nesting_are_allowed_and_deleted_marks_are_not_checked() -> None:
    marks = [GOOD, mark(id="m2", end=5), mark(id="m3", start=2, end=10)]
    gone = Mark("m4", "output", 90, 80, origin="alignment", fate="deleted")
    assert refused([*marks, gone]) == ()


def test_the_whole_text() -> None:
    assert refused([mark(kind="Non-translation!", end=21, severity="major")]) == ()


@pytest.mark.parametrize(
    ("marks", "score", "asked"),
    [
        ([Mark("m1", "output", 0, 4, severity="major")], 100, (Oddity("high score", 100, "major", "m1"),)),
        ([Mark("m1", "output", 0, 4, severity="minor")], 100, ()),
        ([Mark("m1", "output", 0, 4, severity="minor")], 33, (Oddity("low score", 33),)),
        ([], 33, (Oddity("low score", 33),)),
        ([Mark("m1", "output", 0, 4, severity="major")], 33, ()),
        ([], 34, ()),
        ([Mark("m1", "output", 0, 17, severity="minor")], 50, (Oddity("large mark", 81, "output", "m1"),)),
        ([Mark("m1", "output", 0, 16, severity="minor")], 50, ()),
    ],
)
def test_asked_once(marks: list[Mark], score: int, asked: tuple[Oddity, ...]) -> None:
    assert asked_once(SpanAnswer(SOURCE, OUTPUT, tuple(marks), score=score), ESA) == asked


def test_a_mark_of_the_whole_text_is_not_asked_about() -> None:
    whole = mark(kind="Non-translation!", end=21)
    assert asked_once(SpanAnswer(SOURCE, OUTPUT, (whole,)), MQM) == ()


VALUE = st.none() | st.booleans() | st.integers(-5, 40) | st.text(max_size=3)


@given(
    st.dictionaries(st.sampled_from(["side", "start", "end", "kind", "pairs", "parts", "answers", "fate"]), VALUE),
    st.sampled_from([MQM, ESA, SALSA]),
)
def test_whatever_json_says_gets_a_mark_or_a_reason(row: dict[str, Any], kinds: Preset) -> None:
    try:
        read = Mark.from_dict({"id": "m1", **row})
    except ValueError as error:
        reason = str(error)
    else:
        assert Mark.from_dict(read.as_dict()) == read
        (*reasons,) = refused([read], kinds)
        reason = reasons[0] if reasons else "mark m1: none"
    assert reason.startswith(("mark m1: ", "the score", "neither"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([], "a mark must be an object with an id"),
        ({"start": 1}, "a mark must be an object with an id"),
        ({"id": "m", "colour": 1}, "mark m: there is no field 'colour'"),
        ({"id": "m", "start": True}, "mark m: start must be a whole number or null"),
        ({"id": "m", "side": "left"}, "mark m: side must be source, output or both"),
        ({"id": "m", "pairs": [["output", 1]]}, r"mark m: pairs must be a list of \[side, start, end\]"),
        ({"id": "m", "at_ms": -1}, "mark m: at_ms must be a whole number from 0"),
    ],
)
def test_what_is_not_a_mark_is_refused(row: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Mark.from_dict(row)
