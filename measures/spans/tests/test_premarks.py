"""Marks that an alignment suggests."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from measures.alignment.aligner import Aligner
from measures.spans.checks import SpanAnswer, refusals
from measures.spans.mark import Mark
from measures.spans.premarks import premarks
from measures.spans.presets import preset
from measures.spans.tests.golden import GOLDEN


def words_of(text: str, mark: Mark, side: str) -> list[str]:
    return [text[start:end] for each, start, end in mark.places if each == side]


def always(*places: int | None) -> Aligner:
    return lambda _source, _output: places


def test_golden_premarks() -> None:
    case = GOLDEN["spans"]["premarks"]
    source, output = " ".join(case["source"]), " ".join(case["target"])
    partner = {j: i for i, j in case["alignment (source, target)"]}
    marks = premarks(source, output, aligner=always(*map(partner.get, range(len(case["target"])))))
    assert [(mark.kind, words_of(source, mark, "source"), words_of(output, mark, "output")) for mark in marks] == [
        (
            each["kind"],
            [" ".join(case["source"][i] for i in each["source_words"])],
            [" ".join(case["target"][j] for j in each.get("target_words", []))] if "target_words" in each else [],
        )
        for each in case["marks"]
    ]
    assert {mark.origin for mark in marks} == {"alignment"}
    assert all(mark.severity is None and mark.fate is None for mark in marks)


def test_punctuation_alone_makes_no_mark_and_is_part_of_one_between_words() -> None:
    marks = premarks("It rained , they said .", "It rained", aligner=always(0, 1))
    assert [(mark.kind, mark.start, mark.end) for mark in marks] == [("deletion", 10, 23)]
    assert premarks("It .", "It ! ?", aligner=always(0, None, None)) == ()


def test_neighbours_in_the_output_that_were_apart_in_the_source_are_two_marks() -> None:
    marks = premarks("one two three four", "a b", aligner=always(0, 2))
    assert [mark.kind for mark in marks] == ["deletion", "deletion", "substitution", "substitution"]


WORDS = st.lists(st.sampled_from(["rain", "fell", ",", "Rain", "north", "."]), min_size=1, max_size=8)


@given(WORDS, WORDS, st.data())
def test_premarks_are_marks_that_the_preset_takes_once_they_are_decided(
    source: list[str], output: list[str], data: st.DataObject
) -> None:
    chosen = data.draw(st.permutations(range(len(source))))

    def aligner(one: Sequence[str], other: Sequence[str]) -> tuple[int | None, ...]:
        return tuple(chosen[j] if j < len(chosen) and j % 3 else None for j in range(len(other)))

    texts = " ".join(source), " ".join(output)
    marks = premarks(*texts, aligner=aligner)
    undecided = "it was there before, and is neither kept, changed nor deleted"
    answer = SpanAnswer(*texts, marks, no_errors=not marks)
    assert refusals(answer, preset("salsa")) == tuple(f"mark {mark.id}: {undecided}" for mark in marks)
    decided = SpanAnswer(*texts, tuple(Mark(**{**vars(mark), "fate": "kept"}) for mark in marks), no_errors=not marks)
    assert all("answered" in each for each in refusals(decided, preset("salsa")))
