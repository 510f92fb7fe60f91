"""Why a text of a file is refused before anything is done with it whose cost grows faster than its length."""

from measures.text.normalization import MAX_MARKS_IN_A_ROW, stacked_marks

MAX_TEXT_LENGTH = 50_000  # before white space is tidied


def text_fault(text: str) -> str:
    """Return why a text is too much to be normalised, or an empty string. Any normalisation comes after this."""
    if len(text) > MAX_TEXT_LENGTH:
        return f"{len(text):,} characters, at most {MAX_TEXT_LENGTH:,} are read"
    position = stacked_marks(text)
    if position is None:
        return ""
    return f"more than {MAX_MARKS_IN_A_ROW} accents or marks stand on one letter, at character {position + 1}"
