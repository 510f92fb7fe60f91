"""Query alignments: one as it is shown, and the corrections that reports and releases use."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Max, QuerySet

from compressions.alignment_words import aligner_of, words_of
from compressions.models import AlignmentCorrection, Target
from compressions.text_aligner import TextPair
from crowd.models import Campaign
from measures.alignment import Places, TextOperations

MAX_VERSIONS_SHOWN = 100


@dataclass(frozen=True)
class ShownAlignment:
    """The alignment of a text with its source: corrected by hand, or else the aligner's."""

    target: Target
    words: TextPair
    places: Places
    latest: AlignmentCorrection | None
    corrected: AlignmentCorrection | None
    is_outdated: bool
    """Whether the text was split into other words when it was last corrected, so that the correction does not count."""

    @property
    def source_words(self) -> tuple[str, ...]:
        return self.words.source.words

    @property
    def target_words(self) -> tuple[str, ...]:
        return self.words.text.words

    @property
    def version(self) -> int:
        """The number of the latest version; 0 if there is no correction."""
        return self.latest.version if self.latest else 0

    @cached_property
    def operations(self) -> TextOperations:
        """What was done to the source: classes of words, deleted and moved ones, and the kind of compression."""
        return self.operations_of(self.places)

    def operations_of(self, places: Places) -> TextOperations:
        """Return what was done if the words stood in other places."""
        return aligner_of(self.target).operations(self.words, places)


def targets_of_campaign(campaign: Campaign) -> QuerySet[Target]:
    """Return the texts of people and systems, each with its source."""
    return Target.objects.filter(source__campaign=campaign).select_related("source__campaign")


def alignment_of(target: Target, correction: AlignmentCorrection | None = None) -> ShownAlignment:
    """Return the alignment of a text as it stands, or as an earlier version had it, with one query.

    Raises Refused if the text or its source is too long.
    """
    latest = latest_correction(target)
    return alignment_shown(target, words_of(target), latest, correction or latest)


def alignment_shown(
    target: Target, words: TextPair, latest: AlignmentCorrection | None, wanted: AlignmentCorrection | None
) -> ShownAlignment:
    fits = wanted is not None and words.fits(wanted)
    if wanted is not None and wanted.places is not None and fits:
        return ShownAlignment(target, words, tuple(wanted.places), latest, wanted, is_outdated=False)
    is_outdated = wanted is not None and not wanted.is_taken_back and not fits
    return ShownAlignment(target, words, aligner_of(target).places(words), latest, None, is_outdated=is_outdated)


def latest_correction(target: Target) -> AlignmentCorrection | None:
    return AlignmentCorrection.objects.filter(target=target).order_by("-version").first()


def correction_versions(target: Target) -> list[AlignmentCorrection]:
    """Return the latest versions of a text's alignment, newest first, each with the user who made it."""
    versions = AlignmentCorrection.objects.filter(target=target).select_related("made_by")
    return list(versions.order_by("-version")[:MAX_VERSIONS_SHOWN])


def last_correction(campaign: Campaign) -> int:
    """Return the id of the last correction in a campaign; 0 if there is none."""
    corrections = AlignmentCorrection.objects.filter(target__source__campaign=campaign)
    return corrections.aggregate(last=Max("pk"))["last"] or 0


def correction_ids(campaign: Campaign) -> list[int]:
    """Return the ids of all corrections of alignments, in order; a report knows the last one that it used."""
    made = AlignmentCorrection.objects.filter(target__source__campaign=campaign)
    return list(made.order_by("pk").values_list("pk", flat=True))


def corrections_until(campaign: Campaign, last_id: int) -> dict[tuple[str, str], AlignmentCorrection]:
    """Return the corrections that counted when `last_id` was the last one, by the source's id and the text.

    Texts whose aligner's places were restored are left out.
    """
    made = AlignmentCorrection.objects.filter(target__source__campaign=campaign, pk__lte=last_id)
    rows = made.select_related("target__source").order_by("target", "version")
    latest = {(each.target.source.source_id, each.target.text): each for each in rows.iterator()}
    return {key: each for key, each in latest.items() if not each.is_taken_back}
