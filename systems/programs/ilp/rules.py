"""What a compression may leave out of a sentence, as linear constraints on the words that are kept.

Source: Clarke and Lapata 2008, "Global inference for sentence compression", §3; their grammatical relations stand here
in the labels of Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from systems.programs.parses import Sentence

CLAUSES = frozenset({"root", "ccomp", "xcomp", "advcl", "acl", "csubj", "parataxis"})
FREE = frozenset({"root", "ccomp", "parataxis", "conj", "punct"})
ARGUMENTS = frozenset({"nsubj", "csubj", "obj", "iobj", "xcomp", "expl", "cop", "aux"})
WITH_HEAD = frozenset({"fixed", "flat", "goeswith", "case", "mark"})
DETERMINERS = frozenset({"det", "nummod"})
NEGATIONS = frozenset(
    "not n't never no neither nor none nobody nothing without hardly few little only".split()  # noqa: SIM905
)
QUOTES: Mapping[str, str] = {'"': '"', "“": "”", "«": "»", "„": "“", "‘": "’", "``": "''"}
BRACKETS: Mapping[str, str] = {"(": ")", "[": "]"}


@dataclass(frozen=True)
class Rule:
    """A constraint: low <= sum of weight times kept <= high.

    Attributes
    ----------
    name : str
        Its kind, as "arguments".
    weights : mapping of int to int
        Weight of each word, by its place.
    low, high : float
        Bounds; infinite where there is none.
    """

    name: str
    weights: Mapping[int, int]
    low: float = -inf
    high: float = inf

    def holds(self, kept: set[int]) -> bool:
        """Say whether it holds for the words that are kept."""
        return self.low <= sum(weight for place, weight in self.weights.items() if place in kept) <= self.high


def _needs(name: str, place: int, needed: int) -> Rule:
    """Without the one word there is not the other."""
    return Rule(name, {needed: 1, place: -1}, low=0)


def _equal(name: str, place: int, other: int) -> Rule:
    return Rule(name, {place: 1, other: -1}, 0, 0)


def rules_of(sentence: Sentence) -> list[Rule]:
    """Return all rules of a sentence.

    Parameters
    ----------
    sentence : Sentence
        A parsed sentence.

    Returns
    -------
    list of Rule
        Of the kinds "heads", "arguments", "function words", "determiners", "negation", "complementisers",
        "coordination", "conjuncts", "predicate", "pronouns", "brackets", "quotation" and "glued".

    Examples
    --------
    >>> from systems.programs.parses import Word
    >>> words = (Word("Old", True, 1, "amod", "ADJ"), Word("men", True, 2, "nsubj", "NOUN"),
    ...     Word("slept", True, 2, "root", "VERB", "VBD"))
    >>> [(rule.name, dict(rule.weights)) for rule in rules_of(Sentence(words))]
    [('heads', {1: 1, 0: -1}), ('arguments', {1: 1, 2: -1}), ('predicate', {2: 1})]
    """
    return [*_dependents(sentence), *_coordination(sentence), *_discourse(sentence), *_written_together(sentence)]


def _dependents(sentence: Sentence) -> Iterator[Rule]:
    for place, word in enumerate(sentence.words):
        head = sentence.governor(place)
        if head is None:
            continue
        kind = word.plain_relation
        if word.is_negative or word.text.lower() in NEGATIONS:
            yield _equal("negation", place, head)
        elif kind == "mark" and sentence.words[head].plain_relation == "ccomp":
            yield _needs("complementisers", place, head)
            yield _needs("complementisers", place, sentence.words[head].head)
        elif _is_argument(sentence, place):
            yield _equal("arguments", place, head)
        elif kind in WITH_HEAD or word.relation == "nmod:poss":
            yield _equal("function words", place, head)
        elif kind in DETERMINERS:
            yield _equal("determiners", place, head)
        elif kind not in FREE and kind != "cc":
            yield _needs("heads", place, head)
    predicates = [place for place in range(len(sentence.words)) if _is_finite(sentence, place)]
    if predicates:
        yield Rule("predicate", dict.fromkeys(predicates, 1), low=1)


def _is_argument(sentence: Sentence, place: int) -> bool:
    word = sentence.words[place]
    is_name = word.relation == "compound" and word.pos == "PROPN"
    return word.plain_relation in ARGUMENTS or word.relation == "compound:prt" or is_name


def _is_finite(sentence: Sentence, place: int) -> bool:
    word = sentence.words[place]
    if word.plain_relation not in CLAUSES:
        return False
    has_copula = any(sentence.words[child].plain_relation == "cop" for child in sentence.children[place])
    is_verb = word.tag.startswith("VB") or (not word.tag and word.pos in {"VERB", "AUX"})
    return has_copula or is_verb


def _coordination(sentence: Sentence) -> Iterator[Rule]:
    for place, word in enumerate(sentence.words):
        head = sentence.governor(place)
        if head is None or word.plain_relation != "conj":
            continue
        if (link := _link_of(sentence, place)) is not None:
            yield _needs("coordination", link, head)
            yield _needs("coordination", link, place)
            yield Rule("coordination", {link: 1, head: -1, place: -1}, low=-1)
        if word.pos not in {"VERB", "AUX"}:
            yield _needs("conjuncts", place, head)
            governor = sentence.governor(head)
            if governor is not None and sentence.words[head].plain_relation not in CLAUSES:
                yield _needs("conjuncts", place, governor)


def _link_of(sentence: Sentence, place: int) -> int | None:
    """Return the conjunction of a conjunct; where there is none, the comma before it."""
    children = sentence.children[place]
    links = [child for child in children if sentence.words[child].plain_relation == "cc"]
    commas = [child for child in children if child < place and sentence.words[child].text == ","]
    return next(iter((*links, *commas)), None)


def _discourse(sentence: Sentence) -> Iterator[Rule]:
    for place, word in enumerate(sentence.words):
        is_personal = word.tag == "PRP" or (not word.tag and word.pos == "PRON")
        if is_personal and word.plain_relation not in {"expl", "det"}:
            yield Rule("pronouns", {place: 1}, 1, 1)
    for opening, closing in _pairs(sentence, BRACKETS):
        for place in range(opening, closing + 1):
            yield Rule("brackets", {place: 1}, 0, 0)


def _pairs(sentence: Sentence, marks: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """Yield the places of marks that open and close, in order; pairs do not overlap."""
    opened: int | None = None
    for place, word in enumerate(sentence.words):
        if opened is not None and word.text == marks[sentence.words[opened].text]:
            yield opened, place
            opened = None
        elif opened is None and word.text in marks:
            opened = place


def _written_together(sentence: Sentence) -> Iterator[Rule]:
    for opening, closing in _pairs(sentence, QUOTES):
        yield _equal("quotation", opening, closing)
        inside = dict.fromkeys(range(opening + 1, closing), 1)
        yield Rule("quotation", {**inside, opening: -1}, low=0)
    for left, right in pairwise(range(len(sentence.words))):
        if not sentence.words[right].is_spaced and _is_glued(sentence, left, right):
            yield _equal("glued", left, right)


def _is_glued(sentence: Sentence, left: int, right: int) -> bool:
    """Say whether two neighbours are parts of what is written as one word, such as "it's", "a-b" or "5%"."""
    apart = {*QUOTES, *QUOTES.values(), *BRACKETS, *BRACKETS.values(), *",;:.!?…"}
    return sentence.words[left].text not in apart and sentence.words[right].text not in apart
