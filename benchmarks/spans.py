"""Benchmark the agreement of people who mark spans: alpha over tokens, its bootstrap, and F of paired marks."""

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.agreement.krippendorff import Level, alphas, coincidences
from measures.core.arrays import FloatArray, IntArray
from measures.spans.annotation import Annotation
from measures.spans.mark import Mark
from measures.spans.pair_agreement import pair_f
from measures.spans.token_agreement import alpha_of_sources, span_alpha

PEOPLE, TOKENS, SOURCES, TEXTS, DRAWS = 5, 200_000, 2_000, 5_000, 10_000
WORDS_OF_A_TEXT = 20
DRAWS_OF_THE_LIBRARY = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=TEXTS)
    texts = parser.parse_args().texts
    ranks = ranks_of(TOKENS)
    print(f"{PEOPLE} people; CPU seconds")
    levels: tuple[tuple[Level, int], ...] = (("nominal", 2), ("ordinal", 3))
    for level, k in levels:
        values = np.minimum(ranks, k - 1)
        ours = cpu_seconds(partial(alpha, values, k, level))
        library = cpu_seconds(partial(alpha_of_the_library, values, level))
        print_row(f"alpha of {TOKENS:,} tokens, {level}", ours, library)
    sums = coincidences(counts_of(np.minimum(ranks, 1), 2)).reshape(SOURCES, -1, 4).sum(axis=1)
    drawing = cpu_seconds(lambda: alpha_of_sources(sums, "nominal", draws=DRAWS, seed=1))
    slow = cpu_seconds(lambda: draw_with_the_library(np.minimum(ranks, 1))) * DRAWS / DRAWS_OF_THE_LIBRARY
    print_row(f"{DRAWS:,} draws of {SOURCES:,} sources", drawing, slow)
    annotations = marked(texts)
    pair_f(marked(50), draws=1, seed=1)  # imports what it needs before timing it
    name = f"credit of {len(list(combinations(range(PEOPLE), 2)))} pairs of people x {texts:,} texts"
    print_row(f"{name}, no interval", cpu_seconds(lambda: pair_f(annotations, draws=1, seed=1)))
    print_row(f"{name}, {DRAWS:,} draws", cpu_seconds(lambda: pair_f(annotations, draws=DRAWS, seed=1)))
    whole = cpu_seconds(lambda: span_alpha(annotations, "severity", severities=("minor", "major"), draws=1, seed=1))
    print_row(f"alpha of {texts:,} texts from their marks", whole)


def print_row(name: str, fast: float, slow: float | None = None) -> None:
    comparison = "" if slow is None else f"  krippendorff, scaled: {slow:8.2f}  {slow / fast:8,.1f} times"
    print(f"{name:60} {fast:8.3f}{comparison}")


def ranks_of(tokens: int) -> IntArray:
    """Return the greatest severity on each token by each person (tokens, people)."""
    rng = np.random.default_rng(9)
    base = rng.choice(3, size=(tokens, 1), p=[0.88, 0.08, 0.04])
    return np.where(
        rng.random((tokens, PEOPLE)) < 0.7, base, rng.choice(3, size=(tokens, PEOPLE), p=[0.88, 0.08, 0.04])
    )


def counts_of(ranks: IntArray, k: int) -> IntArray:
    return np.stack([(ranks == value).sum(axis=1) for value in range(k)], axis=1)


def alpha(ranks: IntArray, k: int, level: Level) -> FloatArray:
    counts, number = np.unique(counts_of(ranks, k) @ (PEOPLE + 1) ** np.arange(k), return_counts=True)
    patterns = np.stack([counts // (PEOPLE + 1) ** place % (PEOPLE + 1) for place in range(k)], axis=1)
    return alphas(number @ coincidences(patterns), np.arange(k, dtype=np.float64), level)


def alpha_of_the_library(ranks: IntArray, level: Level) -> float:
    import krippendorff  # noqa: PLC0415  (not counted)

    return float(krippendorff.alpha(ranks.T, level_of_measurement=level, value_domain=sorted(set(ranks.ravel()))))


def draw_with_the_library(ranks: IntArray) -> None:
    rng, of_sources = np.random.default_rng(1), ranks.reshape(SOURCES, -1, PEOPLE)
    for _ in range(DRAWS_OF_THE_LIBRARY):
        alpha_of_the_library(of_sources[rng.integers(0, SOURCES, SOURCES)].reshape(-1, PEOPLE), "nominal")


def marked(texts: int) -> list[Annotation]:
    """Return annotations of texts of some words, with up to three marks each."""
    rng = np.random.default_rng(5)
    output = " ".join(["word"] * WORDS_OF_A_TEXT)
    found = []
    for text in range(texts):
        for person in range(PEOPLE):
            starts = 5 * rng.integers(0, WORDS_OF_A_TEXT - 4, rng.integers(0, 4))
            lengths = 5 * rng.integers(1, 4, len(starts)) - 1
            marks = tuple(
                Mark(str(n), "output", int(start), int(start + size), severity=("minor", "major")[int(rng.integers(2))])
                for n, (start, size) in enumerate(zip(starts, lengths, strict=True))
            )
            found.append(Annotation(str(person), "sys", str(text), "", output, marks))
    return found


def cpu_seconds(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


if __name__ == "__main__":
    main()
