"""What pages call the genre of a text whose file names none. Files keep the empty field."""

from django.utils.translation import gettext as _

UNKNOWN_GENRE = "unknown genre"


def genre_label(genre: str) -> str:
    return genre or UNKNOWN_GENRE


def genre_words(genre: str) -> str:
    """Return what a page calls a genre, in its language."""
    return _("unknown genre") if genre in {"", UNKNOWN_GENRE} else genre
