"""Division of graphs against golden covers, a plain program with exact fractions, and networkx."""

import tracemalloc
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.clustering import betweenness
from measures.clustering.betweenness import edge_betweenness, for_products, pair_betweenness, shortest_paths
from measures.clustering.communities import ALGORITHMS, GIRVAN_NEWMAN, Algorithm, divide
from measures.clustering.division import Division, Step
from measures.clustering.omega import Omega, omega_index
from measures.clustering.tests.golden_values import COMMUNITIES, benchmark_edges
from measures.clustering.tests.plain_division import plain_division

NAMES = sorted(ALGORITHMS)


@st.composite
def graphs(draw: st.DrawFn, most: int = 9) -> tuple[int, list[tuple[int, int]]]:
    nodes = draw(st.integers(2, most))
    pairs = list(combinations(range(nodes), 2))
    kept = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return nodes, [pair for pair, keep in zip(pairs, kept, strict=True) if keep]


def assert_same_steps(division: Division, expected: list[Step]) -> None:
    assert [(each.kind, each.node, each.other, each.moving) for each in division.steps] == [
        (each.kind, each.node, each.other, each.moving) for each in expected
    ]
    assert [each.value for each in division.steps] == pytest.approx([each.value for each in expected])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("graph", ["bowtie", "karate"])
def test_steps_and_covers_are_the_golden_ones(graph: str, name: str) -> None:
    golden = COMMUNITIES[graph]
    division = divide(golden["edges"], nodes=golden["nodes"], algorithm=ALGORITHMS[name])
    for communities, cover in golden[name]["covers"].items():
        assert [list(each) for each in division.cover(int(communities))] == cover
    for step, (kind, node, other, value, *moving) in zip(division.steps, golden[name]["steps"], strict=False):
        assert (step.kind, step.node, step.other) == (kind, node, other)
        assert step.value == pytest.approx(value, abs=1e-8)
        assert [list(step.moving)] == (moving or [[]])


@pytest.mark.parametrize("name", ["conga", "congo2", "girvan_newman"])
def test_eighteen_communities_of_the_large_graph(name: str) -> None:
    golden, edges = COMMUNITIES["benchmark"], benchmark_edges()
    assert len(edges) == golden["edges"]
    cover = divide(edges, nodes=golden["nodes"], algorithm=ALGORITHMS[name], until=18).cover(18)
    assert [list(each) for each in cover] == golden[f"{name}_18"]
    omega = omega_index(cover, golden["planted"], golden["nodes"])
    assert isinstance(omega, Omega)
    assert omega.omega == pytest.approx(golden["omega_against_planted"][f"{name}_18"], abs=1e-8)


@settings(deadline=None)
@given(graph=graphs(), horizon=st.sampled_from([None, 1, 2, 3]), splits=st.booleans(), sparse=st.booleans())
def test_every_step_is_that_of_a_plain_program_with_exact_fractions(
    graph: tuple[int, list[tuple[int, int]]], horizon: int | None, splits: bool, sparse: bool
) -> None:
    nodes, edges = graph
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(betweenness, "_SPARSE_FROM", 0 if sparse else 10**9)
        division = divide(edges, nodes=nodes, algorithm=Algorithm("any", horizon, splits=splits))
    steps, covers = plain_division(edges, nodes, horizon, splits)
    assert_same_steps(division, steps)
    assert {number: division.cover(max(1, number)) for number in covers} == covers
    assert (division.least, division.most) == (min(covers), max(covers))
    assert (division.cover(division.most + 7), division.complete) == (covers[division.most], True)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("horizon", [None, 2, 3])
def test_larger_random_graphs_with_nearly_no_ties(seed: int, horizon: int | None) -> None:
    graph = nx.gnm_random_graph(14, 20 + 4 * seed, seed=seed)
    edges = [(min(edge), max(edge)) for edge in graph.edges]
    division = divide(edges, nodes=14, algorithm=Algorithm("any", horizon, splits=True))
    assert_same_steps(division, plain_division(edges, 14, horizon, True)[0])


@given(graph=graphs(most=12))
def test_edge_betweenness_is_that_of_networkx(graph: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, edges = graph
    of_edges = nx.edge_betweenness_centrality(nx.Graph(edges), normalized=False)
    outside = {(min(edge), max(edge)): value for edge, value in of_edges.items()}
    adjacency = np.zeros((nodes, nodes))
    for one, other in edges:
        adjacency[one, other] = adjacency[other, one] = 1
    found = shortest_paths(adjacency, np.arange(nodes), None)
    for sparse in (False, True):
        ours = edge_betweenness(found, np.array(edges, dtype=np.int64).reshape(-1, 2), sparse=sparse)
        assert ours.tolist() == pytest.approx([outside[edge] for edge in edges])


def test_pair_betweenness_of_the_bow_tie_by_hand() -> None:
    golden = COMMUNITIES["bowtie"]
    adjacency = np.zeros((7, 7))
    for one, other in golden["edges"]:
        adjacency[one, other] = adjacency[other, one] = 1
    found = shortest_paths(adjacency, np.arange(7), None)
    expected = {(node, one, other): eval_fraction(value) for node, one, other, value in golden["pair_betweenness"]}
    for node in range(7):
        around = np.flatnonzero(adjacency[node])
        pairs = pair_betweenness(found, node, around)
        for i, j in combinations(range(len(around)), 2):
            assert pairs[i, j] == pytest.approx(expected.get((node, int(around[i]), int(around[j])), 0))


def eval_fraction(text: str) -> float:
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


@given(graph=graphs())
def test_order_within_the_input_does_not_count(graph: tuple[int, list[tuple[int, int]]]) -> None:
    nodes, edges = graph
    turned = [(other, one) for one, other in reversed(edges)]
    assert divide(edges, nodes=nodes) == divide(turned, nodes=nodes)


@given(graph=graphs(), until=st.integers(1, 9))
def test_a_division_up_to_a_number_begins_as_the_whole_one(
    graph: tuple[int, list[tuple[int, int]]], until: int
) -> None:
    nodes, edges = graph
    whole, part = divide(edges, nodes=nodes), divide(edges, nodes=nodes, until=until)
    assert part.steps == whole.steps[: len(part.steps)]
    assert part.cover(until, isolated=True) == whole.cover(until, isolated=True)
    assert part.most == max(whole.least, min(until, whole.most))
    assert part.complete == (len(part.steps) == len(whole.steps))


@given(graph=graphs(), communities=st.integers(1, 12))
def test_a_cover_holds_every_sentence(graph: tuple[int, list[tuple[int, int]]], communities: int) -> None:
    nodes, edges = graph
    division = divide(edges, nodes=nodes)
    cover = division.cover(communities, isolated=True)
    assert {node for each in cover for node in each} == set(range(nodes))
    assert set(division.cover(communities, drop_subsets=True)) <= set(division.cover(communities))
    without = divide(edges, nodes=nodes, algorithm=GIRVAN_NEWMAN).cover(communities, isolated=True)
    assert sorted(node for each in without for node in each) == list(range(nodes))


@pytest.mark.parametrize(("nodes", "edges"), [(0, []), (3, [])])
def test_without_edges_there_is_nothing_to_divide(nodes: int, edges: list[list[int]]) -> None:
    division = divide(edges, nodes=nodes)
    assert (division.steps, division.least, division.most, division.complete) == ((), 0, 0, True)
    assert (division.cover(5), division.cover(1, isolated=True)) == ([], [(node,) for node in range(nodes)])


@pytest.mark.parametrize(
    ("edges", "options", "says"),
    [
        ([[0, 3]], {}, "edge 0-3 names a node that is not one of 3"),
        ([[-1, 0]], {}, "edge -1-0 names a node"),
        ([[1, 1]], {}, "node 1 is bound to itself"),
        ([[0, 1], [1, 0]], {}, "edge 0-1 stands twice"),
        ([[0, 1, 2]], {}, "pairs of whole numbers"),
        ([[0.5, 1]], {}, "pairs of whole numbers"),
        ([[0, 1]], {"until": 0}, "until 0"),
        ([[0, 1]], {"algorithm": Algorithm("none", 0, splits=True)}, "horizon 0 is below 1"),
        ([[0, 1]], {"nodes": 2001}, "at most 2,000 nodes"),
    ],
)
def test_bad_input_is_refused_by_name(edges: list[list[int]], options: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        divide(edges, **{"nodes": 3, **options})  # type: ignore[arg-type]


def test_a_cover_of_no_community_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 community, not 0"):
        divide([[0, 1]], nodes=2).cover(0)


def test_a_long_run_says_how_far_it_is_and_can_be_stopped() -> None:
    golden, told = COMMUNITIES["karate"], list[tuple[int, int]]()
    whole = divide(golden["edges"], nodes=34, progress=lambda *done: told.append(done))
    assert (len(told), told[-1]) == (len(whole.steps), (78, 78))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    asked = iter([False] * 9 + [True])
    stopped = divide(golden["edges"], nodes=34, should_stop=lambda: next(asked))
    assert (stopped.steps, stopped.complete) == (whole.steps[:9], False)
    assert stopped.cover(3) == whole.cover(3)


def test_a_long_chain_takes_the_memory_of_a_few_tables_however_many_levels_it_has() -> None:
    chain = np.eye(300, k=1) + np.eye(300, k=-1)
    tracemalloc.start()
    found = shortest_paths(for_products(chain, np.argwhere(np.triu(chain))), np.arange(300), None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.distance.max() == 299
    assert peak < 15 * chain.nbytes


@pytest.mark.parametrize("name", ["congo2", "congo3", "conga"])
def test_graphs_so_large_that_few_paths_change_at_a_step(name: str) -> None:
    algorithm = ALGORITHMS[name]
    graph = nx.connected_watts_strogatz_graph(26, 4, 0.2, seed=3)
    edges = [(min(edge), max(edge)) for edge in graph.edges]
    assert_same_steps(
        divide(edges, nodes=26, algorithm=algorithm), plain_division(edges, 26, algorithm.horizon, True)[0]
    )
