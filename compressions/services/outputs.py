"""Import the outputs of automatic systems."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import transaction
from django.template.defaultfilters import pluralize

from common.errors import Refused
from compressions.models import Source, System, SystemOutput, Target
from compressions.rows import MAX_TEXT
from compressions.services.targets import target_create, target_known, target_reopen
from crowd.models import Campaign, Stream
from measures.text.normalization import display_text, forbidden_character

MAX_NAME_LENGTH = 60
MAX_BYTES = 180  # of a system's name, which becomes part of file names


@dataclass(frozen=True)
class Output:
    """A line of a file: a system's output for a source."""

    line: int
    source_id: str
    text: str


@dataclass
class OutputReport:
    """The outcome for the lines; `targets` maps each accepted line to its text."""

    added: int = 0
    unchanged: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    targets: dict[int, Target] = field(default_factory=dict)

    @property
    def outcome(self) -> str:
        """The outcome for the lines, in one sentence."""
        added = f"{self.added} output{pluralize(self.added)} added"
        return f"{added}, {self.unchanged} known before, {len(self.problems)} refused."


@transaction.atomic
def outputs_add(*, campaign: Campaign, system: str, outputs: Iterable[Output]) -> OutputReport:
    """Store a system's outputs, one per source; new texts become work for raters. Idempotent."""
    record = _system(campaign, system)
    sources = {source.source_id: source for source in Source.objects.filter(campaign=campaign)}
    known = {output.source_id: output.target for output in record.outputs.select_related("target")}
    report = OutputReport()
    for output in outputs:
        text = display_text(output.text)
        if reason := _fault(output, text, sources, known):
            report.problems.append((output.line, reason))
            continue
        source = sources[output.source_id]
        if source.pk in known:
            report.unchanged += 1
        else:
            known[source.pk] = _add(campaign, record, source, text)
            report.added += 1
        report.targets[output.line] = known[source.pk]
    return report


def system_name_fault(name: str) -> str:
    """Return why a name is invalid for a system, or an empty string. Names appear in file names and in fields."""
    if name.strip() and len(name) <= MAX_NAME_LENGTH and name.isprintable() and not set(name) & set("/\\;|"):
        size = len(name.encode())
        return "" if size <= MAX_BYTES else f"A system's name takes at most {MAX_BYTES} bytes, not {size}: {name!r}."
    return (
        f"A system's name has 1 to {MAX_NAME_LENGTH} characters, "
        f"none of them / \\ ; | or a control character: {name!r}."
    )


def _system(campaign: Campaign, name: str) -> System:
    if reason := system_name_fault(name):
        raise Refused(reason)
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # one import at a time
    return System.objects.get_or_create(campaign=campaign, name=name.strip())[0]


def _fault(output: Output, text: str, sources: dict[str, Source], known: dict[int, Target]) -> str:
    """Return why an output cannot be accepted, or an empty string."""
    if not text:
        return "the output is empty"
    if len(text) > MAX_TEXT:
        return f"the output has {len(text)} characters, at most {MAX_TEXT} allowed"
    if forbidden := forbidden_character(output.text):
        position, character = forbidden
        return f"{character} at character {position + 1} of the output"
    source = sources.get(output.source_id)
    if source is None:
        return f"the campaign has no source {output.source_id[:40]!r}"
    if source.pk in known and known[source.pk].text != text:
        return f"the system has another output for source {output.source_id!r}"
    return ""


def _add(campaign: Campaign, system: System, source: Source, text: str) -> Target:
    """Store an output, sharing the text with anybody who wrote the same, so that it is rated only once."""
    known = target_known(source=source, text=text)
    target = known or target_create(campaign=campaign, source=source, text=text, stream=Stream.SYSTEM)
    SystemOutput.objects.create(system=system, source=source, target=target)
    target_reopen(target=target)
    return target
