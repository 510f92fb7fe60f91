"""What an arm does to the points that people of two arms give alike: on a scale that both have, or on two as long."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from corpus.rating_matrices import crowd_rating_rows, rated_subjects, rating_matrix
from corpus.release.records import ReleasedSource
from crowd.scales import Scale
from measures.core.undefined import Undefined
from measures.experiments import ArmEffects, arm_effects, standardised_differences
from measures.experiments.arms import arms_of_people

ONE_ARM = Undefined("only one of the arms has ratings on it")


@dataclass
class SharedScale:
    """The ratings that people of two arms gave on the same points.

    `name` is that of the scale, empty for the two scales that are compared.
    """

    name: str
    arms: tuple[str, str]
    points: list[float] = field(default_factory=list)
    arm: list[str] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    person: list[int] = field(default_factory=list)

    def mean(self, arm: str) -> float | Undefined:
        own = [point for point, of in zip(self.points, self.arm, strict=True) if of == arm]
        return sum(own) / len(own) if own else ONE_ARM

    def ratings(self, arm: str) -> int:
        return self.arm.count(arm)


def shared_scales(
    sources: Sequence[ReleasedSource], compared: tuple[Scale, Scale], scales: Sequence[Scale]
) -> list[SharedScale]:
    """Return the crowd's ratings on the two scales if they have the same points, and on each that all arms have."""
    arms = (compared[0].arm, compared[1].arm)
    shared = [each for each in scales if not each.arm and each.numbers is None and not each.is_preference]
    keys = [(each.name, (each.key, each.key)) for each in shared]
    if compared[0].values == compared[1].values:
        keys.insert(0, ("", (compared[0].key, compared[1].key)))
    matrix = rating_matrix(crowd_rating_rows(sources, outputs=True))
    judged = list(rated_subjects(sources, outputs=True))
    found = []
    for name, of_arms in keys:
        scale = SharedScale(name, arms)
        key_of = dict(zip(arms, of_arms, strict=True))
        for row, ratings in enumerate(matrix.rows):
            for column, rating in enumerate(ratings):
                point = rating.scores.get(key_of.get(rating.arm, ""))
                if point is not None:
                    person = int(matrix.raters[row, column])
                    scale.points.append(float(point))
                    scale.arm.append(rating.arm)
                    scale.source.append(judged[row][0].family)
                    # Each whom nobody knows is a person of their own.
                    scale.person.append(person if person >= 0 else -1 - row * matrix.raters.shape[1] - column)
        if scale.points:
            found.append(scale)
    return found


def effects_of(scale: SharedScale, *, draws: int, seed: int) -> ArmEffects | Undefined:
    """Compare the first arm with the second; the draw is repeated for as many people as gave ratings."""
    if len(set(scale.arm)) < len(scale.arms):
        return ONE_ARM
    people, place = np.unique(scale.person, return_inverse=True)
    redraw = partial(_redrawn, scale.arms, len(people), place.reshape(-1), seed)
    about = (scale.points, scale.arm, scale.source, scale.person)
    return arm_effects(*about, reference=scale.arms[1], redraw=redraw, draws=draws)


def _redrawn(arms: tuple[str, str], people: int, place: np.typing.NDArray[np.int64], seed: int, draw: int) -> list[str]:
    drawn = np.array(arms_of_people(arms, [""] * people, seed=seed + draw))
    redrawn: list[str] = drawn[place].tolist()
    return redrawn


def standardised(scale: SharedScale) -> float | Undefined:
    """Return by how many standard deviations of people's means the first arm is higher."""
    arm_of = dict(zip(scale.person, scale.arm, strict=True))
    given: dict[int, list[float]] = {person: [] for person in arm_of}
    for person, point in zip(scale.person, scale.points, strict=True):
        given[person].append(point)
    means = [sum(each) / len(each) for each in given.values()]
    for found in standardised_differences(means, list(arm_of.values())):
        if isinstance(found.value, Undefined):
            return found.value
        return found.value if found.first == scale.arms[0] else -found.value
    return ONE_ARM
