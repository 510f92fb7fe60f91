"""Times the aligner of words on texts as long as the paper's, beside a plain one, in processor seconds of one core."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy starts its threads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measures.alignment import Aligner, Places, align_words, text_operations

TEXTS, SOURCE_WORDS, TARGET_WORDS = 26_000, 41, 28
MARK = 40
"""Seconds that as many texts as in the paper may take."""
VOCABULARY = 20_000
# What stands between content words in a newspaper, in about its frequency.
BETWEEN = "the of the and to a in the that was for on with the as by his at it from the had be which an , , , and"
ENDINGS = ("", "", "", "s", "ed", "ing")
SYLLABLES = "ba ber can cor de den el fen gar har in ker lan lo mar min nor or pel ra res sin ta ter un ver wa wil"

Words = list[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=TEXTS, help=f"({TEXTS:,})")
    number = parser.parse_args().texts
    if number < 1:
        parser.error("--texts must be at least 1")
    texts = made_texts(number, random.Random(1))
    seconds, found = timed("the aligner", align_words, texts)
    timed("longest common subsequence", common_subsequence, texts)
    start = time.process_time()
    for (source, target), places in zip(texts, found, strict=True):
        text_operations(source, target, places)
    report("what was done, from the aligner's places", time.process_time() - start, number)
    mark = MARK * number / TEXTS
    print(f"mark: {mark:.1f} s for {number:,} texts, {'held' if seconds <= mark else 'missed'}")


def timed(name: str, align: Aligner, texts: Sequence[tuple[Words, Words]]) -> tuple[float, list[Places]]:
    start = time.process_time()
    found = [align(source, target) for source, target in texts]
    seconds = time.process_time() - start
    aligned = sum(place is not None for places in found for place in places) / sum(map(len, found))
    report(f"{name} ({aligned:.0%} of words aligned)", seconds, len(texts))
    return seconds, found


def report(name: str, seconds: float, texts: int) -> None:
    print(f"{name}: {seconds:.1f} s, {texts / seconds:,.0f} texts/s")


def made_texts(number: int, rng: random.Random) -> list[tuple[Words, Words]]:
    """Make sources with as many function words and marks as in a newspaper, and shorten each."""
    syllables = SYLLABLES.split()
    stems = sorted({"".join(rng.choices(syllables, k=rng.choice((1, 2, 2, 3)))) for _ in range(VOCABULARY)})
    frequencies = [1 / rank for rank in range(1, len(stems) + 1)]
    sources = (made_source(rng, stems, frequencies) for _ in range(number))
    return [(source, shortened(source, rng, stems)) for source in sources]


def made_source(rng: random.Random, stems: Words, frequencies: list[float]) -> Words:
    between = BETWEEN.split()
    content = rng.choices(stems, frequencies, k=SOURCE_WORDS)
    words = [
        rng.choice(between) if rng.random() < 0.5 else stem + rng.choice(ENDINGS)
        for stem in content[: SOURCE_WORDS - 1]
    ]
    return [words[0].capitalize(), *words[1:], "."]


def shortened(source: Words, rng: random.Random, stems: Words) -> Words:
    """Leave out words in runs, move the end of every fourth text to its front, and replace a word in twelve."""
    words = source[:-1]
    while len(words) >= TARGET_WORDS:
        length = min(rng.randint(1, 5), len(words) - TARGET_WORDS + 1)
        begin = rng.randrange(len(words) - length + 1)
        del words[begin : begin + length]
    if rng.random() < 0.25:
        words = [*words[-6:], *words[:-6]]
    return [*(rng.choice(stems) if rng.random() < 1 / 12 else word for word in words), "."]


def common_subsequence(source: Sequence[str], target: Sequence[str]) -> Places:
    """Align a longest common subsequence, case folded, and then moved words each to the first free equal one."""
    above, below = [word.casefold() for word in source], [word.casefold() for word in target]
    lengths = [[0] * (len(below) + 1) for _ in range(len(above) + 1)]
    for i in reversed(range(len(above))):
        row, next_row = lengths[i], lengths[i + 1]
        for j in reversed(range(len(below))):
            row[j] = next_row[j + 1] + 1 if above[i] == below[j] else max(next_row[j], row[j + 1])
    places: list[int | None] = [None] * len(below)
    i = j = 0
    while i < len(above) and j < len(below):
        if above[i] == below[j] and lengths[i][j] == lengths[i + 1][j + 1] + 1:
            places[j] = i
            i, j = i + 1, j + 1
        elif lengths[i][j + 1] >= lengths[i + 1][j]:
            j += 1
        else:
            i += 1
    used = set(places)
    for j, word in enumerate(below):
        if places[j] is None:
            places[j] = next((i for i, other in enumerate(above) if other == word and i not in used), None)
            used.add(places[j])
    return tuple(places)


if __name__ == "__main__":
    main()
