"""The divisions that a report keeps, so that the communities of every number, and the tree, are there at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from measures.clustering.division import Cover, Division, Step
from protocols.links.divided import Divided
from protocols.links.documents import LinkedDocument
from protocols.links.rows import OWN
from reports.models import Report


def kept_graphs(documents: Sequence[LinkedDocument], divided: Sequence[Divided]) -> list[dict[str, Any]]:
    """Return each document with its people's communities, and its graphs with the first copy's steps."""
    kept: dict[str, dict[str, Any]] = {
        each.name: {
            "document": each.name,
            "ids": list(each.ids),
            "people": [
                {"annotator": one.name, "sets": [sorted(linked) for linked in one.sets]} for one in each.annotators
            ],
            "graphs": {},
        }
        for each in documents
    }
    for each in divided:
        if each.graph.name == OWN:
            continue
        graphs = kept[each.graph.document.name]["graphs"]
        graph = graphs.setdefault(
            each.graph.name, {"wanted": each.graph.wanted, "edges": _pairs(each.division.edges), "steps": {}}
        )
        graph["steps"][each.algorithm] = [_step(step) for step in each.division.steps]
        graph.setdefault("complete", {})[each.algorithm] = each.division.complete
    return list(kept.values())


def _pairs(edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    return [list(each) for each in edges]


def _step(step: Step) -> list[Any]:
    return [step.kind, step.node, step.other, round(step.value, 6), list(step.moving)]


@dataclass(frozen=True)
class KeptGraph:
    """A graph of a document with the division of it by one algorithm."""

    document: str
    ids: tuple[str, ...]
    name: str
    algorithm: str
    wanted: int
    division: Division

    def cover(self, number: int, *, drop_subsets: bool) -> Cover:
        return self.division.cover(number, isolated=True, drop_subsets=drop_subsets)

    @property
    def most(self) -> int:
        return max(1, self.division.most)


@dataclass(frozen=True)
class KeptDocument:
    """A document of a finished report."""

    name: str
    ids: tuple[str, ...]
    people: list[tuple[str, list[list[int]]]]
    graphs: Mapping[str, Any]

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Self:
        people = [(each["annotator"], each["sets"]) for each in kept["people"]]
        return cls(kept["document"], tuple(kept["ids"]), people, kept["graphs"])

    def graph(self, name: str, algorithm: str) -> KeptGraph:
        graph = self.graphs[name]
        steps = tuple(
            Step(kind, node, other, value, tuple(moving))
            for kind, node, other, value, moving in graph["steps"][algorithm]
        )
        edges = tuple((one, other) for one, other in graph["edges"])
        division = Division(len(self.ids), edges, steps, graph["complete"][algorithm])
        return KeptGraph(self.name, self.ids, name, algorithm, graph["wanted"], division)


def kept_documents(report: Report) -> Iterator[KeptDocument]:
    return map(KeptDocument.of, report.figures["documents"])
