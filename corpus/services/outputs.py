"""Import outputs of systems with their ratings if there are any."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import Refused
from common.jobs import Progress
from common.sql import slices
from compressions.models import MAX_SYSTEM_NAME_LENGTH, SystemOutput
from compressions.readers import BadLine, Row, read_rows
from compressions.services.file_imports import (
    AS_IT_IS,
    MAX_ROWS,
    ReadAs,
    import_count_added,
    import_finish,
    import_request,
    import_transaction,
)
from compressions.services.outputs import (
    Output,
    UnusableOutput,
    decoys_add,
    output_tidied,
    outputs_add,
    system_name_fault,
)
from corpus.formats.batch_answers import batch_rows, is_batch
from corpus.formats.rawdata_reader import Problem, ReadLine, is_rawdata, rawdata_lines
from corpus.models import OutputImport
from crowd.models import Campaign
from measures.text.segmentation import word_count
from ratings.services.imported import Scores, ratings_import

OUTPUTS_JOB = "import_outputs"
MAX_RATINGS = 1_000_000
SLICE = 25
MAX_SYSTEMS = 200  # of a file: a release has files of its own for each system
COLUMNS, SYSTEM_COLUMN = ("id", "text"), "system"
MAX_NOTES, MAX_NOTE = 20, 500


@dataclass(frozen=True)
class Taken:
    """How the outputs of a file are taken: as decoys, whatever their length, and what is known of them."""

    as_decoys: bool = False
    as_is: bool = False
    notes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if reason := notes_fault(self.notes):
            raise Refused(reason)


def notes_fault(notes: Mapping[str, str]) -> str:
    """Return why some notes cannot be kept, or an empty string."""
    if len(notes) > MAX_NOTES:
        return _("%(n)s notes, at most %(most)s can be kept.") % {"n": len(notes), "most": MAX_NOTES}
    for name, value in notes.items():
        if not name.strip() or not (name + value).isprintable() or max(len(name) * 5, len(value)) > MAX_NOTE:
            words = _(
                "A note is a name of 1 to %(name)s characters and a value of at most %(value)s in one line: %(given)s"
            )
            given = repr(f"{name}={value}"[:MAX_NOTE])
            return words % {"name": MAX_NOTE // 5, "value": MAX_NOTE, "given": given}
    return ""


AS_OUTPUTS = Taken()


@dataclass(frozen=True)
class _Line:
    output: Output
    ratings: tuple[Scores, ...] = ()


@dataclass
class _Outcome:
    """The lines that can be imported, how many have been accepted, and why the others are refused."""

    lines: list[_Line] = field(default_factory=list)
    accepted: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


def output_import_request(
    *,
    campaign: Campaign,
    system: str | None,
    file_name: str,
    content: bytes,
    user: User,
    taken: Taken = AS_OUTPUTS,
    read_as: ReadAs = AS_IT_IS,
) -> OutputImport:
    """Store an uploaded file and enqueue its import. Without `system`, its lines name their systems."""
    record = _record(campaign, system, file_name, content, taken)
    return import_request(record=record, kind=OUTPUTS_JOB, user=user, read_as=read_as)


def outputs_import(
    *,
    campaign: Campaign,
    system: str | None,
    file_name: str,
    content: bytes,
    taken: Taken = AS_OUTPUTS,
    progress: Progress = _silent,
) -> OutputImport:
    """Import a file immediately. Invalid lines are reported by number; the others are imported."""
    record = _record(campaign, system, file_name, content, taken)
    record.save()
    output_import_run(record=record, progress=progress)
    return record


def _record(campaign: Campaign, system: str | None, file_name: str, content: bytes, taken: Taken) -> OutputImport:
    if system is not None and (reason := system_name_fault(system)):
        raise Refused(reason)
    named = {"file_name": file_name[:255], "system": system or ""}
    how = {"is_decoy": taken.as_decoys, "is_as_is": taken.as_is, "notes": dict(taken.notes)}
    return OutputImport(campaign=campaign, content=content, **named, **how)


def output_import_run(*, record: OutputImport, progress: Progress = _silent) -> None:
    """Read JSONL, CSV, TSV or RawData outside any transaction, then write in slices, each in a short transaction.

    Run again after it was stopped, it finds what it has written and writes the rest.
    """
    try:
        outcome = _read(record, progress)
    except Refused as refusal:
        import_finish(record=record, usable=0, problems=[(0, str(refusal))])
        raise
    done = 0
    for lines in slices(outcome.lines, SLICE):
        _slice_write(record, lines, outcome)
        done += len(lines)
        progress(len(outcome.lines) + done, 2 * len(outcome.lines))
    warnings = list(_long_texts(record.campaign, outcome))
    import_finish(record=record, usable=outcome.accepted, problems=outcome.problems, warnings=warnings)


def _long_texts(campaign: Campaign, outcome: _Outcome) -> Iterator[tuple[int, str]]:
    """Yield a warning for each text that was taken and is longer than texts of the campaign's task usually are."""
    most, refused = campaign.task.usual_words, {line for line, _reason in outcome.problems}
    for each in (line.output for line in outcome.lines if most and line.output.line not in refused):
        if (words := word_count(each.text)) > most:
            yield each.line, f"taken as it is, with {words} words, where studies like this one have at most {most}"


def _slice_write(record: OutputImport, lines: Sequence[_Line], outcome: _Outcome) -> None:
    """Store some outputs with their ratings, so that no rater is ever given one that comes with ratings."""
    with import_transaction(record=record):
        add = decoys_add if record.is_decoy else outputs_add
        report = add(campaign=record.campaign, system=record.system, outputs=[line.output for line in lines])
        rated: dict[int, tuple[SystemOutput, tuple[Scores, ...]]] = {}
        for line in lines:
            output = report.outputs.get(line.output.line)
            if output is not None and line.ratings:
                rated[output.pk] = (output, line.ratings)
        ratings_import(rated=list(rated.values()))
        import_count_added(record=record, added=report.added)
    outcome.accepted += len(lines) - len(report.problems)
    outcome.problems += report.problems


def _read(record: OutputImport, progress: Progress) -> _Outcome:
    """Read a file and tidy its texts; raise Refused if it is none, or too large."""
    outcome = _Outcome()
    found = list(islice(_lines(record), MAX_ROWS + 1))
    if len(found) > MAX_ROWS:
        raise Refused(
            _("%(file)s: more than %(most)s rows. Split the file.")
            % {"file": record.file_name, "most": f"{MAX_ROWS:,}"}
        )
    if sum(len(line.ratings) for line in found if isinstance(line, _Line)) > MAX_RATINGS:
        raise Refused(
            _("%(file)s: more than %(most)s ratings. Split the file.")
            % {"file": record.file_name, "most": f"{MAX_RATINGS:,}"}
        )
    for number, line in enumerate(found, start=1):
        progress(number, 2 * len(found))
        if isinstance(line, BadLine):
            outcome.problems.append((line.line, line.reason))
            continue
        if record.is_decoy and line.ratings:
            outcome.problems.append((line.output.line, "decoys have no ratings"))
            continue
        try:
            # What was rated elsewhere has been taken as it is there.
            output = replace(output_tidied(line.output), is_as_is=record.is_as_is or bool(line.ratings))
            outcome.lines.append(replace(line, output=output))
        except UnusableOutput as reason:
            outcome.problems.append((line.output.line, str(reason)))
    _refuse_too_many_systems(record, outcome)
    return outcome


def _refuse_too_many_systems(record: OutputImport, outcome: _Outcome) -> None:
    systems = len({line.output.system for line in outcome.lines})
    if systems > MAX_SYSTEMS:
        words = _("%(file)s: %(n)s systems, at most %(most)s can be in one file. Check its column %(column)s.")
        named = {"file": record.file_name, "n": systems, "most": MAX_SYSTEMS, "column": SYSTEM_COLUMN}
        raise Refused(words % named)


def _lines(record: OutputImport) -> Iterator[_Line | BadLine]:
    content = bytes(record.content)
    if is_rawdata(content):
        if not record.system:
            words = _("%(file)s: a file of RawData has the outputs of one system. Give the name of the system.")
            raise Refused(words % {"file": record.file_name})
        for line in rawdata_lines(record.file_name, content, record.campaign.rating_scales):
            yield _rawdata_line(line, record.campaign)
    elif is_batch(content):
        if not record.system:
            words = _("%(file)s has the answers of one model. Give the name of the system.")
            raise Refused(words % {"file": record.file_name})
        for row in batch_rows(content):
            yield _line(row, record.system)
    elif record.system:
        for row in read_rows(record.file_name, content, COLUMNS, [SYSTEM_COLUMN]):
            _refuse_another_system(record, row)
            yield _line(row, record.system)
    else:
        for row in read_rows(record.file_name, content, (*COLUMNS, SYSTEM_COLUMN), ()):
            yield _line_with_system(row)


def _refuse_another_system(record: OutputImport, row: Row | BadLine) -> None:
    """Refuse a file that names other systems than the one which it was said to be of."""
    named = "" if isinstance(row, BadLine) else row.fields.get(SYSTEM_COLUMN, "").strip()
    if named and named != record.system.strip():
        words = _(
            "%(file)s, line %(line)s: an output of the system %(named)s, not of %(system)s. To import the outputs of "
            "several systems from one file, leave out the name of the system."
        )
        given = {"named": repr(named[:MAX_SYSTEM_NAME_LENGTH]), "system": repr(record.system)}
        raise Refused(words % {"file": record.file_name, "line": row.line, **given})


def _line(row: Row | BadLine, system: str) -> _Line | BadLine:
    if isinstance(row, BadLine):
        return row
    return _Line(Output(row.line, row.fields["id"].strip(), row.fields["text"], system.strip()))


def _line_with_system(row: Row | BadLine) -> _Line | BadLine:
    if isinstance(row, BadLine):
        return row
    name = row.fields[SYSTEM_COLUMN].strip()
    if not name:
        return BadLine(row.line, _("it does not name a system"))
    fault = _name_fault(name)
    return BadLine(row.line, fault) if fault else _line(row, name)


@lru_cache(maxsize=MAX_SYSTEMS)
def _name_fault(name: str) -> str:
    """Return why a name is invalid, as a file of thousands of lines asks for a few names again and again."""
    return system_name_fault(name)


def _rawdata_line(line: ReadLine | Problem, campaign: Campaign) -> _Line | BadLine:
    if isinstance(line, Problem):
        return BadLine(line.line, line.reason)
    if len(line.parts) != 1:
        words = ngettext("%(n)s output for the source, not 1", "%(n)s outputs for the source, not 1", len(line.parts))
        return BadLine(line.line, words % {"n": len(line.parts)})
    (part,) = line.parts
    if part.ratings and not campaign.task.judges_single_texts:
        return BadLine(line.line, _("it has ratings of a single text, but raters of this campaign compare two"))
    return _Line(Output(line.line, line.source_id, part.text), part.ratings)
