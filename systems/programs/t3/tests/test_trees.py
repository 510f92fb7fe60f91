"""Trees have the words of their sentences in order, whatever the heads are."""

import pytest
from hypothesis import given

from systems.programs.parses import Sentence, Word
from systems.programs.t3.tests.support import sentence_of, sentences
from systems.programs.t3.trees import tree_of


def shown(sentence: Sentence) -> str:
    tree = tree_of(sentence)

    def below(node: int) -> str:
        if tree.places[node] >= 0:
            return f"{tree.words[tree.places[node]]}/{tree.labels[node]}"
        return f"{tree.labels[node]}[{' '.join(below(child) for child in tree.children[node])}]"

    return below(tree.root)


def test_right_dependents_come_first_then_left_ones_from_near_to_far() -> None:
    sentence = sentence_of(
        ("The", 2, "det", "DT"),
        ("old", 2, "amod", "JJ"),
        ("man", 2, "root", "NN"),
        ("here", 2, "acl:relcl", "RB"),
        (".", 2, "punct", "."),
    )
    assert shown(sentence) == (
        "root/NN[root/NN^[det/DT[the/DT] root/NN^[amod/JJ[old/JJ] "
        "root/NN^[root/NN^[man/NN acl/RB[here/RB]] punct/.[./.]]]]]"
    )


def test_a_dependent_that_crosses_is_lifted() -> None:
    sentence = sentence_of(
        ("hats", 3, "obj", "NN"), ("we", 2, "nsubj", "PR"), ("said", 2, "root", "VB"), ("sold", 2, "ccomp", "VB")
    )
    assert shown(sentence) == (
        "root/VB[root/VB^[obj/NN[hats/NN] root/VB^[nsubj/PR[we/PR] root/VB^[said/VB ccomp/VB[sold/VB]]]]]"
    )


@given(sentences())
def test_any_heads_make_a_tree_of_all_words_in_order(sentence: Sentence) -> None:
    tree = tree_of(sentence)
    number = len(sentence.words)
    assert len(tree.labels) == 3 * number - 1
    assert tree.spans[tree.root] == (0, number)
    assert [tree.places[leaf] for leaf in tree.leaves] == list(range(number))
    for node, children in enumerate(tree.children):
        assert all(child < node for child in children)
        if len(children) == 2:
            assert tree.spans[children[0]][1] == tree.spans[children[1]][0]


def test_names_keep_their_capital_at_the_beginning() -> None:
    def first(text: str, pos: str) -> str:
        return tree_of(Sentence((Word(text, True, 0, "root", pos, "NN"),))).words[0]

    assert [first("Men", "NOUN"), first("Adams", "PROPN"), first("I", "PRON"), first("NATO", "NOUN")] == [
        "men",
        "Adams",
        "I",
        "NATO",
    ]


def test_a_sentence_without_words_has_no_tree() -> None:
    with pytest.raises(ValueError, match="without words"):
        tree_of(Sentence(()))
