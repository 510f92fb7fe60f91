"""A graph of sentences as a drawing: sentences on a circle, those of a community beside each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from protocols.links.kept import KeptGraph

MOST_DRAWN = 2_000
"""A drawing of more links than this shows nothing."""


@dataclass(frozen=True)
class Dot:
    """A sentence: where it is in a square of 100, its id, and how many communities it is in."""

    x: float
    y: float
    name: str
    communities: int


@dataclass(frozen=True)
class Drawing:
    """The linked sentences and their links; `inner` are those within a community."""

    dots: list[Dot]
    inner: str
    outer: str


def drawn_graph(graph: KeptGraph, communities: Sequence[Sequence[int]]) -> Drawing | None:
    """Return the drawing of a graph; None without a link, and with too many to be told apart."""
    edges = graph.division.edges
    if not 0 < len(edges) <= MOST_DRAWN:
        return None
    linked = {node for edge in edges for node in edge}
    order = list(dict.fromkeys([*(node for each in communities for node in each if node in linked), *sorted(linked)]))
    places = {
        node: (round(50 + 46 * cos(2 * pi * at / len(order)), 2), round(50 + 46 * sin(2 * pi * at / len(order)), 2))
        for at, node in enumerate(order)
    }
    together = {(one, other) for each in communities for one in each for other in each}
    paths = {True: "", False: ""}
    for one, other in edges:
        (x, y), (to_x, to_y) = places[one], places[other]
        paths[(one, other) in together] += f"M{x:g} {y:g}L{to_x:g} {to_y:g}"
    number = {node: sum(node in each for each in communities) for node in order}
    dots = [Dot(*places[node], graph.ids[node], number[node]) for node in order]
    return Drawing(dots, paths[True], paths[False])
