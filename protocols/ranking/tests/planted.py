"""Rankings and points of made-up people, with the truth that was planted in them."""

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.experiments import davidson, dense_ranks, midranks, pair_results
from protocols.absolute.settings import WITH, WITHOUT
from protocols.ranking.rankings import Rankings
from protocols.selectors import GivenAnswer
from protocols.task import Subject

QUALITIES = {"best": 0.0, "good": 0.5, "middling": 1.0, "worst": 1.8}
"""How far the texts of a system are from the best, in standard deviations of what a person sees in one."""
TEXT, PERSON, STEP, JUDGES = 0.6, 1.0, 0.5, 3
POINTS_APART, WITHOUT_REFERENCE = 0.6, -0.4
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


def planted_points(seed: int, sources: int, people: int = 9) -> list[GivenAnswer]:
    """Three systems, a text of each source for each person, half of them without the reference; points from 1 to 5."""
    rng = np.random.default_rng([seed, sources, people])
    of_source, of_person = 0.4 * rng.normal(size=sources), 0.3 * rng.normal(size=people)
    found = []
    for source in range(sources):
        for person in range(people):
            system = (source + person) % 3
            arm = WITHOUT if rng.random() < 0.5 else WITH
            seen = 2.4 + POINTS_APART * system + of_source[source] + of_person[person] + 0.7 * rng.normal()
            score = int(np.clip(np.round(seen + WITHOUT_REFERENCE * (arm == WITHOUT)), 1, 5))
            subject = Subject(str(source), {}, f"system {system}", "", "")
            found.append(GivenAnswer(str(person), subject, {"score": score, "arm": arm}, 1, None))
    return found


def true_points() -> tuple[float, float]:
    """Return how many points more the last system has than the first, and how many more without the reference."""
    found = planted_points(0, 1000, people=30)
    score = np.array([each.answer["score"] for each in found])
    system = np.array([each.subject.system for each in found])
    is_without = np.array([each.answer["arm"] == WITHOUT for each in found])
    apart = score[system == "system 2"].mean() - score[system == "system 0"].mean()
    return float(apart), float(score[is_without].mean() - score[~is_without].mean())
