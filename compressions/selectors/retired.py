"""Queries for texts that were retired, and for those that correct them."""

from django.db.models import QuerySet

from compressions.models import Source
from crowd.models import Campaign


def retired_sources(campaign: Campaign) -> QuerySet[Source]:
    return Source.objects.filter(campaign=campaign, retired_at__isnull=False).order_by("pk")


def left_out_sources(campaign: Campaign) -> frozenset[int]:
    """Return the ids of the sources that releases leave out together with the work done on them."""
    return frozenset(retired_sources(campaign).filter(work_is_kept=False).values_list("pk", flat=True))


def first_versions(campaign: Campaign) -> dict[int, Source]:
    """Return the text that each correction goes back to, by the id of the correction, with its paragraph.

    A text and its corrections are nearly the same, so they belong to one family and to one split.
    """
    related = Source.objects.select_related("corrects__paragraph")
    found: dict[int, Source] = {}
    # A correction is newer than what it corrects.
    for source in related.filter(campaign=campaign, corrects__isnull=False).order_by("pk"):
        if source.corrects is not None:
            found[source.pk] = found.get(source.corrects.pk, source.corrects)
    return found


def live_relative(source: Source) -> Source | None:
    """Return a text that is not retired and stands in a text's place: a correction of it, or what it corrects."""
    firsts = first_versions(source.campaign)
    first = firsts.get(source.pk, source)
    family = {first.pk, *(pk for pk, each in firsts.items() if each.pk == first.pk)} - {source.pk}
    return Source.objects.filter(pk__in=family, retired_at=None).order_by("-pk").first()
