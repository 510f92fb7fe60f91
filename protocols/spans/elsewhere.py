"""Answers to the task of marking errors that were given elsewhere, from the files of other programs."""

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from common.spreadsheets import QUOTE, as_before_defusing
from measures.spans import Annotation, Preset, SpanAnswer, check_weighted, refusals
from measures.spans.formats import Bounds, Reading, keyed, read_esa, read_mqm, read_thresh, read_wmt25, read_wmt25_jsonl
from measures.spans.mark import PERSON
from protocols.spans.answer import MOST_MARKS, digest_of, held_to
from protocols.task import Answer, AnswerElsewhere, AnswersFile, Known, MaterialRow, Settings, StudyTask

BOUNDS = Bounds(lines=200_000, marks=MOST_MARKS)
MOST_CHARACTERS = 100_000_000
MOST_REASON = 2_000
EARLIER = "earlier answer"
ANSWER_FORMS = {
    "mqm": gettext_lazy("answers: MQM (TSV)"),
    "mqm-quoted": gettext_lazy("answers: MQM (TSV), with quotation marks around cells"),
    "esa": gettext_lazy("answers: ESA, WMT 2024 (CSV)"),
    "wmt25": gettext_lazy("answers: ESA, WMT 2025 (CSV)"),
    "wmt25-jsonl": gettext_lazy("answers: ESA, WMT 2025 (JSONL)"),
    "thresh": gettext_lazy("answers: thresh (JSON)"),
}
WITHOUT_TEXTS = ("esa", "wmt25")

Lines = list[bytes]
READERS: Mapping[str, Callable[[Lines, Known], Reading]] = {
    "mqm": lambda lines, _known: read_mqm(lines, bounds=BOUNDS),
    "mqm-quoted": lambda lines, _known: read_mqm(lines, quoting="minimal", bounds=BOUNDS),
    "esa": lambda lines, known: read_esa(_as_exported(lines), texts=_Texts(known), bounds=BOUNDS),
    "wmt25": lambda lines, known: read_wmt25(_as_exported(lines), texts=_Texts(known), bounds=BOUNDS),
    "wmt25-jsonl": lambda lines, _known: read_wmt25_jsonl(lines, bounds=BOUNDS),
    "thresh": lambda lines, known: _with_names(read_thresh(lines, bounds=BOUNDS), known),
}


def read_elsewhere(task: StudyTask, form: str, content: bytes, known: Known, settings: Settings) -> AnswersFile:
    """Return what people answered elsewhere; of the same person and text, the later answer."""
    if form in WITHOUT_TEXTS and not known:
        raise Refused(_("Such a file has no texts: import them as material first, with the ids of the file."))
    try:
        reading = READERS[form](content.splitlines(keepends=True), known)
    except ValueError as error:
        raise Refused(str(error)) from error
    problems = [(each.line, each.reason[:MOST_REASON]) for each in reading.refusals]
    skipped, preset = Counter(reading.skipped), held_to({"elsewhere": True}, settings)
    found: dict[tuple[str, str, str], AnswerElsewhere] = {}
    rows: dict[tuple[str, str], MaterialRow] = {}
    for each in reading.annotations:
        key = (each.person, each.system, each.segment)
        try:
            if key in reading.incomplete:
                raise ValueError("another line of this answer is refused, so that it would lack an error")
            row = rows.get(each.text)
            if row is None or (row.body["source"], row.body["output"]) != (each.source, each.output):
                row = rows[each.text] = task.material_checked(_fields(each), settings)
            one = _answer(each, row, preset)
        except (ValueError, Refused) as error:
            problems.append((each.line, str(error)[:MOST_REASON]))
            continue
        skipped[EARLIER] += found.pop(key, None) is not None
        found[key] = one
    return AnswersFile(list(found.values()), problems, +skipped)


def _fields(annotation: Annotation) -> dict[str, Any]:
    """Return the text of an answer as a line of material has it."""
    return {
        "id": annotation.segment,
        "source": annotation.source,
        "output": annotation.output,
        "system": annotation.system,
    }


def _answer(annotation: Annotation, row: MaterialRow, preset: Preset) -> AnswerElsewhere:
    """Return an answer as it is stored; raise ValueError if it does not fit the preset or the text."""
    annotation = keyed(annotation, preset)
    check_weighted([annotation], preset.weights)
    score = annotation.score
    answer: Answer = {
        "preset": "",
        "digest": digest_of(row.body),
        "marks": [each.as_dict() for each in annotation.marks],
        "no_errors": not annotation.counted,
        "score": int(score) if score is not None and score == int(score) else score,
        "premarked": any(each.origin != PERSON for each in annotation.marks),
        "actions": [],
        "elsewhere": True,
    }
    texts = row.body["source"], row.body["output"]
    if faults := refusals(SpanAnswer(*texts, annotation.marks, answer["no_errors"], answer["score"]), preset):
        raise ValueError("; ".join(faults))
    return AnswerElsewhere(annotation.line, annotation.person, row, answer, _milliseconds(annotation))


def _milliseconds(annotation: Annotation) -> int | None:
    """Return how long a file says that an answer took; none if it says so of no time, or of more than a day."""
    begun, ended = annotation.times
    seconds = annotation.seconds if annotation.seconds is not None else ended - begun if begun and ended else None
    return round(1000 * seconds) if seconds is not None and 0 <= seconds <= 86_400 else None


class _Texts(Mapping[tuple[str, str], tuple[str, str]]):
    """Source and output by id and system, for files without texts: a short line may be about a long text.

    Reading it takes time, so they are given out up to a number of characters.
    """

    def __init__(self, known: Known) -> None:
        self._known, self._given = known, 0

    def __getitem__(self, text: tuple[str, str]) -> tuple[str, str]:
        body = self._known[text]
        self._given += len(body["source"]) + len(body["output"])
        if self._given > MOST_CHARACTERS:
            words = _("The answers are about texts of more than %(n)s characters. Split the file.")
            raise Refused(words % {"n": f"{MOST_CHARACTERS:,}"})
        return body["source"], body["output"]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def _with_names(reading: Reading, known: Known) -> Reading:
    """Call the sources of a file that does not name them as the material does, and new ones by their checksum."""
    names = {body["source"]: name for (name, _system), body in known.items()}

    def named(each: Annotation) -> Annotation:
        name = names.get(each.source) or hashlib.sha256(each.source.encode(errors="replace")).hexdigest()[:16]
        return replace(each, segment=name)

    return replace(reading, annotations=tuple(map(named, reading.annotations)))


def _as_exported(lines: Lines) -> Iterator[bytes]:
    """Yield lines of CSV without the apostrophes that keep the cells of our own files from running as formulas."""
    for line in lines:
        if QUOTE.encode() not in line:
            yield line
            continue
        try:
            (cells,) = csv.reader([line.decode()], strict=True)
        except (ValueError, csv.Error):
            yield line  # for the reader to refuse
            continue
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerow(map(as_before_defusing, cells))
        yield file.getvalue().encode()
