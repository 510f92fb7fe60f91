"""Query why the total of a round is what it is: texts added later, outputs of systems, excluded people."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Max, Q, Sum
from django.template.defaultfilters import date, pluralize

from compressions.models import SourceImport
from corpus.models import OutputImport
from crowd.models import Assignment, Campaign, Exclusion, Item, Round, Stream


def total_notes(campaign: Campaign, work_round: str) -> list[str]:
    """Return a sentence for each thing that has changed the total of a round, or opened slots of it again."""
    return list(_notes(campaign, work_round))


def _notes(campaign: Campaign, work_round: str) -> Iterator[str]:
    thing = "compression" if work_round == Round.EDIT else "rating"
    items = Item.objects.filter(campaign=campaign, round=work_round, wanted__gt=0)
    sums = items.aggregate(
        systems=Sum("wanted", filter=Q(stream=Stream.SYSTEM, is_closed=False), default=0),
        closed=Sum("wanted", filter=Q(stream__in=[Stream.WORK, Stream.SYSTEM], is_closed=True), default=0),
    )
    if work_round == Round.EDIT:
        yield from _texts_added(campaign)
    if sums["systems"]:
        verb = pluralize(sums["systems"], "is,are")
        yield f"{sums['systems']:,} of the {thing}s wanted {verb} of system outputs{_last_outputs(campaign)}."
    if sums["closed"]:
        why = "are retired" if work_round == Round.EDIT else "are retired or come from excluded participants only"
        more = f"{_counted(sums['closed'], f'more {thing}')} {pluralize(sums['closed'], 'is,are')}"
        yield f"{more} not wanted any longer: their texts {why}."
    yield from _opened_again(campaign, work_round, thing)


def _texts_added(campaign: Campaign) -> Iterator[str]:
    """Say what the newest import added; the first one began the total."""
    added = SourceImport.objects.filter(campaign=campaign, added__gt=0).order_by("-pk")
    newest = list(added.values_list("added", "created_at")[:2])
    if len(newest) == 2:
        number, at = newest[0]
        yield f"{number:,} text{pluralize(number, ' was,s were')} added {_on(at)}."


def _last_outputs(campaign: Campaign) -> str:
    imports = OutputImport.objects.filter(campaign=campaign, added__gt=0)
    at = imports.aggregate(last=Max("created_at"))["last"]
    return f", last added {_on(at)}" if at else ""


def _opened_again(campaign: Campaign, work_round: str, thing: str) -> Iterator[str]:
    in_force = Exclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    excluded = dict(in_force.values_list("worker", "created_at"))
    discarded = Assignment.objects.filter(worker__in=excluded, round=work_round, state=Assignment.State.DISCARDED)
    number = discarded.count()
    if number:
        what = f"{_counted(number, thing)} of {_counted(len(excluded), 'excluded participant')}"
        last = f"the last exclusion was {_on(max(excluded.values()))}"
        yield f"{what} {pluralize(number, 'does,do')} not count ({last})."


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{pluralize(number)}"


def _on(at: datetime) -> str:
    return f"on {date(at, 'j F Y')}"
