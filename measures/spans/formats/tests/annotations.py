"""Annotations for round trips, drawn and worked."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from measures.spans.annotation import Annotation
from measures.spans.characters import cluster_starts
from measures.spans.mark import Mark, Side
from measures.spans.tests.golden_annotations import annotation

CHARACTERS = st.sampled_from(["a", "b", " ", ".", '"', "'", ",", "é", "下", "\U0001f44d", "\\", "{", "<", ";", "|"])
TEXTS = st.lists(CHARACTERS, min_size=1, max_size=15).map("".join)
NAMES = st.sampled_from(["A", "b 2", 'c"3"', "ü"])
SIDES: st.SearchStrategy[Side] = st.sampled_from(("source", "output"))
KINDS = st.sampled_from(["Style/Awkward", "Accuracy/Addition", "Other"])


def golden(text: str, person: str) -> Annotation:
    """A golden annotation as its exports have it."""
    one = annotation(text, person)
    return Annotation(
        person, "sys", "1", one.source, one.output, one.marks, document="d1", document_segment="1", score=70
    )


@st.composite
def annotations(
    draw: st.DrawFn,
    /,
    one_mark: Callable[..., st.SearchStrategy[Mark]],
    **others: st.SearchStrategy[Any],
) -> list[Annotation]:
    """Up to three people's annotations of up to three segments of two systems, each once."""
    sources = draw(st.lists(TEXTS, min_size=1, max_size=3))
    outputs: dict[tuple[str, str], str] = {}
    keys = draw(
        st.lists(
            st.tuples(NAMES, st.sampled_from(["sys-1", "s 2"]), st.integers(1, len(sources))), unique=True, max_size=5
        )
    )
    found = []
    for person, system, number in keys:
        segment = str(number)
        output = outputs.setdefault((segment, system), draw(TEXTS))
        source = sources[number - 1]
        marks = tuple(draw(one_mark(str(place), source, output)) for place in range(1, 1 + draw(st.integers(0, 3))))
        extra = {name: draw(each) for name, each in others.items()}
        found.append(Annotation(person, system, segment, source, output, marks, **extra))
    return found


@st.composite
def spans(draw: st.DrawFn, text: str) -> tuple[int, int]:
    """A span of whole clusters."""
    edges = [*cluster_starts(text), len(text)]
    start = draw(st.integers(0, len(edges) - 2))
    return edges[start], edges[draw(st.integers(start + 1, len(edges) - 1))]
