"""The annotations of the golden texts."""

from measures.spans.annotation import Annotation
from measures.spans.mark import Mark
from measures.spans.tests.golden import GOLDEN

SPANS = GOLDEN["spans"]


def annotation(text: str, person: str) -> Annotation:
    row = SPANS["texts"][text]
    marks = tuple(
        Mark(
            str(number),
            "output",
            mark["start"],
            mark["end"],
            missing=mark.get("missing", False),
            kind=mark["kind"],
            severity=mark["severity"],
        )
        for number, mark in enumerate(SPANS["marks"][text][person], start=1)
    )
    return Annotation(person, text, row["source_id"], row["source"], row["output"], marks)


ANNOTATIONS = [annotation(text, person) for text in SPANS["texts"] for person in "ABC"]
