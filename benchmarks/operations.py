"""Times the statistics of editing operations at the size of the paper's corpus, in processor seconds of one core."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from measures.alignment import CountedTexts, WordCounts, operation_shares, paired_operation
from measures.core.signed_rank import signed_rank
from measures.experiments import crossed_model

TEXTS, SOURCES, EDITORS = 26_000, 6_000, 200


def main() -> None:
    rng = np.random.default_rng(1)
    source, editor, has = rng.integers(0, SOURCES, TEXTS), rng.integers(0, EDITORS, TEXTS), rng.random(TEXTS) < 0.5
    counts = [WordCounts(*row) for row in rng.integers(3, 9, (TEXTS, 10)) + np.repeat([9, 0], 5)]
    quality = 2 + rng.normal(size=SOURCES)[source] / 3 + rng.normal(size=EDITORS)[editor] / 5 + rng.normal(size=TEXTS)
    timed("signed ranks, 81 scores x 6 pairs x 785 inputs", lambda: signed_rank(rng.integers(-5, 6, (486, 785)) / 3))
    timed("shares of words, 1,000 draws", lambda: operation_shares(CountedTexts(counts, source.tolist()), seed=1))
    timed("a cell of Table 5", lambda: paired_operation(has, quality, source))
    timed("crossed model", lambda: crossed_model(quality, {"has": has}, source, editor))


def timed(name: str, function: Callable[[], object]) -> None:
    start = time.process_time()
    function()
    print(f"{name}: {time.process_time() - start:.3f} s")


if __name__ == "__main__":
    main()
