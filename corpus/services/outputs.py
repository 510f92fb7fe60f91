"""Import a file of system outputs, with their ratings if there are any."""

from dataclasses import dataclass

from django.db import transaction

from common.errors import Refused
from compressions.models import Target
from compressions.readers import BadLine, read_rows
from compressions.services.outputs import Output, OutputReport, outputs_add
from corpus.formats.rawdata_reader import is_rawdata, rawdata_read
from crowd.models import Campaign
from ratings.services.imported import Scores, ratings_import

MAX_ROWS = 200_000
COLUMNS = ("id", "text")


@dataclass(frozen=True)
class _Line:
    output: Output
    ratings: tuple[Scores, ...] = ()


@transaction.atomic
def outputs_import(*, campaign: Campaign, system: str, file_name: str, content: bytes) -> OutputReport:
    """Import JSONL, CSV, TSV or RawData. Invalid lines are reported by number; the others are imported."""
    lines, problems = _read(campaign, file_name, content)
    if len(lines) > MAX_ROWS:
        raise Refused(f"{file_name}: more than {MAX_ROWS:,} rows. Please split the file.")
    report = outputs_add(campaign=campaign, system=system, outputs=[line.output for line in lines])
    rated: dict[int, tuple[Target, tuple[Scores, ...]]] = {}
    for line in lines:
        target = report.targets.get(line.output.line)
        if target is not None and line.ratings:
            rated[target.pk] = (target, line.ratings)
    ratings_import(rated=list(rated.values()))
    report.problems = sorted([*report.problems, *problems])
    return report


def _read(campaign: Campaign, file_name: str, content: bytes) -> tuple[list[_Line], list[tuple[int, str]]]:
    if is_rawdata(content):
        return _read_rawdata(campaign, file_name, content)
    lines: list[_Line] = []
    problems: list[tuple[int, str]] = []
    for row in read_rows(file_name, content, COLUMNS):
        if isinstance(row, BadLine):
            problems.append((row.line, row.reason))
        else:
            lines.append(_Line(Output(row.line, row.fields["id"].strip(), row.fields["text"])))
    return lines, problems


def _read_rawdata(campaign: Campaign, file_name: str, content: bytes) -> tuple[list[_Line], list[tuple[int, str]]]:
    read, found = rawdata_read(file_name, content, campaign.rating_scales)
    problems = [(problem.line, problem.reason) for problem in found]
    lines: list[_Line] = []
    for line in read:
        if len(line.parts) != 1:
            problems.append((line.line, f"{len(line.parts)} outputs for one source; one is wanted"))
            continue
        part = line.parts[0]
        if part.ratings and campaign.is_side_by_side:
            problems.append((line.line, "its ratings are of a single text; raters of this campaign compare two"))
            continue
        lines.append(_Line(Output(line.line, line.source_id, part.text), part.ratings))
    return lines, problems
