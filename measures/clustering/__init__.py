"""Which sentences of a document belong together, as people say and as programs find?

Links between sentences, communities that may overlap, and how far two of them agree (Murray et al. 2012). Links are
predicted with scikit-learn, which is loaded only there.

Examples
--------
>>> from measures.clustering import CONGA, divide, gold_cover, omega_index
>>> links = [(0, 1), (0, 2), (1, 2), (2, 3), (2, 4), (3, 4)]
>>> found = divide(links, nodes=6, algorithm=CONGA).cover(2, isolated=True)
>>> people = gold_cover([{0, 1, 2}, {2, 3, 4}], 6)
>>> found == people, omega_index(found, people, 6).omega
(True, 1.0)
"""

from measures.clustering.algorithm_tests import AlgorithmPair, algorithm_tests
from measures.clustering.annotator_transfer import Transfer, annotator_transfers
from measures.clustering.communities import (
    ALGORITHMS,
    CONGA,
    CONGO_2,
    CONGO_3,
    GIRVAN_NEWMAN,
    MOST_EDGES,
    MOST_NODES,
    Algorithm,
    divide,
)
from measures.clustering.cover_agreement import PairScores, overlapping_information, together_alpha, together_scores
from measures.clustering.covers import gold_cover, gold_links, message_links, overlap
from measures.clustering.division import Branch, Cover, Division, Step, without_subsets
from measures.clustering.link_features import FEATURES, Sentence, TermWeights, pair_features, pairs_of
from measures.clustering.link_scores import (
    LinkReport,
    LinkScores,
    all_linked_report,
    link_report,
    link_scores,
    link_set_report,
    link_set_scores,
)
from measures.clustering.links import LinkClassifier, linked, predicted_links
from measures.clustering.omega import Omega, omega_against, omega_among, omega_index, omega_of_shuffled
from measures.clustering.relabelled import TieRange, relabelled_divisions, tie_range
from measures.clustering.tree_formats import nested, newick, tree_json

__all__ = [
    "ALGORITHMS",
    "CONGA",
    "CONGO_2",
    "CONGO_3",
    "FEATURES",
    "GIRVAN_NEWMAN",
    "MOST_EDGES",
    "MOST_NODES",
    "Algorithm",
    "AlgorithmPair",
    "Branch",
    "Cover",
    "Division",
    "LinkClassifier",
    "LinkReport",
    "LinkScores",
    "Omega",
    "PairScores",
    "Sentence",
    "Step",
    "TermWeights",
    "TieRange",
    "Transfer",
    "algorithm_tests",
    "all_linked_report",
    "annotator_transfers",
    "divide",
    "gold_cover",
    "gold_links",
    "link_report",
    "link_scores",
    "link_set_report",
    "link_set_scores",
    "linked",
    "message_links",
    "nested",
    "newick",
    "omega_against",
    "omega_among",
    "omega_index",
    "omega_of_shuffled",
    "overlap",
    "overlapping_information",
    "pair_features",
    "pairs_of",
    "predicted_links",
    "relabelled_divisions",
    "tie_range",
    "together_alpha",
    "together_scores",
    "tree_json",
    "without_subsets",
]
