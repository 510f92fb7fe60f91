"""Utterance F against golden values and plain loops."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.core.drawn_sources import source_draws
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments.repeated_measures import TOO_FEW_DRAWN
from measures.experiments.utterance_sets import (
    ALL_EMPTY,
    BOTH_EMPTY,
    NO_PAIRS,
    UtteranceSummary,
    against_models,
    utterance_agreement,
    utterance_f,
)

GOLDEN = json.loads((Path(__file__).parent / "golden" / "protocols.json").read_text())["utterance_f"]
sets = st.frozensets(st.sampled_from("123456"))


def drawn(people: int = 24, seed: int = 1) -> list[UtteranceSummary]:
    """Two texts; everybody summarises both, one of them primed; three free annotators; a program."""
    rng = np.random.default_rng(seed)

    def some() -> frozenset[str]:
        return frozenset(rng.choice([str(number) for number in range(12)], size=3, replace=False).tolist())

    made = [
        UtteranceSummary(text, ("generic", "primed")[(who + number) % 2], f"p{who}", some())
        for who in range(people)
        for number, text in enumerate("ab")
    ]
    made += [UtteranceSummary(text, "free", f"f{who}", some()) for who in range(3) for text in "ab"]
    return made + [UtteranceSummary(text, "mmr", None, some()) for text in "ab"]


def plain_mean(summaries: list[UtteranceSummary], peers: str, models: str, times: dict[str | None, float]) -> float:
    means = []
    for text in "ab":
        above = below = 0.0
        for one, other in product(summaries, repeat=2):
            if one is not other and one.text == other.text == text and (one.kind, other.kind) == (peers, models):
                f = utterance_f(one.utterances, other.utterances)
                weight = times.get(one.person, 1.0) * times.get(other.person, 1.0)
                if not isinstance(f, Undefined):
                    above, below = above + weight * f, below + weight
        if below:
            means.append(above / below)
    return float(np.mean(means))


def test_the_means_are_the_golden_ones() -> None:
    summaries = [
        UtteranceSummary("t", kind, None if kind == "mmr" else f"{kind}{number}", frozenset(map(str, chosen)))
        for kind, all_chosen in GOLDEN["selections"].items()
        for number, chosen in enumerate(all_chosen)
    ]
    found = utterance_agreement(summaries, draws=5, seed=1)
    assert len(found) == len(GOLDEN["mean_f"])
    for each in found:
        value, pairs = GOLDEN["mean_f"][f"{each.peers}/{each.models}"]
        assert each.value == (NO_PAIRS if value is None else pytest.approx(value, abs=1e-8))
        assert each.pairs == pairs
        assert isinstance(each.interval, Undefined)


@given(sets, sets)
def test_f_is_symmetric_and_1_for_the_same(one: frozenset[str], other: frozenset[str]) -> None:
    f = utterance_f(one, other)
    assert f == utterance_f(other, one)
    if isinstance(f, Undefined):
        assert (one, other, f) == (frozenset(), frozenset(), BOTH_EMPTY)
    else:
        assert 0 <= f <= 1
        assert (f == 1) == (one == other)
        assert (f == 0) == (not one & other)


def test_means_and_intervals_are_those_of_plain_loops() -> None:
    summaries = drawn()
    found = {(each.peers, each.models): each for each in utterance_agreement(summaries, draws=12, seed=3)}
    for kinds, each in found.items():
        if kinds == ("mmr", "mmr"):
            assert (each.value, each.texts) == (NO_PAIRS, 0)
            continue
        assert each.value == pytest.approx(plain_mean(summaries, *kinds, {}))
        assert each.texts == 2
    for kinds in (("generic", "primed"), ("generic", "free"), ("primed", "primed"), ("mmr", "generic")):
        people = sorted({each.person for each in summaries if each.kind in ("generic", "primed") and each.person})
        (draws,) = source_draws(len(people), 12, 3)
        plain = [plain_mean(summaries, *kinds, dict(zip(people, row, strict=True))) for row in draws.tolist()]
        interval, own = found[kinds].interval, Interval.of(np.array(plain))
        assert isinstance(interval, Interval)
        assert (interval.low, interval.high) == pytest.approx((own.low, own.high))
        assert found[kinds].people == 24
    assert found["free", "free"].interval == found["mmr", "free"].interval == TOO_FEW_DRAWN
    assert found["free", "free"].people == 0


def test_each_summary_against_the_models_leaves_itself_out() -> None:
    summaries = drawn(6)
    for models in ("generic", "free"):
        found = against_models(summaries, models)
        for one, value in zip(summaries, found, strict=True):
            others = [each for each in summaries if each.kind == models and each.text == one.text and each is not one]
            plain = [utterance_f(one.utterances, each.utterances) for each in others]
            assert value == pytest.approx(np.mean(plain))  # type: ignore[arg-type]
    assert against_models(summaries, "mmr")[-1] == NO_PAIRS
    assert against_models(summaries, "none") == (NO_PAIRS,) * len(summaries)


def test_empty_summaries_have_no_f_with_each_other() -> None:
    empty = [UtteranceSummary("t", "generic", f"p{number}", frozenset()) for number in range(2)]
    (found,) = utterance_agreement(empty, draws=5, seed=1)
    assert (found.value, found.pairs, found.empty) == (ALL_EMPTY, 2, 2)
    assert against_models(empty, "generic") == (ALL_EMPTY, ALL_EMPTY)
    (mixed,) = utterance_agreement([*empty, UtteranceSummary("t", "generic", "p3", frozenset("1"))], draws=5, seed=1)
    assert (mixed.value, mixed.pairs, mixed.empty) == (0.0, 6, 2)
    assert utterance_agreement([], draws=5, seed=1) == ()
    with pytest.raises(ValueError, match="at least 1"):
        utterance_agreement(empty, draws=0, seed=1)
