"""Which reference stands for all: evenly drawn, and by nothing but the seed and the texts themselves."""

from collections import Counter

import numpy as np
import pytest

from measures.metrics import Analysis, Options, Tokenizer
from measures.metrics.counting.comparing import compare
from measures.metrics.counting.reference_choice import single_references
from measures.metrics.counting.reference_sets import Text


def text(*words: object) -> Text:
    return Text(tuple(map(str, words)))


def drawn(outputs: list[Text], references: list[list[Text]], seed: int = 2016) -> list[int]:
    return list(map(int, single_references(compare(outputs, references), Options(seed=seed))))


OUTPUTS = [text("output", number) for number in range(3000)]
REFERENCES = [[text("reference", number, each) for each in range(2 + number % 4)] for number in range(3000)]


def test_every_reference_is_drawn_as_often_as_any_other() -> None:
    for number in (2, 3, 4, 5):
        places = [
            place for place, given in zip(drawn(OUTPUTS, REFERENCES), REFERENCES, strict=True) if len(given) == number
        ]
        counts = Counter(places)
        assert set(counts) == set(range(number))
        expected = len(places) / number
        chi = sum((count - expected) ** 2 / expected for count in counts.values())
        assert chi < 20


def test_an_output_draws_the_same_whatever_else_is_scored() -> None:
    together = drawn(OUTPUTS[:50], REFERENCES[:50])
    turned = drawn(OUTPUTS[:50][::-1], REFERENCES[:50][::-1])[::-1]
    alone = [drawn([output], [given])[0] for output, given in zip(OUTPUTS[:50], REFERENCES, strict=False)]
    assert together == turned == alone


def test_another_seed_draws_other_references() -> None:
    several = np.array([drawn(OUTPUTS[:400], REFERENCES[:400], seed) for seed in (0, 1, 2, 2**31)])
    for one in range(4):
        for other in range(one):
            assert 0.15 < np.mean(several[one] == several[other]) < 0.5


def test_all_systems_have_the_same_reference_of_a_source_in_whatever_order() -> None:
    given = REFERENCES[3]
    assert len({drawn([output], [given])[0] for output in OUTPUTS[:50]}) == 1
    (place,) = drawn([OUTPUTS[0]], [given])
    (turned,) = drawn([OUTPUTS[0]], [given[::-1]])
    assert given[::-1][turned] == given[place]


def test_other_words_of_the_same_texts_draw_the_same() -> None:
    lower, mixed = Analysis(Tokenizer("whitespace")), Analysis(Tokenizer(lower=False))
    for number in range(40):
        written = [f"Don't go, {number} {name}." for name in ("Ann", "Bob", "Cid")]
        places = {drawn([text("o")], [list(analysis.texts(written))])[0] for analysis in (lower, mixed)}
        assert len(places) == 1


@pytest.mark.parametrize("single", ["first", "mean"])
def test_where_nothing_is_drawn_the_first_stands(single: str) -> None:
    compared = compare(OUTPUTS[:9], REFERENCES[:9])
    assert single_references(compared, Options(single=single)).tolist() == [0] * 9  # type: ignore[arg-type]


def test_by_editor_a_text_is_drawn_as_often_as_editors_wrote_it() -> None:
    by_editor = Options(reference_weights="by-editor")
    given = [[a, b, a, c, a] for a, b, c in (REFERENCES[number][:3] for number in range(1, 3000, 4))]
    places = single_references(compare(OUTPUTS[: len(given)], given), by_editor).tolist()
    chi = sum((places.count(place) - len(given) / 5) ** 2 / (len(given) / 5) for place in range(5))
    assert chi < 20
    of_distinct = single_references(compare(OUTPUTS[: len(given)], given), Options())
    assert {given[number][place] == given[number][0] for number, place in enumerate(of_distinct)} == {True, False}
    assert not {2, 4} & set(of_distinct.tolist())


def test_of_no_outputs_nothing_is_drawn() -> None:
    assert drawn([], []) == []
