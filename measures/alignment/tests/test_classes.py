"""Classes of words, compressions and sentences: ten texts worked by hand, and the laws of each class."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.alignment import paraphrase_kinds, plain_word_kind, text_operations
from measures.alignment.moved_words import moved_places

C, P, N = "copied", "paraphrased", "inserted"
TWO = "The mayor spoke on Monday .\nHe promised new schools for the north ."
EXAMPLES = [
    (
        "The old bridge finally fell .",
        "The bridge at last fell .",
        "0-0 2-1 4-4 5-5",
        [C, C, N, N, C, C],
        [1, 3],
        [],
        "abstractive",
        None,
    ),
    (
        "He bought an automobile today .",
        "Today he bought a car .",
        "0-1 1-2 2-3 3-4 4-0 5-5",
        [C, C, C, P, P, C],
        [],
        [0],
        "abstractive",
        None,
    ),
    ("think about your household", "imagine your household", "2-1 3-2", [N, C, C], [0, 1], [], "abstractive", None),
    (
        "Prices are rising quickly in the north , officials said on Friday .",
        "Officials said prices rise quickly in the north .",
        "0-2 2-3 3-4 4-5 5-6 6-7 8-0 9-1 12-8",
        [C, C, C, P, C, C, C, C, C],
        [1, 7, 10, 11],
        [0, 1],
        "abstractive",
        None,
    ),
    (
        "The report that the committee wrote was sent to the mayor of the town .",
        "The committee sent the report to the mayor .",
        "0-3 1-4 3-0 4-1 7-2 8-5 9-6 10-7 14-8",
        [C] * 9,
        [2, 5, 6, 11, 12, 13],
        [3, 4],
        "deletion and reordering",
        None,
    ),
    (
        TWO,
        "The mayor spoke on Monday and promised new schools .",
        "0-0 1-1 2-2 3-3 4-4 7-6 8-7 9-8 13-9",
        [C, C, C, C, C, N, C, C, C, C],
        [5, 6, 10, 11, 12],
        [],
        "abstractive",
        "merged",
    ),
    (
        TWO,
        "He spoke on Monday .",
        "2-1 3-2 4-3 5-4",
        [N, C, C, C, C],
        [0, 1, *range(6, 14)],
        [],
        "abstractive",
        "sentence deleted",
    ),
    (
        TWO,
        "The mayor spoke .\nHe promised schools .",
        "0-0 1-1 2-2 5-3 6-4 7-5 9-6 13-7",
        [C] * 8,
        [3, 4, 8, 10, 11, 12],
        [],
        "deletion only",
        "kept",
    ),
    ("the the the cat", "the cat the", "2-0 3-1", [C, C, N], [0, 1], [], "abstractive", None),
    (
        "Of the 2,000 people in the hall , most left early .",
        "Most of the 2000 people left early .",
        "0-1 1-2 2-3 3-4 9-5 10-6 11-7",
        [N, C, C, P, C, C, C, C],
        [4, 5, 6, 7, 8],
        [],
        "abstractive",
        None,
    ),
]


def cut(text: str) -> tuple[list[str], list[int]]:
    lines = [line.split() for line in text.split("\n")]
    return [word for line in lines for word in line], [number for number, line in enumerate(lines) for _ in line]


@pytest.mark.parametrize(
    ("source", "target", "pairs", "classes", "deleted", "moved", "compression", "sentences"), EXAMPLES
)
def test_ten_texts_worked_by_hand(
    source: str,
    target: str,
    pairs: str,
    classes: list[str],
    deleted: list[int],
    moved: list[int],
    compression: str,
    sentences: str | None,
) -> None:
    (words, numbers), (text, target_numbers) = cut(source), cut(target)
    found = {int(j): int(i) for i, j in (pair.split("-") for pair in pairs.split())}
    done = text_operations(
        words,
        text,
        [found.get(j) for j in range(len(text))],
        source_sentences=numbers,
        target_sentences=len(set(target_numbers)),
    )
    assert (list(done.target_classes), list(done.deleted), list(done.moved)) == (classes, deleted, moved)
    assert (done.compression, done.sentences) == (compression, sentences)
    assert done.substitutes == (P in classes)
    assert done.reorders == bool(moved)


def test_moved_words_are_outside_the_longest_increasing_sequence() -> None:
    assert moved_places([6, 7, 0, 1, 2, 3]) == (0, 1)
    # Of two words that changed places, the one that now stands first is taken for the moved one.
    assert moved_places([1, 0]) == (0,)
    assert moved_places([]) == moved_places([None, None]) == ()


@given(st.permutations(range(7)))
def test_of_several_longest_sequences_the_one_that_ends_earliest_in_the_source_stays(places: list[int]) -> None:
    stays = [word for word in range(7) if word not in moved_places(places)]
    longest = [
        chosen
        for size in range(8)
        for chosen in combinations(range(7), size)
        if all(places[a] < places[b] for a, b in pairwise(chosen))
    ]
    most = max(map(len, longest))
    best = min((each for each in longest if len(each) == most), key=lambda each: [places[word] for word in each][::-1])
    assert tuple(stays) == best


@st.composite
def alignments(draw: st.DrawFn) -> tuple[list[str], list[str], list[int | None]]:
    words = st.lists(st.sampled_from(["a", "A", "b", "bs", ".", "--", "7"]), max_size=8)
    source, target = draw(words), draw(words)
    places: list[int | None] = [*range(len(source)), *([None] * len(target))]
    return source, target, draw(st.permutations(places))[: len(target)]


@given(alignments())
def test_every_word_is_of_one_class_and_punctuation_makes_no_text_abstractive(
    drawn: tuple[list[str], list[str], list[int | None]],
) -> None:
    source, target, places = drawn
    done = text_operations(source, target, places)
    counts = done.counts
    assert counts.copied + counts.paraphrased + counts.inserted == len(target)
    assert counts.deleted + counts.kept == len(source)
    assert counts.kept == counts.copied + counts.paraphrased
    assert (done.sentences, done.merges, done.deletes_sentence) == (None, None, None)
    assert all(plain_word_kind(target[word]) == "c" for word in done.moved)
    changed = {each for each, word in zip(done.target_classes, target, strict=True) if plain_word_kind(word) == "c"}
    assert done.substitutes_or_inserts == (not changed <= {C})
    assert done.substitutes == (P in changed)


def test_kinds_of_paraphrases_only_where_asked_for() -> None:
    source, target, places = ["cars", "fast", "red"], ["car", "quick", "blue", "red"], (0, 1, None, 2)
    rule = paraphrase_kinds(lambda word: word.rstrip("s"), lambda one, other: {one, other} == {"fast", "quick"})
    assert text_operations(source, target, places).paraphrases is None
    done = text_operations(source, target, places, paraphrase_kind=rule)
    assert done.paraphrases == ("inflected", "listed or vector", None, None)
    assert paraphrase_kinds(str)("fast", "quick") == "by place"


def test_a_sentence_needs_as_many_aligned_content_words_as_asked_for() -> None:
    source, numbers = ["A", "b", ".", "C", "d", "."], [0, 0, 0, 1, 1, 1]
    target, places = ["A", "b", ".", "C", "."], (0, 1, 2, 3, 5)
    kept = text_operations(source, target, places, source_sentences=numbers, target_sentences=2)
    assert kept.sentences == "kept"
    gone = text_operations(source, target, places, source_sentences=numbers, target_sentences=2, least=2)
    assert (gone.sentences, gone.deletes_sentence, gone.merges) == ("sentence deleted", True, False)
    functional = text_operations(source, target, places, source_sentences=numbers, word_kind=lambda _: "f")
    assert functional.sentences == "sentence deleted"
    three = text_operations(source, target, places, source_sentences=[0, 0, 0, 1, 2, 2])
    assert three.sentences is None


@pytest.mark.parametrize(
    ("places", "sentences", "message"),
    [
        ((0,), None, "1 places for 2"),
        ((0, 0), None, "two words"),
        ((0, 2), None, "not one of"),
        ((0, -1), None, "not one of"),
        ((0, 1), [1], "sentence numbers"),
    ],
)
def test_what_is_no_alignment_is_refused(places: tuple[int, ...], sentences: list[int] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        text_operations(["a", "b"], ["a", "b"], places, source_sentences=sentences)
