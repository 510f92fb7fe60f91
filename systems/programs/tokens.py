"""Texts as tokens that know the white space to their left, so that those that are kept make a text again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from measures.metrics import Tokenizer
from measures.text.segmentation import has_word_spaces
from measures.text.spacy_models import blank_model

CLOSING, FINAL = frozenset(")]}»”’,;:.!?…%"), frozenset(".!?…")


@dataclass(frozen=True)
class Token:
    """A token as it is written.

    Attributes
    ----------
    text : str
        The token.
    is_spaced : bool
        Whether white space stands to its left.
    """

    text: str
    is_spaced: bool

    @property
    def is_sign(self) -> bool:
        """Whether it has neither letters nor digits."""
        return not any(map(str.isalnum, self.text))


@lru_cache(maxsize=8)
def _rules(language: str) -> Tokenizer:
    """Return the rules of the metrics, or white space where spaCy has none for the language."""
    code = language.partition("-")[0].lower()
    rules = Tokenizer(language=code, lower=False)
    try:
        list(rules.words(["."]))
    except (ValueError, ModuleNotFoundError):
        return Tokenizer("whitespace", code, lower=False)
    return rules


@lru_cache(maxsize=8)
def stop_words(language: str) -> frozenset[str]:
    """Return spaCy's stop words of a language, in lower case; none where it has none.

    Examples
    --------
    >>> "the" in stop_words("en"), len(stop_words("qqq"))
    (True, 0)
    """
    try:
        return frozenset(blank_model(language.partition("-")[0].lower()).Defaults.stop_words)
    except (ValueError, ModuleNotFoundError):
        return frozenset()


def tokens_of(text: str, language: str) -> tuple[Token, ...]:
    """Cut a text into tokens; the characters of a language without spaces between words are tokens of their own.

    Parameters
    ----------
    text : str
        A text of one sentence or more.
    language : str
        Tag of its language.

    Returns
    -------
    tuple of Token
        Keeping all of them gives the text back, with white space collapsed.

    Examples
    --------
    >>> [token.text for token in tokens_of("It's old (and wet).", "en")]
    ['It', "'s", 'old', '(', 'and', 'wet', ')', '.']
    """
    found = []
    for run in text.split():
        parts = _rules(language).words([run]) if has_word_spaces(language) else [list(run)]
        for place, part in enumerate(next(iter(parts))):
            found.append(Token(part, place == 0))
    return tuple(found)


def words_of_lines(lines: Iterable[str], language: str) -> list[list[str]]:
    """Return the words of sentences as a language model knows them.

    Examples
    --------
    >>> words_of_lines(["It rained."], "en")
    [['it', 'rained', '.']]
    """
    return [[token.text.lower() for token in tokens_of(line, language)] for line in lines]


def kept_text(tokens: Sequence[Token], kept: Collection[int]) -> str:
    """Write the tokens that are kept.

    Each has its own white space to its left, the first one none; a word gets some if it was parted from the one before
    by what is dropped, such as an opening bracket. The first letter is a capital if that of the whole is.

    Parameters
    ----------
    tokens : sequence of Token
        All tokens of a text.
    kept : collection of int
        Places of those that are kept.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> tokens = tokens_of("It's old (and wet).", "en")
    >>> kept_text(tokens, range(8)), kept_text(tokens, [2, 4, 5, 7])
    ("It's old (and wet).", 'Old and wet.')
    """
    written, before = "", -1
    for place in sorted(kept):
        token, dropped = tokens[place], tokens[before + 1 : place]
        is_apart = token.is_spaced or (not token.is_sign and any(each.is_spaced for each in dropped))
        written += (" " if written and is_apart else "") + token.text
        before = place
    whole = "".join(token.text for token in tokens)
    return written[:1].upper() + written[1:] if whole[:1].isupper() else written
