"""Shares of words, texts and sentences by what was done to them, with intervals from draws of sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from measures.alignment.classes import WordCounts
from measures.core.arrays import FloatArray
from measures.core.drawn_sources import DRAWS, Ratio, drawn_differences, drawn_ratios
from measures.core.undefined import Undefined

CLASSES = ("copied", "paraphrased", "inserted", "deleted")
MEAN_OF_TEXTS = ", mean of texts"
WITHOUT_PUNCTUATION = ", without punctuation"
SHARE_NAMES = tuple(
    name + marks + way for marks in ("", WITHOUT_PUNCTUATION) for way in ("", MEAN_OF_TEXTS) for name in CLASSES
)

NO_WORDS = "no text has such words"
NO_TEXTS = "no texts"


@dataclass(frozen=True)
class CountedTexts:
    """Word counts of texts, and the source of each.

    Attributes
    ----------
    counts : sequence of WordCounts
        One for each text.
    sources : sequence of str or int
        The source of each text.
    """

    counts: Sequence[WordCounts]
    sources: Sequence[str] | Sequence[int]


def operation_shares(texts: CountedTexts, *, draws: int = DRAWS, seed: int) -> dict[str, Ratio | Undefined]:
    """Compute the shares of copied, paraphrased and inserted words of texts, and of deleted words of their sources.

    Source: Toutanova et al. 2016, §3.3. It does not say whether shares are over all words or means over texts, nor
    whether punctuation counts: all four are computed.

    Parameters
    ----------
    texts : CountedTexts
        The texts. A source counts once for each of its texts.
    draws : int, default 1_000
        Number of draws of the sources.
    seed : int
        Seed of the draws.

    Returns
    -------
    dict
        By `SHARE_NAMES`: "copied" is the share of all words of all texts; with ", mean of texts" the mean of the
        texts' shares, those without such words left out; with ", without punctuation" of words that are not
        punctuation; "deleted" is of the sources' words. Undefined where there are no words.

    Examples
    --------
    >>> counts = [WordCounts(3, 0, 1, 4, 3, 1, 0, 0, 0, 1), WordCounts(1, 1, 0, 0, 2, 0, 0, 0, 0, 0)]
    >>> texts = CountedTexts(counts, [1, 2])
    >>> shares = operation_shares(texts, seed=1)
    >>> round(shares["copied"].value, 4), shares["copied, mean of texts"].value, shares["deleted"].units
    (0.6667, 0.625, 9.0)
    """
    above, below = _columns(texts.counts)
    found = drawn_ratios(above, below, np.asarray(texts.sources), draws=draws, seed=seed, nothing=NO_WORDS)
    return dict(zip(SHARE_NAMES, found, strict=True))


def share_differences(
    one: CountedTexts, other: CountedTexts, *, draws: int = DRAWS, seed: int
) -> dict[str, Ratio | Undefined]:
    """Compute how much the shares of two groups differ on the same sources, such as a system's from people's.

    Parameters
    ----------
    one, other : CountedTexts
        The texts of the groups. Only sources that both have count.
    draws : int, default 1_000
        Number of draws of the sources, which both groups share.
    seed : int
        Seed of the draws.

    Returns
    -------
    dict
        One minus the other, by `SHARE_NAMES`; undefined without a common source or without words.

    Examples
    --------
    >>> one = CountedTexts([WordCounts(4, 0, 0, 4, 4, 0, 0, 0, 0, 0)], ["a"])
    >>> other = CountedTexts([WordCounts(3, 1, 0, 4, 4, 0, 0, 0, 0, 0)], ["a"])
    >>> share_differences(one, other, seed=1)["paraphrased"].value
    -0.25
    """
    first, second = ((*_columns(group.counts), np.asarray(group.sources)) for group in (one, other))
    found = drawn_differences(first, second, draws=draws, seed=seed, nothing=NO_WORDS)
    return dict(zip(SHARE_NAMES, found, strict=True))


def class_shares(
    classes: Sequence[str | None],
    sources: Sequence[str] | Sequence[int],
    names: Sequence[str],
    *,
    draws: int = DRAWS,
    seed: int,
) -> Mapping[str, Ratio | Undefined]:
    """Compute the share of texts in each class, such as the classes of compressions or of sentences.

    Parameters
    ----------
    classes : sequence of (str or None)
        The class of each text; None for a text that does not count.
    sources : sequence of str or int
        The source of each text.
    names : sequence of str
        All classes.
    draws : int, default 1_000
        Number of draws of the sources.
    seed : int
        Seed of the draws.

    Returns
    -------
    dict
        The share of each class; undefined without texts.

    Raises
    ------
    ValueError
        If a class is not among the names.

    Examples
    --------
    >>> shares = class_shares(["kept", "merged", None], ["a", "b", "c"], ["kept", "merged"], seed=1)
    >>> shares["kept"].value, shares["kept"].texts
    (0.5, 2)
    """
    if unknown := set(classes) - {*names, None}:
        raise ValueError(f"unknown classes: {', '.join(sorted(map(str, unknown)))}")
    above, below = _indicators(classes, names)
    counting = below[:, 0] > 0 if names else np.zeros(len(classes), dtype=bool)
    found = drawn_ratios(
        above[counting], below[counting], np.asarray(sources)[counting], draws=draws, seed=seed, nothing=NO_TEXTS
    )
    return dict(zip(names, found, strict=True))


def _indicators(classes: Sequence[str | None], names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    above = np.array([[each == name for name in names] for each in classes], dtype=np.float64)
    counts = np.array([[each is not None] * len(names) for each in classes], dtype=np.float64)
    return above.reshape(-1, len(names)), counts.reshape(-1, len(names))


def _columns(counts: Sequence[WordCounts]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return what is summed above and below the line for each of `SHARE_NAMES`."""
    words = np.array(counts, dtype=np.float64).reshape(-1, len(WordCounts._fields))
    sums = [words[:, :5], words[:, :5] - words[:, 5:]]
    above, below = [], []
    for table in sums:
        up = table[:, :4]
        target = table[:, :3].sum(axis=1, keepdims=True)
        down = np.hstack([np.repeat(target, 3, axis=1), table[:, 3:].sum(axis=1, keepdims=True)])
        above += [up, np.divide(up, down, out=np.zeros_like(up), where=down > 0)]
        below += [down, (down > 0).astype(np.float64)]
    return np.hstack(above), np.hstack(below)
