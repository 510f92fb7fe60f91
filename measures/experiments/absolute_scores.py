"""Texts scored one by one against a reference: means of systems, what the reference does, and pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from measures.agreement.krippendorff import AlphaResult, krippendorff_alpha
from measures.core.arrays import FloatArray, IntArray
from measures.core.item_means import ItemMean, item_mean
from measures.core.many_tests import holm
from measures.core.rating_scale import Categories
from measures.core.undefined import Undefined
from measures.experiments.crossed_model import Coefficient, VarianceComponents, crossed_model
from measures.experiments.small_samples import FTest

NO_SCORE = "no text of it has a score"
ONE_SYSTEM = Undefined("fewer than two systems")
ONE_SCORE = Undefined("no text has two scores")


@dataclass(frozen=True)
class AbsoluteMeans:
    """Mean scores of systems, in the direction of the scale: the scores are not turned round.

    Attributes
    ----------
    by_system : dict
        Mean of each system over items, of each item the mean of its scores; with an interval over items.
    alpha : AlphaResult or Undefined
        Krippendorff's ordinal alpha of the scores of a text, with an interval over items; undefined if no text has two
        scores.
    """

    by_system: dict[str, ItemMean | Undefined]
    alpha: AlphaResult | Undefined


def absolute_means(
    scores: npt.ArrayLike, systems: Sequence[str], items: npt.ArrayLike, *, categories: Categories = 5
) -> AbsoluteMeans:
    """Compute the mean score of each system with an interval over the items, and how far judges agree.

    Source: Daumé and Marcu 2004, "Generic sentence fusion is an ill-defined summarization task", absolute evaluation
    and Table 4. There each text has one score, so that agreement is undefined.

    Parameters
    ----------
    scores : array_like of shape (n,)
        The scores, points of the scale, none missing; in the paper from 1, the best, to 5.
    systems : sequence of str, of length n
        Whose text was scored.
    items : array_like of shape (n,)
        The item, such as a pair of sentences, of each score, as a number or a name.
    categories : int or sequence of float, default 5
        The scale.

    Returns
    -------
    AbsoluteMeans
        Means by system, in alphabetical order, and agreement.

    Raises
    ------
    ValueError
        If the lengths differ, or a score is missing or not on the scale.

    Examples
    --------
    >>> means = absolute_means([1, 2, 4, 5], ["people", "people", "system", "system"], [0, 1, 0, 1])
    >>> means.by_system["people"].value, means.by_system["system"].value, means.alpha.reason
    (1.5, 4.5, 'no text has two scores')
    """
    y, names, levels = _checked(scores, systems, items)
    count = int(levels.max()) + 1 if len(y) else 0
    by_system = {}
    for name in sorted(set(systems)):
        mine = names == name
        total = np.bincount(levels[mine], y[mine], minlength=count)
        number = np.bincount(levels[mine], minlength=count)
        by_system[name] = item_mean((total[number > 0] / number[number > 0]), nothing=NO_SCORE)
    return AbsoluteMeans(by_system, _alpha(y, names, levels, categories))


def _alpha(
    y: FloatArray, names: npt.NDArray[np.str_], items: IntArray, categories: Categories
) -> AlphaResult | Undefined:
    texts: dict[tuple[str, int], list[float]] = {}
    for name, item, score in zip(names.tolist(), items.tolist(), y.tolist(), strict=True):
        texts.setdefault((name, item), []).append(score)
    most = max(map(len, texts.values()), default=0)
    matrix = np.full((len(texts), most), np.nan)
    for row, its_scores in zip(matrix, texts.values(), strict=True):
        row[: len(its_scores)] = its_scores
    if most < 2:
        return ONE_SCORE
    sources = [item for _, item in texts]
    return krippendorff_alpha(matrix, level="ordinal", categories=categories, sources=sources)


@dataclass(frozen=True)
class SystemContrast:
    """The difference of two systems in the mixed model.

    Attributes
    ----------
    first, second : str
        The systems.
    difference : Coefficient
        Score of the second minus that of the first, with its test and 95% interval where there are items and judges
        enough.
    holm_p : float or Undefined
        p after Holm's correction for all pairs of systems.
    """

    first: str
    second: str
    difference: Coefficient
    holm_p: float | Undefined


@dataclass(frozen=True)
class AbsoluteModel:
    """The mixed model score ~ system + arm + (1 | judge) + (1 | item).

    Attributes
    ----------
    contrasts : tuple of SystemContrast
        All pairs of systems, in alphabetical order.
    arms : dict
        Of each arm but the base: its scores minus those of the base.
    systems_together : FTest or Undefined
        The test that all systems are alike; undefined for two systems, whose contrast is that test.
    variances : VarianceComponents
        `source` is that of items, `editor` that of judges.
    scores, items, judges : int
        Numbers of scores and of levels.
    method : str
        Where the degrees of freedom come from, as in `CrossedModel`.
    """

    contrasts: tuple[SystemContrast, ...]
    arms: dict[str, Coefficient]
    systems_together: FTest | Undefined
    variances: VarianceComponents
    scores: int
    items: int
    judges: int
    method: str


def absolute_model(
    scores: npt.ArrayLike,
    systems: Sequence[str],
    items: npt.ArrayLike,
    judges: npt.ArrayLike,
    *,
    arms: Sequence[str] | None = None,
    base_arm: str | None = None,
) -> AbsoluteModel | Undefined:
    """Fit the mixed model of scores, with judges and items crossed.

    The model is fitted once for each system but the last as the base of the others, so that each pair has degrees of
    freedom of its own.

    Source: `crossed_model`; Holm 1979, "A simple sequentially rejective multiple test procedure".

    Parameters
    ----------
    scores : array_like of shape (n,)
        The scores, none missing.
    systems : sequence of str, of length n
        Whose text was scored.
    items, judges : array_like of shape (n,)
        Item and judge of each score.
    arms : sequence of str, of length n, optional
        How the text was shown, such as with the reference and without. One arm alone is no term of the model.
    base_arm : str, optional
        The arm that the others are compared with; the first in alphabetical order unless given.

    Returns
    -------
    AbsoluteModel or Undefined
        Undefined for fewer than two systems, and as `crossed_model`.

    Raises
    ------
    ValueError
        If lengths differ, a score is missing or infinite, or no score is of the base arm.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> item, judge, system = rng.integers(0, 40, 400), rng.integers(0, 9, 400), rng.integers(0, 3, 400)
    >>> y = 3 + rng.normal(size=40)[item] / 3 + system + rng.normal(size=400) / 2
    >>> model = absolute_model(y, [f"system {each}" for each in system], item, judge)
    >>> [(each.first, each.second, round(each.difference.value)) for each in model.contrasts[:2]]
    [('system 0', 'system 1', 1), ('system 0', 'system 2', 2)]
    """
    y, names, levels = _checked(scores, systems, items)
    shown = np.array([""] * len(y) if arms is None else list(arms), dtype=np.str_)
    of_judges = np.asarray(judges)
    if shown.shape != y.shape or of_judges.shape != y.shape:
        raise ValueError("scores, judges and arms must be of one length")
    all_systems, all_arms = sorted(set(systems)), sorted(set(shown.tolist()))
    base = all_arms[0] if base_arm is None and all_arms else base_arm
    if base not in all_arms and len(y):
        raise ValueError(f"no score is of the arm {base}")
    if len(all_systems) < 2:
        return ONE_SYSTEM
    of_arms = {f"arm {arm}": shown == arm for arm in all_arms if arm != base}
    models = {}
    for first in all_systems[:-1]:
        others = {f"system {name}": names == name for name in all_systems if name != first}
        model = crossed_model(y, {**others, **of_arms}, levels, of_judges, together=list(others))
        if isinstance(model, Undefined):
            return model
        models[first] = model
    found = models[all_systems[0]]
    pairs = [(a, b, models[a].coefficients[f"system {b}"]) for a, b in combinations(all_systems, 2)]
    return AbsoluteModel(
        contrasts=_corrected(pairs),
        arms={arm: found.coefficients[f"arm {arm}"] for arm in all_arms if arm != base},
        systems_together=found.together,
        variances=found.variances,
        scores=found.texts,
        items=found.sources,
        judges=found.editors,
        method=found.method,
    )


def _corrected(pairs: Sequence[tuple[str, str, Coefficient]]) -> tuple[SystemContrast, ...]:
    tests = [difference.test for _, _, difference in pairs]
    adjusted = holm([np.nan if isinstance(test, Undefined) else test.p for test in tests])
    return tuple(
        SystemContrast(*pair, test if isinstance(test, Undefined) else p)
        for pair, test, p in zip(pairs, tests, adjusted.tolist(), strict=True)
    )


def _checked(
    scores: npt.ArrayLike, systems: Sequence[str], items: npt.ArrayLike
) -> tuple[FloatArray, npt.NDArray[np.str_], IntArray]:
    y, names, of_items = np.asarray(scores, dtype=np.float64), np.array(list(systems), dtype=np.str_), np.asarray(items)
    if y.ndim != 1 or names.shape != y.shape or of_items.shape != y.shape:
        raise ValueError("scores, systems and items must be of one length")
    if not np.isfinite(y).all():
        raise ValueError("a score is missing or infinite")
    return y, names, np.asarray(np.unique(of_items, return_inverse=True)[1], dtype=np.int64)
