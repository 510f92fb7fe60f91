"""The figures of two scales, each of an arm of its own: one row for each number, with its table, scale and reason."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from common.jobs import Progress
from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.experiments import (
    ArmFigure,
    CrossedModel,
    ScaleDifference,
    detectable_scale_difference,
    mcnemar,
    point_coefficients,
    same_thing,
    scale_difference,
    shared_information,
    split_half,
    system_pairs,
    tied_pairs,
)
from measures.experiments.arm_checks import count_check, loss_by_arm
from measures.experiments.arm_effects import REDRAWS
from measures.experiments.latent_judging import same_judging
from measures.experiments.scale_arms import ScaleArm
from protocols.scale_against_scale.arms_of_release import ComparedRatings
from protocols.scale_against_scale.effects import SharedScale, effects_of, standardised
from protocols.scale_against_scale.parameters import ScaleParameters

Row = dict[str, Any]
Value = float | Undefined | None
FIRST, SECOND, DIFFERENCE = "first", "second", "difference"
ARMS = (FIRST, SECOND)
JUDGING, CORPUS, APART, INFORMATION, SAME, EFFECT = "judging", "corpus", "apart", "information", "same thing", "effect"
POINTS, EXPECTED, DRAW, POWER = "points alone", "one judging", "arms", "power"
USUAL_ICC = 0.3
"""For which a difference that can be found is said where the ratings give no ICC."""
HIGHEST_RHO = 0.94
NOT_DRAWN = Undefined("the release has no list by which people were drawn")


def figures(
    ratings: ComparedRatings,
    parameters: ScaleParameters,
    *,
    minutes: Mapping[str, float | None],
    drawn: Mapping[str, int],
    shared: Sequence[SharedScale] = (),
    progress: Progress,
) -> list[Row]:
    """Compute all tables; `minutes` and `drawn` are a rater's time for a text and the people drawn, by arm."""
    steps: list[Callable[[], Iterator[Row]]] = []
    difference = _difference(ratings, parameters, minutes)
    progress(1, 3)
    steps = [
        lambda: _judging(ratings, difference),
        lambda: _corpus(ratings, difference),
        lambda: _apart(ratings),
        lambda: _information(ratings, minutes),
        lambda: _same_thing(ratings),
        lambda: (row for scale in shared for row in _effects(scale, parameters.seed)),
        lambda: _points(ratings, difference),
        lambda: _draw(ratings, drawn),
        lambda: _power(ratings, difference),
    ]
    rows = [row for step in steps for row in step()]
    progress(3, 3)
    return rows


def _row(
    table: str,
    figure: str,
    scale: str,
    value: Value,
    *,
    interval: Interval | Undefined | None = None,
    n: int | None = None,
    p: Value = None,
) -> Row:
    undefined = value if isinstance(value, Undefined) else None
    reasons = [each.reason for each in (undefined, interval, p) if isinstance(each, Undefined)]
    return {
        "table": table,
        "figure": figure,
        "scale": scale,
        "value": None if undefined else value,
        "low": interval.low if isinstance(interval, Interval) else None,
        "high": interval.high if isinstance(interval, Interval) else None,
        "n": n,
        "p": None if isinstance(p, Undefined) else p,
        "reason": reasons[0] if reasons else "",
    }


def _three(table: str, figure: str, found: ArmFigure, texts: int) -> Iterator[Row]:
    values = (found.first, found.second, found.difference)
    for scale, value, interval in zip((*ARMS, DIFFERENCE), values, found.intervals, strict=True):
        yield _row(table, figure, scale, value, interval=interval, n=texts)


def _two(
    table: str, figure: str, arms: Sequence[ScaleArm], of: Callable[[ScaleArm], Value], n: int | None = None
) -> Iterator[Row]:
    for scale, arm in zip(ARMS, arms, strict=True):
        yield _row(table, figure, scale, of(arm), n=n)


def _times(ratings: ComparedRatings, minutes: Mapping[str, float | None]) -> tuple[float, float] | None:
    one, other = (minutes.get(scale.arm) for scale in ratings.scales)
    return (one, other) if one and other else None


def _difference(
    ratings: ComparedRatings, parameters: ScaleParameters, minutes: Mapping[str, float | None]
) -> ScaleDifference:
    return scale_difference(
        *ratings.arms,
        ratings.sources,
        minutes=_times(ratings, minutes),
        draws=parameters.draws,
        seed=parameters.seed,
    )


def _judging(ratings: ComparedRatings, difference: ScaleDifference) -> Iterator[Row]:
    yield from _three(JUDGING, "latent_icc", difference.latent, len(ratings.sources))


def _corpus(ratings: ComparedRatings, difference: ScaleDifference) -> Iterator[Row]:
    yield from _three(CORPUS, "icc_k", difference.panel, len(ratings.sources))
    yield from _three(CORPUS, "icc_1", difference.single, len(ratings.sources))
    yield from _two(CORPUS, "split_half", ratings.whole, split_half)
    if difference.equal_minutes is not None:
        for scale, value in zip(ARMS, difference.equal_minutes, strict=True):
            yield _row(CORPUS, "icc_k_equal_minutes", scale, value)


def _apart(ratings: ComparedRatings) -> Iterator[Row]:
    rows = ratings.by_writer
    found = [
        system_pairs(arm, ratings.sources[rows], [ratings.writer[row] for row in rows])
        for arm in (_rows_of(arm, rows) for arm in ratings.arms)
    ]
    told = [[pair.apart for pair in pairs] for pairs in found]
    holm = [[not isinstance(pair.p_holm, Undefined) and pair.p_holm < 0.05 for pair in pairs] for pairs in found]
    name = "pairs_of_systems" if ratings.writers_are_systems else "pairs_of_editors"
    for figure, counted in ((name, told), (f"{name}_holm", holm)):
        for scale, each in zip(ARMS, counted, strict=True):
            value = float(sum(each)) if each else Undefined("fewer than two whose texts are enough")
            yield _row(APART, figure, scale, value, n=len(each))
    if told[0]:
        unlike = float(sum(one != other for one, other in zip(*told, strict=True)))
        yield _row(APART, name, DIFFERENCE, unlike, n=len(told[0]), p=mcnemar(*told))
    yield from _two(APART, "tied_pairs", ratings.arms, tied_pairs)


def _rows_of(arm: ScaleArm, rows: np.typing.NDArray[np.int64]) -> ScaleArm:
    return ScaleArm(arm.category[rows], arm.person[rows], arm.categories, arm.people)


def _information(ratings: ComparedRatings, minutes: Mapping[str, float | None]) -> Iterator[Row]:
    for scale, arm, of in zip(ARMS, ratings.arms, ratings.scales, strict=True):
        found = shared_information(arm, minutes.get(of.arm) or None)
        if isinstance(found, Undefined):
            yield _row(INFORMATION, "bits", scale, found)
            continue
        yield _row(INFORMATION, "bits", scale, found.bits, n=found.pairs)
        yield _row(INFORMATION, "bits_plain", scale, found.plain, n=found.pairs)
        if found.per_minute is not None:
            yield _row(INFORMATION, "bits_per_minute", scale, found.per_minute, n=found.pairs)
            yield _row(INFORMATION, "minutes", scale, minutes[of.arm])


def _same_thing(ratings: ComparedRatings) -> Iterator[Row]:
    found = same_thing(*ratings.arms)
    yield _row(SAME, "correlation", "", found.correlation, n=found.texts)
    yield _row(SAME, "disattenuated", "", found.disattenuated, n=found.texts)


def _effects(scale: SharedScale, seed: int) -> Iterator[Row]:
    """Yield what the arm does to the points of a scale: plainly, by the mixed and the ordered model, by the draw."""
    row = partial(_row, EFFECT, n=len(scale.points))
    for which, arm in zip(ARMS, scale.arms, strict=True):
        yield _row(EFFECT, _named(scale, "mean"), which, scale.mean(arm), n=scale.ratings(arm))
    found = effects_of(scale, draws=REDRAWS, seed=seed)
    if isinstance(found, Undefined):
        yield row(_named(scale, "effect"), DIFFERENCE, found)
        return
    one, other = (scale.mean(arm) for arm in scale.arms)
    if not isinstance(one, Undefined) and not isinstance(other, Undefined):
        yield row(_named(scale, "mean"), DIFFERENCE, one - other, p=found.redraw_p)
    if isinstance(found.model, Undefined):
        yield row(_named(scale, "effect"), DIFFERENCE, found.model)
    else:
        yield from _effect(scale, found.model, row)
    if found.few is not None:
        return
    if isinstance(found.ordered, Undefined):
        yield row(_named(scale, "log_odds"), DIFFERENCE, found.ordered)
    else:
        odds = found.ordered.coefficients[scale.arms[0]]
        between = Interval(odds.value, 0.0, odds.low, odds.high)
        yield row(_named(scale, "log_odds"), DIFFERENCE, odds.value, interval=between, p=odds.p)
    ratio = found.likelihood_ratio
    if isinstance(ratio, Undefined):
        yield row(_named(scale, "likelihood_ratio"), DIFFERENCE, ratio)
    else:
        yield row(_named(scale, "likelihood_ratio"), DIFFERENCE, ratio.g, p=ratio.p)


def _effect(scale: SharedScale, model: CrossedModel, row: Callable[..., Row]) -> Iterator[Row]:
    effect = model.coefficients[scale.arms[0]]
    test = effect.test
    interval = test if isinstance(test, Undefined) else Interval(effect.value, 0.0, test.low, test.high)
    p = test if isinstance(test, Undefined) else test.p
    yield row(_named(scale, "effect"), DIFFERENCE, effect.value, interval=interval, p=p)
    yield row(_named(scale, "standardised"), DIFFERENCE, standardised(scale))


def _named(scale: SharedScale, figure: str) -> str:
    return f"{figure}: {scale.name}" if scale.name else figure


def _points(ratings: ComparedRatings, difference: ScaleDifference) -> Iterator[Row]:
    """Yield what moves with the points, and what it would be if both arms judged one latent quality equally well."""
    for scale, arm in zip(ARMS, ratings.arms, strict=True):
        for figure, value in asdict(point_coefficients(arm)).items():
            yield _row(POINTS, figure, scale, value)
    latent = [each for each in (difference.latent.first, difference.latent.second) if not isinstance(each, Undefined)]
    if len(latent) < len(ARMS):
        return
    rho = min(sum(latent) / len(latent), HIGHEST_RHO)
    for scale, arm in zip(ARMS, ratings.arms, strict=True):
        counts = np.bincount(arm.category[arm.category >= 0], minlength=len(arm.categories))
        shares = counts[counts > 0] / counts.sum()
        expected = same_judging(rho, shares.tolist())
        for figure in ("agreement", "kappa", "kappa_linear", "kappa_quadratic", "alpha_ordinal"):
            yield _row(EXPECTED, figure, scale, getattr(expected, figure))


def _draw(ratings: ComparedRatings, drawn: Mapping[str, int]) -> Iterator[Row]:
    """Yield who was drawn into each arm, who of them is in the comparison, and whether the numbers are as drawn."""
    arms = [scale.arm for scale in ratings.scales]
    kept = {arm: ratings.raters(number) for number, arm in enumerate(arms)}
    for scale, arm in zip(ARMS, arms, strict=True):
        yield _row(DRAW, "drawn", scale, float(drawn[arm]) if arm in drawn else NOT_DRAWN)
        yield _row(DRAW, "raters", scale, float(kept[arm]))
    if all(drawn.get(arm, 0) >= kept[arm] for arm in arms):
        for loss in loss_by_arm({arm: drawn.get(arm, 0) for arm in arms}, kept):
            interval = Interval(loss.share, 0.0, loss.low, loss.high)
            yield _row(DRAW, "lost", ARMS[arms.index(loss.arm)], loss.share, interval=interval, n=loss.drawn)
    check = count_check(drawn) if len(drawn) > 1 else NOT_DRAWN
    if isinstance(check, Undefined):
        yield _row(DRAW, "counts", "", check)
    else:
        yield _row(DRAW, "counts", "", check.chi2, n=sum(drawn.values()), p=check.p)


def _power(ratings: ComparedRatings, difference: ScaleDifference) -> Iterator[Row]:
    """Yield which difference of ICC(1) such numbers of texts and ratings find with a chance of 80%."""
    texts = len(ratings.arms[0].category)
    usual = [arm.category.shape[1] for arm in ratings.whole]
    people = min(usual)
    if min(texts, people) < 2:
        yield _row(POWER, "smallest_found", DIFFERENCE, Undefined("fewer than two texts, or than two ratings of each"))
        return
    single = [each for each in (difference.single.first, difference.single.second) if not isinstance(each, Undefined)]
    icc = min(max(sum(single) / len(single), 0.0), 1.0) if single else USUAL_ICC
    yield _row(POWER, "smallest_found", DIFFERENCE, detectable_scale_difference(icc, texts, people), n=texts)
    yield _row(POWER, "icc_1", "", icc)
    yield _row(POWER, "ratings", "", float(people))
