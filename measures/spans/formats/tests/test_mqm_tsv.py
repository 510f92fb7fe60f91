"""MQM as tab-separated lines: worked lines, round trips, and lines that are refused."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.spans.annotation import Annotation
from measures.spans.formats.keyed import keyed
from measures.spans.formats.mqm_tsv import read_mqm, write_mqm
from measures.spans.formats.reading import Bounds
from measures.spans.formats.tests.annotations import KINDS, SIDES, annotations, golden, spans
from measures.spans.mark import Mark, Place, Side
from measures.spans.presets import preset
from measures.spans.scores import check_weighted
from measures.spans.tests.golden import GOLDEN

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
SEVERITIES = st.sampled_from(["major", "minor", "neutral", "critical"])


def row(target: str, category: str = "Style/Awkward", severity: str = "Minor", source: str = "It rained.") -> str:
    return f"sys\td1\t1\t7\tr1\t{source}\t{target}\t{category}\t{severity}"


def test_golden_lines_out_and_in() -> None:
    one = replace(golden("t1", "A"), score=None)
    written = write_mqm([one])
    assert written.text.splitlines() == GOLDEN["spans"]["export"]["mqm_t1_A"]
    assert written.lost == ()
    assert read_mqm(written.text.splitlines()).annotations == (one,)


@st.composite
def mqm_mark(draw: st.DrawFn, name: str, source: str, output: str) -> Mark:
    own: dict[str, Any] = {
        "kind": draw(KINDS),
        "severity": draw(SEVERITIES),
        "note": draw(st.sampled_from(["", 'A "note",\tof\nlines'])),
        "origin": draw(st.sampled_from(["person", "alignment"])),
        "fate": draw(st.sampled_from([None, "kept", "changed"])),
    }
    side: Side = draw(SIDES)
    if draw(st.booleans()):
        place = draw(st.none() | st.integers(0, 3))
        return Mark(name, side, place, place, missing=True, **own)
    return Mark(name, side, *draw(spans(source if side == "source" else output)), **own)


@given(annotations(mqm_mark, seconds=st.sampled_from([None, 12.5]), document=st.sampled_from(["d", ""])))
def test_what_is_written_is_read_again(every: list[Annotation]) -> None:
    written = write_mqm(every)
    reading = read_mqm(written.text.encode().splitlines(keepends=True))
    assert (reading.annotations, reading.refusals, written.lost) == (tuple(every), (), ())


def test_what_gets_lost_is_said() -> None:
    marks = (
        Mark("1", "both", pairs=(Place("source", 0, 2), Place("output", 0, 4)), kind="a", severity="minor", at_ms=5),
        Mark("2", "both", parts=("1",), kind="b", severity="minor", answers={"q": True}),
        Mark("3", "output", 0, 2, kind="c", severity="minor", fate="deleted"),
    )
    written = write_mqm([Annotation("A", "s", "1", "It\trained.", "Rain.", marks, score=5, languages=("en", "de"))])
    assert written.lost == (
        "Not written: the score of 1 annotation.",
        "Not written: the languages of 1 annotation.",
        "Not written: the answers to questions about 1 mark.",
        "Not written: the time of 1 mark.",
        "Not written: all spans but one of 1 mark.",
        "Not written: 1 mark made of other marks.",
        "Not written: 1 mark deleted by people.",
        "Tabs and line breaks in texts are written as spaces.",
    )
    (again,) = read_mqm(written.text.splitlines()).annotations
    assert [mark.places for mark in again.marks] == [(Place("output", 0, 4),)]


def test_columns_may_be_called_as_marot_does_and_comments_are_notes() -> None:
    head = HEAD.replace("doc_id", "docSegId").replace("seg_id", "globalSegId") + "\tcomment"
    (one,) = read_mqm([head, row("It <v>sno</v>wed.") + "\tOdd."]).annotations
    assert (one.document_segment, one.segment, one.marks[0].note) == ("1", "7", "Odd.")


def test_quotation_marks_are_those_of_the_text_unless_they_are_said_to_be_around_cells() -> None:
    line = row('"It <v>""sno""</v>wed."')
    (plain,) = read_mqm([HEAD, line]).annotations
    (quoted,) = read_mqm([HEAD, line], quoting="minimal").annotations
    assert (plain.output, quoted.output) == ('"It ""sno""wed."', 'It "sno"wed.')


def test_marks_count_in_the_text_in_form_nfc() -> None:
    (one,) = read_mqm([HEAD, row("Cafe\u0301 <v>noir</v>")]).annotations
    assert (one.output, one.marks[0].start, one.marks[0].end) == ("Café noir", 5, 9)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (row("It <v>a</v> <v>b</v>"), "there are two spans in target"),
        (row("It <v>a</v>", source="<v>It</v> rained."), "there are two spans, in source and target"),
        (row("It </v>a<v>"), "target must have characters between <v> and </v>"),
        (row("It <v></v>a"), "target must have characters between <v> and </v>"),
        (row("It <v>a"), "target must have characters between <v> and </v>"),
        (row("It snowed."), "no span is marked"),
        (row("It snowed.", "No-error", "Major"), "No-error must stand in category and severity, without a span"),
        (row("It snowed.", "", "Major"), "category is empty"),
        ("sys\td1", "it has 2 cells, and there are 10 columns"),
        (row("It <v>a</v>") + "\t{", "not JSON: Expecting property name enclosed in double quotes"),
        (row("It <v>a</v>") + "\t[]", "metadata must be an object"),
        (row("It <v>a</v>") + '\t{"fate": "lost"}', "fate in metadata must be kept, changed, deleted"),
        (row("It <v>a</v>") + '\t{"seconds": "x"}', "seconds in metadata must be a number"),
        (row("It <v>snowed</v>!"), "its texts are not those of line 2"),
        (row("It snowed.", "no-error", "NO-ERROR"), "No-error stands beside line 2"),
    ],
)
def test_lines_are_refused_one_by_one(line: str, reason: str) -> None:
    first = row("It <v>snowed</v>.")
    other = line if "snowed" in line and ("stands" in reason or "those" in reason) else line.replace("\t7\t", "\t8\t")
    reading = read_mqm([HEAD + "\tmetadata", first, other])
    assert [(each.line, each.reason) for each in reading.refusals] == [(3, reason)]
    assert len(reading.annotations[0].marks) == 1


def test_an_error_after_no_error_is_refused() -> None:
    reading = read_mqm([HEAD, row("It snowed.", "No-error", "No-error"), row("It <v>snowed</v>.")])
    assert [each.reason for each in reading.refusals] == ["No-error stands beside line 2"]
    assert reading.annotations[0].marks == ()


def test_columns_that_are_missing_and_files_that_are_too_large() -> None:
    with pytest.raises(ValueError, match="line 1: the columns seg_id, rater, source, target"):
        read_mqm(["system\tdoc\tdoc_id"])
    with pytest.raises(ValueError, match="line 1: the columns"):
        read_mqm([])
    with pytest.raises(ValueError, match="line 3: a file may have 2 lines"):
        read_mqm([HEAD, row("a"), row("b")], bounds=Bounds(lines=2))
    with pytest.raises(ValueError, match=r"line 2: a file may have .* 80 characters"):
        read_mqm([HEAD, row("a")], bounds=Bounds(size=80))
    reading = read_mqm([HEAD.encode(), b"\xff", row("x" * 99).encode()], bounds=Bounds(line_size=90))
    assert [each.reason for each in reading.refusals] == ["not UTF-8", "it has more than 90 characters"]
    reading = read_mqm([HEAD, row("<v>a</v>b"), row("a<v>b</v>")], bounds=Bounds(marks=1))
    assert [each.reason for each in reading.refusals] == ["there are more than 1 errors of this text"]


def test_texts_that_cannot_be_written_are_refused() -> None:
    with pytest.raises(ValueError, match="segment 1 of s: a text has <v> or </v> in it"):
        write_mqm([Annotation("A", "s", "1", "a <v> b", "c")])
    with pytest.raises(ValueError, match="segment 1 of s: mark m has no kind or no severity"):
        write_mqm([Annotation("A", "s", "1", "a", "b", (Mark("m", "output", 0, 1, kind="k"),))])


def test_kinds_become_those_of_a_preset_and_critical_needs_a_weight() -> None:
    line = row("It <v>snowed</v>.", "Terminology/Inconsistent use of terminology", "Critical")
    (one,) = read_mqm([HEAD, line]).annotations
    with pytest.raises(ValueError, match="segment 7 of sys, r1, mark 1: there is no severity 'critical' in preset mqm"):
        keyed(one, preset("mqm"))
    with pytest.raises(ValueError, match='"critical" has no weight'):
        check_weighted([one], preset("mqm").weights)
    minor = replace(one, marks=(replace(one.marks[0], severity="minor"),))
    assert keyed(minor, preset("mqm")).marks[0].kind == "Terminology/Inconsistent"
    with pytest.raises(ValueError, match="there is no kind 'Fun' in preset mqm"):
        keyed(replace(minor, marks=(replace(minor.marks[0], kind="Fun"),)), preset("mqm"))
