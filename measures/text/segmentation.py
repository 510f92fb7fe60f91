"""Words and sentences of a text."""

from __future__ import annotations

import itertools
import re

from measures.text.normalization import INVISIBLE_RANGES, canonical, character_class, display_text

_SPACE_BEFORE_VISIBLE = re.compile(f" (?={character_class(INVISIBLE_RANGES)}*+[^ ])")

_ABBREVIATIONS = """
    Mr Mrs Ms Mx Dr Prof Rev Fr Sr Jr Hon Pres Gov Sen Rep Gen Col Maj Capt Cmdr Lt Sgt Cpl Pvt Adm Messrs
    Mme Mlle St Ste Mt Ft Ave Blvd Rd Inc Corp Co Ltd Bros Dept Univ Assn Ph.D M.D B.A M.A
    vs v cf e.g i.e viz al approx ca Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
"""

_ABBREVIATIONS_BEFORE_NUMBERS = "No no Nos nos Nr Fig fig Figs figs Vol vol Ch ch Sec sec p pp Art art"

_NO_END = frozenset(_ABBREVIATIONS.split())

_NO_END_BEFORE_NUMBERS = frozenset(_ABBREVIATIONS_BEFORE_NUMBERS.split())

_CLOSING = "\"'”’»›)]}"

_OPENING = "\"'“‘„«‹([{¿¡"

_MARKS = "[.!?…]"

# The look-behind matches each run of marks only at its start, which keeps the search linear.
_SENTENCE_END = re.compile(f"(?<!{_MARKS})(?P<mark>{_MARKS}+)[{re.escape(_CLOSING)}]* (?P<next>.)")

_DOTTED_LETTERS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")

# Letters of scripts that are usually written without spaces between words, as ranges of a class of characters: Thai,
# Lao, Tibetan, Burmese, Khmer, Japanese and Chinese.
UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)

# Languages whose usual writing has no spaces between words (ISO 639 codes).
_WITHOUT_SPACES = "bo cdo cjy cmn dz gan hak ja khb km lo lzh my nan shn th tts wuu yue zh"


def has_word_spaces(language: str) -> bool:
    """Say whether words of a language are usually parted by spaces, as `word_count` takes for granted.

    Parameters
    ----------
    language : str
        Tag of the language, such as "en" or "zh-Hant".

    Returns
    -------
    bool
        False for languages known to be written without; True for all others.

    Examples
    --------
    >>> has_word_spaces("pt-BR"), has_word_spaces("zh-Hant")
    (True, False)
    """
    return language.partition("-")[0].lower() not in _WITHOUT_SPACES.split()


def ends_sentence(text: str) -> bool:
    """Say whether a text ends with a sign that ends sentences, before closing quotes and brackets.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    bool
        Whether its last sign is one.

    Examples
    --------
    >>> ends_sentence("He said: “Come!” "), ends_sentence("Come"), ends_sentence("来了。")
    (True, False, True)
    """
    return text.rstrip().rstrip(_CLOSING + "」』）").endswith(tuple(".!?…。！？؟۔।"))


def word_count(text: str) -> int:
    """Count the words: runs of non-white space that contain at least one letter or digit.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    int
        Number of words.

    Examples
    --------
    >>> word_count("Well-known - and 3.5% cheaper!")
    4
    """
    return sum(run[:1].isalnum() or any(map(str.isalnum, run)) for run in canonical(text).split(" "))


def sentences(text: str) -> tuple[str, ...]:
    r"""Split English text into sentences heuristically.

    A sentence ends at ``. ! ? …`` (and closing quotes or brackets) before white space and an
    upper-case letter, a digit, or an opening quote or bracket, unless the full stop belongs to a
    common abbreviation or to initials. A fragment without words is joined to the sentence before it,
    or to the first sentence if it comes first.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    tuple of str
        The sentences, including invisible characters: joined by spaces they give the ``display_text``.
        Empty for a text without words.

    Examples
    --------
    >>> sentences("“Why not?” Mr. J. K. Smith left\nthe U.S. Navy. ***")
    ('“Why not?”', 'Mr. J. K. Smith left the U.S. Navy. ***')
    """
    tidy = canonical(text)
    starts = _sentence_starts(tidy)
    if not starts:
        return ()
    words, spaced = iter(_display_words(text)), tidy + " "
    spans = itertools.pairwise([0, *starts[1:], len(spaced)])
    return tuple(" ".join(itertools.islice(words, spaced.count(" ", *span))) for span in spans)


def _sentence_starts(tidy: str) -> list[int]:
    """Return where the sentences of a canonical text start, the first with whatever comes before it."""
    ends = [match.start("next") for match in _SENTENCE_END.finditer(tidy) if _ends_sentence(tidy, match)]
    pieces = itertools.pairwise([0, *ends, len(tidy)])
    return [start for start, stop in pieces if any(map(str.isalnum, tidy[start:stop]))]


def sentence_count(text: str) -> int:
    """Count the sentences that ``sentences`` finds.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    int
        Number of sentences; 0 for a text without words.

    Examples
    --------
    >>> sentence_count("Mr. J. K. Smith left the U.S. Navy. He said: “Why not?” Nobody knew…")
    3
    """
    return len(_sentence_starts(canonical(text)))


def _display_words(text: str) -> list[str]:
    """Split the display text into words, one for each word of the canonical text."""
    words = _SPACE_BEFORE_VISIBLE.split(display_text(text))
    if not canonical(words[0]):  # invisible: joined to the first visible word
        words[:2] = [" ".join(words[:2])]
    return words


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = match["next"]
    if following.islower() or not (following.isalnum() or following in _OPENING):
        return False
    if match["mark"] != ".":
        return True
    stop = match.start("mark")
    word = text[text.rfind(" ", 0, stop) + 1 : stop].lstrip(_OPENING)
    if following.isdigit() and word in _NO_END_BEFORE_NUMBERS:
        return False
    initials = word.isupper() and _DOTTED_LETTERS.fullmatch(word)
    return word not in _NO_END and not initials
