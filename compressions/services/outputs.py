"""Import the outputs of automatic systems."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction

from common.errors import Refused
from compressions.models import MAX_SYSTEM_NAME_LENGTH, Source, System, SystemOutput, Target
from compressions.rows import MAX_TEXT
from compressions.services.targets import target_create, target_known, target_reopen
from compressions.text_faults import text_fault
from crowd.models import Campaign, Stream
from crowd.services.items import items_close
from crowd.services.turns import campaign_turn
from measures.text.normalization import display_text, forbidden_character

MAX_BYTES = 180  # of a system's name, which becomes part of file names


@dataclass(frozen=True)
class Output:
    """A line of a file: a system's output for a source."""

    line: int
    source_id: str
    text: str


@dataclass
class AddedOutputs:
    """What became of some outputs; `targets` maps each accepted line to its text."""

    added: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    targets: dict[int, Target] = field(default_factory=dict)


class UnusableOutput(Exception):
    """Why an output cannot be accepted."""


def output_tidied(output: Output) -> Output:
    """Return an output with its text as it is stored, or raise UnusableOutput. Needs no database."""
    if reason := text_fault(output.text):
        raise UnusableOutput(f"the output: {reason}")
    text = display_text(output.text)
    if not text:
        raise UnusableOutput("the output is empty")
    if len(text) > MAX_TEXT:
        raise UnusableOutput(f"the output has {len(text)} characters, at most {MAX_TEXT} allowed")
    if forbidden := forbidden_character(output.text):
        position, character = forbidden
        raise UnusableOutput(f"{character} at character {position + 1} of the output")
    return replace(output, text=text)


@transaction.atomic
def outputs_add(*, campaign: Campaign, system: str, outputs: Sequence[Output]) -> AddedOutputs:
    """Store tidied outputs of a system, one per source; new texts become work for raters. Idempotent."""
    record = _system(campaign, system)
    sources = _sources(campaign, outputs)
    stored = record.outputs.filter(source__in=sources.values()).select_related("target")
    known = {output.source_id: output.target for output in stored}
    report = AddedOutputs()
    for output in outputs:
        source = sources.get(output.source_id)
        if source is None:
            report.problems.append((output.line, f"the campaign has no source {output.source_id[:40]!r}"))
            continue
        if source.pk not in known:
            known[source.pk] = _add(campaign, record, source, output.text)
            report.added += 1
        elif known[source.pk].text != output.text:
            report.problems.append((output.line, f"the system has another output for source {output.source_id!r}"))
            continue
        report.targets[output.line] = known[source.pk]
    return report


def system_name_fault(name: str) -> str:
    """Return why a name is invalid for a system, or an empty string. Names appear in file names and in fields."""
    if name.strip() and len(name) <= MAX_SYSTEM_NAME_LENGTH and name.isprintable() and not set(name) & set("/\\;|"):
        size = len(name.encode())
        return "" if size <= MAX_BYTES else f"A system's name takes at most {MAX_BYTES} bytes, not {size}: {name!r}."
    return (
        f"A system's name has 1 to {MAX_SYSTEM_NAME_LENGTH} characters, "
        f"none of them / \\ ; | or a control character: {name!r}."
    )


def _system(campaign: Campaign, name: str) -> System:
    if reason := system_name_fault(name):
        raise Refused(reason)
    campaign_turn(campaign_id=campaign.pk)  # one import at a time
    return System.objects.get_or_create(campaign=campaign, name=name.strip())[0]


def _sources(campaign: Campaign, outputs: Iterable[Output]) -> dict[str, Source]:
    ids = {output.source_id for output in outputs}
    return {source.source_id: source for source in Source.objects.filter(campaign=campaign, source_id__in=ids)}


def _add(campaign: Campaign, system: System, source: Source, text: str) -> Target:
    """Store an output, sharing the text with anybody who wrote the same, so that it is rated only once."""
    known = target_known(source=source, text=text)
    target = known or target_create(campaign=campaign, source=source, text=text, stream=Stream.SYSTEM)
    SystemOutput.objects.create(system=system, source=source, target=target)
    if source.is_retired:
        items_close(item_ids=[target.item_id])
    else:
        target_reopen(target=target, stream=Stream.SYSTEM)
    return target
