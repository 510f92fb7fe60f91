"""Texts of people and of systems for the same pairs of sentences, as sets to be judged side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from measures.text.normalization import canonical


@dataclass(frozen=True)
class Hypothesis:
    """A text of a set.

    Attributes
    ----------
    text : str
        The text; equal texts are one hypothesis, so that they share all answers.
    names : tuple of str
        Whose it is: names of people, of slots and of systems.
    writers : frozenset of str
        The people who wrote it, who must not judge its set.
    """

    text: str
    names: tuple[str, ...]
    writers: frozenset[str]


@dataclass(frozen=True)
class HypothesisSets:
    """The sets, and which names mean one person.

    Attributes
    ----------
    sets : dict
        By pair: its hypotheses, those of people first.
    people : dict
        "HUMAN 1" and so on: the person of each such name, who wrote a text for every pair. Texts of all others are
        called "slot 1" and so on, pair by pair: no agreement may be computed of these, since a slot is not one person.
    """

    sets: dict[str, tuple[Hypothesis, ...]]
    people: dict[str, str]


def hypothesis_sets(
    written: Mapping[str, Mapping[str, str]], others: Mapping[str, Mapping[str, str]]
) -> HypothesisSets:
    """Make one set of each pair from what people wrote and from other texts.

    Source: Daumé and Marcu 2004, "Generic sentence fusion is an ill-defined summarization task", ranked evaluation,
    whose sets have 8 people beside a reference and 3 baselines. That only people who wrote all pairs have a name is our
    choice.

    Parameters
    ----------
    written : mapping of str to mapping of str to str
        By pair: the texts by the person who wrote them, in the order in which they are to be numbered.
    others : mapping of str to mapping of str to str
        By pair: other texts by their names, such as those of systems and the reference.

    Returns
    -------
    HypothesisSets
        A set for each pair that has any text.

    Raises
    ------
    ValueError
        If another text has the name of a person or a slot.

    Examples
    --------
    >>> made = hypothesis_sets({"1": {"p": "It shuts.", "q": "It closes."}, "2": {"p": "Rain fell."}},
    ...                        {"1": {"longer": "It closes."}})
    >>> [(each.text, each.names) for each in made.sets["1"]]
    [('It shuts.', ('HUMAN 1',)), ('It closes.', ('slot 1', 'longer'))]
    >>> made.people
    {'HUMAN 1': 'p'}
    """
    pairs = list(dict.fromkeys([*written, *others]))
    writers = dict.fromkeys(person for texts in written.values() for person in texts)
    constant = [person for person in writers if all(person in written.get(pair, {}) for pair in pairs)]
    people = {f"HUMAN {number}": person for number, person in enumerate(constant, start=1)}
    name_of = {person: name for name, person in people.items()}
    sets = {}
    for pair in pairs:
        mine = written.get(pair, {})
        slots = {person: f"slot {at}" for at, person in enumerate((p for p in mine if p not in name_of), start=1)}
        names = {**{person: name_of[person] for person in constant}, **slots}
        taken = next((name for name in others.get(pair, {}) if name in people or name in slots.values()), None)
        if taken is not None:
            raise ValueError(f"pair {pair} has another text called {taken}")
        texts = [(names[person], mine[person], {person}) for person in names]
        texts += [(name, text, set()) for name, text in others.get(pair, {}).items()]
        sets[pair] = _once(texts)
    return HypothesisSets(sets, people)


def _once(texts: list[tuple[str, str, set[str]]]) -> tuple[Hypothesis, ...]:
    """Put equal texts together, white space and unseen characters aside."""
    found: dict[str, Hypothesis] = {}
    for name, text, writers in texts:
        before = found.get(canonical(text), Hypothesis(text, (), frozenset()))
        found[canonical(text)] = Hypothesis(before.text, (*before.names, name), before.writers | writers)
    return tuple(found.values())
