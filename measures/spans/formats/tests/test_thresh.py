"""Edits of thresh: worked entries, round trips, the template, and entries that are refused."""

import json
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from measures.spans.annotation import Annotation
from measures.spans.checks import SpanAnswer, refusals
from measures.spans.formats.reading import Bounds
from measures.spans.formats.tests.annotations import annotations, golden, spans
from measures.spans.formats.thresh import read_thresh, write_template, write_thresh
from measures.spans.mark import Mark, Place
from measures.spans.presets import preset
from measures.spans.tests.golden import GOLDEN

# As the library writes it, with answers of SALSA.
ENTRY: dict[str, Any] = {
    "source": "The old bridge over the river was closed for repairs last week.",
    "target": "The bridge was closed last week.",
    "metadata": {"annotator": "E01", "system": "made-up"},
    "edits": [
        {
            "id": 1,
            "category": "deletion",
            "input_idx": [[4, 8]],
            "annotation": {
                "deletion_type": {"val": "good_deletion", "good_deletion": "somewhat"},
                "coreference": "no",
                "grammar_error": "no",
            },
        },
        {
            "id": 1,
            "category": "substitution",
            "input_idx": [[41, 53]],
            "output_idx": [[21, 22]],
            "annotation": {
                "substitution_info_change": {"val": "same", "same": {"val": "trivial"}},
                "grammar_error": "yes",
            },
        },
        {
            "id": 1,
            "category": "structure",
            "annotation": {"structure_type": {"val": "voice"}, "impact": {"val": "bad", "bad": "a lot"}},
            "constituent_edits": [
                {"id": 1, "category": "deletion", "input_idx": [[4, 8]]},
                {"category": "substitution", "input_idx": [[41, 53]], "output_idx": [[21, 22]]},
                {"category": "insertion", "output_idx": [[4, 10]]},
            ],
        },
    ],
}


def read(*entries: object, bounds: Bounds = Bounds()) -> Any:  # noqa: B008 - it is frozen
    return read_thresh(json.dumps(entries, ensure_ascii=False).splitlines(), bounds=bounds)


def test_golden_entry_out_and_in() -> None:
    one = replace(golden("t1", "B"), score=None, document="", document_segment="")
    written = write_thresh([one])
    assert json.loads(written.text) == [GOLDEN["spans"]["export"]["thresh_t1_B"]]
    assert written.lost == ("Not written: the name of the segment of 1 annotation.",)
    assert read_thresh(written.text.splitlines(keepends=True)).annotations == (one,)


def test_answers_numbers_and_parts_of_salsa() -> None:
    (one,) = read(ENTRY).annotations
    deletion, substitution, structure, insertion = one.marks
    assert (one.person, one.system, one.segment) == ("E01", "made-up", "1")
    assert (deletion.side, deletion.start, deletion.end) == ("source", 4, 8)
    assert deletion.answers["deletion_type"] == {"val": "good_deletion", "good_deletion": 2}
    assert deletion.answers["grammar_error"] is False
    assert substitution.pairs == (Place("source", 41, 53), Place("output", 21, 22))
    assert structure.parts == (deletion.id, substitution.id, insertion.id)
    assert structure.answers["impact"] == {"val": "bad", "bad": 3}
    salsa = preset("salsa")
    faults = refusals(SpanAnswer(one.source, one.output, one.marks), salsa)
    assert [fault for fault in faults if "answered" not in fault] == []
    again = read_thresh(write_thresh([one]).text.splitlines()).annotations
    assert again == (one,)


@st.composite
def edit(draw: st.DrawFn, name: str, source: str, output: str) -> Mark:
    severity = draw(st.sampled_from([None, "minor"]))
    answers = draw(st.sampled_from([{}, {"q": True, "r": {"val": "yes", "yes": {"val": "b", "b": 3}}, "s": 1}]))
    kind = draw(st.sampled_from(["deletion", "odd kind"]))
    form = draw(st.sampled_from(["source", "output", "both", "several", "missing"]))
    if form == "missing":
        return Mark(name, missing=True, kind=kind, severity=severity, answers=answers)
    if form in ("source", "output"):
        ends = draw(spans(source if form == "source" else output))
        return Mark(name, form, *ends, kind=kind, severity=severity, answers=answers)  # type: ignore[arg-type]
    pairs = [Place("source", *draw(spans(source))), Place("output", *draw(spans(output)))]
    if form == "several":
        pairs = [Place("output", *draw(spans(output))) for _ in range(2)]
    side = "both" if form == "both" else "output"
    return Mark(name, side, pairs=tuple(pairs), kind=kind, severity=severity, answers=answers)  # type: ignore[arg-type]


@given(annotations(edit), st.data())
def test_what_is_written_is_read_again(every: list[Annotation], data: st.DataObject) -> None:
    with_parts = []
    for each in every:
        marks, composite = each.marks, data.draw(st.booleans())
        if marks and composite:
            parts = tuple(mark.id for mark in marks)
            marks = (*marks, Mark(str(len(marks) + 1), "both", kind="split", parts=parts))
        with_parts.append(replace(each, marks=marks))
    reading = read_thresh(write_thresh(with_parts).text.encode().splitlines(keepends=True))
    numbers = {source: str(n) for n, source in enumerate(dict.fromkeys(each.source for each in every), start=1)}
    assert reading.annotations == tuple(replace(each, segment=numbers[each.source]) for each in with_parts)


def test_deleted_parts_are_not_written() -> None:
    marks = (
        Mark("1", "output", 0, 2, kind="a", fate="deleted"),
        Mark("2", "output", 2, 4, kind="a"),
        Mark("3", "both", parts=("1", "2"), kind="b"),
    )
    (entry,) = json.loads(write_thresh([Annotation("A", "s", "1", "", "Rain.", marks)]).text)
    assert [each["id"] for each in entry["edits"]] == [1, 2]
    assert entry["edits"][1]["constituent_edits"] == [{"id": 1, "category": "a", "output_idx": [[2, 4]]}]


@pytest.mark.parametrize("key", ["mqm", "esa", "salsa", "salsa-compression"])
def test_the_template_is_yaml_and_has_every_kind(key: str) -> None:
    template = yaml.safe_load(write_template(preset(key)))
    assert template["template_name"] == key
    assert [each["name"] for each in template["edits"]] == ([kind.key for kind in preset(key).kinds] or ["error"])


def test_the_template_of_salsa_asks_as_its_own_does() -> None:
    template = yaml.safe_load(write_template(preset("salsa")))
    deletion, _, substitution, _, split, _ = template["edits"]
    assert (deletion["enable_input"], deletion.get("enable_output"), deletion["type"]) == (True, None, "primitive")
    assert (substitution["multi_span"], split["type"], split.get("enable_input")) == (True, "composite", None)
    kinds = deletion["annotation"][0]
    assert kinds["name"] == "deletion_type"
    assert [(each["name"], each.get("options")) for each in kinds["options"]] == [
        ("good_deletion", "likert-3"),
        ("trivial_deletion", None),
        ("bad_deletion", "likert-3"),
    ]


def test_severities_become_a_question() -> None:
    template = yaml.safe_load(write_template(preset("esa")))
    assert [each["name"] for each in template["edits"][0]["annotation"][0]["options"]] == ["minor", "major"]


def edited(**changes: Any) -> dict[str, Any]:
    return {"source": "It rained.", "target": "Rain.", "edits": [{"category": "a", "input_idx": [[0, 2]], **changes}]}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ([], "it must be an object with source and target"),
        ({"source": "a"}, "it must be an object with source and target"),
        ({**edited(), "metadata": [1]}, "metadata must be an object"),
        ({**edited(), "metadata": {"annotator": 5}}, "annotator must be a text"),
        ({**edited(), "edits": {"a": 1}}, "edits must be a list of objects"),
        (edited(category=""), "edit 1: category must be a text"),
        (edited(annotation=[1]), "edit 1: annotation must be an object"),
        (edited(annotation={"severity": 1}), "edit 1: severity must be a text"),
        (edited(annotation={"q": [1]}), "an answer must be a text, a whole number or an object"),
        (edited(input_idx=[0, 2]), "edit 1: input_idx must be a list of [start, end]"),
        (edited(input_idx=[[0, "2"]]), "edit 1: input_idx must be a whole number"),
        (edited(input_idx=[[0, 11]]), "edit 1: places 0 to 11 are not a span of the source of 10 characters"),
        (edited(output_idx=[[3, 3]]), "edit 1: places 3 to 3 are not a span of the output of 5 characters"),
        (edited(constituent_edits=[1]), "edit 1: constituent_edits must be a list of objects"),
        ({**edited(), "edits": [{"category": "a"}] * 3}, "there are more than 2 edits"),
    ],
)
def test_entries_are_refused_one_by_one(entry: object, reason: str) -> None:
    reading = read(edited(), entry, bounds=Bounds(marks=2))
    assert [(each.line, each.reason) for each in reading.refusals] == [(2, reason)]
    assert len(reading.annotations) == 1


def test_answers_may_be_only_so_deep() -> None:
    answer: Any = "yes"
    for _ in range(12):
        answer = {"val": "a", "a": answer}
    assert [each.reason for each in read(edited(annotation={"q": answer})).refusals] == [
        "an answer is more than 8 deep"
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{}"], "the file must be a list of at most 2 entries"),
        (["[{}, {}, {}]"], "the file must be a list of at most 2 entries"),
        (["[NaN]"], "not JSON: NaN"),
        (["["], "not JSON: Expecting value"),
        (["[" * 99_999], "not JSON"),
        ([b"[\xff]"], "line 1: not UTF-8"),
        (["[]", " " * 200_000], "a file may have"),
    ],
)
def test_what_is_no_list_is_refused_whole(lines: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_thresh(lines, bounds=Bounds(lines=2, size=150_000))
