"""Arms of an experiment: how people or tasks are drawn into them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from measures.core.seeded_order import seeded_key

LEAST_HAD_CHANCE = 0.8
"""With this chance a task goes to the arm that its person had least."""
_KEYS = 16**64


def next_arm_of_person(arms: Sequence[str], drawn: Sequence[str], *, seed: int, stratum: str = "") -> str:
    """Return the arm of the next person of a stratum.

    People come in blocks that hold each arm once or twice, in an order drawn from the seed. The size of a block is
    drawn too, so that nobody who knows the arms so far knows the next for sure.

    Source: Matts and Lachin 1988, "Properties of permuted-block randomization in clinical trials".

    Parameters
    ----------
    arms : sequence of str
        Two or more distinct arms.
    drawn : sequence of str
        The arms of the people of the stratum so far, in the order in which they were drawn.
    seed : int
        Seed of the draw; on any machine the same seed gives the same arms.
    stratum : str, default ""
        The stratum. Each has blocks of its own.

    Returns
    -------
    str
        One of the arms.

    Raises
    ------
    ValueError
        If there are fewer than two arms or one stands twice, or `drawn` is not what this seed draws.

    Examples
    --------
    >>> drawn = []
    >>> for person in range(6):
    ...     drawn.append(next_arm_of_person(["three", "five"], drawn, seed=1))
    >>> drawn
    ['three', 'three', 'five', 'five', 'five', 'three']
    """
    stream = _person_stream(_checked(arms), seed, stratum)
    for place, arm in enumerate(drawn):
        expected = next(stream)
        if arm != expected:
            raise ValueError(f"person {place + 1} of stratum {stratum!r} was drawn into {arm!r}, not {expected!r}")
    return next(stream)


def arms_of_people(arms: Sequence[str], strata: Sequence[str], *, seed: int) -> list[str]:
    """Return the arms of people in the order in which they come, as `next_arm_of_person` draws them one by one.

    Parameters
    ----------
    arms : sequence of str
        Two or more distinct arms.
    strata : sequence of str
        The stratum of each person.
    seed : int
        Seed of the draw.

    Returns
    -------
    list of str
        The arm of each person.

    Raises
    ------
    ValueError
        If there are fewer than two arms, or one stands twice.

    Examples
    --------
    >>> sorted(arms_of_people(["a", "b"], ["new", "old", "new", "old"], seed=3))
    ['a', 'a', 'b', 'b']
    """
    checked = _checked(arms)
    streams = {stratum: _person_stream(checked, seed, stratum) for stratum in set(strata)}
    return [next(streams[stratum]) for stratum in strata]


def next_arm_of_task(
    arms: Sequence[str], drawn: Sequence[str], had: Mapping[str, int], *, seed: int, source: str
) -> str:
    """Return the arm of the next task with a source.

    The tasks of a source come in blocks that hold each arm once. Of the arms still open in the block it is, with chance
    .8, one of those that the person had least; else any of them.

    Source: Pocock and Simon 1975, "Sequential treatment assignment with balancing for prognostic factors in the
    controlled clinical trial", with blocks of sources.

    Parameters
    ----------
    arms : sequence of str
        Two or more distinct arms.
    drawn : sequence of str
        The arms of the tasks of this source so far.
    had : mapping of str to int
        How many tasks of each arm this person had; an arm that is not there counts as 0.
    seed : int
        Seed of the draw; on any machine the same seed gives the same arms.
    source : str
        The source.

    Returns
    -------
    str
        One of the arms.

    Raises
    ------
    ValueError
        If there are fewer than two arms or one stands twice, or `drawn` holds another arm or one of them twice in a
        block.

    Examples
    --------
    >>> next_arm_of_task(["plain", "draft"], ["draft"], {"plain": 7}, seed=1, source="s1")
    'plain'
    """
    checked = _checked(arms)
    block = drawn[len(drawn) - len(drawn) % len(checked) :]
    if not set(drawn) <= set(checked) or len(set(block)) < len(block):
        raise ValueError(f"the arms of source {source!r} were not drawn in blocks of {', '.join(checked)}")
    still_open = [arm for arm in checked if arm not in block]
    least = min(had.get(arm, 0) for arm in still_open)
    name = f"task:{source}:{len(drawn)}"
    among = still_open
    if int(seeded_key(seed, name), 16) < LEAST_HAD_CHANCE * _KEYS:
        among = [arm for arm in still_open if had.get(arm, 0) == least]
    return min(among, key=lambda arm: seeded_key(seed, f"{name}:{checked.index(arm)}"))


def arms_of_tasks(arms: Sequence[str], sources: Sequence[str], people: Sequence[str], *, seed: int) -> list[str]:
    """Return the arms of tasks in the order in which they are given out, as `next_arm_of_task` draws them one by one.

    Parameters
    ----------
    arms : sequence of str
        Two or more distinct arms.
    sources, people : sequence of str
        The source and the person of each task.
    seed : int
        Seed of the draw.

    Returns
    -------
    list of str
        The arm of each task.

    Raises
    ------
    ValueError
        If lengths differ, there are fewer than two arms, or one stands twice.

    Examples
    --------
    >>> sorted(arms_of_tasks(["a", "b"], ["s1", "s1", "s2", "s2"], ["p", "q", "p", "q"], seed=1))
    ['a', 'a', 'b', 'b']
    """
    of_source: dict[str, list[str]] = {source: [] for source in sources}
    of_person: dict[str, Counter[str]] = {person: Counter() for person in people}
    found = []
    for source, person in zip(sources, people, strict=True):
        arm = next_arm_of_task(arms, of_source[source], of_person[person], seed=seed, source=source)
        of_source[source].append(arm)
        of_person[person][arm] += 1
        found.append(arm)
    return found


def _checked(arms: Sequence[str]) -> Sequence[str]:
    if len(arms) < 2 or len(set(arms)) < len(arms):
        raise ValueError(f"two or more distinct arms, not {', '.join(arms) or 'none'}")
    return arms


def _person_stream(arms: Sequence[str], seed: int, stratum: str) -> Iterator[str]:
    for block in count():
        name = f"person:{stratum}:{block}"
        size = len(arms) * (1 + int(seeded_key(seed, f"{name}:size"), 16) % 2)
        keyed = sorted((seeded_key(seed, f"{name}:{place}"), place) for place in range(size))
        yield from (arms[place % len(arms)] for _, place in keyed)
