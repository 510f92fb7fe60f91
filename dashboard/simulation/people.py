"""The model of simulated people.

*Editors.* Skill is drawn from Beta(6, 2), so that most are good and a few are poor; one in ten is careless, with skill
from Beta(2, 6). The latent quality of a text is normal with mean equal to its editor's skill and standard deviation
0.15, drawn separately for meaning and for grammar.

*Raters.* Each has a leniency (normal, standard deviation 0.06) and a noise level (0.05 to 0.20; 0.6 for the one in ten
who is careless). A rater perceives the latent quality plus leniency plus normal noise, and gives 3 above 0.55, 2 above
0.30, else 1. With these numbers about four in five ratings are 3, as in the corpus of Toutanova et al. 2016 (§3.1). On
scales with another number of points, the range from 0 to 1 is divided evenly. Of two texts side by side, a rater
prefers one if it is perceived to be better by more than 0.1. A rater judges alike in whatever arm they are: where arms
differ in anything but the points of their scales, it is chance.

*Experts.* As raters, with half the leniency and a noise of 0.03 to 0.08.
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
        """Return the grammar quality for "grammar" and scales of other arms such as "grammar_5", else the meaning."""
        return self.grammar if scale.split("_", maxsplit=1)[0] == "grammar" else self.meaning


def editor_model(seed: int, number: int) -> EditorModel:
    rng = _rng(seed, "editor", number)
    careless = rng.random() < CARELESS_SHARE
    return EditorModel(number, rng.betavariate(2, 6) if careless else rng.betavariate(6, 2))


def rater_model(seed: int, number: int) -> RaterModel:
    rng = _rng(seed, "rater", number)
    careless = rng.random() < CARELESS_SHARE
    return RaterModel(number, rng.gauss(0, 0.06), CARELESS_NOISE if careless else rng.uniform(0.05, 0.20))


def expert_model(seed: int, number: int) -> RaterModel:
    rng = _rng(seed, "expert", number)
    return RaterModel(number, rng.gauss(0, 0.03), rng.uniform(0.03, 0.08))


def latent_quality(seed: int, digest: str, skill: float) -> LatentQuality:
    """Return the quality of a text, which depends only on the seed, the text's digest and the skill."""
    rng = _rng(seed, "text", digest)
    return LatentQuality(rng.gauss(skill, QUALITY_DEVIATION), rng.gauss(skill, QUALITY_DEVIATION))


def give_rating(rater: RaterModel, quality: float, points: int, rng: random.Random) -> int:
    """Return a rater's rating of a quality on a scale from 1 to `points`."""
    perceived = quality + rater.leniency + rng.gauss(0, rater.noise)
    if points == len(THRESHOLDS) + 1:
        return next((point for threshold, point in THRESHOLDS if perceived > threshold), 1)
    return max(1, min(points, 1 + int(perceived * points)))


def give_preference(rater: RaterModel, first: float, second: float, rng: random.Random) -> int:
    """Return which of two qualities a rater prefers: 1 the first, 2 neither, 3 the second."""
    perceived = first - second + rng.gauss(0, rater.noise)
    if abs(perceived) <= PREFERENCE_MARGIN:
        return 2
    return 1 if perceived > 0 else 3


def _rng(*key: object) -> random.Random:
    return random.Random(":".join(map(str, key)))
