"""The graphs of a report and their divisions: how near the communities of algorithms are to those of people."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from django.utils.translation import gettext as _

from common.errors import Refused
from common.jobs import Progress
from measures.clustering import (
    CONGA,
    CONGO_2,
    GIRVAN_NEWMAN,
    MOST_EDGES,
    MOST_NODES,
    TieRange,
    omega_against,
    omega_of_shuffled,
    overlap,
    overlapping_information,
    relabelled_divisions,
    tie_range,
    together_scores,
)
from measures.clustering.division import Cover, Division
from measures.core.undefined import Undefined
from protocols.links.documents import LinkedDocument, Pairs
from protocols.links.parameters import LinksParameters
from protocols.links.rows import ALL, EVERYONE, OWN, PREDICTED, THEMSELVES

ALGORITHMS = {each.name: each for each in (GIRVAN_NEWMAN, CONGA, CONGO_2)}
CURVE = range(2, 41)
MOST_WORK = 200_000_000_000
"""A step of a division takes the square of the linked sentences, and there are about as many as edges: some hours."""
PAIRS_IN_A_STEP = 30
"""As many pairs of sentences are compared in the time of one such unit of work."""
BESIDE = ("communities", "largest", "communities per sentence", "F of pairs", "mutual information")
Tie = TieRange | Undefined


@dataclass(frozen=True)
class Graph:
    """The links of a document that are divided; `owner` is the place of their annotator, if they are of one alone."""

    document: LinkedDocument
    name: str
    edges: Pairs
    wanted: int
    owner: int | None = None

    def work(self, parameters: LinksParameters) -> int:
        """Return what it costs to divide the copies with one algorithm, and to compare what comes out."""
        steps = len(self.edges) * len({node for edge in self.edges for node in edge}) ** 2
        covers = parameters.shuffles + parameters.copies * (1 if self.owner is not None else len(CURVE))
        compared = len(self.document.annotators) * self.document.nodes**2 // 2 * covers
        return steps * parameters.copies + compared // PAIRS_IN_A_STEP

    @property
    def until(self) -> int:
        """Up to how many communities it is divided; the graphs of single people stand in no curve."""
        return self.wanted if self.owner is not None else max(self.wanted, CURVE[-1])


@dataclass(frozen=True)
class Divided:
    """What an algorithm makes of a graph: values at the wanted number, over copies, and the curve over numbers."""

    graph: Graph
    algorithm: str
    omega: Mapping[str, Tie]
    beside: Mapping[str, Tie]
    band: tuple[float, float] | Undefined
    curve: Mapping[int, float | Undefined]
    division: Division


def wanted_numbers(documents: Sequence[LinkedDocument], parameters: LinksParameters) -> dict[str, int]:
    """Return for each document the number of communities at which it is judged."""
    if parameters.each_its_own:
        return {each.name: max(1, round(each.length)) for each in documents}
    mean = parameters.communities or max(1, round(fmean(each.length for each in documents)))
    return {each.name: mean for each in documents}


def graphs_of(
    documents: Sequence[LinkedDocument], predicted: Mapping[str, Pairs | Undefined], wanted: Mapping[str, int]
) -> list[Graph]:
    """Return all graphs; raise Refused if dividing them is too much work."""
    found = []
    for each in documents:
        number, pairs = wanted[each.name], predicted[each.name]
        if not isinstance(pairs, Undefined):
            found.append(Graph(each, PREDICTED, pairs, number))
        found.append(Graph(each, ALL, each.pairs, number))
        found += [Graph(each, OWN, one.pairs, number, place) for place, one in enumerate(each.annotators)]
    return found


def work_check(graphs: Sequence[Graph], parameters: LinksParameters) -> None:
    """Raise Refused for a graph that is too large, or more work than a job should take."""
    for graph in graphs:
        if len(graph.edges) > MOST_EDGES or graph.document.nodes > MOST_NODES:
            words = _("%(graph)s of %(document)s: %(edges)s links; at most %(most)s of one document are divided.")
            about = {"graph": graph.name, "document": graph.document.name, "most": f"{MOST_EDGES:,}"}
            raise Refused(words % {**about, "edges": f"{len(graph.edges):,}"})
    work = sum(graph.work(parameters) for graph in graphs) * len(ALGORITHMS)
    if work > MOST_WORK:
        words = _(
            "Dividing %(graphs)s graphs with %(copies)s copies is %(work)s times more than a job may take. Ask "
            "for fewer copies or shuffles, or for a higher least score of predicted links."
        )
        more = {"graphs": f"{len(graphs):,}", "copies": parameters.copies, "work": f"{work / MOST_WORK:,.1f}"}
        raise Refused(words % more)


def divided_graphs(graphs: Sequence[Graph], parameters: LinksParameters, progress: Progress) -> Iterator[Divided]:
    """Yield what each algorithm makes of each graph."""
    total = sum(max(1, len(graph.edges)) for graph in graphs) * parameters.copies * len(ALGORITHMS)
    done = 0
    for graph in graphs:
        for name in ALGORITHMS:

            def told(cuts: int, _all: int, before: int = done) -> None:
                progress(before + cuts, total)

            yield _Judged(graph, name, parameters, told).found
            done += max(1, len(graph.edges)) * parameters.copies
            progress(done, total)


class _Judged:
    """Divides a graph in all its copies and judges what comes out."""

    def __init__(self, graph: Graph, algorithm: str, parameters: LinksParameters, told: Progress) -> None:
        self.graph, self.parameters, self.algorithm = graph, parameters, algorithm
        self.nodes = graph.document.nodes
        self.omegas = dict[tuple[tuple[int, ...], ...], float | Undefined]()
        self.divisions = relabelled_divisions(
            graph.edges,
            nodes=self.nodes,
            algorithm=ALGORITHMS[algorithm],
            copies=parameters.copies,
            seed=parameters.seed,
            until=graph.until,
            progress=told,
        )

    @cached_property
    def people(self) -> list[Cover]:
        return self.graph.document.covers

    def cover(self, division: Division, number: int, *, isolated: bool = True) -> Cover:
        return division.cover(number, isolated=isolated, drop_subsets=self.parameters.drop_subsets)

    @property
    def found(self) -> Divided:
        owner, is_of_one = self.graph.owner, self.graph.owner is not None
        omega = {EVERYONE: self._tie(self._omega)}
        if owner is not None:
            omega[THEMSELVES] = self._tie(lambda cover: omega_against(cover, [self.people[owner]], self.nodes))
        return Divided(
            self.graph,
            self.algorithm,
            omega,
            {} if is_of_one else {name: self._beside(name) for name in BESIDE},
            self._band(),
            {} if is_of_one else {number: self._median(number) for number in CURVE},
            self.divisions[0],
        )

    def _tie(self, value: Callable[[Cover], float | Undefined]) -> Tie:
        return tie_range(self.divisions, lambda division: value(self.cover(division, self.graph.wanted)))

    def _omega(self, cover: Cover) -> float | Undefined:
        """Return the mean Omega index against all people, once for each cover: copies and numbers share many."""
        key = tuple(cover)
        if key not in self.omegas:
            self.omegas[key] = omega_against(cover, self.people, self.nodes)
        return self.omegas[key]

    def _median(self, number: int) -> float | Undefined:
        found = tie_range(self.divisions, lambda division: self._omega(self.cover(division, number)))
        return found if isinstance(found, Undefined) else found.median

    def _beside(self, name: str) -> Tie:
        values: dict[str, Callable[[Cover], float | Undefined]] = {
            "communities per sentence": lambda cover: overlap(cover, self.nodes),
            "F of pairs": lambda cover: mean_of(together_scores(cover, each, self.nodes).f for each in self.people),
            "mutual information": lambda cover: mean_of(
                overlapping_information(cover, each, self.nodes) for each in self.people
            ),
            "largest": lambda cover: float(max(map(len, cover))),
        }
        if name == "communities":
            number = self.graph.wanted
            return tie_range(self.divisions, lambda each: float(len(self.cover(each, number, isolated=False))))
        return self._tie(values[name])

    def _band(self) -> tuple[float, float] | Undefined:
        """Return the mean over people of the band of chance: the same communities of shuffled sentences."""
        cover, options = self.cover(self.divisions[0], self.graph.wanted), self.parameters
        bands = [
            omega_of_shuffled(cover, each, self.nodes, shuffles=options.shuffles, seed=options.seed)
            for each in self.people
        ]
        low, high = mean_of(_end(each, "low") for each in bands), mean_of(_end(each, "high") for each in bands)
        return low if isinstance(low, Undefined) else high if isinstance(high, Undefined) else (low, high)


def _end(band: Any, name: str) -> float | Undefined:
    return band if isinstance(band, Undefined) else float(getattr(band, name))


def mean_of(values: Any) -> float | Undefined:
    """Return the mean of the values that are defined, or why there is none."""
    found = list(values)
    known = [each for each in found if not isinstance(each, Undefined)]
    reason: Undefined = next(
        (each for each in found if isinstance(each, Undefined)), Undefined("nobody to compare with")
    )
    return fmean(known) if known else reason
