"""The stated model of simulated people.

*Editors.* Skill is drawn from Beta(6, 2), so most are good and a few are poor; one in ten is careless and draws from
Beta(2, 6). The latent quality of a text they write is a normal with mean equal to their skill and standard
deviation 0.15, drawn once for meaning and once for grammar.

*Raters.* Each has a leniency (normal, 0.06) and a noise (0.05 to 0.20; one in ten is careless, 0.6). A rater sees the
latent quality plus leniency plus noise, and gives 3 above 0.55, 2 above 0.30, else 1. With these numbers about
four ratings in five are a 3, as in the corpus of Toutanova et al. 2016 (§3.1). On scales of more points the range
between is divided evenly. Side by side the better of the two is preferred if it is seen to be so by more than 0.1.
"""

import random
from dataclasses import dataclass

CARELESS_SHARE = 0.1
QUALITY_DEVIATION = 0.15
CARELESS_NOISE = 0.6
PREFERENCE_MARGIN = 0.1
THRESHOLDS = ((0.55, 3), (0.30, 2))


@dataclass(frozen=True)
class EditorModel:
    number: int
    skill: float


@dataclass(frozen=True)
class RaterModel:
    number: int
    leniency: float
    noise: float


@dataclass(frozen=True)
class LatentQuality:
    meaning: float
    grammar: float

    def of(self, scale: str) -> float:
        """What a scale is about: the language, or else the content."""
        return self.grammar if scale == "grammar" else self.meaning


def editor_model(seed: int, number: int) -> EditorModel:
    rng = _rng(seed, "editor", number)
    careless = rng.random() < CARELESS_SHARE
    return EditorModel(number, rng.betavariate(2, 6) if careless else rng.betavariate(6, 2))


def rater_model(seed: int, number: int) -> RaterModel:
    rng = _rng(seed, "rater", number)
    careless = rng.random() < CARELESS_SHARE
    return RaterModel(number, rng.gauss(0, 0.06), CARELESS_NOISE if careless else rng.uniform(0.05, 0.20))


def latent_quality(seed: int, digest: str, skill: float) -> LatentQuality:
    """The quality of a text, the same whoever asks."""
    rng = _rng(seed, "text", digest)
    return LatentQuality(rng.gauss(skill, QUALITY_DEVIATION), rng.gauss(skill, QUALITY_DEVIATION))


def judged(rater: RaterModel, quality: float, points: int, rng: random.Random) -> int:
    """The point that a rater gives to a quality, on a scale of so many points."""
    seen = quality + rater.leniency + rng.gauss(0, rater.noise)
    if points == len(THRESHOLDS) + 1:
        return next((point for threshold, point in THRESHOLDS if seen > threshold), 1)
    return max(1, min(points, 1 + int(seen * points)))


def preferred(rater: RaterModel, first: float, second: float, rng: random.Random) -> int:
    """Which of two qualities a rater prefers: 1 the first, 2 neither, 3 the second."""
    seen = first - second + rng.gauss(0, rater.noise)
    if abs(seen) <= PREFERENCE_MARGIN:
        return 2
    return 1 if seen > 0 else 3


def _rng(*key: object) -> random.Random:
    return random.Random(":".join(map(str, key)))
