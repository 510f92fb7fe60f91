"""Which answers are taken and which are refused, whatever the texts are made of."""

import json
import re
from typing import Any

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from common.errors import AskedOnce, Refused
from measures.spans import cluster_starts
from protocols.spans.task import TASK, digest_of
from protocols.task import Answer, AnswerRefused, Subject

BODY = {"source": "It rained all day in Bonn.", "output": "Cafe\u0301 \U0001f469\u200d\U0001f680\r\nrained."}
MARK = {"id": "m1", "side": "output", "start": 0, "end": 5, "severity": "minor"}
# What one reader's character is made of, and what lies between words.
CHARACTERS = [
    "a",
    "e\u0301",
    "\U0001f469\u200d\U0001f680",
    "\U0001f1e9\U0001f1ea",
    "\r\n",
    " ",
    "\u0928\u093f",
    "雨",
    ".",
]


def answered(given: object, *, body: dict[str, Any] | None = None, confirmed: str = "", **settings: Any) -> Answer:
    subject = Subject("1", body or BODY, "", "", "1")
    sent = given if isinstance(given, str) else json.dumps({"digest": digest_of(subject.body), **given})  # type: ignore[dict-item]
    return TASK.read({"answer": sent, "confirmed": confirmed}, subject, TASK.settings_read(settings))


def with_marks(*marks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"marks": [*marks], "score": 80, **more}


def test_what_is_right_is_taken() -> None:
    answer = answered(with_marks(MARK, actions=[[5, "add", "m1"], ["x"], 7]))

    assert [each["end"] for each in answer["marks"]] == [5]
    assert answer["actions"] == [[5, "add", "m1"]]
    assert answer["premarked"] is False


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ("", "can’t read"),
        ("[]", "an answer is an object"),
        ("{" * 100_000, "can’t read"),
        ("[" * 100_000, "can’t read"),
        ('{"marks": {}}', "marks must be a list"),
        (json.dumps({"marks": [MARK] * 1001}), "at most 1,000"),
        ('"' + "x" * 200_001 + '"', "too many marks"),
        (with_marks({**MARK, "end": 99}), "not in the output"),
        (with_marks({**MARK, "start": -1}), "not in the output"),
        (with_marks({**MARK, "start": 5}), "not before end"),
        (with_marks({**MARK, "end": 4}), "cut a character in two"),
        (with_marks({**MARK, "start": 6, "end": 7}), "cut a character in two"),
        (with_marks({**MARK, "start": 8, "end": 10}), "cut a character in two"),
        (with_marks({**MARK, "end": 5.0}), "whole number"),
        (with_marks({**MARK, "start": True}), "whole number"),
        (with_marks({**MARK, "kind": "Style"}), "no kind"),
        (with_marks({**MARK, "severity": "awful"}), "no severity"),
        (with_marks({**MARK, "severity": None}), "no severity is given"),
        (with_marks({**MARK, "side": "left"}), "source, output or both"),
        (with_marks({**MARK, "parts": ["m9"]}), "parts"),
        (with_marks({**MARK, "colour": "red"}), "no field"),
        (with_marks({**MARK, "note": "x" * 2001}), "more than 2,000"),
        (with_marks({**MARK, "origin": "alignment"}), "neither kept, changed nor deleted"),
        (with_marks(MARK, MARK), "this id"),
        (with_marks(MARK, {**MARK, "id": "m2"}), "same side, span and kind"),
        (with_marks(MARK, no_errors=True), "beside mark"),
        (with_marks(), "neither a mark"),
        (with_marks(MARK, score=None), "score is missing"),
        (with_marks(MARK, score=101), "from 0 to 100"),
        (with_marks(MARK, score=-1), "from 0 to 100"),
        (with_marks(MARK, score=70.5), "from 0 to 100"),
        (with_marks(MARK, score=True), "from 0 to 100"),
        (with_marks(MARK, score="70"), "from 0 to 100"),
        (with_marks(MARK, actions={}), "actions must be a list"),
        (with_marks(MARK, digest="0"), "another text"),
    ],
)
def test_what_is_wrong_is_refused_with_the_reason(sent: object, reason: str) -> None:
    with pytest.raises(AnswerRefused, match=reason):
        answered(sent)


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (with_marks({**MARK, "severity": "major"}, score=100), "The score is 100, but you marked a major error."),
        (with_marks(MARK, score=33), "The score is 33, but you marked no major error."),
        (with_marks({**MARK, "end": len(BODY["output"])}), "covers 100% of the text to check."),
    ],
)
def test_what_is_unlikely_is_asked_once(sent: dict[str, Any], reason: str) -> None:
    with pytest.raises(AskedOnce, match=reason):
        answered(sent)

    assert answered(sent, confirmed="1")["score"] == sent["score"]


@pytest.mark.parametrize("language", ["ar", "de", "es", "fr", "zh-hans"])
def test_what_is_asked_once_is_asked_in_the_language_of_the_page(language: str) -> None:
    large = {**MARK, "severity": "major", "end": len(BODY["output"])}
    other = {**large, "id": "m2", "side": "source", "end": len(BODY["source"])}
    with override(language), pytest.raises(AskedOnce) as refusal:
        answered(with_marks(large, other, score=100))

    assert str(refusal.value).count("100") == 3
    assert not re.search("Is this|covers|you marked|submit", str(refusal.value))


@given(st.lists(st.sampled_from(CHARACTERS), min_size=1, max_size=12), st.integers(-2, 60), st.integers(-2, 60))
def test_a_mark_is_taken_where_it_holds_whole_characters_and_nowhere_else(
    characters: list[str], start: int, end: int
) -> None:
    row = TASK.material({"id": "1", "source": "a", "output": f"x{''.join(characters)}x"}, TASK.settings_read({}))
    body = dict(row.body)
    edges = {*cluster_starts(body["output"]), len(body["output"])}
    sent = with_marks({**MARK, "start": start, "end": end})

    if start < end and {start, end} <= edges:
        answer = answered(sent, body=body, confirmed="1")
        assert [(each["start"], each["end"]) for each in answer["marks"]] == [(start, end)]
    else:
        with pytest.raises(AnswerRefused):
            answered(sent, body=body, confirmed="1")


BEGUN = {"id": "f1", "side": "output", "start": 0, "end": 5, "severity": "major", "kind": "Style/Awkward"}


def material(*marks: dict[str, Any], **settings: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The body of a line of material, and what people see of it who begin with its marks."""
    read = TASK.settings_read({"preset": "mqm", "premark": "file", **settings})
    body = dict(TASK.material({"id": "1", **BODY, "marks": list(marks)}, read).body)
    subjects = (Subject("1", body, "", "", str(number)) for number in range(20))
    shown = next(each for each in (TASK.shown(one, read) for one in subjects) if each["page_data"]["marks"])
    return body, shown["page_data"]


def test_marks_of_a_file_come_without_severity_and_have_to_be_decided() -> None:
    _body, shown = material(BEGUN, {**BEGUN, "id": "f2", "kind": "no such", "origin": "model"})

    one, other = shown["marks"]
    assert (one["kind"], one["severity"], one["origin"]) == ("Style/Unnatural or awkward", None, "file")
    assert (other["kind"], other["origin"]) == (None, "model")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"id": "f1"}, "different ids"),
        ({"end": 99}, "mark f2: places 0 to 99 are not in a text"),
        ({"end": 0}, "mark f2: 0 to 0"),
        ({"start": 5, "end": 6}, "mark f2: 5 to 6 are not whole characters of the output"),
    ],
)
def test_marks_of_a_file_are_of_the_text(more: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        material(BEGUN, {**BEGUN, "id": "f2", **more})


def test_half_of_the_people_begin_without_marks() -> None:
    read = TASK.settings_read({"preset": "salsa", "premark": "alignment"})
    begun = [bool(TASK.shown(Subject("1", BODY, "", "", str(n)), read)["page_data"]["marks"]) for n in range(200)]

    assert 70 < sum(begun) < 130


def test_the_alignment_begins_with_kinds_that_the_preset_has() -> None:
    with pytest.raises(Refused, match="deletion, insertion, substitution, reorder"):
        TASK.settings_read({"preset": "esa", "premark": "alignment"})


@given(st.lists(st.sampled_from(CHARACTERS), max_size=20))
def test_the_page_is_told_the_places_within_characters(characters: list[str]) -> None:
    body = {"source": "a", "output": "".join(characters)}

    shown = TASK.shown(Subject("1", body, "", "", "1"), TASK.settings_read({}))

    joined = shown["page_data"]["joined"]["output"]
    assert sorted([*joined, *cluster_starts(body["output"])]) == list(range(len(body["output"])))
