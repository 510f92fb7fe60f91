"""Rankings of made-up people, with the truth that was planted in them."""

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.experiments import davidson, dense_ranks, midranks, pair_results
from protocols.ranking.rankings import Rankings

QUALITIES = {"best": 0.0, "good": 0.5, "middling": 1.0, "worst": 1.8}
"""How far the texts of a system are from the best, in standard deviations of what a person sees in one."""
TEXT, PERSON, STEP, JUDGES = 0.6, 1.0, 0.5, 3
LARGE = 40_000


def planted_rankings(seed: int, sets: int) -> Rankings:
    """Sets that three people rank; they tie texts that look alike to them."""
    rng = np.random.default_rng([seed, sets])
    shape = sets, JUDGES, len(QUALITIES)
    seen = np.array(list(QUALITIES.values())) + TEXT * rng.normal(size=(sets, 1, len(QUALITIES)))
    given = dense_ranks(np.round((seen + PERSON * rng.normal(size=shape)) / STEP))
    places = rng.permuted(np.broadcast_to(np.arange(1.0, len(QUALITIES) + 1), shape), axis=2)
    names = list(QUALITIES)
    return Rankings(names, dict.fromkeys(names, "system"), [str(each) for each in range(sets)], given, given, places)


def true_ranks() -> tuple[FloatArray, FloatArray]:
    """Return the mean ranks and the log strengths of a very large study."""
    given = planted_rankings(0, LARGE).given
    results = pair_results(given)
    fit = davidson(results.wins.sum(axis=0), results.ties.sum(axis=0))
    assert not isinstance(fit, Undefined)
    return midranks(given).mean(axis=(0, 1)), np.array(fit.log_strengths)
