"""How a text ends beside its source: hints for staff, never a reason to refuse."""

from __future__ import annotations

import re

from measures.text.normalization import canonical

# Words that end no sentence. Left out are those that may: "to" and "with" in "what she agreed to", the particles of
# German verbs ("fing an"), pronouns that look like articles ("Ich weiß das").
_NEVER_LAST = {
    "en": "a an the and or but nor because although whereas unless than my your their our its every",
    "de": "und oder sondern weil dass daß obwohl sowie ohne von für zwischen wegen im zum zur beim vom ins ans",
    "fr": "de du des et ou mais que à au aux dans dont ni ma mes ta tes sa ses cette ces chaque lorsque parce",
    "es": "el los las un unos unas de del al y e o u que en con por sin se sus mis tus pero porque ni sino cuyo cuya",
}
# Words that do end sentences, but hardly those that are cut off after them: they count only without a full stop.
_SELDOM_LAST = {
    "en": "of to into onto upon from with for at by in on about as if that which who is are was were be been has have",
    "de": "der die das den dem des ein eine einen einem eines mit nach bei aus zu als wie wenn ist sind war wird hat",
    "fr": "le la les un une leur en par pour sur sous avec sans qui si est sont a ont",
    "es": "la lo una para sobre como su mi tu si es son ha han",
}
_LAST = {language: frozenset(f"{_NEVER_LAST[language]} {_SELDOM_LAST[language]}".split()) for language in _NEVER_LAST}
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_END_MARKS = ".!?…。！？؟।"
_CLOSING = "\"'”’»›)]} \u00a0"
_FEWEST_WORDS = 3


def cut_off_word(source: str, text: str, language: str) -> str | None:
    """Return the last word of a text whose end seems to be cut off there.

    Of words that end no sentence it is enough that the text is otherwise the beginning of its source, or has no full
    stop where the source has one. Of words that seldom do, both must be so.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.
    language : str
        Tag of their language.

    Returns
    -------
    str or None
        The word in lower case. None if the text may end so, for a source that ends so, and for languages other than
        English, French, German and Spanish. Takes linear time.

    Examples
    --------
    >>> cut_off_word("They met in the town hall on Monday.", "They met in the.", "en")
    'the'
    >>> cut_off_word("That is what they agreed to.", "They agreed to.", "en") is None
    True
    """
    base = language.partition("-")[0].lower()
    if base not in _NEVER_LAST:
        return None
    written, original = words_of(text), words_of(source)
    if len(written) < _FEWEST_WORDS or not original or written[-1] == original[-1]:
        return None
    if written[-1] not in _LAST[base] or _is_name(text):
        return None
    is_open = not ends_sentence(text) and ends_sentence(source)
    begins = is_beginning(source, text)
    if written[-1] in _NEVER_LAST[base].split() and (is_open or begins):
        return written[-1]
    if written[-1] in _SELDOM_LAST[base].split() and is_open and begins:
        return written[-1]
    return None


def _is_name(text: str) -> bool:
    """Say whether the last word has capitals that the text as a whole has not, as in "vitamin A"."""
    last = _WORD.findall(canonical(text))[-1]
    return last != last.lower() and text != text.upper()


def is_beginning(source: str, text: str) -> bool:
    """Say whether a text is the beginning of its source, word by word, and not the whole of it.

    Parameters
    ----------
    source, text : str
        The source and the text, within the bounds of ``check_compression``.

    Returns
    -------
    bool
        Whether nothing but words at the end are missing; capitals and signs do not matter.

    Examples
    --------
    >>> is_beginning("They met in the town hall.", "They met."), is_beginning("They met.", "They met!")
    (True, False)
    """
    written, original = words_of(text), words_of(source)
    return 0 < len(written) < len(original) and original[: len(written)] == written


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without signs.

    Parameters
    ----------
    text : str
        The text, within the bounds of ``check_compression``.

    Returns
    -------
    list of str
        Runs of letters and digits, which may have apostrophes inside.

    Examples
    --------
    >>> words_of("“Don’t!” she said.")
    ["don't", 'she', 'said']
    """
    found: list[str] = _WORD.findall(canonical(text).casefold().replace("’", "'"))
    return found


def ends_sentence(text: str) -> bool:
    """Say whether a text ends with a mark that ends sentences, quotation marks and brackets aside.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    bool
        Whether it does.

    Examples
    --------
    >>> ends_sentence("“They met.”"), ends_sentence("They met")
    (True, False)
    """
    return canonical(text).rstrip(_CLOSING)[-1:] in tuple(_END_MARKS)
