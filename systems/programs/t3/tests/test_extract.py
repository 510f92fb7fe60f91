"""The rules of a pair by hand, and that rules give back what they come from."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from measures.alignment import align_words
from systems.programs.made_pairs import made_pairs
from systems.programs.parses import Sentence
from systems.programs.t3.alignments import alignments
from systems.programs.t3.extract import Counts
from systems.programs.t3.forced import derives
from systems.programs.t3.grammar import Grammar
from systems.programs.t3.rules import Rule
from systems.programs.t3.tests.support import linked_trees, sentence_of
from systems.programs.t3.trees import Tree, tree_of

SOURCE = sentence_of(
    ("He", 1, "nsubj", "PRP"),
    ("bought", 1, "root", "VBD"),
    ("the", 4, "det", "DT"),
    ("old", 4, "amod", "JJ"),
    ("house", 1, "obj", "NN"),
    ("that", 6, "nsubj", "WDT"),
    ("stood", 4, "acl:relcl", "VBD"),
    ("there", 6, "advmod", "RB"),
    (".", 1, "punct", "."),
)
TARGET = sentence_of(
    ("He", 1, "nsubj", "PRP"),
    ("acquired", 1, "root", "VBD"),
    ("the", 3, "det", "DT"),
    ("house", 1, "obj", "NN"),
    (".", 1, "punct", "."),
)
LISTED = {
    "=he/PR": "=he/PR",
    "1nsubj/PR #PR": "1nsubj/PR #0:PR",
    "=bought/VB": "=acquired/VB",
    "=the/DT": "=the/DT",
    "1det/DT #DT": "1det/DT #0:DT",
    "=house/NN": "=house/NN",
    "2obj/NN^ =house/NN -acl/VB": "=house/NN",
    "2obj/NN^ -amod/JJ 2obj/NN^ =house/NN -acl/VB": "=house/NN",
    "2obj/NN^ #det/DT #obj/NN^": "2obj/NN^ #0:det/DT #1:NN",
    "1obj/NN #obj/NN^": "1obj/NN #0:obj/NN^",
    "2root/VB^ #VB #obj/NN": "2root/VB^ #0:VB #1:obj/NN",
    "2root/VB^ #root/VB^ #punct/.": "2root/VB^ #0:root/VB^ #1:punct/.",
    "2root/VB^ #nsubj/PR #root/VB^": "2root/VB^ #0:nsubj/PR #1:root/VB^",
    "1root/VB #root/VB^": "1root/VB #0:root/VB^",
    "=./.": "=./.",
    "1punct/. #.": "1punct/. #0:.",
}


def rule(source: str, target: str) -> Rule:
    return Rule.read(source, target)


def counts_of_the_pair() -> Counts:
    source, target = tree_of(SOURCE), tree_of(TARGET)
    links = align_words(source.words, target.words)
    assert links == (0, 1, 2, 4, 8)
    counts = Counts()
    counts.add(source, target, links)
    return counts


def test_a_pair_by_hand_gives_the_listed_rules_and_no_more() -> None:
    counts = counts_of_the_pair()
    assert dict(counts.smallest) == {rule(source, target): 1 for source, target in LISTED.items()}
    assert dict(counts.deleted) == {("obj/NN^", "amod/JJ"): 1, ("obj/NN^", "acl/VB"): 1}


def test_each_composed_rule_is_two_of_them() -> None:
    found = counts_of_the_pair().composed
    assert len(found) == sum(target.count("#") for target in LISTED.values())
    assert rule("1nsubj/PR =he/PR", "1nsubj/PR =he/PR") in found
    deeper = "2obj/NN^ #det/DT 2obj/NN^ -amod/JJ 2obj/NN^ =house/NN -acl/VB"
    assert rule(deeper, "2obj/NN^ #0:det/DT =house/NN") in found
    assert (
        rule(
            "2root/VB^ #nsubj/PR 2root/VB^ #root/VB^ #punct/.", "2root/VB^ #0:nsubj/PR 2root/VB^ #1:root/VB^ #2:punct/."
        )
        in found
    )


def test_words_that_come_in_once_are_no_rule() -> None:
    grammar = Grammar.of(counts_of_the_pair())
    assert rule("=bought/VB", "=acquired/VB") not in grammar.counts
    assert len(grammar.counts) == len(LISTED) - 1
    assert derives(Grammar.of(counts_of_the_pair(), least=1), tree_of(SOURCE), tree_of(TARGET))
    assert not derives(grammar, tree_of(SOURCE), tree_of(TARGET))


@given(linked_trees())
def test_the_rules_of_any_pair_give_its_target(pair: tuple[Tree, Tree, list[int | None]]) -> None:
    source, target, links = pair
    counts = Counts()
    counts.add(source, target, links)
    assert derives(Grammar.of(counts, least=1), source, target)


def test_the_same_words_for_the_same_are_seen_twice_in_whichever_rules() -> None:
    buying = [rule(f"2{label}/VB^ =bought/VB -amod/JJ", "=acquired/VB") for label in ("obj", "root")]
    once = rule("=sold/VB", "=acquired/VB"), rule("=bought/VB", "=got/VB")
    grammar = Grammar.of(Counts(smallest=Counter([*buying, *once])))
    assert set(grammar.counts) == set(buying)


@pytest.mark.parametrize("misplaced", [0.0, 0.05])
def test_a_grammar_gives_the_targets_of_its_pairs(misplaced: float) -> None:
    """Made-up pairs, with the words left out that came in once; a parser mistakes the heads of some words."""
    rng = Random(7)

    def parsed(sentence: Sentence) -> Tree:
        words = [
            replace(word, head=rng.randrange(len(sentence.words))) if rng.random() < misplaced else word
            for word in sentence.words
        ]
        return tree_of(Sentence(tuple(words)))

    trees = [(parsed(pair.source), parsed(pair.target)) for pair in made_pairs(600, seed=7)]
    counts = Counts()
    links = alignments([(source.words, target.words) for source, target in trees], "en")
    for (source, target), places in zip(trees, links, strict=True):
        counts.add(source, target, places)
    grammar = Grammar.of(counts)
    given = [derives(grammar, source, target) for source, target in trees]
    assert sum(given) >= 0.95 * len(given)


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("2obj/NN^ #NN", "1obj/NN #0:NN", "no piece of a tree"),
        ("1obj/NN #NN", "1obj/NN -NN", "no piece of a tree"),
        ("1obj/NN #NN", "1obj/NN #1:NN", "variables"),
        ("1obj/NN #NN", "1obj/NN #x:NN", "no number"),
    ],
)
def test_what_is_no_rule_is_refused_with_its_row(source: str, target: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"rule 2: .*{reason}"):
        Grammar.from_rows([("rule", "=a/DT", "=a/DT", "1"), ("rule", source, target, "2")])
