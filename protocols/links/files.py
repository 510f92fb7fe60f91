"""Files of the communities of a report: covers, links, graphs and trees."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from measures.clustering import gold_cover, newick, tree_json
from protocols.links.divided import ALGORITHMS
from protocols.links.kept import KeptGraph, kept_documents
from protocols.links.others import EDGE_HEAD
from protocols.links.parameters import LinksParameters
from reports.models import Report


def covers_jsonl(report: Report) -> Iterator[str]:
    """Yield the communities of each person and each algorithm in a line, by the ids of sentences."""
    drop = LinksParameters.of(report.parameters).drop_subsets
    for document in kept_documents(report):

        def line(by: str, graph: str, cover: list[tuple[int, ...]], ids: tuple[str, ...], name: str) -> str:
            communities = [[ids[node] for node in community] for community in cover]
            about = {"document": name, "graph": graph, "by": by, "communities": communities}
            return json.dumps(about, ensure_ascii=False) + "\n"

        for person, sets in document.people:
            yield line(person, "", gold_cover(sets, len(document.ids)), document.ids, document.name)
        for graph in document.graphs:
            for algorithm in ALGORITHMS:
                found = document.graph(graph, algorithm)
                cover = found.cover(found.wanted, drop_subsets=drop)
                yield line(algorithm, graph, cover, document.ids, document.name)


def edges_tsv(report: Report) -> Iterator[str]:
    """Yield the links of all graphs, with a column for which."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow([*EDGE_HEAD[:3], "graph"])
    for document in kept_documents(report):
        for name, graph in document.graphs.items():
            writer.writerows([document.name, document.ids[a], document.ids[b], name] for a, b in graph["edges"])
        yield out.getvalue()
        out.seek(0)
        out.truncate()
    yield out.getvalue()


def graphml(graph: KeptGraph, number: int, drop_subsets: bool) -> str:
    """Return a graph whose nodes have the numbers of their communities, as GraphML."""
    cover = graph.cover(number, drop_subsets=drop_subsets)
    communities: list[list[int]] = [[] for _each in graph.ids]
    for place, community in enumerate(cover, start=1):
        for node in community:
            communities[node].append(place)
    nodes = "".join(
        f"<node id={quoteattr(name)}><data key='communities'>{escape(' '.join(map(str, own)))}</data></node>\n"
        for name, own in zip(graph.ids, communities, strict=True)
    )
    edges = "".join(
        f"<edge source={quoteattr(graph.ids[one])} target={quoteattr(graph.ids[other])}/>\n"
        for one, other in graph.division.edges
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        '<key id="communities" for="node" attr.name="communities" attr.type="string"/>\n'
        f'<graph id={quoteattr(graph.document)} edgedefault="undirected">\n{nodes}{edges}</graph>\n</graphml>\n'
    )


@dataclass(frozen=True)
class GraphForm:
    """A file of one graph: its media type, and what writes it from the graph, a number, and whether subsets go."""

    content_type: str
    write: Callable[[KeptGraph, int, bool], str]


def _tree(graph: KeptGraph, _number: int, _drop: bool) -> str:
    return json.dumps(tree_json(graph.division, graph.ids), ensure_ascii=False, indent=1) + "\n"


GRAPH_FORMS: Mapping[str, GraphForm] = {
    "graphml": GraphForm("application/xml", graphml),
    "newick": GraphForm("text/plain; charset=utf-8", lambda graph, *_: newick(graph.division, graph.ids) + "\n"),
    "json": GraphForm("application/json", _tree),
}
REPORT_FORMS: Mapping[str, tuple[str, Callable[[Report], Iterator[str]]]] = {
    "jsonl": ("application/x-ndjson", covers_jsonl),
    "tsv": ("text/tab-separated-values; charset=utf-8", edges_tsv),
}
