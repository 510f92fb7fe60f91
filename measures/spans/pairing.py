"""Which mark of one person stands for which of another: the pairing with the largest sum, text by text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import scipy

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.spans.annotation import Annotation
from measures.spans.mark import places_of

Matching: TypeAlias = Literal["exact", "overlap", "credit"]

MATCHINGS: tuple[Matching, ...] = ("exact", "overlap", "credit")
# By how much a place in the order of a text's marks changes a value, so that of equal sums smaller starts win.
_TIE = 1e-11
# Which text of an item a span is of; what is missing pairs as if it had a span on a side of its own.
_SIDES = {"source": 0, "output": 1}


@dataclass(frozen=True, eq=False)
class PersonMarks:
    """The marks of one person in some texts, as arrays, in order of text and start; spans by text, side and start.

    Attributes
    ----------
    text, length : IntArray of shape (m,)
        The text of each mark, and the sum of the lengths of its spans.
    severity : IntArray of shape (m,)
        A number for each severity.
    spans : IntArray of shape (s, 4)
        Mark, text and side, start, and end of each span, where text and side are one number.
    """

    text: IntArray
    length: IntArray
    severity: IntArray
    spans: IntArray

    def within(self, texts: BoolArray) -> PersonMarks:
        """Return the marks of the texts for which `texts` (n,) is true."""
        if texts.all():
            return self
        kept = texts[self.text]
        spans = self.spans[kept[self.spans[:, 0]]]
        place = kept.cumsum() - 1
        renamed = np.concatenate([place[spans[:, :1]], spans[:, 1:]], axis=1)
        return PersonMarks(self.text[kept], self.length[kept], self.severity[kept], renamed)


class Pairs(NamedTuple):
    """Pairs of marks that have characters in common, or were chosen.

    Attributes
    ----------
    one, other : IntArray of shape (p,)
        Places of the marks of both people.
    common : IntArray of shape (p,)
        Number of characters in common.
    """

    one: IntArray
    other: IntArray
    common: IntArray


def person_marks(
    annotations: Mapping[int, Annotation], severities: dict[str | None, int], *, missing: bool = False
) -> PersonMarks:
    """Put the marks of one person into arrays.

    Parameters
    ----------
    annotations : mapping of int to Annotation
        By the number of the text, in order.
    severities : dict of (str or None) to int
        The number of each severity; new ones are added.
    missing : bool, default False
        Whether marks of what is missing count, instead of those of spans; each as if it had the same span.

    Returns
    -------
    PersonMarks
        Marks without a span do not count.

    Examples
    --------
    >>> from measures.spans.mark import Mark
    >>> marks = Mark("2", "output", 5, 9), Mark("1", "output", 0, 4)
    >>> person_marks({0: Annotation("A", "s", "1", marks=marks)}, {}).spans.tolist()
    [[0, 1, 0, 4], [1, 1, 5, 9]]
    """
    texts, lengths, graveness = list[int](), list[int](), list[int]()
    spans: list[tuple[int, int, int, int]] = []
    for text, annotation in annotations.items():
        marks = {mark.id: mark for mark in annotation.marks}
        found = []
        for mark in annotation.counted:
            own = places_of(mark, marks) if mark.missing is missing is False else ()
            places = [(_SIDES[place.side], place.start, place.end) for place in own]
            if mark.missing and missing:
                places = [(0, 0, 1)]
            if places:
                found.append((places, severities.setdefault(mark.severity, len(severities))))
        for places, severity in sorted(found):
            spans += [(len(texts), 2 * text + side, start, end) for side, start, end in places]
            texts.append(text)
            lengths.append(sum(end - start for _, start, end in places))
            graveness.append(severity)
    of_marks = np.array([texts, lengths, graveness], dtype=np.int64)
    in_order = sorted(spans, key=lambda span: span[1:3])
    return PersonMarks(of_marks[0], of_marks[1], of_marks[2], np.array(in_order, dtype=np.int64).reshape(-1, 4))


def common_characters(one: PersonMarks, other: PersonMarks) -> Pairs:
    """Find the pairs of marks of two people that have characters in common.

    Parameters
    ----------
    one, other : PersonMarks
        The marks of both in the same texts.

    Returns
    -------
    Pairs
        Each pair once, in order. Takes time in proportion to the pairs of spans that are in one text.

    Examples
    --------
    >>> from measures.spans.mark import Mark
    >>> texts = [{0: Annotation("", "s", "1", marks=(Mark("1", "output", *ends),))} for ends in ((0, 4), (3, 9))]
    >>> [each.tolist() for each in common_characters(*(person_marks(each, {}) for each in texts))]
    [[0], [0], [1]]
    """
    # The spans of both are in order of text and side: each of one meets a run of the other's.
    first = np.searchsorted(other.spans[:, 1], one.spans[:, 1], "left")
    number = np.searchsorted(other.spans[:, 1], one.spans[:, 1], "right") - first
    mine = np.repeat(np.arange(len(one.spans)), number)
    theirs = np.arange(len(mine)) - np.repeat(number.cumsum() - number, number) + np.repeat(first, number)
    starts = np.maximum(one.spans[mine, 2], other.spans[theirs, 2])
    common = np.minimum(one.spans[mine, 3], other.spans[theirs, 3]) - starts
    found = common > 0
    codes = one.spans[mine[found], 0] * max(1, len(other.text)) + other.spans[theirs[found], 0]
    pairs, place = np.unique(codes, return_inverse=True)
    sums = np.bincount(place, common[found], minlength=len(pairs)).astype(np.int64)
    return Pairs(pairs // max(1, len(other.text)), pairs % max(1, len(other.text)), sums)


def chosen_pairs(pairs: Pairs, values: FloatArray, texts: IntArray) -> IntArray:
    """Choose pairs one to one, so that the sum of their values is the largest in each text.

    Parameters
    ----------
    pairs : Pairs
        The possible pairs.
    values : FloatArray of shape (p,)
        Their values; only those above 0 are chosen.
    texts : IntArray of shape (p,)
        The text of each pair, in order.

    Returns
    -------
    IntArray
        Places of the chosen pairs, in order. Of equal sums the one with smaller starts is taken. Pairs of which neither
        mark has another are taken as they are; others are assigned in time that grows with the cube of the marks of
        their text.

    Examples
    --------
    >>> pairs = Pairs(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([4, 2, 3]))
    >>> chosen_pairs(pairs, np.array([0.5, 0.4, 0.4]), np.array([0, 0, 0])).tolist()
    [1, 2]
    """
    possible = np.flatnonzero(values > 0)
    one, other = pairs.one[possible], pairs.other[possible]
    alone = (np.bincount(one)[one] == 1) & (np.bincount(other)[other] == 1) if len(possible) else np.empty(0, bool)
    rest = possible[~alone]
    groups = np.split(rest, np.flatnonzero(np.diff(texts[rest])) + 1) if len(rest) else []
    assigned = [_assigned(pairs, values, group) for group in groups]
    return np.sort(np.concatenate([possible[alone], *assigned]).astype(np.int64))


def _assigned(pairs: Pairs, values: FloatArray, group: IntArray) -> IntArray:
    rows, row = np.unique(pairs.one[group], return_inverse=True)
    columns, column = np.unique(pairs.other[group], return_inverse=True)
    table = np.zeros((len(rows), len(columns)))
    table[row, column] = values[group] - _TIE * (row + column)
    place = np.full(table.shape, -1)
    place[row, column] = group
    chosen = place[scipy.optimize.linear_sum_assignment(table, maximize=True)]
    return np.asarray(chosen[chosen >= 0])


def pair_values(one: PersonMarks, other: PersonMarks, pairs: Pairs, matching: Matching, penalty: float) -> FloatArray:
    """Return what each pair is worth.

    Source: Perrella et al. 2026 for "credit".

    Parameters
    ----------
    one, other : PersonMarks
        The marks of both people.
    pairs : Pairs
        Pairs with characters in common.
    matching : {"exact", "overlap", "credit"}
        1 for the same spans; 1 for any character in common; 2o / (a + b) for o characters in common of a and b.
    penalty : float
        What a pair of unequal severity loses, 0 to 1.

    Returns
    -------
    FloatArray of shape (p,)
        Values from 0 to 1.

    Examples
    --------
    >>> marks = PersonMarks(np.array([0]), np.array([4]), np.array([0]), np.array([[0, 1, 0, 4]]))
    >>> pair_values(marks, marks, Pairs(np.array([0]), np.array([0]), np.array([4])), "credit", 0.5).tolist()
    [1.0]
    """
    mine, theirs = one.length[pairs.one], other.length[pairs.other]
    if matching == "exact":
        values = ((pairs.common == mine) & (pairs.common == theirs)).astype(np.float64)
    elif matching == "overlap":
        values = np.ones(len(pairs.common))
    else:
        values = 2 * pairs.common / (mine + theirs)
    return np.asarray(values * (1 - penalty * (one.severity[pairs.one] != other.severity[pairs.other])))


def credits_of(
    one: PersonMarks, other: PersonMarks, pairs: Pairs, matching: Matching, penalty: float
) -> Sequence[FloatArray]:
    """Return what each pair adds to the precision and to the recall of the first person.

    Parameters
    ----------
    one, other, pairs, matching, penalty
        As in `pair_values`.

    Returns
    -------
    sequence of two FloatArray of shape (p,)
        For "credit" the shares of each mark that are in common, else the values twice; less the penalty.

    Examples
    --------
    >>> zero = np.array([0])
    >>> one, other = (PersonMarks(zero, np.array([n]), zero, np.array([[0, 1, 0, n]])) for n in (4, 8))
    >>> [each.tolist() for each in credits_of(one, other, Pairs(zero, zero, np.array([4])), "credit", 0)]
    [[1.0], [0.5]]
    """
    if matching != "credit":
        values = pair_values(one, other, pairs, matching, penalty)
        return values, values
    kept = 1 - penalty * (one.severity[pairs.one] != other.severity[pairs.other])
    return (
        np.asarray(kept * pairs.common / one.length[pairs.one]),
        np.asarray(kept * pairs.common / other.length[pairs.other]),
    )
