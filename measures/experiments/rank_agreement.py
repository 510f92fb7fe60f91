"""How far judges agree who rank the same texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.agreement.krippendorff import krippendorff_alpha
from measures.core.arrays import FloatArray
from measures.core.item_means import ItemMean, item_mean
from measures.core.undefined import Undefined
from measures.experiments.rankings import answered, midranks

ONE_JUDGE = Undefined("fewer than two judges")
ONE_TEXT = Undefined("fewer than two texts")
ALL_TIED = Undefined("all judges tie all texts")
NO_TWO_JUDGES = "no item has two judges who tell its texts apart"


def kendall_w(given: npt.ArrayLike) -> float | Undefined:
    """Compute Kendall's coefficient of concordance of the judges of one item, corrected for ties.

    W = 12 S / (m² (h³ - h) - m ΣT), with S the sum of the squared deviations of the rank sums, and T the sum of t³ - t
    over the ties of a judge.

    Source: Kendall 1945, "The treatment of ties in ranking problems".

    Parameters
    ----------
    given : array_like of shape (m, h)
        The number of each of h texts by each of m judges, none missing.

    Returns
    -------
    float or Undefined
        0 to 1; undefined for fewer than two judges or texts, or if all judges tie all texts.

    Raises
    ------
    ValueError
        If the shape is another, or a number is missing or infinite.

    Examples
    --------
    >>> kendall_w([[1, 2, 3], [1, 2, 3]]), kendall_w([[1, 1], [2, 2]]).reason
    (1.0, 'all judges tie all texts')
    """
    values = np.asarray(given, dtype=np.float64)
    if values.ndim != 2 or not np.isfinite(values).all():
        raise ValueError("rankings of one item must be finite, of shape (judges, texts)")
    judges, texts = values.shape
    if judges < 2:
        return ONE_JUDGE
    if texts < 2:
        return ONE_TEXT
    # Each text of a tie of t adds t² - 1, so that the tie adds t³ - t.
    ties = int(((values[:, None, :] == values[:, :, None]).sum(axis=-1) ** 2 - 1).sum())
    most = judges * (judges * (texts**3 - texts) - ties)
    if most == 0:
        return ALL_TIED
    sums = midranks(values).sum(axis=0)
    return float(12 * ((sums - sums.mean()) ** 2).sum() / most)


@dataclass(frozen=True)
class RankAgreement:
    """How far judges agree on the order of the texts of an item, as means over items.

    Items with one answer, and those in which a value is undefined since judges tie all texts, are left out of its mean.

    Attributes
    ----------
    w : ItemMean or Undefined
        Kendall's W with ties.
    spearman, tau_b : ItemMean or Undefined
        Mean of Spearman's rho on midranks, and of Kendall's tau-b, over the pairs of answers to an item in which both
        tell texts apart.
    alpha : ItemMean or Undefined
        Krippendorff's ordinal alpha of the midranks within an item.
    """

    w: ItemMean | Undefined
    spearman: ItemMean | Undefined
    tau_b: ItemMean | Undefined
    alpha: ItemMean | Undefined


def rank_agreement(given: npt.ArrayLike) -> RankAgreement:
    """Compute how far judges agree within items, with intervals over the items.

    Source: Kendall 1945, "The treatment of ties in ranking problems"; Krippendorff 2011, "Computing Krippendorff's
    alpha-reliability".

    Parameters
    ----------
    given : array_like of shape (items, answers, systems)
        As for `answered`.

    Returns
    -------
    RankAgreement
        The means.

    Raises
    ------
    ValueError
        As `answered`.

    Examples
    --------
    >>> agreement = rank_agreement([[[1, 2, 3], [1, 2, 3]], [[1, 2, 3], [1, 3, 2]]])
    >>> agreement.w.value, round(agreement.spearman.value, 3), round(agreement.tau_b.value, 3)
    (0.875, 0.75, 0.667)
    """
    rows = np.array([_item_agreement(item) for item in answered(given)], dtype=np.float64).reshape(-1, 4)
    w = item_mean(rows[:, 0], bounds=(0, 1), nothing=NO_TWO_JUDGES)
    others = [item_mean(column, bounds=(-1, 1), nothing=NO_TWO_JUDGES) for column in rows[:, 1:].T]
    return RankAgreement(w, *others)


def _item_agreement(item: FloatArray) -> tuple[float, float, float, float]:
    known = ~np.isnan(item)
    values = item[known.any(axis=1)][:, known.any(axis=0)]
    if min(values.shape) < 2:
        return (np.nan,) * 4
    w, ranks = kendall_w(values), midranks(values)
    alpha = krippendorff_alpha(ranks.T, level="ordinal", categories=np.unique(ranks).tolist())
    one, other = np.triu_indices(values.shape[1], 1)
    signs = np.sign(values[:, one] - values[:, other])
    return (
        np.nan if isinstance(w, Undefined) else w,
        _mean_of_pairs(ranks - ranks.mean(axis=1, keepdims=True)),
        _mean_of_pairs(signs),
        np.nan if isinstance(alpha, Undefined) else alpha.alpha,
    )


def _mean_of_pairs(rows: FloatArray) -> float:
    """Return the mean cosine of the pairs of rows, of those that are not 0; NaN if there is no pair."""
    lengths = np.sqrt((rows**2).sum(axis=1))
    units = rows[lengths > 0] / lengths[lengths > 0, None]
    one, other = np.triu_indices(len(units), 1)
    return float((units @ units.T)[one, other].mean()) if len(one) else float("nan")
