"""Dependency triples: what a parser found, in one scheme, with prepositions and conjunctions in the relation's name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

_UNIVERSAL = {
    "acomp": "xcomp",
    "attr": "xcomp",
    "auxpass": "aux:pass",
    "csubjpass": "csubj:pass",
    "dative": "iobj",
    "dobj": "obj",
    "intj": "discourse",
    "meta": "dep",
    "neg": "advmod",
    "npadvmod": "nmod:npmod",
    "nmod:tmod": "nmod:npmod",
    "nmod:unmarked": "nmod:npmod",
    "nsubjpass": "nsubj:pass",
    "obl": "nmod",
    "obl:npmod": "nmod:npmod",
    "obl:tmod": "nmod:npmod",
    "obl:unmarked": "nmod:npmod",
    "oprd": "xcomp",
    "pobj": "nmod",
    "poss": "nmod:poss",
    "preconj": "cc:preconj",
    "predet": "det:predet",
    "prep": "advmod",
    "prt": "compound:prt",
    "quantmod": "advmod",
    "relcl": "acl:relcl",
}
"""Relations of the CLEAR scheme, which spaCy's English pipelines use, and older names, in Universal Dependencies."""

_BE = frozenset({"am", "are", "be", "been", "being", "is", "was", "were", "'s", "'re", "'m", "’s", "’re", "’m"})
_TO = frozenset({"to", "na"})
_PREPOSITIONS = frozenset({"prep", "agent", "dative"})
_CONJUNCT = frozenset({"conj"})
_BEHIND_PREPOSITIONS = frozenset({"pobj", "pcomp"})
_STAY_WITH_PREPOSITIONS = _PREPOSITIONS | _BEHIND_PREPOSITIONS | {"conj", "cc"}
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
"""Parts of speech to which a clause is an `acl`, and not an `advcl`."""

_LITTLE = {"nmod": "case", "advcl": "mark", "acl": "mark"}
"""The little words that say more about a relation."""

_LEFT_OUT = frozenset({"root", "punct", "space", ""})


class ParsedToken(Protocol):
    """A token as spaCy has it."""

    @property
    def i(self) -> int: ...
    @property
    def lower_(self) -> str: ...
    @property
    def dep_(self) -> str: ...
    @property
    def pos_(self) -> str: ...
    @property
    def head(self) -> ParsedToken: ...


@dataclass(frozen=True)
class _Word:
    """A word, the relation to its head, and the head's place; the head of a root is the root itself."""

    place: int
    text: str
    relation: str
    head: int
    is_nominal: bool


Tree = dict[int, _Word]


def dependency_triples(tokens: Iterable[ParsedToken], *, labelled: bool = True) -> tuple[str, ...]:
    """Return the collapsed dependencies of a parsed text.

    Universal Dependencies and the CLEAR labels of spaCy's English pipelines are brought to one scheme: a noun
    after a preposition hangs on what the preposition hangs on, as ``nmod:of``; a conjunct as ``conj:and``, on the
    first of its kind; a clause as ``advcl:if``; words such as "because of" are one name, ``nmod:because_of``. As
    in the collapsed dependencies of Stanford's tools the little words keep relations of their own (``case``,
    ``cc``, ``mark``). Roots and punctuation are left out; words are in lower case.

    Two things stay as the parser has them, since the labels do not tell how to change them: names of several
    words (``flat`` on the first word, or ``compound`` on the last), and "be" before a preposition or an adverb,
    which is the head in CLEAR and a ``cop`` in Universal Dependencies.

    Source: Toutanova et al. 2016, §4.1 (PARSE-2); de Marneffe and Manning 2008, "The Stanford typed
    dependencies representation", for collapsing.

    Parameters
    ----------
    tokens : iterable of spaCy tokens
        All tokens of a text, such as a ``Doc``.
    labelled : bool, default True
        Whether relations have their names; without, units are pairs of a head and a modifier, as in Basic Elements
        (Hovy et al. 2005, as Ng and Abrecht 2015, §4.2, describe it).

    Returns
    -------
    tuple of str
        One triple ``relation(head, dependent)`` for each word that has one, in the order of the words; or
        ``(head, dependent)``.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> household = SimpleNamespace(i=1, lower_="household", dep_="ROOT", pos_="NOUN")
    >>> household.head = household
    >>> your = SimpleNamespace(i=0, lower_="your", dep_="poss", pos_="PRON", head=household)
    >>> dependency_triples([your, household])
    ('nmod:poss(household, your)',)
    >>> dependency_triples([your, household], labelled=False)
    ('(household, your)',)
    """
    tree = {
        token.i: _Word(token.i, token.lower_, _relation(token), token.head.i, token.pos_ in _NOMINAL)
        for token in tokens
    }
    for change in _CHANGES:
        tree = change(tree)
    collapsing = _Collapsing(tree)
    return tuple(
        f"{collapsing.relation(word) if labelled else ''}({tree[word.head].text}, {word.text})"
        for word in tree.values()
        if word.relation not in _LEFT_OUT and word.head in tree
    )


def _relation(token: ParsedToken) -> str:
    """Roots by their place; "to" before a verb is a mark in Universal Dependencies and an auxiliary in CLEAR."""
    if token.head.i == token.i:
        return "root"
    relation = token.dep_.lower()
    return "mark" if relation == "aux" and token.lower_ in _TO else relation


def _children(tree: Tree) -> dict[int, list[_Word]]:
    """The words that hang on each place, in their order."""
    children: dict[int, list[_Word]] = {}
    for word in tree.values():
        if word.head != word.place:
            children.setdefault(word.head, []).append(word)
    return children


def _above(tree: Tree, word: _Word, relations: frozenset[str]) -> list[_Word]:
    """The words above that have such relations, one after another, the nearest first; circles are left."""
    passed: dict[int, _Word] = {}
    here = tree.get(word.head)
    while here is not None and here.relation in relations and here.place not in passed:
        passed[here.place] = here
        here = tree.get(here.head)
    return list(passed.values())


def _with_fixed_apart(tree: Tree) -> Tree:
    """Universal Dependencies hang the "of" of "because of" on "because": here both hang on the noun."""
    changed = dict(tree)
    for word in tree.values():
        first = tree.get(word.head)
        if word.relation == "fixed" and first is not None and first.relation in ("case", "mark", "cc"):
            changed[word.place] = replace(word, relation=first.relation, head=first.head)
    return changed


def _with_prepositions_chained(tree: Tree) -> Tree:
    """A second preposition, which CLEAR may take for a clause behind the first, is a preposition too."""
    changed, children = dict(tree), _children(tree)
    for word in tree.values():
        if word.relation == "pcomp" and _object(children, word) is not None:
            changed[word.place] = replace(word, relation="prep")
    return changed


def _with_prepositions_joined(tree: Tree) -> Tree:
    """CLEAR joins prepositions in "in Rome and in Paris": here the nouns are joined; "for and against it" has one."""
    changed, children = dict(tree), _children(tree)
    for word in tree.values():
        first, second = tree.get(word.head), _object(children, word)
        if word.relation != "conj" or first is None or first.relation not in _PREPOSITIONS or second is None:
            continue
        noun = _object(children, first)
        if noun is None:
            changed[second.place] = replace(second, head=first.place)
            continue
        changed[second.place] = replace(second, relation="conj", head=noun.place)
        changed[word.place] = replace(word, relation="case", head=second.place)
        for child in children[first.place]:
            if child.relation == "cc":
                changed[child.place] = replace(child, head=noun.place)
    return changed


def _object(children: dict[int, list[_Word]], word: _Word) -> _Word | None:
    return next((child for child in children.get(word.place, []) if child.relation == "pobj"), None)


def _without_prepositions(tree: Tree) -> Tree:
    """CLEAR puts prepositions between a word and its noun: the noun hangs on the word, the prepositions on the noun."""
    changed, children = dict(tree), _children(tree)
    for word in tree.values():
        prepositions = _above(tree, word, _PREPOSITIONS) if word.relation in _BEHIND_PREPOSITIONS else []
        if not prepositions:
            continue
        head = prepositions[-1].head
        clause = "acl" if head in tree and tree[head].is_nominal else "advcl"
        name, mark = ("nmod", "case") if word.relation == "pobj" else (clause, "mark")
        changed[word.place] = replace(word, relation=name, head=head)
        for each in prepositions:
            changed[each.place] = replace(each, relation=mark, head=word.place)
            for child in children[each.place]:
                if child.relation not in _STAY_WITH_PREPOSITIONS:
                    changed[child.place] = replace(child, head=word.place)
    return changed


def _with_copulas(tree: Tree) -> Tree:
    """CLEAR lets a form of "be" carry the clause, Universal Dependencies what follows it; in "there is" the verb."""
    changed, children = dict(tree), _children(tree)
    for verb in tree.values():
        below = children.get(verb.place, [])
        said = next((word for word in below if word.relation in ("attr", "acomp")), None)
        if said is None or verb.text not in _BE:
            continue
        if any(word.relation == "expl" and word.text == "there" for word in below):
            changed[said.place] = replace(said, relation="nsubj")
            continue
        for child in below:
            changed[child.place] = replace(changed[child.place], head=said.place)
        now = changed[verb.place]
        above = said.place if now.relation == "root" else now.head
        changed[said.place] = replace(said, relation=now.relation, head=above)
        changed[verb.place] = replace(verb, relation="cop", head=said.place)
    return changed


def _with_conjuncts_apart(tree: Tree) -> Tree:
    """CLEAR hangs each conjunct on the one before it, and "and" on what is before it; here all hang on the first."""
    changed, children = dict(tree), _children(tree)
    for word in tree.values():
        if word.relation != "conj":
            continue
        before = _above(tree, word, _CONJUNCT)
        for child in children.get(word.head, []):
            is_free = changed[child.place].head == child.head  # the conjunct before it may have taken it
            if child.relation == "cc" and is_free and word.head < child.place < word.place:
                changed[child.place] = replace(child, head=word.place)
        changed[word.place] = replace(word, head=before[-1].head if before else word.head)
    return changed


def _universal(tree: Tree) -> Tree:
    return {place: replace(word, relation=_named(word.relation)) for place, word in tree.items()}


_CHANGES = (
    _with_fixed_apart,
    _with_prepositions_chained,
    _with_prepositions_joined,
    _without_prepositions,
    _with_copulas,
    _with_conjuncts_apart,
    _universal,
)


def _named(relation: str) -> str:
    """Other subtypes of obliques go: the paper's parser had none."""
    return _UNIVERSAL.get(relation) or _UNIVERSAL.get(
        relation.partition(":")[0] if relation[:4] == "obl:" else "", relation
    )


class _Collapsing:
    """The names of relations with the little words that say more about them."""

    def __init__(self, tree: Tree) -> None:
        self._children = _children(tree)
        self._conjunctions = self._of_conjuncts()

    def relation(self, word: _Word) -> str:
        if word.relation == "conj":
            marks = self._conjunctions.get(word.place, [])
        else:
            marks = self._marks(word, _LITTLE.get(word.relation, ""))
        return f"{word.relation}:{'_'.join(marks)}" if marks else word.relation

    def _marks(self, word: _Word, relation: str) -> list[str]:
        return [child.text for child in self._children.get(word.place, []) if child.relation == relation]

    def _of_conjuncts(self) -> dict[int, list[str]]:
        """In "a, b and c" the "and" stands with c, and is for b as well: so the last ones come first."""
        found: dict[int, list[str]] = {}
        for children in self._children.values():
            later: list[str] = []
            for word in sorted(children, key=lambda child: -child.place):
                if word.relation == "conj":
                    later = self._marks(word, "cc") or later
                    found[word.place] = later
        return found
