"""Correct the alignment of a text's words by hand. Each correction is a new version; stored versions never change."""

from collections import Counter
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from compressions.alignment_words import words_of
from compressions.models import AlignmentCorrection, Target
from compressions.selectors.alignments import alignment_shown, latest_correction
from compressions.text_aligner import TextPair
from crowd.services.audit import audit_record

MAX_VERSION = 2**31 - 1


class CorrectedMeanwhile(Refused):
    """Another version came in between; what was sent is not stored."""

    code = "corrected_meanwhile"


class NothingChanged(Refused):
    """The places that were sent count already; to save the aligner's as they are is no correction."""

    code = "nothing_changed"


@transaction.atomic
def alignment_correct(
    *,
    target: Target,
    places: Sequence[int | None],
    based_on_version: int,
    user: User | None,
    fingerprint: str | None = None,
) -> AlignmentCorrection:
    """Store the places of a text's words in its source as a new version, and return it.

    `based_on_version` is the version that staff saw, 0 for the aligner's, and `fingerprint` identifies the words that
    they saw. The same form sent twice is stored once. Raises ValidationError for impossible places, NothingChanged for
    the places that count already, be they the aligner's, and Refused if the text is now split into other words or
    another version was stored in between.
    """
    words = words_of(target)
    if fingerprint is not None and fingerprint != words.fingerprint:
        raise Refused(_("This text is now split into other words than when you opened the page. Check again."))
    places_check(words, places)
    latest = _locked_latest(target, based_on_version)
    counting = alignment_shown(target, words, latest, latest)
    if counting.places == tuple(places):
        if counting.corrected and counting.version > based_on_version:
            return counting.corrected
        raise NothingChanged(_("Nothing was changed, so nothing was saved."))
    _check_version(latest, based_on_version)
    return _store(target, words, list(places), latest, user)


@transaction.atomic
def alignment_take_back(*, target: Target, based_on_version: int, user: User | None) -> AlignmentCorrection | None:
    """Restore the aligner's places as a new version; return None if they count already."""
    words = words_of(target)
    latest = _locked_latest(target, based_on_version)
    if latest is None or latest.is_taken_back:
        return None
    _check_version(latest, based_on_version)
    return _store(target, words, None, latest, user)


def places_check(words: TextPair, places: Sequence[int | None]) -> None:
    """Raise ValidationError unless each word has a place of its own in the source, or none."""
    faults = list(_faults(words, places))
    if faults:
        raise ValidationError({"places": faults})


def _faults(words: TextPair, places: Sequence[int | None]) -> list[str]:
    source, text = words.source.words, words.text.words
    if len(places) != len(text):
        said = _("There are %(given)s places for the %(words)s words of the text.")
        return [said % {"given": len(places), "words": len(text)}]
    given = [place for place in places if place is not None]
    outside = [place for place in given if not 0 <= place < len(source)]
    said = _("The source has no word %(number)s: it has %(words)s.")
    if outside:
        return [said % {"number": place + 1, "words": len(source)} for place in outside[:3]]
    doubled = [place for place, times in Counter(given).items() if times > 1]
    said = _("“%(word)s”, word %(number)s of the source, is joined to more than one word of the text.")
    return [said % {"word": source[place], "number": place + 1} for place in doubled[:3]]


def _locked_latest(target: Target, based_on_version: int) -> AlignmentCorrection | None:
    """Return the latest version, to which nobody can add another until this transaction ends.

    Raises Refused if what was sent is based on a version that does not exist.
    """
    Target.objects.select_for_update(no_key=True).get(pk=target.pk)
    latest = latest_correction(target)
    if based_on_version > (latest.version if latest else 0):
        words = _("This alignment has no version %(number)s. Reload the page, then correct the alignment again.")
        raise Refused(words % {"number": based_on_version})
    return latest


def _check_version(latest: AlignmentCorrection | None, based_on_version: int) -> None:
    current = latest.version if latest else 0
    if based_on_version != current:
        words = _(
            "Version %(number)s was saved while you were working. Yours is not saved yet: compare the two, and save "
            "again if yours should count."
        )
        raise CorrectedMeanwhile(words % {"number": current})


def _store(
    target: Target,
    words: TextPair,
    places: list[int | None] | None,
    latest: AlignmentCorrection | None,
    user: User | None,
) -> AlignmentCorrection:
    made = AlignmentCorrection.objects.create(
        target=target,
        version=latest.version + 1 if latest else 1,
        source_words=list(words.source.words),
        words=list(words.text.words),
        places=places,
        made_by=user,
        created_at=database_now(),
    )
    source = target.source
    action = "alignment taken back" if places is None else "alignment corrected"
    subject, detail = f"text {source.source_id}", f"compression {target.pk}, version {made.version}"
    audit_record(campaign=source.campaign, user=user, action=action, subject=subject, detail=detail)
    return made
