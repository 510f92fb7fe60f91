"""Summaries by maximal marginal relevance: golden choices, a plain loop, and long texts in time."""

import json
import math
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measures.experiments.relevance_and_novelty import mmr_summary, words_of_utterance

GOLDEN = json.loads((Path(__file__).parent / "golden" / "mmr.json").read_text())


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: f"{case['lam']}, {case['share']}")
def test_the_golden_summaries(case: dict[str, Any]) -> None:
    assert list(mmr_summary(GOLDEN["utterances"], balance=case["lam"], share=case["share"])) == case["chosen"]


def check_by_a_loop(utterances: list[str], balance: float, share: float, found: tuple[int, ...]) -> None:
    """Hold choices to the definition, word by word: none is worse than another, and they end where they should."""
    lines = [words_of_utterance(each) for each in utterances]
    words = sorted({word for line in lines for word in line})
    df = [sum(word in line for line in lines) for word in words]
    rows = [[line.count(word) * math.log(len(lines) / n) for word, n in zip(words, df, strict=True)] for line in lines]

    def cosine(a: list[float], b: list[float]) -> float:
        length = math.hypot(*a) * math.hypot(*b)
        return float(np.dot(a, b)) / length if length else 0

    def gain(place: int, chosen: tuple[int, ...]) -> float:
        nearest = max((cosine(rows[place], rows[each]) for each in chosen), default=0)
        return balance * cosine(rows[place], query) - (1 - balance) * nearest

    query, wanted = [sum(column) for column in zip(*rows, strict=True)], share * sum(map(len, lines))
    for number, place in enumerate(found):
        before = found[:number]
        assert sum(len(lines[each]) for each in before) < wanted
        others = set(range(len(lines))) - set(before)
        assert gain(place, before) == pytest.approx(max(gain(each, before) for each in others), abs=1e-9)
    assert sum(len(lines[each]) for each in found) >= wanted - 1e-9


LINES = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=7)


@given(LINES, st.sampled_from([0.0, 0.3, 0.7, 1.0]), st.sampled_from([0.2, 0.5, 1.0]))
def test_they_are_what_the_definition_says(utterances: list[str], balance: float, share: float) -> None:
    check_by_a_loop(utterances, balance, share, mmr_summary(utterances, balance=balance, share=share))


def test_2000_utterances_take_less_than_a_second() -> None:
    rng = Random(1)
    text = [" ".join(f"w{int(rng.paretovariate(0.7))}" for _word in range(12)) for _utterance in range(2_000)]
    start = process_time()

    assert mmr_summary(text)

    assert process_time() - start < 1


def test_a_share_or_balance_out_of_range_is_refused() -> None:
    for wrong in ({"balance": 1.5}, {"share": 0}):
        with pytest.raises(ValueError, match="must be"):
            mmr_summary(["a"], **wrong)
