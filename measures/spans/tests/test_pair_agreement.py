"""F of marks and of characters, against worked values and plain loops."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.drawn_sources import source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.spans.annotation import Annotation, only
from measures.spans.character_agreement import character_f
from measures.spans.mark import Mark, Place
from measures.spans.pair_agreement import NO_COUPLE, NO_DEFINED_COUPLE, NO_MARKS, PairAgreement, pair_f
from measures.spans.pairing import Matching
from measures.spans.tests.golden_annotations import ANNOTATIONS, SPANS


def in_golden_form(found: PairAgreement) -> dict[str, object]:
    return {"".join(each.people): [each.precision, each.recall, each.f] for each in found.couples}


@pytest.mark.parametrize("key", SPANS["pair_f"])
def test_golden_pair_f(key: str) -> None:
    matching, penalty = key.split(", severity penalty ")
    found = pair_f(ANNOTATIONS, matching, penalty=float(penalty), least_common=4, seed=1)  # type: ignore[arg-type]
    wanted = dict(SPANS["pair_f"][key])
    assert found.mean == pytest.approx(wanted.pop("mean F"), abs=1e-9)
    assert in_golden_form(found) == {people: pytest.approx(each, abs=1e-9) for people, each in wanted.items()}


def test_golden_character_f() -> None:
    found = in_golden_form(character_f(ANNOTATIONS, least_common=4, seed=1))
    assert found == {people: pytest.approx(each, abs=1e-9) for people, each in SPANS["character_f_wmt23"].items()}


def texts_of(*marks: tuple[str, list[tuple[int, int, str]]], segment: str = "1") -> list[Annotation]:
    return [
        Annotation(
            person,
            "s",
            segment,
            "",
            "x" * 30,
            tuple(Mark(str(n), "output", start, end, severity=each) for n, (start, end, each) in enumerate(spans)),
        )
        for person, spans in marks
    ]


SPAN = st.tuples(st.integers(0, 12), st.integers(1, 8), st.sampled_from(["minor", "major"])).map(
    lambda each: (each[0], each[0] + each[1], each[2])
)
MARKS = st.lists(SPAN, max_size=4)


def plain(one: list[tuple[int, int, str]], other: list[tuple[int, int, str]], matching: str, penalty: float) -> float:
    """The largest sum of values over all ways to pair the marks of two people."""

    def value(mine: tuple[int, int, str], theirs: tuple[int, int, str]) -> float:
        common = max(0, min(mine[1], theirs[1]) - max(mine[0], theirs[0]))
        kept = 1 if mine[2] == theirs[2] else 1 - penalty
        if matching == "exact":
            return kept * (mine[:2] == theirs[:2])
        if matching == "overlap":
            return kept * (common > 0)
        return kept * 2 * common / (mine[1] - mine[0] + theirs[1] - theirs[0])

    few, many = sorted((one, other), key=len)
    return max(sum(value(*both) for both in zip(few, order, strict=False)) for order in permutations(many))


@pytest.mark.parametrize("matching", ["exact", "overlap"])
@given(one=MARKS, other=MARKS, penalty=st.sampled_from([0, 0.5, 1]))
def test_the_pairing_has_the_largest_sum_of_all(
    matching: Matching,
    one: list[tuple[int, int, str]],
    other: list[tuple[int, int, str]],
    penalty: float,
) -> None:
    (couple,) = pair_f(texts_of(("A", one), ("B", other)), matching, penalty=penalty, least_common=1, seed=1).couples
    if not one and not other:
        assert couple.f == NO_MARKS
        return
    assert isinstance(couple.precision, float)
    assert couple.precision * len(one) == pytest.approx(plain(one, other, matching, penalty))


@given(one=MARKS, other=MARKS)
def test_credit_is_the_same_the_other_way_round_and_at_most_that_of_overlap(
    one: list[tuple[int, int, str]], other: list[tuple[int, int, str]]
) -> None:
    (there,) = pair_f(texts_of(("A", one), ("B", other)), least_common=1, seed=1).couples
    (back,) = pair_f(texts_of(("A", other), ("B", one)), least_common=1, seed=1).couples
    (wide,) = pair_f(texts_of(("A", one), ("B", other)), "overlap", least_common=1, seed=1).couples
    if isinstance(there.f, Undefined) or isinstance(wide.f, Undefined):
        assert back.f == there.f == wide.f
        return
    assert 0 <= there.f <= wide.f + 1e-9
    (same,) = pair_f(texts_of(("A", one), ("B", one)), least_common=1, seed=1).couples
    assert same.f == (1 if one else NO_MARKS)


def test_of_equal_sums_the_pairing_with_smaller_starts_is_taken() -> None:
    texts = texts_of(("A", [(0, 2, ""), (2, 6, "")]), ("B", [(0, 6, "")]))
    # 2 * 2 / 8 and 2 * 4 / 10 differ; those of (0, 3) and (3, 6) do not.
    assert [each.recall for each in pair_f(texts, least_common=1, seed=1).couples] == [4 / 6]
    one = Mark("1", "output", 0, 3, severity="minor")
    other = Mark("2", "output", 3, 6, severity="major")
    whole = Annotation("B", "s", "1", "", "", (Mark("1", "output", 0, 6, severity="minor"),))
    for marks in ((one, other), (other, one)):
        (couple,) = pair_f([Annotation("A", "s", "1", marks=marks), whole], least_common=1, seed=1).couples
        assert couple.precision == 1 / 2


def test_sides_do_not_meet_and_marks_of_several_spans_are_one_mark() -> None:
    both = (Mark("1", "both", pairs=(Place("source", 0, 4), Place("output", 0, 6))),)
    source = (Mark("1", "source", 0, 4),)
    output = (Mark("1", "output", 0, 4),)

    def f(one: tuple[Mark, ...], other: tuple[Mark, ...]) -> Undefined | float:
        texts = [Annotation("A", "s", "1", marks=one), Annotation("B", "s", "1", marks=other)]
        return pair_f(texts, least_common=1, seed=1).couples[0].f

    assert f(source, output) == 0
    assert f(both, both) == 1
    assert f(both, source) == pytest.approx(2 * 0.4 / 1.4)


def test_composites_have_the_spans_of_their_parts() -> None:
    part, made = Mark("1", "output", 0, 4, kind="insertion"), Mark("2", "both", parts=("1",), kind="structure")
    texts = [Annotation(person, "s", "1", marks=(part, made)) for person in "AB"]
    structure = only(texts, lambda mark: mark.kind == "structure")
    assert [each.places for each in structure[0].marks] == [(Place("output", 0, 4),)]
    assert pair_f(structure, least_common=1, seed=1).mean == 1


def test_what_is_missing_pairs_apart_by_number() -> None:
    gap = [Mark(str(n), missing=True, severity=each) for n, each in enumerate(("major", "minor", "minor"))]
    texts = [Annotation("A", "s", "1", marks=tuple(gap)), Annotation("B", "s", "1", marks=tuple(gap[:1]))]
    (couple,) = pair_f(texts, "exact", missing=True, penalty=1, least_common=1, seed=1).couples
    assert (couple.precision, couple.recall) == (1 / 3, 1)
    assert pair_f(texts, least_common=1, seed=1).mean == NO_DEFINED_COUPLE


def test_undefined_and_nothing_and_too_few_texts() -> None:
    nothing = texts_of(("A", []), ("B", []))
    found = pair_f(nothing, least_common=1, seed=1)
    assert (found.mean, found.couples[0].f) == (NO_DEFINED_COUPLE, NO_MARKS)
    (one,) = pair_f(texts_of(("A", []), ("B", [(0, 3, "")])), least_common=1, seed=1).couples
    assert (one.precision, one.recall, one.f) == (0, 0, 0)
    assert pair_f(nothing, seed=1).mean == NO_COUPLE
    assert len(pair_f(ANNOTATIONS, least_common=5, seed=1).couples) == 0


@pytest.mark.parametrize(
    ("arguments", "message"), [({"matching": "any"}, "matching must be"), ({"penalty": 1.5}, "penalty must be")]
)
def test_impossible_options_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pair_f([], **arguments, seed=1)  # type: ignore[arg-type]


def test_the_interval_is_that_of_f_computed_anew_for_the_drawn_texts() -> None:
    rng = np.random.default_rng(4)

    def marks() -> list[tuple[int, int, str]]:
        starts = rng.integers(0, 20, rng.integers(0, 4))
        return [(int(start), int(start) + int(rng.integers(1, 8)), "") for start in starts]

    texts = [texts_of(*((person, marks()) for person in "ABC"), segment=str(n)) for n in range(12)]
    found = pair_f([each for text in texts for each in text], draws=30, seed=9)
    drawn: list[Any] = []
    for times in source_draws(12, 30, 9):
        for row in times.astype(int):
            again = [
                Annotation(each.person, "s", f"{n}-{copy}", "", each.output, each.marks)
                for n, text in enumerate(texts)
                for copy in range(row[n])
                for each in text
            ]
            drawn.append(pair_f(again, draws=1, seed=1).mean)
    assert isinstance(found.interval, Interval)
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))
