"""The parts of a release that have shares of their own: genres, splits, editors, systems, numbers of sentences."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from edit_operations.sections.base import RELEASE, Line, ReleaseTexts

MAX_GROUPS = 500
"""Of more groups of a kind, such as editors, those with the most texts have rows."""

Group = tuple[str, str, Sequence[Line]]


def groups_of(texts: ReleaseTexts) -> Iterator[Group]:
    """Yield the kind of each part, its name and its texts: people's first, then those of systems."""
    yield RELEASE, "", texts.people
    yield from _grouped("genre", texts.people, lambda line: [line.source.genre])
    yield from _grouped("split", texts.people, lambda line: [line.source.split])
    yield from _grouped("sentences", texts.people, lambda line: [str(line.source.sentences)])
    yield from _grouped("editor", texts.people, lambda line: dict.fromkeys(line.text.editors))
    yield from _grouped("system", texts.outputs, lambda line: [line.text.system])


def _grouped(
    part: str, lines: Sequence[Line], names: Callable[[Line], Sequence[str] | dict[str, None]]
) -> Iterator[Group]:
    found: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        for name in names(line):
            found[name].append(line)
    largest = sorted(found, key=lambda name: (-len(found[name]), name))[:MAX_GROUPS]
    for name in sorted(largest, key=_natural_order):
        yield part, name, found[name]


def _natural_order(name: str) -> tuple[int, str]:
    """Sort numbers by their value, and other names after them."""
    return (int(name) if name.isascii() and name.isdecimal() and len(name) < 19 else 2**63), name
