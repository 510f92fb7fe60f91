"""Ratings of mt-metrics-eval: round trips, and lines that are refused."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.spans.annotation import Annotation
from measures.spans.formats.mt_metrics_eval import read_mt_metrics_eval, write_mt_metrics_eval
from measures.spans.formats.reading import Bounds
from measures.spans.formats.tests.annotations import KINDS, SIDES, annotations, golden, spans
from measures.spans.mark import Mark, Side
from measures.spans.presets import preset


@st.composite
def error(draw: st.DrawFn, name: str, source: str, output: str) -> Mark:
    kind, severity = draw(st.none() | KINDS), draw(st.sampled_from([None, "major", "minor"]))
    side: Side = draw(SIDES)
    text = source if side == "source" else output
    if draw(st.booleans()):
        place = draw(st.integers(0, len(text)))
        return Mark(name, side, place, place, missing=True, kind=kind, severity=severity)
    return Mark(name, side, *draw(spans(text)), kind=kind, severity=severity)


@given(annotations(error))
def test_what_is_written_is_read_again(every: list[Annotation]) -> None:
    first: dict[tuple[str, str], Annotation] = {}
    for each in every:
        first.setdefault(each.text, each)
    chosen = list(first.values())
    segments = list(dict.fromkeys(each.segment for each in chosen))
    renamed = [replace(each, segment=str(segments.index(each.segment) + 1)) for each in chosen]
    systems = list(dict.fromkeys(each.system for each in chosen))
    wanted = sorted(renamed, key=lambda each: (systems.index(each.system), int(each.segment)))
    texts = {each.text: (each.source, each.output) for each in renamed}
    reading = read_mt_metrics_eval(write_mt_metrics_eval(every).text.splitlines(), texts=texts)
    assert (reading.annotations, reading.refusals) == (tuple(wanted), ())
    assert sum(reading.skipped.values()) == len(segments) * len(systems) - len(chosen)


def test_points_are_written_and_what_gets_lost_is_said() -> None:
    marked = golden("t2", "A")
    written = write_mt_metrics_eval([marked, replace(marked, person="B")], preset("esa").weights)
    system, errors, rater = written.text.rstrip("\n").split("\t")
    assert (system, rater) == ("sys", "A")
    assert [(each["start"], each["end"], each["score"]) for each in json.loads(errors)["errors"]] == [
        (0, 9, 1),
        (53, 53, 5),
    ]
    assert written.lost == (
        "Not written: 1 further annotation of the same texts; those of each person can be written apart.",
        "Not written: the score of 1 annotation.",
        "Not written: the name of the segment of 1 annotation.",
        "Not written: the document of 1 annotation.",
        "Not written: the texts of 1 annotation.",
        "Written after the last character: 1 mark of what is missing without a place.",
    )


def shown(**changes: Any) -> str:
    return json.dumps({"errors": [{"start": 0, "end": 4, "category": "a", "severity": "Minor"} | changes]})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("sys\t{}", "it must be system, errors and rater, with tabs between them"),
        ("sys\t{}\tr", "errors must be a list of at most 2 objects"),
        ('sys\t{"errors": [1]}\tr', "errors must be a list of at most 2 objects"),
        ('sys\t{"errors": [{}, {}, {}]}\tr', "errors must be a list of at most 2 objects"),
        (f"sys\t{shown(start=5)}\tr", "error 1: start 5 is after end 4, or below 0"),
        (f"sys\t{shown(start='0')}\tr", "error 1: start must be a whole number"),
        (f"sys\t{shown(end=9)}\tr", "places 0 to 9 are not a span of the output of 5 characters"),
        (f"sys\t{shown(start=9, end=9)}\tr", "place 9 is not in the output of 5 characters"),
        (f"sys\t{shown(category=1)}\tr", "error 1: category must be a text"),
        (f"s\t{shown()}\tr", "segment 1 of s is not among the texts"),
    ],
)
def test_lines_are_refused_one_by_one_and_count(line: str, reason: str) -> None:
    texts = {(str(n), "sys"): ("It rained.", "Rain.") for n in (1, 2, 3)}
    good = f"sys\t{shown()}\tr"
    reading = read_mt_metrics_eval([good, line, good], texts=texts, bounds=Bounds(marks=2))
    assert [(each.line, each.reason) for each in reading.refusals] == [(2, reason)]
    assert [each.segment for each in reading.annotations] == ["1", "2" if line.startswith("s\t") else "3"]
