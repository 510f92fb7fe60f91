"""Query what the page of a text shows: each distinct compression with who wrote it and who rated it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from compressions.models import Compression, Source, SystemOutput, Target
from compressions.rating_figures import ShownComparison, ShownRating, ratings_of_source
from crowd.models import Campaign


@dataclass(frozen=True)
class ShownText:
    """A distinct text with its editors' work on it, the systems that gave it out, and its ratings."""

    target: Target
    compressions: Sequence[Compression]
    systems: Sequence[str]
    ratings: Sequence[ShownRating]


def sources_with_relations(campaign: Campaign) -> QuerySet[Source]:
    return Source.objects.filter(campaign=campaign).select_related(
        "campaign", "paragraph", "corrects", "retired_by", "item"
    )


def texts_of_source(source: Source) -> tuple[list[ShownText], Sequence[ShownComparison]]:
    """Return the distinct texts of a source, oldest first, and its comparisons."""
    written = Compression.objects.select_related("assignment", "worker").order_by("pk")
    outputs = SystemOutput.objects.select_related("system").order_by("system__name")
    targets = Target.objects.filter(source=source).order_by("pk")
    targets = targets.prefetch_related(Prefetch("compressions", written), Prefetch("outputs", outputs))
    ratings = ratings_of_source(source)
    texts = [
        ShownText(
            target,
            list(target.compressions.all()),
            [output.system.name for output in target.outputs.all()],
            ratings.of_texts.get(target.pk, ()),
        )
        for target in targets
    ]
    return texts, ratings.comparisons
