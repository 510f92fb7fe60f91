"""Benchmark what the flags of raters find: simulated raters, honest and not, of many kinds.

Every person rates one visit beside two honest raters; printed is which share of each kind is flagged, and by which
flags. `--strict` ends with a failure below the marks.

    .venv/bin/python benchmarks/raters.py --people 2500 --texts 20 --seed 7
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

import django  # noqa: E402

django.setup()

from crowd.models import Campaign  # noqa: E402
from crowd.scales import DEFAULT_SCALES  # noqa: E402
from measures.core.arrays import BoolArray, FloatArray, IntArray  # noqa: E402
from measures.quality_control.answer_sequence import RaterWork  # noqa: E402
from measures.quality_control.attention_flags import AttentionThresholds, attention_flags  # noqa: E402
from measures.quality_control.rater_rules import answer_times  # noqa: E402
from ratings.selectors.gold import gold_is_due, gold_rank  # noqa: E402

Rng = np.random.Generator

OTHERS = 2
CUTS = (-2.8215, -1.263)  # 3 and 20% of the answers are below them
SCALES_AGREE = 0.4
SEVERITY = 0.5
GOLD_QUALITY, GOLD_NOISE = {1: -4.2, 2: -2.05, 3: 1.2}, 0.8
# Right answers, length over that of the source, and whether it ends with a full stop: two questions of each kind.
GOLD = 2 * (((3, 3), 0.52, False), ((1, 3), 0.74, True), ((2, 1), 0.73, True), ((3, 1), 0.6, True))
GOLD_PERCENT = Campaign._meta.get_field("gold_percent").get_default()
USUAL, SPREAD = (0.03, 0.17, 0.80), (0.10, 0.35, 0.55)
WORDS_PER_SECOND, HURRIED = 4, 8
MARK_FOUND, MARK_TURNED, MARK_FALSE = 0.95, 0.70, 0.025
TURNED = "half honest, then random"


@dataclass(frozen=True)
class Texts:
    """The texts of a visit: their quality on both scales, what is shown of them, and the answers of gold questions."""

    quality: FloatArray
    is_gold: BoolArray
    gold: dict[int, tuple[list[int], list[int]]]
    length_ratio: FloatArray
    full_stop: BoolArray
    words: IntArray

    @classmethod
    def drawn(cls, n: int, rater: int, rng: Rng) -> "Texts":
        quality = rng.normal(size=(n, 2))
        quality[:, 1] = SCALES_AGREE * quality[:, 0] + np.sqrt(1 - SCALES_AGREE**2) * quality[:, 1]
        ratio = np.clip(0.62 + 0.08 * (0.3 * quality[:, 0] + 0.95 * rng.normal(size=n)), 0.3, 0.75)
        stop, is_gold = rng.random(n) >= 0.08, np.zeros(n, dtype=bool)
        left, gold = list(range(len(GOLD))), dict[int, tuple[list[int], list[int]]]()
        seen = list[dict[str, list[int]]]()
        for place in range(n):
            if not left or not gold_is_due(rater=rater, number=place + 1, percent=GOLD_PERCENT, visit=n):
                continue
            rng.shuffle(left)
            left.sort(key=lambda each: gold_rank(_by_scale(GOLD[each][0]), seen, DEFAULT_SCALES))
            answer, ratio[place], stop[place] = GOLD[left.pop(0)]
            seen.append(_by_scale(answer))
            gold[place] = ([answer[0]], [answer[1]])
            quality[place], is_gold[place] = [GOLD_QUALITY[point] for point in answer], True
        return cls(quality, is_gold, gold, ratio, stop, rng.integers(35, 75, n))


def _by_scale(answer: tuple[int, int]) -> dict[str, list[int]]:
    return {scale.key: [point] for scale, point in zip(DEFAULT_SCALES, answer, strict=True)}


def honest(texts: Texts, rng: Rng, severity: float | None = None, noise: float = 1.0) -> FloatArray:
    """Return the answers of somebody who reads, with a severity of their own."""
    own = rng.normal(0, SEVERITY) if severity is None else severity
    felt = own + noise * rng.normal(size=texts.quality.shape)
    felt[texts.is_gold] *= GOLD_NOISE
    return np.asarray(1.0 + np.searchsorted(CUTS, texts.quality + felt), dtype=np.float64)


def random_answers(shares: tuple[float, ...]) -> Callable[[Texts, Rng], FloatArray]:
    return lambda texts, rng: rng.choice([1.0, 2.0, 3.0], p=shares, size=texts.quality.shape)


def _lumped(texts: Texts, rng: Rng) -> FloatArray:
    scores = honest(texts, rng)
    return np.where((scores == 1) & (rng.random(scores.shape) < 0.5), 2.0, scores)


def _same(point: float, other: float = 0, every: int = 0) -> Callable[[Texts, Rng], FloatArray]:
    """Answer one point, on the first scale another to every so many texts."""

    def answers(texts: Texts, rng: Rng) -> FloatArray:
        scores = np.full(texts.quality.shape, point)
        if every:
            scores[rng.integers(every) :: every, 0] = other
        return scores

    return answers


def _alternating(texts: Texts, _rng: Rng) -> FloatArray:
    return np.where(np.arange(len(texts.words))[:, None] % 2, 3.0, 2.0) * np.ones(2)


def _by_median(texts: Texts, _rng: Rng) -> FloatArray:
    return np.where(texts.length_ratio > np.median(texts.length_ratio), 3.0, 2.0)[:, None] * np.ones(2)


def _by_thirds(texts: Texts, _rng: Rng) -> FloatArray:
    return (1.0 + np.searchsorted(np.quantile(texts.length_ratio, [1 / 3, 2 / 3]), texts.length_ratio))[
        :, None
    ] * np.ones(2)


def _by_full_stop(texts: Texts, _rng: Rng) -> FloatArray:
    return np.where(texts.full_stop, 3.0, 1.0)[:, None] * np.ones(2)


def _turning(then: Callable[[Texts, Rng], FloatArray]) -> Callable[[Texts, Rng], FloatArray]:
    """Rate honestly the first half of the texts, and then otherwise."""

    def answers(texts: Texts, rng: Rng) -> FloatArray:
        first = np.arange(len(texts.words)) < len(texts.words) // 2
        return np.where(first[:, None], honest(texts, rng), then(texts, rng))

    return answers


@dataclass(frozen=True)
class RaterKind:
    """How a kind of person rates; `seconds` is what each text takes if it does not depend on its words.

    `page_tells` says whether the page sends a time, as it does not from a program that posts forms.
    """

    name: str
    is_honest: bool
    rates: Callable[[Texts, Rng], FloatArray]
    words_per_second: float = WORDS_PER_SECOND
    seconds: float | None = None
    page_tells: bool = True


HONEST = (
    RaterKind("plain", True, honest),
    RaterKind("strict", True, lambda texts, rng: honest(texts, rng, severity=-1)),
    RaterKind("mild", True, lambda texts, rng: honest(texts, rng, severity=1)),
    RaterKind("noisy", True, lambda texts, rng: honest(texts, rng, noise=1.4)),
    RaterKind("hurried", True, honest, words_per_second=HURRIED),
    RaterKind("half of the 1s are 2", True, _lumped),
)
CHEATS = (
    RaterKind("always 3/3", False, _same(3)),
    RaterKind("always 2/2", False, _same(2)),
    RaterKind("3/3 and 2/2 in turn", False, _alternating),
    RaterKind("each sixth 2/3, else 3/3", False, _same(3, other=2, every=6)),
    RaterKind("inverted", False, lambda texts, rng: 4 - honest(texts, rng)),
    RaterKind("random, 3/17/80%", False, random_answers(USUAL)),
    RaterKind("random, 10/35/55%", False, random_answers(SPREAD)),
    RaterKind("by length, median", False, _by_median),
    RaterKind("by length, thirds", False, _by_thirds),
    RaterKind("by full stop", False, _by_full_stop),
    RaterKind("half honest, then 3/3", False, _turning(_same(3))),
    RaterKind(TURNED, False, _turning(random_answers(USUAL))),
    RaterKind("1.5 s for each", False, honest, seconds=1.5),
    RaterKind(".04 s for each, no time sent", False, honest, seconds=0.04, page_tells=False),
)


def work_of(kind: RaterKind, rater: int, n: int, rng: Rng) -> RaterWork:
    """Let a person of a kind rate a visit."""
    texts = Texts.drawn(n, rater, rng)
    others = np.mean([honest(texts, rng) for _ in range(OTHERS)], axis=0)
    seconds = texts.words / kind.words_per_second * rng.uniform(0.7, 1.5, n)
    taken = 1000 * (seconds if kind.seconds is None else np.full(n, kind.seconds))
    page = taken if kind.page_tells else np.full(n, np.nan)
    return RaterWork.of(
        kind.rates(texts, rng),
        [None if is_gold else list(means) for is_gold, means in zip(texts.is_gold, others, strict=True)],
        gold=texts.gold,
        milliseconds=answer_times(page, taken + 50, texts.words, np.arange(n)),
        words=texts.words,
        length_ratio=texts.length_ratio,
        full_stop=texts.full_stop,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=2500, help="of each honest kind; a fifth of each other one")
    parser.add_argument("--texts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--strict", action="store_true", help="fail below the marks")
    options = parser.parse_args()
    thresholds, missed = AttentionThresholds.of_visit(options.texts), list[str]()
    print(f"{'kind':36}{'flagged':>8}  flags")
    for place, kind in enumerate((*HONEST, *CHEATS)):
        people = options.people if kind.is_honest else -(-options.people // 5)
        flagged, flags = 0, Counter[str]()
        for person in range(people):
            work = work_of(kind, person, options.texts, np.random.default_rng((options.seed, place, person)))
            found = attention_flags(work, thresholds, seed=person)
            flagged += bool(found)
            flags.update(flag.name for flag in found)
        share = flagged / people
        least = MARK_TURNED if kind.name == TURNED else MARK_FOUND
        if share > MARK_FALSE if kind.is_honest else share < least:
            missed.append(kind.name)
        said = ", ".join(f"{name} {count / people:.3f}" for name, count in flags.most_common())
        print(f"{('' if kind.is_honest else 'cheat: ') + kind.name:36}{share:8.3f}  {said}", flush=True)
    print(
        f"\nmarks: cheats flagged at least {MARK_FOUND} ({TURNED}: {MARK_TURNED}), honest people at most {MARK_FALSE} "
        f"of each kind; missed: {', '.join(missed) or 'none'}"
    )
    if options.strict and missed:
        sys.exit(1)


if __name__ == "__main__":
    main()
