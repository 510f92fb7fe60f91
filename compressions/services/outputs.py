"""Import the outputs of automatic systems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db import transaction
from django.db.models import Q

from common.errors import Refused
from compressions.models import (
    MAX_SYSTEM_NAME_LENGTH,
    Compression,
    Decoy,
    Source,
    System,
    SystemOutput,
    Target,
    text_digest,
)
from compressions.readers import text_fault
from compressions.rows import MAX_TEXT
from compressions.services.targets import target_create, target_reopen
from crowd.models import Campaign, Item, Stream
from crowd.services.items import items_close
from crowd.services.write_locks import campaign_write_lock
from measures.text.length_rule import allowed_length
from measures.text.normalization import display_text, forbidden_character, length

MAX_BYTES = 180  # of a system's name, which becomes part of file names


@dataclass(frozen=True)
class Output:
    """A line of a file: a system's output for a source. `system` may be empty where all lines are of one system."""

    line: int
    source_id: str
    text: str
    system: str = ""
    is_as_is: bool = True
    """Taken even if it is longer than the campaign allows."""


@dataclass
class AddedOutputs:
    """What became of some outputs; `outputs` maps each accepted line to its output, with its text."""

    added: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)
    outputs: dict[int, SystemOutput] = field(default_factory=dict)


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
def outputs_add(*, campaign: Campaign, outputs: Sequence[Output], system: str = "") -> AddedOutputs:
    """Store tidied outputs, one per source and system; new texts become work for raters. Idempotent.

    They are of `system` where they name none themselves.
    """
    systems = _systems(campaign, {output.system or system for output in outputs})
    sources = _sources(campaign, outputs)
    stored = SystemOutput.objects.filter(system__in=systems.values(), source__in=sources.values())
    known = {(each.system_id, each.source_id): each for each in stored.select_related("target")}
    texts = _KnownTexts(campaign, sources, outputs)
    report = AddedOutputs()
    new: list[SystemOutput] = []
    for output in outputs:
        source, record = sources.get(output.source_id), systems[(output.system or system).strip()]
        if source is None:
            report.problems.append((output.line, f"the campaign has no source {output.source_id[:40]!r}"))
            continue
        key = record.pk, source.pk
        if key not in known:
            if not output.is_as_is and (fault := _length_fault(campaign, source, output)):
                report.problems.append((output.line, fault))
                continue
            known[key] = SystemOutput(system=record, source=source, target=texts.target(source, output.text))
            new.append(known[key])
        elif known[key].target.text != output.text:
            report.problems.append((output.line, f"the system has another output for source {output.source_id!r}"))
            continue
        report.outputs[output.line] = known[key]
    SystemOutput.objects.bulk_create(new)
    _make_ready(new)
    report.added = len(new)
    return report


def _length_fault(campaign: Campaign, source: Source, output: Output) -> str:
    """Return why an output is too long, or an empty string."""
    most, found = allowed_length(source.text, campaign.keep_percent), length(output.text)
    if found <= most:
        return ""
    return f"the output has {found} characters, at most {most} are allowed for source {output.source_id!r}"


@transaction.atomic
def decoys_add(*, campaign: Campaign, outputs: Sequence[Output], system: str = "") -> AddedOutputs:
    """Store tidied outputs as decoys, one per source and system. Idempotent."""
    names = {(output.system or system).strip() for output in outputs}
    if reason := next(filter(None, map(system_name_fault, sorted(names))), ""):
        raise Refused(reason)
    campaign_write_lock(campaign_id=campaign.pk)
    sources = _sources(campaign, outputs)
    stored = Decoy.objects.filter(source__in=sources.values(), system__in=names)
    known = {(each.system, each.source_id): each.text for each in stored}
    report, new = AddedOutputs(), []
    for output in outputs:
        source, name = sources.get(output.source_id), (output.system or system).strip()
        if source is None:
            report.problems.append((output.line, f"the campaign has no source {output.source_id[:40]!r}"))
        elif (name, source.pk) not in known:
            known[name, source.pk] = output.text
            new.append(Decoy(system=name, source=source, text=output.text))
        elif known[name, source.pk] != output.text:
            report.problems.append((output.line, f"the system has another output for source {output.source_id!r}"))
    Decoy.objects.bulk_create(new)
    # Whoever wrote for these sources is compared again, since the lists of staff say what was found then.
    Compression.objects.filter(source__in=[each.source_id for each in new]).update(is_compared=False)
    report.added = len(new)
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


def _systems(campaign: Campaign, names: Iterable[str]) -> dict[str, System]:
    """Find the systems of these names, or create them: in as many queries for many as for one."""
    if reason := next(filter(None, map(system_name_fault, sorted(names))), ""):
        raise Refused(reason)
    campaign_write_lock(campaign_id=campaign.pk)  # one import at a time
    wanted = {name.strip() for name in names}
    found = {each.name: each for each in System.objects.filter(campaign=campaign, name__in=wanted)}
    missing = [System(campaign=campaign, name=name) for name in sorted(wanted - found.keys())]
    return found | {each.name: each for each in System.objects.bulk_create(missing)}


def _sources(campaign: Campaign, outputs: Iterable[Output]) -> dict[str, Source]:
    ids = {output.source_id for output in outputs}
    return {source.source_id: source for source in Source.objects.filter(campaign=campaign, source_id__in=ids)}


class _KnownTexts:
    """The texts that a campaign has already for some sources, looked up at once; new ones are created one by one.

    An output shares the text with anyone who wrote the same, so that it is rated only once.
    """

    def __init__(self, campaign: Campaign, sources: Mapping[str, Source], outputs: Iterable[Output]) -> None:
        self.campaign = campaign
        digests = {text_digest(output.text) for output in outputs}
        found = Target.objects.filter(source__in=sources.values(), digest__in=digests)
        self._known = {(each.source_id, each.digest): each for each in found}

    def target(self, source: Source, text: str) -> Target:
        key = source.pk, text_digest(text)
        if key not in self._known:
            self._known[key] = target_create(campaign=self.campaign, source=source, text=text, stream=Stream.SYSTEM)
        return self._known[key]


def _make_ready(new: Iterable[SystemOutput]) -> None:
    """Give the texts of new outputs to raters, but for those of retired sources."""
    retired = [each.target.item_id for each in new if each.source.is_retired]
    if retired:
        items_close(item_ids=retired)
    others = {each.target.item_id: each for each in new if not each.source.is_retired}
    held_back = Item.objects.filter(Q(is_closed=True) | Q(stream=Stream.TEST), pk__in=others)
    for item_id in held_back.order_by("pk").values_list("pk", flat=True):
        target = others[item_id].target
        target.source = others[item_id].source
        target_reopen(target=target, stream=Stream.SYSTEM)
