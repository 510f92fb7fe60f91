"""Small trees and grammars."""

from hypothesis import strategies as st

from systems.programs.parses import Sentence, Word
from systems.programs.t3.extract import Counts
from systems.programs.t3.trees import Tree, tree_of

WORDS = ("cat", "dog", "sat", "ran", "old")
RELATIONS, TAGS = ("nsubj", "obj", "amod"), ("NN", "VBD")


def sentence_of(*rows: tuple[str, int, str, str]) -> Sentence:
    """Words with head, relation and tag, each parted by a space but for final marks."""
    return Sentence(tuple(Word(text, text not in ",.", head, relation, "X", tag) for text, head, relation, tag in rows))


@st.composite
def sentences(draw: st.DrawFn, most: int = 7) -> Sentence:
    """Any heads at all: there may be no root or several, circles, and arcs that cross."""
    number = draw(st.integers(1, most))
    places, words = st.integers(0, number - 1), st.sampled_from(WORDS)
    rows = [
        (draw(words), draw(places), draw(st.sampled_from(RELATIONS)), draw(st.sampled_from(TAGS)))
        for _place in range(number)
    ]
    return sentence_of(*rows)


@st.composite
def linked_trees(draw: st.DrawFn, most: int = 7) -> tuple[Tree, Tree, list[int | None]]:
    """Two trees, and an alignment of their words."""
    source, target = tree_of(draw(sentences(most))), tree_of(draw(sentences(most)))
    places: list[int | None] = [*range(len(source.words)), *[None] * len(target.words)]
    return source, target, draw(st.permutations(places))[: len(target.words)]


@st.composite
def counted(draw: st.DrawFn, most: int = 3) -> Counts:
    """The rules of some pairs of small trees."""
    counts = Counts()
    for source, target, links in draw(st.lists(linked_trees(most), max_size=4)):
        counts.add(source, target, links)
    return counts
