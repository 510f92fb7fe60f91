"""Validate the sources of a complete release: what a campaign, the database or a file name cannot hold."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _

from compressions.alignment_words import MAX_WORDS
from compressions.readers import text_fault
from compressions.rows import MAX_GENRE_LENGTH, MAX_TEXT, is_source_id
from compressions.services.alignments import MAX_VERSION
from compressions.services.outputs import system_name_fault
from corpus.release.records import Ratings, ReleasedAlignment, ReleasedOutput, ReleasedSource, ReleasedText
from crowd.models.people import MAX_NAME_LENGTH
from crowd.scales import Scale
from measures.text.normalization import forbidden_character

_SPLIT = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}|")


def source_fault(source: ReleasedSource, scales: tuple[Scale, ...]) -> str:
    """Return the first fault of a source, or an empty string if it can be imported."""
    return next(_faults(source, scales), "")


def _faults(source: ReleasedSource, scales: tuple[Scale, ...]) -> Iterator[str]:
    """Yield faults lazily: strings are checked to be strings before any other check uses them."""
    yield from _string_faults(source)
    yield from _field_faults(source)
    yield from filter(None, (system_name_fault(output.system) for output in source.outputs))
    yield from (
        _("the participant's name %(name)s is longer than %(most)s characters")
        % {"name": repr(name[:40]), "most": MAX_NAME_LENGTH}
        for name in _names(source)
        if len(name) > MAX_NAME_LENGTH
    )
    for ratings in _all_ratings(source):
        yield from _rating_faults(ratings, scales)
    subjects: list[ReleasedText | ReleasedOutput] = [*source.texts, *source.outputs]
    for each in subjects:
        if each.alignment and not _is_alignment(each.alignment):
            yield _("the alignment of %(text)s does not fit its words") % {"text": repr(each.text[:40])}


def _string_faults(source: ReleasedSource) -> Iterator[str]:
    for text in _strings(source):
        if not isinstance(text, str):
            yield _("%(value)s is not a text") % {"value": str(text)[:40]}
        elif reason := text_fault(text):
            yield _("%(text)s: %(reason)s") % {"text": repr(text[:40]), "reason": reason}
        elif forbidden := forbidden_character(text):
            position, character = forbidden
            words = _("%(character)s at character %(n)s of %(text)s")
            yield words % {"character": character, "n": position + 1, "text": repr(text[:40])}


def _field_faults(source: ReleasedSource) -> Iterator[str]:
    if not is_source_id(source.source_id):
        words = _("the id %(id)s has characters other than letters, digits, . _ : -")
        yield words % {"id": repr(source.source_id[:40])}
    if len(source.genre) > MAX_GENRE_LENGTH:
        yield _("the genre is longer than %(most)s characters") % {"most": MAX_GENRE_LENGTH}
    if sum(map(len, source.nuggets)) > MAX_TEXT:
        yield _("the nuggets are longer than %(most)s characters") % {"most": MAX_TEXT}
    if any(len(each.splitlines()) != 1 for each in source.nuggets):
        yield _("a nugget is empty, or has a line break")
    if not _SPLIT.fullmatch(source.split):
        yield _("the split %(split)s is no name of letters and digits") % {"split": repr(source.split[:40])}
    if source.sentences not in (1, 2):
        yield _("sentences is %(value)s, not 1 or 2") % {"value": repr(source.sentences)}


def _strings(source: ReleasedSource) -> Iterator[object]:
    yield from (source.source_id, source.genre, source.text, source.split, source.paragraph_id, *source.nuggets)
    yield from (text.text for text in source.texts)
    for output in source.outputs:
        yield from (output.system, output.text)
    for pair in source.comparisons:
        yield from (pair.first, pair.second)
    yield from _names(source)


def _names(source: ReleasedSource) -> Iterator[str]:
    for text in source.texts:
        yield from text.editors
    yield from (rating.rater for ratings in _all_ratings(source) for rating in ratings)


def _all_ratings(source: ReleasedSource) -> Iterator[Ratings]:
    for each in source.subjects:
        yield each.ratings
        yield each.expert_ratings


def _is_alignment(made: ReleasedAlignment) -> bool:
    """Whether the words are words, and each has a place of its own in the source, or none."""
    words = (*made.source_words, *made.words)
    if not all(isinstance(word, str) and not forbidden_character(word) for word in words):
        return False
    joined = [place for place in made.places if place is not None]
    are_places = all(type(place) is int and 0 <= place < len(made.source_words) for place in joined)
    is_version = type(made.version) is int and 0 < made.version <= MAX_VERSION
    fits = len(made.places) == len(made.words) and max(len(made.words), len(made.source_words)) <= MAX_WORDS
    return are_places and is_version and fits and len(set(joined)) == len(joined)


def _rating_faults(ratings: Ratings, scales: tuple[Scale, ...]) -> Iterator[str]:
    known = {scale.key: scale for scale in scales}
    for rating in ratings:
        for scale, value in rating.scores.items():
            if scale not in known or not _is_number(value) or not known[scale].has(value):
                words = _("%(value)s is no point of the scale %(scale)s")
                yield words % {"value": repr(value), "scale": repr(str(scale)[:40])}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
