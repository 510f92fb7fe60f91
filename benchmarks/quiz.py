"""Times the numbers of a quiz study, and simulates how often their intervals hold what was planted.

With `--report` whole studies of 48 people go the way of the report: answers to twelve questions of each text, marked by
key and by two markers, with the planted differences in the scores. Otherwise the scores themselves are drawn.

Times are processor seconds of one core. In the simulation, people on the rows of the design of four have scores with a
deviation of 11 between people and 12 within; texts differ by up to 12 points, and two conditions by 4 and -6 from the
others; what a metric says of a summary has a rank correlation of about .5 with the score on each text. An interval
should hold the true value in 95 of 100 studies.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from math import sqrt
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

import django

from measures.core.arrays import FloatArray, IntArray
from measures.core.undefined import Undefined
from measures.experiments import (
    MetricScores,
    condition_pairs,
    equivalence_tests,
    friedman,
    latin_rows,
    metrics_against_quiz,
    quiz_model,
    repeated_measures,
    type_by_condition,
)
from measures.experiments.small_samples import TTest

CONDITIONS = 4
PLANTED = np.array([0.0, 0.0, 4.0, -6.0])
TEXTS = np.array([-6.0, -2.0, 2.0, 6.0])
OF_PERSON, OF_ERROR, RHO = 11.0, 12.0, 0.5
LARGE = 200_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=400, help="simulated studies of each size; 0 for the times alone")
    parser.add_argument("--draws", type=int, default=1_000, help="draws of people for an interval in the simulation")
    parser.add_argument("--report", type=int, default=0, help="simulated studies that go the whole way of the report")
    parser.add_argument("--people", type=int, nargs="*", default=(12, 24, 48))
    options = parser.parse_args()
    if options.report:
        print_report_coverage(options.report)
        return
    print_times()
    if options.runs:
        print(f"\n{'people':>6}  {'interval':32} {'held':>6}")
        for people in options.people:
            print_coverage(people, options.runs, options.draws)


def print_times() -> None:
    rng = np.random.default_rng(1)
    large, paper = rng.normal(50, 15, (1_000, 8)), rng.normal(50, 15, (48, 4))
    timed("1,000 x 8: analysis of variance, epsilons, Mauchly", lambda: repeated_measures(large, draws=1, seed=1))
    timed("1,000 x 8: pairs", lambda: condition_pairs(large))
    timed("1,000 x 8: equivalence", lambda: equivalence_tests(large, control=0, bound=5))
    timed("1,000 x 8: Friedman, Conover, Nemenyi", lambda: friedman(large, shuffles=1, seed=1))
    timed("48 x 4: eta squared, 10,000 draws", lambda: repeated_measures(paper, seed=1))
    timed("48 x 4: Friedman, 10,000 shuffles", lambda: friedman(paper, seed=1))
    for people in (48, 1_000):
        who, text, condition, place = study(people)
        scores = scores_of(rng, who, text, condition)
        timed(
            f"{people:,} people x 4: mixed model",
            partial(quiz_model, scores, conditions=condition, texts=text, places=place, people=who),
        )
        by_type = partial(
            type_by_condition,
            np.repeat(scores, 4) + OF_ERROR * rng.normal(size=4 * len(scores)),
            conditions=np.repeat(condition, 4),
            texts=np.repeat(text, 4),
            places=np.repeat(place, 4),
            people=np.repeat(who, 4),
            types=np.tile(np.arange(4), len(scores)),
        )
        timed(f"{people:,} people x 4 x 4 types: mixed models", by_type)


def timed(name: str, act: Callable[[], object]) -> None:
    act()
    begun = time.process_time()
    act()
    print(f"{name:52} {time.process_time() - begun:7.3f} s")


def study(people: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return person, text, condition and place of each quiz."""
    rows = latin_rows(CONDITIONS)
    cells = [(who, *cell, place) for who in range(people) for place, cell in enumerate(rows[who % len(rows)])]
    who, text, condition, place = np.array(cells, dtype=np.int64).T
    return who, text, condition, place


def scores_of(rng: np.random.Generator, who: IntArray, text: IntArray, condition: IntArray) -> FloatArray:
    of_people = OF_PERSON * rng.normal(size=int(who.max()) + 1)[who]
    return np.asarray(48 + of_people + TEXTS[text] + PLANTED[condition] + OF_ERROR * rng.normal(size=len(who)))


def print_coverage(people: int, runs: int, draws: int) -> None:
    held: dict[str, list[bool]] = {}
    for run in range(runs):
        for name, holds in one_study(np.random.default_rng([2012, people, run]), people, draws):
            held.setdefault(name, []).append(holds)
    for name, each in held.items():
        rate = float(np.mean(each))
        print(f"{people:6}  {name:32} {rate:6.3f} ±{sqrt(rate * (1 - rate) / len(each)):.3f}", flush=True)


def one_study(rng: np.random.Generator, people: int, draws: int) -> Iterator[tuple[str, bool]]:
    who, text, condition, place = study(people)
    scores = scores_of(rng, who, text, condition)
    table = np.empty((people, CONDITIONS))
    table[who, condition] = scores
    pairs = condition_pairs(table)
    assert not isinstance(pairs, Undefined)
    together = []
    for pair in pairs.pairs:
        true, test = PLANTED[pair.a] - PLANTED[pair.b], pair.test
        assert not isinstance(test, Undefined)
        together.append(test.simultaneous_low <= true <= test.simultaneous_high)
        if (pair.a, pair.b) == (0, 3):
            yield "difference of a pair, t", test.low <= true <= test.high
    yield "all six differences together", all(together)
    anova = repeated_measures(table, draws=draws, seed=int(rng.integers(LARGE)))
    assert not isinstance(anova, Undefined)
    effects = (("partial", anova.partial_eta2), ("generalised", anova.generalised_eta2))
    for (name, effect), true in zip(effects, true_etas(), strict=True):
        if not isinstance(effect.interval, Undefined):
            yield f"{name} eta squared, bootstrap", effect.interval.low <= true <= effect.interval.high
    model = quiz_model(scores, conditions=condition, texts=text, places=place, people=who)
    assert not isinstance(model, Undefined)
    for each in model.effects:
        test_of = each.coefficient.test
        assert isinstance(test_of, TTest)
        if each.condition == 3:
            yield "difference in the mixed model", bool(test_of.low <= PLANTED[3] <= test_of.high)
    yield from one_correlation(rng, people, draws)


def one_correlation(rng: np.random.Generator, people: int, draws: int) -> Iterator[tuple[str, bool]]:
    """Yield whether the interval of the partial rho holds the rho on each text, which is the same on all."""
    text = np.arange(people) % CONDITIONS
    quiz = rng.normal(size=people)
    metric = RHO * quiz + sqrt(1 - RHO**2) * rng.normal(size=people)
    (found,) = metrics_against_quiz([MetricScores("", metric, quiz, text)], draws=draws, seed=int(rng.integers(LARGE)))
    true = 6 / np.pi * np.arcsin(RHO / 2)
    for name, test in (("rho over all people", found.together), ("partial rho", found.given_text)):
        if not isinstance(test, Undefined) and not isinstance(test.interval, Undefined):
            yield f"{name}, bootstrap", test.interval.low <= true <= test.interval.high


def print_report_coverage(seeds: int) -> None:
    """Print of how many studies the rows of the report hold the planted differences, and claim one that is none."""
    django.setup()
    from protocols.quiz.parameters import QuizParameters  # noqa: PLC0415
    from protocols.quiz.report import quiz_report  # noqa: PLC0415  (models are there only now)
    from protocols.quiz.tests.planted import PLANTED as OF_CONDITIONS  # noqa: PLC0415
    from protocols.quiz.tests.planted import planted_study  # noqa: PLC0415

    held: Counter[str] = Counter()
    for seed in range(seeds):
        study = replace(planted_study(seed, careless=0.1), summaries=())
        rows = quiz_report(study, QuizParameters(draws=100, seed=seed), lambda *_: None).rows
        pairs = [row for row in rows if (row["table"], row["figure"]) == ("pairs", "difference")]
        true = [OF_CONDITIONS[row["first"]] - OF_CONDITIONS[row["second"]] for row in pairs]
        inside = [row["low"] <= each <= row["high"] for row, each in zip(pairs, true, strict=True)]
        held["all six differences together"] += all(inside)
        held["a difference claimed that is none"] += any(
            row["p_adjusted"] < 0.05 for row, each in zip(pairs, true, strict=True) if each == 0
        )
        for row in rows:
            if (row["table"], row["figure"]) == ("mixed model", "difference"):
                true_of = OF_CONDITIONS[row["first"]]
                held[f"mixed model: {row['first']} less none"] += row["low"] <= true_of <= row["high"]
    for name, number in sorted(held.items()):
        print(f"{name:40} {number:4} of {seeds}", flush=True)


@cache
def true_etas() -> tuple[float, float]:
    """Return partial and generalised eta squared as they are for very many people, from sums of squares a person."""
    of_condition, of_person = CONDITIONS * PLANTED.var(), CONDITIONS * OF_PERSON**2 + OF_ERROR**2
    within = of_condition + (CONDITIONS - 1) * OF_ERROR**2 + CONDITIONS * TEXTS.var()
    return float(of_condition / within), float(of_condition / (within + of_person))


if __name__ == "__main__":
    main()
