"""What is said of a person over a visit: rules that count over all of their texts, never of one alone.

Who meets a rule is shown to staff, so that they look at the work. It proves nothing: the rules were set on simulated
writers, and who forges times and changes, or puts another's words in by hand, meets none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import sqrt
from statistics import NormalDist

from measures.keystrokes.edit_log import Kind
from measures.quality_control.provenance.cuts import Cut
from measures.quality_control.provenance.matching import KeptWords, TextWords, is_near_same, keep_z
from measures.quality_control.provenance.text_evidence import TextEvidence

FEWEST = 3
UNLIKELY = 0.001
"""A count is told only if chance gives it so seldom, at the rate of the other people of the campaign."""

FEWEST_POOLED = 300
FEWEST_SMALL_WORDS = 0.35
CUT_RATE, SAME_RATE = 0.08, 0.03
"""Least rates that are assumed of honest people. Our choice."""


class Rule(StrEnum):
    """What a visit may meet, as it is stored."""

    IN_ONE_GO = "in one go"
    METRONOME = "metronome"
    NO_WORDS_IN_RHYTHM = "rhythm without words"
    AFTER_RETURN = "after returning"
    BY_PROGRAM = "by a program"
    ONE_CUT = "one cut"
    TELEGRAPH = "telegraph"
    OTHER_WORDS = "other words kept"
    SAME_AS_OTHERS = "same as others"
    FLAGGED = "flagged"


@dataclass(frozen=True)
class VisitText:
    """A text as the rules see it.

    Attributes
    ----------
    person, source, number : int
        Who wrote it, for which source, and its place among all texts in order of time.
    evidence : TextEvidence or None
        From its edit log; None without one.
    words : TextWords
        Its words.
    kept : KeptWords
        Those of the source that it keeps.
    cut : Cut or None
        Whether it is the source with one piece cut out.
    small_words : float or None
        Its share of function words over that of the source.
    flags : frozenset of str
        Names of the flags that it has by itself.

    Examples
    --------
    >>> VisitText.__name__
    'VisitText'
    """

    person: int
    source: int
    number: int
    evidence: TextEvidence | None
    words: TextWords
    kept: KeptWords
    cut: Cut | None
    small_words: float | None
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Met:
    """A rule that a visit meets.

    Attributes
    ----------
    rule : Rule
        Which one.
    count, texts : int
        In how many of how many texts.
    tail : float
        Probability of that much or more by chance; 1 where no chance is defined.
    figures : tuple of (str, float)
        What it stands on, by name.

    Examples
    --------
    >>> Met(Rule.METRONOME, 6, 7).tail
    1.0
    """

    rule: Rule
    count: int
    texts: int
    tail: float = 1.0
    figures: tuple[tuple[str, float], ...] = ()


Visit = Sequence[VisitText]


def is_half(count: int, texts: int) -> bool:
    """Say whether so many of so many texts are at least three and at least half.

    Parameters
    ----------
    count, texts : int
        Numbers of texts.

    Returns
    -------
    bool
        Whether the count is told.

    Examples
    --------
    >>> is_half(3, 6), is_half(2, 2), is_half(3, 7)
    (True, False, False)
    """
    return count >= FEWEST and 2 * count >= texts


def rules_met(
    texts: Iterable[VisitText], decoys: Mapping[int, Sequence[TextWords]], repeats: str = ""
) -> dict[int, list[Met]]:
    """Return what the visit of each person meets, in the order of `Rule`; people who meet nothing are left out.

    Which words are kept is compared with people who meet no other rule: among many who cut, those who cut agree.

    Parameters
    ----------
    texts : iterable of VisitText
        All texts of a campaign.
    decoys : mapping of int to sequence of TextWords
        By source, texts of language models that nobody was shown.
    repeats : str
        The name of the flag that is met by one text, since it already compares several.

    Returns
    -------
    dict of int to list of Met
        By person.

    Examples
    --------
    >>> rules_met([], {})
    {}
    """
    visits: dict[int, list[VisitText]] = defaultdict(list)
    by_source: dict[int, list[VisitText]] = defaultdict(list)
    for text in sorted(texts, key=lambda each: each.number):
        visits[text.person].append(text)
        by_source[text.source].append(text)
    written = {person: len(visit) for person, visit in visits.items()}
    cuts = {person: sum(text.cut is not None for text in visit) for person, visit in visits.items()}
    same = {person: sum(_has_twin(text, by_source, decoys) for text in visit) for person, visit in visits.items()}
    all_cuts, all_texts = sum(cuts.values()), sum(written.values())
    same_rates = _rates_of_others(same, written)
    found = {}
    for person, visit in visits.items():
        met = [rule(visit) for rule in PROCESS_RULES]
        met += [
            one_cut_met(cuts[person], len(visit), others=(all_cuts - cuts[person], all_texts - len(visit))),
            _half(Rule.TELEGRAPH, visit, _is_telegraph),
            _beyond_chance(Rule.SAME_AS_OTHERS, same[person], len(visit), max(SAME_RATE, same_rates[person])),
            _flagged(visit, repeats),
        ]
        found[person] = [each for each in met if each is not None]
    listed = {person for person, met in found.items() if met}
    for person, visit in visits.items():
        if other_words := _other_words(visit, by_source, listed):
            found[person].append(other_words)
            found[person].sort(key=lambda each: list(Rule).index(each.rule))
    return {person: met for person, met in found.items() if met}


def one_cut_met(count: int, texts: int, *, others: tuple[int, int]) -> Met | None:
    """Return whether so many of a person's texts are their sources with one piece cut out that chance hardly gives it.

    Parameters
    ----------
    count, texts : int
        How many of how many texts of the person are.
    others : tuple of int
        How many of how many texts of the others are.

    Returns
    -------
    Met or None
        None for less than half, and where the probability at the rate of the others is not below .001.

    Examples
    --------
    >>> one_cut_met(4, 5, others=(0, 0)) is None, one_cut_met(3, 5, others=(0, 0)) is None
    (False, True)
    """
    return _beyond_chance(Rule.ONE_CUT, count, texts, max(CUT_RATE, _rate(*others)))


def _rates_of_others(counts: Mapping[int, int], written: Mapping[int, int]) -> dict[int, float]:
    """Return for each person the rate of all others."""
    all_counts, all_texts = sum(counts.values()), sum(written.values())
    return {person: _rate(all_counts - count, all_texts - written[person]) for person, count in counts.items()}


def _rate(count: int, texts: int) -> float:
    """Return a rate, drawn towards that of few honest people while there are few texts."""
    return (count + 1) / (texts + 12)


def _beyond_chance(rule: Rule, count: int, texts: int, rate: float) -> Met | None:
    from scipy.special import bdtrc  # SciPy takes long to load, and most who import this need no tail

    tail = float(bdtrc(count - 1, texts, rate)) if count else 1.0
    return Met(rule, count, texts, tail) if is_half(count, texts) and tail < UNLIKELY else None


def _half(rule: Rule, visit: Visit, holds: Callable[[VisitText], bool]) -> Met | None:
    count = sum(map(holds, visit))
    return Met(rule, count, len(visit)) if is_half(count, len(visit)) else None


def _is_telegraph(text: VisitText) -> bool:
    return text.small_words is not None and text.small_words < FEWEST_SMALL_WORDS


def _flagged(visit: Visit, repeats: str) -> Met | None:
    count = sum(bool(text.flags) for text in visit)
    is_repeated = bool(repeats) and any(repeats in text.flags for text in visit)
    return Met(Rule.FLAGGED, count, len(visit)) if is_repeated or is_half(count, len(visit)) else None


def _in_one_go(visit: Visit) -> Met | None:
    """Emptied, then typed from left to right, hardly with a pause: pooled over the texts written so."""
    typed = [text.evidence for text in visit if text.evidence is not None and text.evidence.typed_anew]
    put_in, pauses = sum(each.put_in for each in typed), sum(each.pauses for each in typed)
    linear = sum((each.linear or 0) * each.put_in for each in typed)
    behind = sum(each.behind or 0 for each in typed)
    if not is_half(len(typed), len(visit)) or put_in < FEWEST_POOLED:
        return None
    if linear < 0.97 * put_in or behind > max(1, put_in / 500) or pauses > 0.4 * put_in / 100:
        return None
    figures = (("put_in", float(put_in)), ("pauses", float(pauses)), ("behind", float(behind)))
    return Met(Rule.IN_ONE_GO, len(typed), len(visit), figures=figures)


def _is_metronome(text: VisitText) -> bool:
    if text.evidence is None:
        return False
    spread, tail = text.evidence.rhythm.spread, text.evidence.rhythm.tail
    return (spread is not None and spread < 0.25) or (tail is not None and tail < 1.6 and text.evidence.fresh >= 0.8)


def _no_words_in_rhythm(visit: Visit) -> Met | None:
    """Pauses are not longer where words begin, in texts typed as a whole."""
    rhythms = [
        text.evidence.rhythm
        for text in visit
        if text.evidence is not None and text.evidence.fresh >= 0.8 and text.evidence.rhythm.variance is not None
    ]
    if len(rhythms) < FEWEST:
        return None
    z = sum(each.excess or 0.0 for each in rhythms) / sqrt(sum(each.variance or 0.0 for each in rhythms))
    return Met(Rule.NO_WORDS_IN_RHYTHM, len(rhythms), len(visit), figures=(("z", z),)) if z < 2 else None


def _is_after_return(text: VisitText) -> bool:
    found = text.evidence
    return found is not None and found.after_chars >= 40 and (found.after_return or 0) >= 0.5 and found.fresh >= 0.5


def _is_by_program(text: VisitText) -> bool:
    return text.evidence is not None and text.evidence.share(Kind.SCRIPTED, Kind.OTHER) >= 0.5


PROCESS_RULES: tuple[Callable[[Visit], Met | None], ...] = (
    _in_one_go,
    partial(_half, Rule.METRONOME, holds=_is_metronome),
    _no_words_in_rhythm,
    partial(_half, Rule.AFTER_RETURN, holds=_is_after_return),
    partial(_half, Rule.BY_PROGRAM, holds=_is_by_program),
)


def _has_twin(
    text: VisitText, by_source: Mapping[int, Sequence[VisitText]], decoys: Mapping[int, Sequence[TextWords]]
) -> bool:
    """Say whether nearly the same stands in an earlier text by another person, or in one of a language model."""
    earlier = (
        each.words for each in by_source[text.source] if each.number < text.number and each.person != text.person
    )
    return any(is_near_same(text.words, each) for each in (*decoys.get(text.source, ()), *earlier))


def _other_words(visit: Visit, by_source: Mapping[int, Sequence[VisitText]], listed: Collection[int]) -> Met | None:
    pairs = (
        (text.kept, [each.kept for each in by_source[text.source] if each.person not in {*listed, text.person}])
        for text in visit
    )
    compared = keep_z(pairs)
    if compared is None:
        return None
    z, texts = compared
    if z >= (1.5 if texts >= 7 else 1.0):
        return None
    return Met(Rule.OTHER_WORDS, texts, len(visit), NormalDist().cdf(z), (("z", z),))
