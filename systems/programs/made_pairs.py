"""Made-up English sentences with a shorter text each, by rewrites that are known: data to train and try systems on.

A sentence is drawn from a small grammar, and written twice: as it is, and rewritten. Both have their trees, so that
nothing here needs a parser.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from systems.programs.parses import Parse, Sentence, Word
from systems.programs.texts import Range, Source, is_usable
from systems.programs.tokens import kept_text

REWRITES = ("synonym", "active", "relative", "apposition", "adverb", "clause", "possessive")
"""Another word; active for passive; what is dropped: relative clauses, appositions, adverbs, the clause in front; and
the possessive in place of "of"."""

DELETIONS = frozenset({"relative", "apposition", "adverb", "clause"})
"""Rewrites that only drop words."""

FEWEST_WORDS, MOST_WORDS = 8, 30

SYNONYMS = dict(
    pair.split(":")
    for pair in """
    physician:doctor attorney:lawyer instructor:teacher youngster:child purchaser:buyer spokeswoman:speaker
    commander:chief aviator:pilot cultivator:farmer monarch:king burglar:thief adolescent:teen proprietor:owner
    investigator:detective manufacturer:maker custodian:guard companion:friend merchant:trader
    residence:house automobile:car document:paper photograph:picture instrument:tool vessel:ship fabric:cloth
    garment:coat currency:money beverage:drink correspondence:letter machinery:engine timepiece:watch
    apparatus:device necklace:chain publication:book portrait:painting
    purchased:bought constructed:built demolished:broke discovered:found located:saw abandoned:left obtained:got
    transported:carried repaired:fixed concealed:hid requested:wanted examined:checked delivered:brought
    enormous:huge ancient:old costly:dear miniature:small magnificent:grand defective:bad valuable:good
    unfamiliar:new beautiful:fine frightened:scared wealthy:rich intelligent:clever courageous:brave
    settlement:town metropolis:city cathedral:church institution:school woodland:forest territory:land
    """.split()  # noqa: SIM905
)
"""The words that a rewriting replaces, and by what."""

_PEOPLE = """physician attorney instructor youngster purchaser spokeswoman commander aviator cultivator monarch burglar
    adolescent proprietor investigator manufacturer custodian companion merchant artist baker captain clerk cook dancer
    driver editor engineer gardener hunter judge mayor minister musician neighbour nurse officer painter poet priest
    sailor scientist singer soldier student tailor tourist visitor waiter witness worker writer""".split()  # noqa: SIM905
_THINGS = """residence automobile document photograph instrument vessel fabric garment currency beverage correspondence
    machinery timepiece apparatus necklace publication portrait basket bicycle blanket boat bottle box bridge camera
    candle carpet chair clock computer crown curtain desk drum fence flag gate guitar hammer hat key knife ladder lamp
    lantern map mirror piano pipe plate ring roof rope statue table tent tower umbrella violin wagon""".split()  # noqa: SIM905
_PLACES = """settlement metropolis cathedral institution woodland territory castle farm garden harbour hospital hotel
    island library market mountain museum office palace park port prison restaurant river station street theatre
    valley village""".split()  # noqa: SIM905
_VERBS = """purchased constructed demolished discovered located abandoned obtained transported repaired concealed
    requested examined delivered admired borrowed cleaned collected copied counted covered described dropped followed
    guarded ignored liked lifted lost missed moved noticed opened ordered packed painted photographed polished praised
    pulled pushed received remembered removed rented returned sold stole touched watched""".split()  # noqa: SIM905
_IRREGULAR = {"stole": "stolen"}
_QUALITIES = """enormous ancient costly miniature magnificent defective valuable unfamiliar beautiful black blue broken
    brown clean cold dark dry dusty empty golden green grey heavy light long narrow plain red round rusty silver soft
    strange white wooden yellow""".split()  # noqa: SIM905
_TEMPERS = """frightened wealthy intelligent courageous angry calm careful cheerful curious famous friendly honest
    hungry lazy lonely nervous patient polite poor proud quiet sad serious shy tired young""".split()  # noqa: SIM905
_MANNERS = """accidentally apparently carefully certainly eventually finally formally fortunately gradually immediately
    probably quickly quietly reluctantly reportedly secretly slowly suddenly surprisingly unexpectedly""".split()  # noqa: SIM905
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905
_NAMES = """Adams Baker Carter Dixon Evans Fisher Graham Harris Irving Jones Keller Lewis Morgan Norton Owens Parker
    Quinn Reed Stone Turner Walker Young""".split()  # noqa: SIM905
_EVENTS = """concert war storm election meeting wedding trial festival flood strike
    winter harvest""".split()  # noqa: SIM905
_ENDED = "ended began started passed continued".split()  # noqa: SIM905
_POS = {"DT": "DET", "JJ": "ADJ", "NN": "NOUN", "NNP": "PROPN", "VBD": "VERB", "VBN": "VERB", "AUX": "AUX"}
_POS |= {"IN": "ADP", "RB": "ADV", "WP": "PRON", "POS": "PART", "CC": "CCONJ", "MARK": "SCONJ", ",": "PUNCT"}
_POS |= {".": "PUNCT"}
_TAGS = {"AUX": "VBD", "MARK": "IN"}


@dataclass(frozen=True)
class MadePair:
    """A sentence and what the rewrites make of it.

    Attributes
    ----------
    source, target : Sentence
        Their trees.
    rewrites : frozenset of str
        Which of `REWRITES` were at work.
    """

    source: Sentence
    target: Sentence
    rewrites: frozenset[str]

    @property
    def source_text(self) -> str:
        """The sentence as it is written."""
        return kept_text(self.source.words, range(len(self.source.words)))

    @property
    def target_text(self) -> str:
        """The shorter text as it is written."""
        return kept_text(self.target.words, range(len(self.target.words)))


def made_pairs(number: int, *, seed: int, rewrites: Iterable[str] = REWRITES) -> list[MadePair]:
    """Draw pairs of which no two have the same source.

    Parameters
    ----------
    number : int
        How many.
    seed : int
        The same seed gives the same pairs, and fewer are the first ones of more.
    rewrites : iterable of str
        Which rewrites there are; with `DELETIONS`, each target is its source without some words.

    Returns
    -------
    list of MadePair
        Each source has 8 to 30 words, and its target is as long as `Range()` has it.
    """
    rng, found, allowed = Random(seed), dict[str, MadePair](), frozenset(rewrites)
    while len(found) < number:
        pair = _drawn(rng, allowed)
        text = pair.source_text
        words = sum(not word.is_sign for word in pair.source.words)
        is_short_enough = is_usable(Source("", "en", (text,)), pair.target_text, Range())
        if FEWEST_WORDS <= words <= MOST_WORDS and is_short_enough and Range().holds(text, pair.target_text):
            found.setdefault(text, pair)
    return list(found.values())


def parse_of(pairs: Iterable[MadePair]) -> Parse:
    """Return what knows the trees of all texts of pairs, in place of a parser."""
    known: dict[str, Sentence] = {}
    for pair in pairs:
        known |= {pair.source_text: pair.source, pair.target_text: pair.target}
    return lambda text: known[text]


@dataclass(frozen=True)
class _Node:
    """A word with what hangs on it, before and after."""

    text: str
    tag: str
    relation: str
    before: tuple[_Node, ...] = ()
    after: tuple[_Node, ...] = ()


@dataclass(frozen=True)
class _Noun:
    """What a noun phrase says; `of` is another noun, and `relative` the verb and object of a relative clause."""

    noun: str
    quality: str = ""
    title: str = ""
    relative: tuple[str, _Noun] | None = None
    of: _Noun | None = None


@dataclass(frozen=True)
class _Clause:
    """What a sentence says."""

    agent: _Noun
    verb: str
    thing: _Noun
    is_passive: bool
    manner: str = ""
    place: _Noun | None = None
    day: str = ""
    event: tuple[str, str] | None = None
    other: _Clause | None = None


def _drawn(rng: Random, rewrites: frozenset[str]) -> MadePair:
    clause = _clause(rng)
    if rng.random() < 0.25:
        clause = replace(clause, other=replace(_clause(rng), event=None))
    as_it_is, rewritten = _Writing(frozenset()), _Writing(rewrites)
    source, target = _tree(as_it_is.root(clause)), _tree(rewritten.root(clause))
    return MadePair(source, target, frozenset(rewritten.used))


def _clause(rng: Random) -> _Clause:
    return _Clause(
        _person(rng, deep=True),
        rng.choice(_VERBS),
        _thing(rng, deep=True),
        rng.random() < 0.5,
        rng.choice(_MANNERS) if rng.random() < 0.5 else "",
        _Noun(rng.choice(_PLACES)) if rng.random() < 0.3 else None,
        rng.choice(_DAYS) if rng.random() < 0.3 else "",
        (rng.choice(_EVENTS), rng.choice(_ENDED)) if rng.random() < 0.5 else None,
    )


def _person(rng: Random, *, deep: bool) -> _Noun:
    if deep and rng.random() < 0.25:
        return _Noun(rng.choice(_NAMES), title=rng.choice(_PEOPLE))
    noun = _Noun(rng.choice(_PEOPLE), rng.choice(_TEMPERS) if rng.random() < 0.5 else "")
    if deep and rng.random() < 0.5:
        noun = replace(noun, relative=(rng.choice(_VERBS), _thing(rng, deep=False)))
    return noun


def _thing(rng: Random, *, deep: bool) -> _Noun:
    noun = _Noun(rng.choice(_THINGS), rng.choice(_QUALITIES) if rng.random() < 0.5 else "")
    if deep and rng.random() < 0.3:
        return replace(noun, of=_person(rng, deep=False))
    if deep and rng.random() < 0.5:
        noun = replace(noun, relative=(rng.choice(_VERBS), _person(rng, deep=False)))
    return noun


class _Writing:
    """Writes what a sentence says, with some rewrites; `used` are those that were at work."""

    def __init__(self, rewrites: frozenset[str]) -> None:
        self.rewrites, self.used = rewrites, set[str]()

    def does(self, rewrite: str) -> bool:
        if rewrite in self.rewrites:
            self.used.add(rewrite)
        return rewrite in self.rewrites

    def word(self, text: str) -> str:
        return SYNONYMS[text] if text in SYNONYMS and self.does("synonym") else text

    def root(self, clause: _Clause) -> _Node:
        node = self.clause(clause, "root")
        if clause.other is not None:
            other = self.clause(clause.other, "conj")
            link = (_Node(",", ",", "punct"), _Node("and", "CC", "cc"))
            node = replace(node, after=(*node.after, replace(other, before=(*link, *other.before))))
        return replace(node, after=(*node.after, _Node(".", ".", "punct")))

    def clause(self, clause: _Clause, relation: str) -> _Node:
        manner = (_Node(clause.manner, "RB", "advmod"),) if clause.manner and not self.does("adverb") else ()
        rest = self.rest(clause)
        if clause.is_passive and not self.does("active"):
            past = _IRREGULAR.get(clause.verb, clause.verb)
            before = (self.noun(clause.thing, "nsubj:pass"), _Node("was", "AUX", "aux:pass"), *manner)
            return _Node(self.word(past), "VBN", relation, before, (self.noun(clause.agent, "obl", "by"), *rest))
        before = (*self.event(clause), self.noun(clause.agent, "nsubj"), *manner)
        return _Node(self.word(clause.verb), "VBD", relation, before, (self.noun(clause.thing, "obj"), *rest))

    def event(self, clause: _Clause) -> tuple[_Node, ...]:
        if clause.event is None or clause.is_passive or self.does("clause"):
            return ()
        noun, verb = clause.event
        mark, aux = _Node("after", "MARK", "mark"), _Node("had", "AUX", "aux")
        past = {"began": "begun"}.get(verb, verb)
        subject = self.noun(_Noun(noun), "nsubj")
        return (_Node(past, "VBN", "advcl", (mark, subject, aux)), _Node(",", ",", "punct"))

    def rest(self, clause: _Clause) -> tuple[_Node, ...]:
        place = (self.noun(clause.place, "obl", "in"),) if clause.place is not None else ()
        day = (_Node(clause.day, "NNP", "obl", (_Node("on", "IN", "case"),)),) if clause.day else ()
        return (*place, *day)

    def noun(self, noun: _Noun, relation: str, case: str = "") -> _Node:
        before = (_Node(case, "IN", "case"),) if case else ()
        if noun.title:
            return _Node(noun.noun, "NNP", relation, before, self.apposition(noun))
        owner = (_Node("the", "DT", "det"),)
        after: tuple[_Node, ...] = ()
        if noun.of is not None:
            if self.does("possessive"):
                of = self.noun(noun.of, "nmod:poss")
                owner = (replace(of, after=(_Node("'s", "POS", "case"),)),)
            else:
                after = (self.noun(noun.of, "nmod", "of"),)
        quality = (_Node(self.word(noun.quality), "JJ", "amod"),) if noun.quality else ()
        return _Node(self.word(noun.noun), "NN", relation, (*before, *owner, *quality), (*after, *self.relative(noun)))

    def apposition(self, noun: _Noun) -> tuple[_Node, ...]:
        if self.does("apposition"):
            return ()
        title = self.noun(_Noun(noun.title), "appos")
        return (replace(title, before=(_Node(",", ",", "punct"), *title.before)), _Node(",", ",", "punct"))

    def relative(self, noun: _Noun) -> tuple[_Node, ...]:
        if noun.relative is None or self.does("relative"):
            return ()
        verb, other = noun.relative
        if noun.noun in _PEOPLE:
            return (
                _Node(self.word(verb), "VBD", "acl:relcl", (_Node("who", "WP", "nsubj"),), (self.noun(other, "obj"),)),
            )
        before = (_Node("that", "WP", "obj"), self.noun(other, "nsubj"), _Node("had", "AUX", "aux"))
        past = _IRREGULAR.get(verb, verb)
        return (_Node(self.word(past), "VBN", "acl:relcl", before),)


def _tree(root: _Node) -> Sentence:
    """Return a sentence with a capital, a comma and a full stop without white space before them."""
    written = list(_in_order(root))
    nodes = [node for node, after in zip(written, (*written[1:], root), strict=True) if not _is_lost(node, after)]
    place = {id(node): number for number, node in enumerate(nodes)}
    head = {id(child): place[id(node)] for node in nodes for child in (*node.before, *node.after)}
    words = []
    for number, node in enumerate(nodes):
        text = node.text if number else node.text[:1].upper() + node.text[1:]
        is_spaced = number == 0 or (node.tag not in {",", ".", "POS"})
        own = head.get(id(node), number)
        words.append(Word(text, is_spaced, own, node.relation, _POS[node.tag], _TAGS.get(node.tag, node.tag)))
    return Sentence(tuple(words))


def _is_lost(node: _Node, after: _Node) -> bool:
    """Say whether it is a comma that another mark follows."""
    return node.tag == "," and after.tag in {",", "."}


def _in_order(node: _Node) -> Iterator[_Node]:
    for child in node.before:
        yield from _in_order(child)
    yield node
    for child in node.after:
        yield from _in_order(child)
