"""Queries for flagged compressions."""

from collections.abc import Iterable, Iterator

from django.db.models import QuerySet

from compressions.flag_kinds import of_kind
from compressions.models import Compression
from crowd.models import Campaign

AT_ONCE = 500


def flagged_compressions(campaign: Campaign) -> QuerySet[Compression]:
    """Return the flagged compressions of a campaign.

    To count and narrow them, the database reads an index that holds flagged ones only, with the kinds of their flags,
    and none of the texts and logs.
    """
    return Compression.objects.filter(source__campaign=campaign, is_flagged=True)


def flags_to_see(campaign: Campaign) -> QuerySet[Compression]:
    """Return the flagged compressions that staff have not looked at."""
    return flagged_compressions(campaign).filter(flags_seen_at=None)


def flagged_like(
    campaign: Campaign, *, kind: str = "", is_seen: bool | None = None, person: int | None = None
) -> QuerySet[Compression, int]:
    """Return the ids of the flagged compressions of a kind, looked at or not, and of a person; the newest first."""
    found = flagged_compressions(campaign)
    if kind:
        found = found.filter(of_kind(kind))
    if is_seen is not None:
        found = found.filter(flags_seen_at__isnull=not is_seen)
    if person is not None:
        found = found.filter(worker__number=person)
    return found.order_by("-pk").values_list("pk", flat=True)


def compressions_listed(ids: Iterable[int]) -> QuerySet[Compression]:
    """Return some compressions with what a list says of them, the newest first."""
    related = Compression.objects.select_related("source", "worker", "assignment", "flags_seen_by")
    return related.filter(pk__in=list(ids)).defer("edit_log").order_by("-pk")


def compressions_told(found: QuerySet[Compression, int]) -> Iterator[Compression]:
    """Yield the compressions of these ids with what a file says of them, the newest first; `AT_ONCE` are in memory.

    A database that is asked for all of them sorts them with their texts before it gives the first.
    """
    ids = list(found)
    for start in range(0, len(ids), AT_ONCE):
        yield from compressions_listed(ids[start : start + AT_ONCE])
