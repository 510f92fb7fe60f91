"""The words of texts that an alignment is drawn or corrected for: within the bounds of what can be followed."""

from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.models import Target
from compressions.text_aligner import SplitText, TextAligner, TextPair

MAX_WORDS = 500
"""Greatest number of words of a text or its source that are aligned for a page: aligners take quadratic time."""

MAX_CHARACTERS = 20_000
"""Greatest length of a text that is cut into words for a page at all."""


class TooLongToDraw(Refused):
    """A text has too many words for its alignment to be shown."""


def aligner_of(target: Target) -> TextAligner:
    """Return the aligner for the language of a text's campaign."""
    return TextAligner.of(target.source.campaign.language)


def words_of(target: Target) -> TextPair:
    """Cut a text and its source into words by the rules for their language; raise Refused if there are too many."""
    aligner = aligner_of(target)
    return TextPair(_split(target.source.text, aligner), _split(target.text, aligner))


def _split(text: str, aligner: TextAligner) -> SplitText:
    if len(text) > MAX_CHARACTERS:
        raise _too_long()
    split = aligner.split(text)
    if len(split.words) > MAX_WORDS:
        raise _too_long()
    return split


def _too_long() -> TooLongToDraw:
    words = _(
        "This alignment is not drawn: the text or its source has more than %(most)s words, too many to follow the "
        "lines between them. Reports and releases align such texts as usual."
    )
    return TooLongToDraw(words % {"most": MAX_WORDS})
