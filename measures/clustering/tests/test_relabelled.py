"""Relabelled copies, formats of the tree, and tests of algorithms over documents."""

import json
from itertools import pairwise

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from measures.clustering.algorithm_tests import algorithm_tests
from measures.clustering.communities import ALGORITHMS, CONGA, CONGO_2, divide
from measures.clustering.division import Division, Step
from measures.clustering.omega import Omega, omega_index
from measures.clustering.relabelled import NO_VALUE, TieRange, relabelled_divisions, tie_range
from measures.clustering.tests.golden_values import COMMUNITIES
from measures.clustering.tests.test_communities import graphs
from measures.clustering.tree_formats import Nested, nested, newick, tree_json
from measures.core.many_tests import holm
from measures.core.undefined import Undefined
from measures.experiments.paired import PairedTests

Graph = tuple[int, list[tuple[int, int]]]


@given(graph=graphs(), seed=st.integers(0, 3))
def test_a_copy_is_the_graph_under_other_numbers(graph: Graph, seed: int) -> None:
    nodes, edges = graph
    number_of = np.random.default_rng(seed).permutation(nodes).tolist()
    copy = divide([(number_of[one], number_of[other]) for one, other in edges], nodes=nodes)
    (found,) = relabelled_divisions(edges, nodes=nodes, copies=1, seed=seed)
    node_of = {number: node for node, number in enumerate(number_of)}
    for communities in range(1, 8):
        back = sorted(tuple(sorted(node_of[each] for each in community)) for community in copy.cover(communities))
        assert found.cover(communities) == back
    assert found.edges == divide(edges, nodes=nodes).edges
    assert [each.value for each in found.steps] == [each.value for each in copy.steps]


def test_ties_of_the_karate_club() -> None:
    karate = COMMUNITIES["karate"]
    divisions = relabelled_divisions(karate["edges"], nodes=34, algorithm=CONGO_2, copies=6, seed=1, until=5)
    gold = karate["congo2"]["covers"]["4"]
    omegas = [omega_index(each.cover(4), gold, 34) for each in divisions]
    values = [each.omega for each in omegas if isinstance(each, Omega)]
    of_cover = {tuple(each.cover(4)): value for each, value in zip(divisions, values, strict=True)}
    found = tie_range(divisions, lambda division: of_cover[tuple(division.cover(4))])
    assert found == TieRange(float(np.median(values)), min(values), max(values), 6)
    assert min(values) < max(values)
    again = relabelled_divisions(karate["edges"], nodes=34, algorithm=CONGO_2, copies=6, seed=1, until=5)
    assert again == divisions
    assert tie_range(divisions, lambda _: Undefined("no value")) == NO_VALUE


def test_copies_say_how_far_they_are_and_can_be_stopped() -> None:
    told = list[tuple[int, int]]()
    edges = [(0, 1), (1, 2), (0, 2)]
    relabelled_divisions(edges, nodes=3, copies=2, seed=1, progress=lambda *done: told.append(done))
    assert told == [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]
    asked = iter([False] * 4 + [True] * 2)
    assert len(relabelled_divisions(edges, nodes=3, copies=2, seed=1, should_stop=lambda: next(asked))) == 1
    with pytest.raises(ValueError, match="at least 1 copy"):
        relabelled_divisions(edges, nodes=3, copies=0, seed=1)


def leaves_of(tree: Nested) -> list[str]:
    return [tree] if isinstance(tree, str) else [leaf for each in tree for leaf in leaves_of(each)]


@given(graph=graphs(), until=st.sampled_from([None, 3]), algorithm=st.sampled_from(sorted(ALGORITHMS)))
def test_the_tree_has_every_node_and_copy_once(graph: Graph, until: int | None, algorithm: str) -> None:
    nodes, edges = graph
    names = [f"s{node}" for node in range(nodes)]
    division = divide(edges, nodes=nodes, algorithm=ALGORITHMS[algorithm], until=until)
    leaves = [leaf for tree in nested(division, names) for leaf in leaves_of(tree)]
    copies = sum(step.kind == "split" for step in division.steps)
    assert len(set(leaves)) == len(leaves) == nodes - len(division.isolated) + copies
    as_json = json.loads(json.dumps(tree_json(division, names)))
    assert sorted(leaf for each in as_json["branches"] for leaf in each["leaves"]) == sorted(leaves)
    for branch in as_json["branches"]:
        parts = [as_json["branches"][part] for part in branch["parts"]]
        assert bool(parts) == (branch["step"] is not None)
        assert all(part["step"] is None or part["step"] > branch["step"] for part in parts)
        assert not parts or {*parts[0]["members"], *parts[1]["members"]} == set(branch["members"])
    assert [as_json["branches"][root]["members"] for root in as_json["roots"]] == [
        [names[node] for node in each] for each in sorted(division.cover(1))[: division.least]
    ]
    text = newick(division, names)
    assert all(f"'{leaf}':" in text for leaf in leaves)
    assert (text.count("("), text[-1]) == (text.count(")"), ";")


def test_newick_of_a_path_has_heights_in_steps() -> None:
    division = divide([(0, 1), (1, 2), (2, 3)], nodes=4)
    assert [(each.node, each.other) for each in division.steps] == [(1, 2), (0, 1), (2, 3)]
    assert newick(division, "abcd") == "((('a':1,'b':1):1,('c':0,'d':0):2):1);"
    assert nested(division, "abcd") == [[["a", "b"], ["c", "d"]]]
    with pytest.raises(ValueError, match="3 names for 4 nodes"):
        nested(division, "abc")


def test_a_deep_tree_has_all_its_formats() -> None:
    edges = tuple((node, node + 1) for node in range(699))
    cuts = tuple(Step("cut", one, other, 1.0) for one, other in reversed(edges))
    division = Division(700, edges, cuts, complete=True)
    names = [str(node) for node in range(700)]
    assert newick(division, names).count("'") == 2 * 700
    assert json.dumps(tree_json(division, names)).count('"members"') == 2 * 700 - 1
    depth, tree = 0, nested(division, names)[0]
    while not isinstance(tree, str):
        depth, tree = depth + 1, tree[0]
    assert depth == 699


def test_covers_of_all_numbers_come_from_one_run() -> None:
    karate = COMMUNITIES["karate"]
    division = divide(karate["edges"], nodes=34, algorithm=CONGA)
    for one, other in pairwise(range(1, division.most + 1)):
        assert len(division.cover(other)) == len(division.cover(one)) + 1


def test_algorithms_are_tested_two_by_two() -> None:
    rng = np.random.default_rng(2)
    base = rng.normal(0.3, 0.1, 12)
    values = {"GN": base, "CONGA": base + rng.normal(0.05, 0.04, 12), "CONGO": base + rng.normal(0, 0.05, 12)}
    values["CONGO"][3] = np.nan
    found = algorithm_tests(values, draws=500, seed=1)
    assert [(each.one, each.other) for each in found] == [("GN", "CONGA"), ("GN", "CONGO"), ("CONGA", "CONGO")]
    assert [(each.documents, each.left_out) for each in found] == [(12, 0), (11, 1), (11, 1)]
    for each in found:
        both = ~np.isnan(values[each.one] - values[each.other])
        outside = scipy.stats.ttest_rel(values[each.one][both], values[each.other][both])
        assert isinstance(each.tests, PairedTests)
        assert not isinstance(each.tests.t, Undefined)
        assert each.tests.t.p == pytest.approx(outside.pvalue, abs=1e-6)
    p = [each.tests.signed_rank.p for each in found if isinstance(each.tests, PairedTests)]
    assert [each.signed_rank_holm for each in found] == pytest.approx(holm(p).tolist())
    flips = [each.tests.permutation_p for each in found if isinstance(each.tests, PairedTests)]
    assert [each.permutation_holm for each in found] == pytest.approx(holm(flips).tolist())


def test_algorithms_without_a_document_or_a_difference_have_no_test() -> None:
    nan = float("nan")
    same, none, _ = algorithm_tests({"a": [0.1, 0.2], "b": [0.1, 0.2], "c": [nan, nan]}, seed=1)
    assert isinstance(same.t_holm, Undefined)
    assert same.signed_rank_holm == 1
    assert isinstance(none.tests, Undefined)
    assert (none.tests, none.documents, none.left_out) == (none.t_holm, 0, 2)
    with pytest.raises(ValueError, match="one value for each document"):
        algorithm_tests({"a": [0.1], "b": [0.1, 0.2]}, seed=1)
