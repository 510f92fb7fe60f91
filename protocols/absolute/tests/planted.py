"""Points of made-up people, with the truth that was planted in them."""

import numpy as np

from protocols.absolute.settings import WITH, WITHOUT
from protocols.selectors import GivenAnswer
from protocols.task import Subject

POINTS_APART, WITHOUT_REFERENCE = 0.6, -0.4


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
    """Return how many more points the last system has than the first, and answers without a reference than with it."""
    found = planted_points(0, 1000, people=30)
    score = np.array([each.answer["score"] for each in found])
    system = np.array([each.subject.system for each in found])
    is_without = np.array([each.answer["arm"] == WITHOUT for each in found])
    apart = score[system == "system 2"].mean() - score[system == "system 0"].mean()
    return float(apart), float(score[is_without].mean() - score[~is_without].mean())
