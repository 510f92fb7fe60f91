"""How similar two words are, whatever their context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from measures.alignment.norms import Form, WordRules
from measures.alignment.options import AlignmentOptions
from measures.alignment.resources import AlignmentResources

SAME_NORM = 1.0
SAME_STEM = 0.9
GIVEN_PAIR = 0.85
OF_DICE = 0.8
"""What the Dice coefficient of two spellings is multiplied by."""
PREFIX, PREFIX_WORD, PREFIX_DICE = 4, 5, 0.7
"""Words of five letters with the first four in common have a Dice coefficient of at least .7."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Attributes
    ----------
    form : Form
        Its form.
    lemma : str
        Its lemma, case folded; empty if none is given.
    """

    form: Form
    lemma: str = ""


def words_of(text: Sequence[str], lemmas: Sequence[str] | None, rules: WordRules) -> list[Word]:
    """Return the words of a text.

    Parameters
    ----------
    text : sequence of str
        The words as written.
    lemmas : sequence of str, optional
        A lemma for each word, empty where there is none.
    rules : WordRules
        The language's rules.

    Returns
    -------
    list of Word
        One for each word.

    Raises
    ------
    ValueError
        If there is not one lemma for each word.
    """
    if lemmas is None:
        return [Word(rules.form(word)) for word in text]
    if len(lemmas) != len(text):
        raise ValueError(f"there are {len(lemmas)} lemmas for {len(text)} words")
    return [Word(rules.form(word), lemma.casefold()) for word, lemma in zip(text, lemmas, strict=True)]


def similarity(one: Word, other: Word, options: AlignmentOptions, resources: AlignmentResources) -> float:
    """Return how similar two words are.

    Parameters
    ----------
    one, other : Word
        The words.
    options : AlignmentOptions
        The least cosine and Dice coefficient that count.
    resources : AlignmentResources
        Pairs and vectors.

    Returns
    -------
    float
        The first of these that holds: 1 for the same norm; 0 for words of different kinds and for different marks; .9
        for the same stem or lemma; .85 for a given pair; the cosine of the vectors of content words, if it is large
        enough; 0 if one is a number; .8 times the Dice coefficient of the letter bigrams of two content words of four
        letters or more, if that is large enough; else 0.

    Notes
    -----
    Numbers have no cosine: vectors of different years are nearly the same. Function words have none either: "his" and
    "her" are neighbours in every space, and classes of function words are aligned in a step of their own.
    """
    a, b = one.form, other.form
    if a.norm == b.norm:
        return SAME_NORM
    if a.kind != b.kind or a.kind == "mark":
        return 0.0
    if a.stem == b.stem or (one.lemma and one.lemma == other.lemma):
        return SAME_STEM
    if (a.norm, b.norm) in resources.pairs.pairs:
        return GIVEN_PAIR
    if a.kind == "function" or a.has_digit or b.has_digit:
        return 0.0
    return _by_vectors(a, b, options.least_cosine, resources) or _by_spelling(a, b, options.least_dice)


def _by_vectors(a: Form, b: Form, least: float, resources: AlignmentResources) -> float:
    if resources.vectors is None:
        return 0.0
    one, other = resources.vectors.unit(a.word), resources.vectors.unit(b.word)
    if one is None or other is None:
        return 0.0
    # The last places of a sum depend on the machine.
    cosine = round(float(one @ other), 6)
    return cosine if cosine >= least else 0.0


def _by_spelling(a: Form, b: Form, least: float) -> float:
    dice = spelling_dice(a, b) if a.mask & b.mask else 0.0
    return OF_DICE * dice if dice >= least else 0.0


@lru_cache(maxsize=100_000)
def spelling_dice(a: Form, b: Form) -> float:
    """Return the Dice coefficient of the letter bigrams of two words.

    Parameters
    ----------
    a, b : Form
        Their forms.

    Returns
    -------
    float
        From 0 to 1; 0 if one is too short; at least .7 for words of five letters whose first four agree.

    Examples
    --------
    >>> from measures.alignment.norms import word_rules
    >>> form = word_rules("en").form
    >>> spelling_dice(form("colour"), form("color")), spelling_dice(form("night"), form("nacht"))
    (0.7692307692307693, 0.5)
    """
    total = a.bigrams.total() + b.bigrams.total()
    if not a.bigrams or not b.bigrams:
        return 0.0
    common = sum(min(count, b.bigrams[pair]) for pair, count in a.bigrams.items() if pair in b.bigrams)
    dice = 2 * common / total
    is_long = min(len(a.norm), len(b.norm)) >= PREFIX_WORD
    return max(dice, PREFIX_DICE) if is_long and a.norm[:PREFIX] == b.norm[:PREFIX] else dice
