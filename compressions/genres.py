"""What pages call the genre of a text whose file names none. Files keep the empty field."""

UNKNOWN_GENRE = "unknown genre"


def genre_label(genre: str) -> str:
    return genre or UNKNOWN_GENRE
