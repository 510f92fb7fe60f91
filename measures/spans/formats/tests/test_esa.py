"""ESA of 2024 and 2025: worked lines, round trips, and lines that are refused."""

import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.spans.annotation import Annotation
from measures.spans.formats.esa_csv import read_esa, write_esa
from measures.spans.formats.esa_spans import esa_spans
from measures.spans.formats.reading import Bounds, Texts
from measures.spans.formats.tests.annotations import annotations, golden, spans
from measures.spans.formats.wmt25 import read_wmt25, read_wmt25_jsonl, write_wmt25, write_wmt25_jsonl
from measures.spans.mark import Mark
from measures.spans.tests.golden import GOLDEN


@st.composite
def esa_mark(draw: st.DrawFn, name: str, _source: str, output: str) -> Mark:
    severity = draw(st.sampled_from(["minor", "major"]))
    if draw(st.booleans()):
        return Mark(name, missing=True, severity=severity)
    return Mark(name, "output", *draw(spans(output)), severity=severity)


SCORES = st.sampled_from([0.0, 66.0, 99.5, 100.0])
TIMES = st.sampled_from([(1795550000.1, 1795550031.6), (1.0, 2.0)])


def texts_of(every: list[Annotation]) -> Texts:
    return {each.text: (each.source, each.output) for each in every}


def line(**changes: Any) -> str:
    cells = {
        "user": "A",
        "system": "sys",
        "segment": "7",
        "type": "TGT",
        "from": "eng",
        "to": "deu",
        "score": "92",
        "document": "doc-1",
        "done": "False",
        "spans": "[]",
        "start": "1.5",
        "end": "9.5",
    } | changes
    file = io.StringIO()
    csv.writer(file, lineterminator="").writerow(cells.values())
    return file.getvalue()


def span(start: object, end: object, severity: object = "minor") -> str:
    return json.dumps([{"start_i": start, "end_i": end, "severity": severity, "error_type": None}])


def test_golden_spans_end_with_their_last_character() -> None:
    assert esa_spans(golden("t2", "A")) == GOLDEN["spans"]["export"]["esa_t2_A"]


def test_a_line_of_appraise() -> None:
    shown = line(spans=span(4, 10), start="1795550000.1", end="1795550031.6", segment="0")
    (one,) = read_esa([shown]).annotations
    assert one == Annotation(
        "A",
        "sys",
        "0",
        marks=(Mark("1", "output", 4, 11, severity="minor"),),
        score=92,
        document="doc-1",
        languages=("eng", "deu"),
        times=(1795550000.1, 1795550031.6),
    )


@given(annotations(esa_mark, score=SCORES, times=TIMES, languages=st.just(("eng", "deu")), document=st.just("d;1")))
def test_what_is_written_is_read_again(every: list[Annotation]) -> None:
    written = write_esa(every)
    reading = read_esa(written.text.encode().splitlines(keepends=True), texts=texts_of(every))
    assert (reading.annotations, reading.refusals) == (tuple(every), ())
    assert [sentence.partition("of")[0] for sentence in written.lost] == ["Not written: the texts "] * bool(every)


@given(annotations(esa_mark, score=SCORES, times=TIMES))
def test_raw_lines_of_2025_are_read_again(every: list[Annotation]) -> None:
    every = [replace(each, segment=f"d_#_{each.segment}", document="d") for each in every]
    reading = read_wmt25(write_wmt25(every).text.splitlines(), texts=texts_of(every))
    assert tuple(replace(each, extra={}) for each in reading.annotations) == tuple(every)
    again = write_wmt25(reading.annotations)
    assert again.text == write_wmt25(every).text


@given(annotations(esa_mark, score=SCORES))
def test_published_lines_of_2025_are_read_again(every: list[Annotation]) -> None:
    first: dict[tuple[str, str], Annotation] = {}
    for each in every:
        first.setdefault(each.text, each)
    names = {segment: f"d_#_{place}" for place, segment in enumerate(dict.fromkeys(text[0] for text in first))}
    named = [replace(each, segment=names[each.segment], document="d", person="human") for each in first.values()]
    reading = read_wmt25_jsonl(write_wmt25_jsonl(named).text.splitlines())
    in_order = sorted(named, key=lambda each: int(each.segment.rpartition("_")[2]))
    assert reading.annotations == tuple(in_order)


def test_cells_of_2025_that_only_organisers_know_are_kept() -> None:
    cells = ["A", "en-de_#_news_#_7_#_0", "sys", "w", "x", "y", "z", "80", "p", "q", span(0, 3), "1", "2", "r", "s"]
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow(cells)
    reading = read_wmt25([file.getvalue(), file.getvalue().replace("news", "tutorial")])
    (one,) = reading.annotations
    assert (one.document, one.times, one.marks[0].end) == ("en-de_#_news_#_7", (1, 2), 4)
    assert reading.skipped == {"tutorial": 1}
    (again,) = csv.reader([write_wmt25([one]).text])
    assert again == [*cells[:11], "1.0", "2.0", "r", "s"]
    assert write_wmt25([one]).lost == ()
    assert write_wmt25([replace(one, document="other")]).lost == ("Not written: the document of 1 annotation.",)


def test_utf16_places_become_code_points() -> None:
    texts = {("7", "sys"): ("", "\U0001f44d rain \U0001f44d")}
    (one,) = read_esa([line(spans=span(3, 9))], texts=texts).annotations
    assert (one.marks[0].start, one.marks[0].end) == (2, 8)
    assert esa_spans(one)[0]["end_i"] == 9


def test_what_is_not_work_is_skipped_and_counted() -> None:
    lines = [
        line(type="BAD"),
        line(type="CHK"),
        line(document="doc#bad"),
        line(document="doc#dup"),
        line(document="doc#incomplete"),
        line(document="de-tutorial-1"),
        line(score="10"),
        line(score="20"),
    ]
    reading = read_esa(lines)
    assert [each.score for each in reading.annotations] == [20]
    assert reading.skipped == {
        "type BAD": 1,
        "type CHK": 1,
        "#bad": 1,
        "#dup": 1,
        "#incomplete": 1,
        "tutorial": 1,
        "earlier answer": 1,
    }


def test_spans_may_be_written_as_python_does_and_batches_may_follow() -> None:
    shown = line(spans="[{'start_i': 'missing', 'end_i': 'missing', 'severity': 'Major', 'error_type': None}]")
    (one,) = read_esa([shown + ",3,7"]).annotations
    assert one.marks == (Mark("1", missing=True, severity="major"),)


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        ("a,b", "it has 2 cells instead of 12"),
        ('a,"b" c', "not CSV: ',' expected after '\"'"),
        (line(score="101"), "score must be from 0 to 100"),
        (line(score="nan"), "score must be a number"),
        (line(start="soon"), "beginning must be a number"),
        (line(user=""), "person, system or segment is empty"),
        (line(segment="8"), "segment 8 of sys is not among the texts"),
        (line(spans="{}"), "spans must be a list of objects"),
        (line(spans="[1]"), "spans must be a list of objects"),
        (line(spans="open('x')"), "spans must be a list in JSON"),
        (line(spans="(" * 9999), "spans must be a list in JSON"),
        (line(spans=span(4, 3)), "span 1: start_i 4 is after end_i 3, or below 0"),
        (line(spans=span("missing", 3)), "span 1: start_i must be a whole number"),
        (line(spans=span(0, 3, 5)), "span 1: severity must be a text"),
        (line(spans=span(0, 7)), "UTF-16 place 8 is not in the output of 7 units"),
        (line(spans=span(0, 5)), "UTF-16 place 6 of the output is inside a character"),
        (line(spans=json.dumps([{}] * 3)), "there are more than 2 spans"),
    ],
)
def test_lines_are_refused_one_by_one(shown: str, reason: str) -> None:
    texts = {("7", "sys"): ("", "Rain \U0001f44d")}
    reading = read_esa([line(user="B"), shown], texts=texts, bounds=Bounds(marks=2))
    assert [(each.line, each.reason) for each in reading.refusals] == [(2, reason)]
    assert len(reading.annotations) == 1


GOOD = {
    "doc_id": "d",
    "src_text": "It rained.",
    "tgt_text": {"s": "Rain."},
    "scores": {"s": {"human": 80, "errors": []}},
}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([], "it must be an object with a doc_id"),
        ({**GOOD, "scores": []}, "src_text must be a text, tgt_text and scores objects"),
        ({**GOOD, "tgt_text": {}}, "system s: there is no output, or its score is not an object"),
        ({**GOOD, "scores": {"s": {"human": 101, "errors": []}}}, "system s: human must be from 0 to 100"),
        ({**GOOD, "scores": {"s": {"human": 1}}}, "system s: spans must be a list of objects"),
    ],
)
def test_published_lines_are_refused_one_by_one(row: object, reason: str) -> None:
    reading = read_wmt25_jsonl([json.dumps(GOOD), json.dumps(row), "{"])
    first, second = reading.refusals
    assert (first.line, first.reason, second.line) == (2, reason, 3)
    assert len(reading.annotations) == 1


def test_what_gets_lost_is_said() -> None:
    mark = Mark("1", "source", 0, 2, kind="a", severity="minor", note="Odd.")
    two = [Annotation(person, "s", "1", "It rained.", "Rain.", (mark,), 50) for person in "AB"]
    assert write_esa(two).lost == (
        "Not written: the texts of 2 annotations.",
        "Not written: the kind of 2 marks.",
        "Not written: the note of 2 marks.",
        "Not written: 2 marks of the source.",
    )
    assert write_wmt25_jsonl(two).lost[:2] == (
        "Not written: 1 further annotation of the same texts; those of each person can be written apart.",
        "Not written: the name of the person of 1 annotation.",
    )


@pytest.mark.parametrize("write", [write_esa, write_wmt25, write_wmt25_jsonl])
def test_annotations_without_a_score_are_refused(write: Any) -> None:
    with pytest.raises(ValueError, match="segment 1 of s, A: there is no score"):
        write([Annotation("A", "s", "1")])


def test_sources_of_a_segment_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="segment 1: its sources differ"):
        write_wmt25_jsonl([Annotation("A", system, "1", system, "x", score=1) for system in "st"])
