"""What it costs to divide graphs of sentences into communities, and to compare them, in CPU seconds.

The graphs have the size of those of Murray et al. 2012, 133 nodes and 1,730 edges: one with 18 planted communities, the
worst case one without any. Beside each division stands how far relabelled copies of the first graph differ (--copies).
With --coverage it says instead how often the report's intervals of the mean Omega index hold the true value.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.clustering import (
    ALGORITHMS,
    CONGA,
    divide,
    gold_cover,
    gold_links,
    omega_against,
    omega_among,
    omega_index,
    omega_of_shuffled,
    relabelled_divisions,
    tie_range,
)
from measures.clustering.division import Division
from measures.clustering.link_features import Sentence
from measures.clustering.links import LinkClassifier, linked
from measures.clustering.tests.golden_values import COMMUNITIES, benchmark_edges
from measures.core.undefined import Undefined
from protocols.links.rows import OMEGA, Value, mean_row

NODES, EDGES, COMMUNITIES_WANTED = 133, 1730, 18
LARGEST = 224
# At most so many CPU seconds: to 18 communities, and until no edge is left.
ALLOWED = {
    ("clustered", "girvan_newman"): (1, 3),
    ("clustered", "congo2"): (2, 3),
    ("clustered", "conga"): (3, 5),
    ("random", "congo2"): (10, None),
    ("random", "conga"): (10, 14),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--copies", type=int, default=0, help="relabelled copies of the graph with communities")
    parser.add_argument("--coverage", type=int, default=0, metavar="STUDIES", help="simulated studies of each size")
    options = parser.parse_args()
    if options.coverage:
        print_coverage(options.coverage)
        return
    random = nx.gnm_random_graph(NODES, EDGES, seed=1)
    graphs = {"clustered": benchmark_edges(), "random": [(min(edge), max(edge)) for edge in random.edges]}
    for graph, edges in graphs.items():
        for name in ("girvan_newman", "congo2", "congo3", "conga"):
            allowed = ALLOWED.get((graph, name), (None, None))
            for until, most in zip((COMMUNITIES_WANTED, None), allowed, strict=True):
                print_line(f"{graph}, {name}, {until or 'all'}", divided(edges, name, until), most)
    compared()
    print_line("logistic regression on 98 documents of 142 sentences", trained, None)
    if options.copies:
        print_ties(graphs["clustered"], options.copies)


def divided(edges: list[tuple[int, int]], name: str, until: int | None) -> Callable[[], object]:
    return lambda: divide(edges, nodes=NODES, algorithm=ALGORITHMS[name], until=until)


def compared() -> None:
    rng = np.random.default_rng(1)
    one, other = ([np.flatnonzero(rng.random(LARGEST) < 0.1).tolist() for _ in range(18)] for _ in range(2))
    print_line(f"Omega, {LARGEST} nodes", lambda: omega_index(one, other, LARGEST), 0.005)
    print_line("1,000 shuffles of it", lambda: omega_of_shuffled(one, other, LARGEST, seed=1), 3)


def trained() -> None:
    rng = np.random.default_rng(1)
    documents = [
        [Sentence(tuple(map(str, rng.zipf(1.3, 8) % 5_000)), ("N", "V"), "ABCD"[place % 4]) for place in range(142)]
        for _ in range(98)
    ]
    near = linked([(place, place + 1) for place in range(0, 141, 7)], 142)
    classifier = LinkClassifier.trained(documents, [near] * len(documents))
    assert not isinstance(classifier, Undefined)


def print_line(what: str, act: Callable[[], object], most: float | None) -> None:
    begun = time.process_time()
    act()
    taken = time.process_time() - begun
    limit = "" if most is None else f"  at most {most}" + ("" if taken <= most else ": too slow")
    print(f"{what:56} {taken:8.3f} s{limit}", flush=True)


def print_ties(edges: list[tuple[int, int]], copies: int) -> None:
    for name in ("girvan_newman", "congo2", "conga"):
        divisions = relabelled_divisions(
            edges, nodes=NODES, algorithm=ALGORITHMS[name], copies=copies, seed=1, until=COMMUNITIES_WANTED
        )
        print(f"{name}: {tie_range(divisions, against_planted)}", flush=True)


def against_planted(division: Division) -> float | Undefined:
    found = omega_index(division.cover(COMMUNITIES_WANTED), COMMUNITIES["benchmark"]["planted"], NODES)
    return found if isinstance(found, Undefined) else found.omega


SENTENCES, TOPICS, PEOPLE = 24, 5, 3
SIZES, FOR_THE_TRUTH = (10, 20), 2_000


def simulated_document(rng: np.random.Generator) -> tuple[Value, Value]:
    """Return the Omega index of three people who see planted communities, and that of CONGA on all their links."""
    topics = [rng.choice(SENTENCES, rng.integers(3, 7), replace=False) for _topic in range(TOPICS)]
    skill = rng.uniform(0.6, 0.95)
    people = []
    for _person in range(PEOPLE):
        found = [
            [*topic[rng.random(len(topic)) < skill], *np.flatnonzero(rng.random(SENTENCES) < 0.02)] for topic in topics
        ]
        people.append([set(map(int, each)) for each in found])
    covers = [gold_cover(sets, SENTENCES) for sets in people]
    links = gold_links([each for sets in people for each in sets])
    cover = divide(links, nodes=SENTENCES, algorithm=CONGA).cover(TOPICS, isolated=True)
    return omega_among(covers, SENTENCES), omega_against(cover, covers, SENTENCES)


def print_coverage(studies: int) -> None:
    rng = np.random.default_rng(1)
    truth = [np.mean(each) for each in zip(*(simulated_document(rng) for _ in range(FOR_THE_TRUTH)), strict=True)]
    for size in SIZES:
        held = [0, 0]
        for study in range(studies):
            rng = np.random.default_rng([2, size, study])
            documents = zip(*(simulated_document(rng) for _ in range(size)), strict=True)
            for place, values in enumerate(documents):
                row = mean_row(OMEGA, "omega", values)
                held[place] += row["low"] <= truth[place] <= row["high"]
        told = (f"{each} ({value:.3f})" for each, value in zip(held, truth, strict=True))
        print(f"{size} documents, held of {studies}, and the true value: people {', CONGA '.join(told)}")


if __name__ == "__main__":
    main()
