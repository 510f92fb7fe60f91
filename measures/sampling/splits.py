"""Training, development and test splits that keep families of sources together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor, isfinite
from typing import TypeVar

from measures.core.seeded_order import seeded_key

SourceId = TypeVar("SourceId", int, str)


def split_sources(
    ids: Sequence[SourceId],
    families: Sequence[str],
    strata: Sequence[str],
    *,
    shares: Mapping[str, float],
    seed: int,
) -> dict[SourceId, str]:
    """Assign sources to splits, stratified and without separating families.

    Families are ordered by stratum, then by the SHA-256 of ``"{seed}:{family}"``. Each goes to the split
    that is furthest behind its share. The result depends neither on the machine nor on the order of the
    input. The target sizes, in sources, are the shares rounded by largest remainder. With up to three splits,
    each size differs from its target by at most the size of the largest family; if every family is a single
    source, the targets are met exactly.

    Source: Toutanova et al. 2016, §3.1, for the sizes (4,936 / 448 / 785); the paper does not say how the
    splits were drawn.

    Parameters
    ----------
    ids : sequence of int or str, of length n
        The sources, each once.
    families : sequence of str, of length n
        The family of each source: a paragraph and its sentences, for example.
    strata : sequence of str, of length n
        The stratum of each source, such as genre and number of sentences; the same within a family.
    shares : mapping of str to float
        Relative size of each split. Ties between remainders are broken in this order.
    seed : int
        Seed of the order of the families.

    Returns
    -------
    dict of id to str
        The split of each source, in the order of `ids`.

    Raises
    ------
    ValueError
        If the lengths differ, an id occurs twice, a family has two strata, or the shares are not
        finite and non-negative with a positive sum.

    Examples
    --------
    >>> families, strata = ["a", "a", "b", "c"], ["news"] * 4
    >>> split_sources([1, 2, 3, 4], families, strata, shares={"train": 3, "test": 1}, seed=0)
    {1: 'train', 2: 'train', 3: 'train', 4: 'test'}
    """
    if not len(ids) == len(families) == len(strata):
        raise ValueError("ids, families and strata differ in length")
    if len(set(ids)) < len(ids):
        raise ValueError("an id comes twice")
    stratum_of = dict(zip(families, strata, strict=True))
    for family, stratum in zip(families, strata, strict=True):
        if stratum_of[family] != stratum:
            raise ValueError(f"family {family} has two strata")
    order = sorted(stratum_of, key=lambda family: _order_key(stratum_of[family], family, seed))
    sizes = dict.fromkeys(order, 0)
    for family in families:
        sizes[family] += 1
    split_of = _assign(sizes, whole_shares(shares, len(ids)))
    return {source: split_of[family] for source, family in zip(ids, families, strict=True)}


def whole_shares(shares: Mapping[str, float], total: int) -> dict[str, int]:
    """Apportion a whole number by largest remainder.

    Parameters
    ----------
    shares : mapping of str to float
        Relative size of each part, taken as the decimal number that it prints as. Ties between remainders
        are broken in this order.
    total : int
        The number to divide.

    Returns
    -------
    dict of str to int
        The size of each part, less than 1 from its exact share; the sum is `total`.

    Raises
    ------
    ValueError
        If the shares are not finite and non-negative with a positive sum.

    Examples
    --------
    >>> whole_shares({"train": 0.7, "valid": 0.1, "test": 0.2}, 8)
    {'train': 6, 'valid': 1, 'test': 1}
    """
    if not all(isfinite(share) and share >= 0 for share in shares.values()) or not sum(shares.values()) > 0:
        raise ValueError(f"shares must be finite numbers from 0 with a sum above 0, not {dict(shares)}")
    # Via decimal strings, so that the remainders of .7, .2 and .1 are exact.
    weights = {split: Fraction(str(share)) for split, share in shares.items()}
    quotas = {split: weight * total / sum(weights.values()) for split, weight in weights.items()}
    whole = {split: floor(quota) for split, quota in quotas.items()}
    by_remainder = sorted(quotas, key=lambda split: whole[split] - quotas[split])
    for split in by_remainder[: total - sum(whole.values())]:
        whole[split] += 1
    return whole


def _order_key(stratum: str, family: str, seed: int) -> tuple[str, str, str]:
    return stratum, seeded_key(seed, family), family


def _assign(sizes: Mapping[str, int], targets: Mapping[str, int]) -> dict[str, str]:
    """Assign each family, in order, to the split that is furthest behind its share of the sources assigned so far."""
    total, assigned = sum(targets.values()), 0
    filled = dict.fromkeys(targets, 0)
    split_of: dict[str, str] = {}
    for family, size in sizes.items():
        assigned += size
        behind = {split: targets[split] * assigned - filled[split] * total for split in targets}
        split_of[family] = max(behind, key=behind.__getitem__)
        filled[split_of[family]] += size
    return split_of
