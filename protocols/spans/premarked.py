"""What marks that were there at the beginning do: to the number of marks, the time, and agreement."""

from collections import Counter
from collections.abc import Iterator, Sequence

from measures.core.drawn_sources import Ratio, drawn_differences, drawn_ratios
from measures.core.undefined import Undefined
from measures.spans.mark import PERSON
from protocols.report_rows import About, ReportRow
from protocols.spans.agreement import main_rows
from protocols.spans.settings import WITH, WITHOUT, SpansParameters
from protocols.spans.text_marks import MarkedText

PREMARKS, FATES = "pre-marks", "fates of pre-marks"
DIFFERENCE = "difference"
NO_ANSWER = Undefined("no answer says this")
UNDECIDED = "undecided"


def premark_rows(texts: Sequence[MarkedText], parameters: SpansParameters, language: str) -> Iterator[ReportRow]:
    """Yield the answers with and without pre-marks beside each other; nothing if nobody had any."""
    if not any(each.premarked for each in texts):
        return
    groups = {part: [each for each in texts if each.premarked == (part == WITH)] for part in (WITH, WITHOUT)}
    for part, own in groups.items():
        about = About(PREMARKS, part, "")
        yield about.row("answers", len(own))
        yield from main_rows(about, [each.annotation for each in own], parameters, language)
    for figure in ("marks", "minutes"):
        one, other = (_values(groups[part], figure) for part in (WITH, WITHOUT))
        for part, values in ((WITH, one), (WITHOUT, other)):
            yield About(PREMARKS, part, "").ratio(figure, _mean(values, parameters))
        yield About(PREMARKS, DIFFERENCE, "").ratio(figure, _difference(one, other, parameters))
    yield from _fates(groups[WITH])


Values = list[tuple[str, float]]
"""A value of each answer, with its source."""


def _values(texts: Sequence[MarkedText], figure: str) -> Values:
    found = (each.annotation for each in texts)
    if figure == "marks":
        return [(each.segment, float(len(each.counted))) for each in found]
    return [(each.segment, each.seconds / 60) for each in found if each.seconds is not None]


def _columns(values: Values) -> tuple[list[list[float]], list[list[int]], list[str]]:
    return [[value] for _, value in values], [[1]] * len(values), [source for source, _ in values]


def _mean(values: Values, parameters: SpansParameters) -> Ratio | Undefined:
    if not values:
        return NO_ANSWER
    (found,) = drawn_ratios(*_columns(values), draws=parameters.draws, seed=parameters.seed, nothing=NO_ANSWER.reason)
    return found


def _difference(one: Values, other: Values, parameters: SpansParameters) -> Ratio | Undefined:
    if not one or not other:
        return NO_ANSWER
    (found,) = drawn_differences(
        _columns(one), _columns(other), draws=parameters.draws, seed=parameters.seed, nothing=NO_ANSWER.reason
    )
    return found


def _fates(texts: Sequence[MarkedText]) -> Iterator[ReportRow]:
    """Yield what people decided about the marks of each origin, and how many they added."""
    marks = [mark for each in texts for mark in each.annotation.marks]
    fates = Counter((mark.origin, mark.fate or UNDECIDED) for mark in marks if mark.origin != PERSON)
    for (origin, fate), number in sorted(fates.items()):
        yield About(FATES, WITH, origin).row(fate, number)
    added = sum(mark.origin == PERSON and mark.counts for mark in marks)
    yield About(FATES, WITH, PERSON).row("added", added)
