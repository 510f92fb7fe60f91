"""The forms of words that the aligner compares (norm, kind, class, stem, letter bigrams), and the function words."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from itertools import pairwise
from typing import Literal, TypeAlias

from measures.metrics.words.tokens import snowball_stem
from measures.text.spacy_models import blank_model, has_word_rules

_CLASSES = {
    "articles and possessives": "a the my your his her its our their",
    "be": "am is are was were be been being 's",
    "have": "have has had having 've",
    "modals": "can could will would shall should may might must ought 'll 'd ca wo",
    "prepositions": (
        "of in on at by for with from to into onto upon about above across after against along among amongst around as "
        "before behind below beneath beside besides between beyond despite down during except inside like near off out "
        "outside over per since through throughout toward towards under until till up via within without"
    ),
    "relatives": "that which who whom whose what where when why how",
}
_WITHOUT_CLASS = (
    # pronouns and pointing words
    "i you he she it we they me him us them mine yours hers ours theirs myself yourself himself herself itself "
    "ourselves yourselves themselves this these those there some any each every all both either neither such no none "
    "someone something anyone anything everyone everything nobody nothing another other whoever whatever "
    # auxiliaries that have no class of their own, and the negation
    "do does did doing not "
    # conjunctions
    "and or but nor so yet if because although though while whereas unless than whether "
    # degree words
    "very too more most less least much many quite rather just only also even almost enough few"
)

ENGLISH_CLASSES: dict[str, str] = {word: name for name, words in _CLASSES.items() for word in words.split()}
"""The class of each English function word that has one. An apostrophe stays in clitics: 's is no letter."""

ENGLISH_FUNCTION_WORDS: frozenset[str] = frozenset(ENGLISH_CLASSES) | frozenset(_WITHOUT_CLASS.split())
"""Articles, pronouns, auxiliaries, prepositions, conjunctions and degree words, as `measures.alignment.norms` writes
them: "an" is "a", and "n't" is "not"."""


Kind: TypeAlias = Literal["content", "function", "mark"]

LONGEST_WORD = 60
"""Longer words are equal or not similar at all; they have no stem, no bigrams and no place in a cache."""
LEAST_LETTERS = 4
"""The fewest letters of words whose spellings are compared."""

_APOSTROPHES = dict.fromkeys(map(ord, "’‘`´ʼ"), "'")
_EDGES = "'\"“”„«»‹›."
_INSIDE = dict.fromkeys(map(ord, "-‐‑‒–.,·"), None)
_CLITICS = {"n't": "not", "'re": "are", "'m": "am", "'s": "'s", "'ll": "'ll", "'ve": "'ve", "'d": "'d", "an": "a"}
# The Penn Treebank writes brackets in letters; without this they would be words.
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_QUOTES = "\"'“”„«»‹›"
_DASHES = "-‐‑‒–—―−"
# One name, two spellings, one of which looks like the pronoun.
_UNITED_STATES = "u.s"


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A word as the aligner sees it; the same word is the same object as long as it is cached.

    Attributes
    ----------
    word : str
        The word as written.
    norm : str
        Case folded, without quotes and points at its ends or hyphens, points and commas inside.
    kind : {"content", "function", "mark"}
        A mark has no letter or digit; function words are in a closed list.
    group : str
        The class of a function word; empty if it has none.
    stem : str
        Snowball's stem of the norm, the norm itself where there is none.
    has_digit : bool
        Whether it is taken for a number.
    bigrams : Counter of str
        Letter bigrams with the edges of a content word whose spelling is compared; else empty.
    mask : int
        A bit for each bigram; forms without a common bit have no common bigram.
    """

    word: str
    norm: str
    kind: Kind
    group: str
    stem: str
    has_digit: bool
    bigrams: Counter[str]
    mask: int

    @property
    def is_content(self) -> bool:
        """Whether it is a content word."""
        return self.kind == "content"


@dataclass(frozen=True, eq=False)
class WordRules:
    """Which words of a language are function words, and how words are stemmed.

    Attributes
    ----------
    function_words : frozenset of str
        Norms of the function words.
    classes : dict of str to str
        Their classes.
    stem : callable, optional
        A stemmer.
    signature : str
        Which rules these are.
    """

    function_words: frozenset[str]
    classes: dict[str, str]
    stem: Callable[[str], str] | None
    signature: str

    def form(self, word: str) -> Form:
        """Return the form of a word; forms of the last words are kept."""
        return _form(word, self)


def norm_of(word: str) -> str:
    """Return the form of a word that is compared first.

    Parameters
    ----------
    word : str
        A word.

    Returns
    -------
    str
        Its norm; for a mark, one sign for all quotes, one for all dashes, and otherwise the mark itself.

    Examples
    --------
    >>> [norm_of(word) for word in ["Co-operate", "2,000", "U.S.", "us", "n't", "an", "``", "-LRB-", "(", "..."]]
    ['cooperate', '2000', 'u.s', 'us', 'not', 'a', '"', '(', '(', '...']
    """
    folded = unicodedata.normalize("NFC", word).casefold().translate(_APOSTROPHES)
    if not any(map(str.isalnum, folded)):
        return _mark(folded)
    if folded in _BRACKETS:
        return _BRACKETS[folded]
    if folded in _CLITICS:
        return _CLITICS[folded]
    stripped = folded.strip(_EDGES)
    if stripped == _UNITED_STATES or word == "US":
        return _UNITED_STATES
    return _CLITICS.get(stripped) or stripped.translate(_INSIDE)


def _mark(folded: str) -> str:
    if all(sign in _QUOTES for sign in folded):
        return '"'
    if all(sign in _DASHES for sign in folded):
        return "-"
    return "..." if folded in ("…", "....") else folded


@lru_cache(maxsize=32)
def word_rules(language: str) -> WordRules:
    """Return the rules of a language.

    Parameters
    ----------
    language : str
        Its code.

    Returns
    -------
    WordRules
        For English a closed list; else spaCy's stop words, or no function words at all.

    Raises
    ------
    ModuleNotFoundError
        If the language has a stemmer that is not installed.
    """
    stem = snowball_stem(language)
    stemmed = f"stem:snowball-{version('snowballstemmer')}-{language}" if stem else "stem:no"
    words = function_words(language)
    if language == "en":
        return WordRules(words, ENGLISH_CLASSES, stem, f"function:closed-en|{stemmed}")
    if not has_word_rules(language):
        return WordRules(words, {}, stem, f"function:no|{stemmed}")
    return WordRules(words, {}, stem, f"function:spacy-{version('spacy')}-{language}|{stemmed}")


@lru_cache(maxsize=32)
def function_words(language: str) -> frozenset[str]:
    """Return the norms of the function words of a language.

    Parameters
    ----------
    language : str
        Its code.

    Returns
    -------
    frozenset of str
        For English those of a closed list; else of spaCy's stop words, or none.
    """
    if language == "en":
        return ENGLISH_FUNCTION_WORDS
    if not has_word_rules(language):
        return frozenset()
    return frozenset(map(norm_of, blank_model(language).Defaults.stop_words))


def kind_of(word: str, norm: str, function_words: Container[str]) -> Kind:
    """Return the kind of a word.

    Parameters
    ----------
    word, norm : str
        The word as written, and its norm.
    function_words : container of str
        Norms of the function words.

    Returns
    -------
    {"content", "function", "mark"}
        Its kind.
    """
    if not any(map(str.isalnum, word)) or norm in _BRACKETS.values():
        return "mark"
    return "function" if norm in function_words else "content"


def _form(word: str, rules: WordRules) -> Form:
    return _new_form(word, rules) if len(word) > LONGEST_WORD else _kept_form(word, rules)


def _new_form(word: str, rules: WordRules) -> Form:
    norm = norm_of(word)
    kind = kind_of(word, norm, rules.function_words)
    is_short = len(norm) <= LONGEST_WORD
    stem = rules.stem(norm) if rules.stem and is_short and kind != "mark" else norm
    has_digit = any(map(str.isdigit, norm))
    has_bigrams = kind == "content" and LEAST_LETTERS <= len(norm) <= LONGEST_WORD and not has_digit
    edged = f"^{norm}$"
    bigrams = Counter(map("".join, pairwise(edged))) if has_bigrams else Counter()
    return Form(word, norm, kind, rules.classes.get(norm, ""), stem, has_digit, bigrams, _mask(bigrams))


_kept_form = lru_cache(maxsize=100_000)(_new_form)


def _mask(bigrams: Counter[str]) -> int:
    mask = 0
    for pair in bigrams:
        mask |= 1 << ((31 * ord(pair[0]) + ord(pair[1])) % 509)
    return mask
