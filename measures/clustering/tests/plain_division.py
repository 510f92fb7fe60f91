"""Division of a graph as a plain program: loops over pairs of nodes, exact fractions, nothing kept between steps."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

from measures.clustering.division import Step

Graph = dict[int, set[int]]


def graph_of(edges: Iterable[tuple[int, int]]) -> Graph:
    graph: Graph = {}
    for one, other in edges:
        graph.setdefault(one, set()).add(other)
        graph.setdefault(other, set()).add(one)
    return graph


def paths_from(graph: Graph, source: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return distances and numbers of shortest paths."""
    distance, paths, queue = {source: 0}, {source: 1}, [source]
    for node in queue:
        for other in graph[node]:
            if other not in distance:
                distance[other], paths[other] = distance[node] + 1, 0
                queue.append(other)
            if distance[other] == distance[node] + 1:
                paths[other] += paths[node]
    return distance, paths


def betweenness(
    graph: Graph, horizon: int | None
) -> tuple[dict[tuple[int, int], Fraction], dict[int, dict[tuple[int, int], Fraction]]]:
    """Return the betweenness of edges, and of pairs of neighbours around each node."""
    known = {node: paths_from(graph, node) for node in graph}
    edges = {(one, other): Fraction(0) for one in graph for other in graph[one] if one < other}
    around = {node: {pair: Fraction(0) for pair in combinations(sorted(graph[node]), 2)} for node in graph}
    for s, t in combinations(sorted(graph), 2):
        (from_s, paths_s), (from_t, paths_t) = known[s], known[t]
        if t not in from_s or (horizon is not None and from_s[t] > horizon):
            continue
        far, every = from_s[t], paths_s[t]
        for u in graph:
            for v in graph[u]:
                if u in from_s and from_s[u] + 1 + from_t[v] == far:
                    edges[min(u, v), max(u, v)] += Fraction(paths_s[u] * paths_t[v], every)
        for v in graph:
            for u in graph[v]:
                for w in graph[v]:
                    if u != w and u in from_s and from_s[u] + 2 + from_t[w] == far:
                        around[v][min(u, w), max(u, w)] += Fraction(paths_s[u] * paths_t[w], every)
    return edges, around


def best_split(neighbours: set[int], weights: dict[tuple[int, int], Fraction]) -> tuple[Fraction, tuple[int, ...]]:
    """Merge the first two groups of least weight until two are left; the second goes with the copy."""
    groups = [{node} for node in sorted(neighbours)]

    def between(one: set[int], other: set[int]) -> Fraction:
        return sum((weights[min(u, w), max(u, w)] for u in one for w in other), Fraction(0))

    while len(groups) > 2:
        pairs = list(combinations(range(len(groups)), 2))
        first, second = min(pairs, key=lambda pair: (between(groups[pair[0]], groups[pair[1]]), pair))
        groups[first] |= groups.pop(second)
    return between(*groups), tuple(sorted(groups[1]))


def parts(graph: Graph) -> int:
    seen, found = set[int](), 0
    for node in graph:
        if node not in seen:
            found += 1
            seen |= set(paths_from(graph, node)[0])
    return found


def plain_division(
    edges: list[tuple[int, int]], nodes: int, horizon: int | None, splits: bool
) -> tuple[list[Step], dict[int, list[tuple[int, ...]]]]:
    """Return all steps, and the cover of each number of communities when there were so many for the first time."""
    graph, origin, steps = graph_of(edges), list(range(nodes)), list[Step]()
    covers = {parts(graph): cover_of(graph, origin)}
    while any(graph.values()):
        of_edges, around = betweenness(graph, horizon)
        most = max(of_edges.values())
        found = {v: best_split(graph[v], around[v]) for v in graph if len(graph[v]) > 1} if splits else {}
        value = max((each[0] for each in found.values()), default=Fraction(0))
        if value > most:
            node = min(v for v in found if found[v][0] == value)
            moving, copy = found[node][1], len(origin)
            graph[copy] = set(moving)
            for neighbour in moving:
                graph[neighbour] ^= {node, copy}
            graph[node] -= set(moving)
            origin.append(origin[node])
            steps.append(Step("split", node, origin[node], float(value), moving))
        else:
            one, other = min(edge for edge in of_edges if of_edges[edge] == most)
            graph[one].remove(other)
            graph[other].remove(one)
            steps.append(Step("cut", one, other, float(most)))
        covers.setdefault(parts(graph), cover_of(graph, origin))
    return steps, covers


def cover_of(graph: Graph, origin: list[int]) -> list[tuple[int, ...]]:
    seen, found = set[int](), list[tuple[int, ...]]()
    for node in sorted(graph):
        if node not in seen:
            reached = set(paths_from(graph, node)[0])
            seen |= reached
            found.append(tuple(sorted({origin[each] for each in reached})))
    return sorted(found)
