"""How wide the columns of a table on a terminal are, and which of them stand together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

GAP = 2
# A name is folded down to so many characters; "Agreement" and "undefined" stay whole.
NARROWEST_NAME = 9
LONGEST_NUMBER_IN_A_SENTENCE = 12
Part = dict[int, int]  # the width of each column that stands in this part of a table, by its place


@dataclass(frozen=True)
class _Column:
    """The width that a column would like, the one that breaks no word, and the one that breaks no number."""

    natural: int
    words: int
    least: int


def table_parts(
    head: Sequence[str], rows: Sequence[Sequence[str]], is_number: Sequence[bool], width: int
) -> list[Part]:
    """Split a table into parts that fit into a width, each beginning with the columns that name its rows.

    >>> table_parts(["Scale", "Kappa"], [["Grammar", "-0.5"]], [False, True], 40)
    [{0: 7, 1: 5}]
    >>> table_parts(["Scale", "A", "B"], [["Grammar", "1" * 20, "2" * 20]], [False, True, True], 40)
    [{0: 7, 1: 20}, {0: 7, 2: 20}]
    """
    columns = [_column(head[place], [row[place] for row in rows], is_number[place]) for place in range(len(head))]
    places = list(range(len(columns)))
    names = places[: max(1, list(is_number).index(True) if any(is_number) else 1)]
    return [_fitted(columns, part, width) for part in _groups(columns, names, places[len(names) :], width)]


def width_of_part(part: Part) -> int:
    return _total(part.values())


def _column(heading: str, cells: Sequence[str], is_number: bool) -> _Column:
    words = heading.split() if is_number else " ".join([heading, *cells]).split()
    longest_word = max(map(cell_len, words), default=1)
    unbroken = [*filter(_has_number, words), *(cells if is_number else ())]
    whole = max(map(cell_len, unbroken), default=1)
    return _Column(
        natural=max(map(cell_len, (heading, *cells))),
        words=max(whole, longest_word),
        least=max(whole, min(longest_word, NARROWEST_NAME)),
    )


def _has_number(word: str) -> bool:
    return len(word) <= LONGEST_NUMBER_IN_A_SENTENCE and any(map(str.isdigit, word))


def _groups(columns: Sequence[_Column], names: list[int], others: Sequence[int], width: int) -> list[list[int]]:
    groups = [[*names]]
    for place in others:
        is_full = _total(columns[each].least for each in (*groups[-1], place)) > width
        if is_full and len(groups[-1]) > len(names):
            groups.append([*names])
        groups[-1].append(place)
    return groups


def _fitted(columns: Sequence[_Column], places: Sequence[int], width: int) -> Part:
    """Narrow the widest column, again and again, until all fit or none can give way."""
    breaks_no_word = _total(columns[place].words for place in places) <= width
    least = {place: columns[place].words if breaks_no_word else columns[place].least for place in places}
    part = {place: min(columns[place].natural, max(width, least[place])) for place in places}
    while _total(part.values()) > width and (wide := [place for place in places if part[place] > least[place]]):
        part[max(wide, key=part.__getitem__)] -= 1
    return part


def _total(widths: Iterable[int]) -> int:
    """Return the width of a line; the line below the headings is longer by the last column's padding."""
    return sum(width + GAP for width in widths) - 1
