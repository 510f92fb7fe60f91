"""Does an operation go with the quality of texts? Tables 5 and 6: texts with and without it, paired by source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from measures.alignment.paired_comparison import (
    PairedComparison,
    means_by_place,
    numbered,
    numbers_by_name,
    paired_comparison,
)
from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.drawn_sources import DRAWS
from measures.core.undefined import Undefined

Cells: TypeAlias = Literal["sources", "texts"]

NO_SOURCE_WITH_BOTH = Undefined("no source has rated texts both with and without it")
NO_EDITOR_WITH_BOTH = Undefined("no editor has rated texts both with and without it")
NO_PARAGRAPH_WITH_BOTH = Undefined("no paragraph has rated compressions made both ways")


def paired_operation(
    present: npt.ArrayLike,
    quality: npt.ArrayLike,
    sources: npt.ArrayLike,
    *,
    cells: Cells = "sources",
    draws: int = DRAWS,
    seed: int = 1,
) -> PairedComparison | Undefined:
    """Compare the quality of texts with an operation and without it, paired by source.

    Only sources with both kinds count. The difference of a source is the mean of its texts with the operation minus
    the mean of those without it.

    Source: Toutanova et al. 2016, Table 5. It does not say whether its cells are means over sources or over texts.

    Parameters
    ----------
    present : array_like of bool, shape (t,)
        Whether each text has the operation.
    quality : array_like of shape (t,)
        Quality of each text; NaN for texts without a rating, which do not count.
    sources : array_like of shape (t,)
        The source of each text.
    cells : {"sources", "texts"}
        Whether `present` and `absent` are means over the sources with both, or over all rated texts.
    draws : int, default 1_000
        Number of draws of the sources.
    seed : int, default 1
        Seed of the draws.

    Returns
    -------
    PairedComparison or Undefined
        Undefined if no source has both.

    Raises
    ------
    ValueError
        If the lengths differ or an option is unknown.

    Examples
    --------
    >>> found = paired_operation([1, 0, 0, 1, 0], [2.5, 2.0, 3.0, 3.0, 2.0], ["a", "a", "a", "b", "b"])
    >>> found.present, found.absent, found.difference, found.sources
    (2.75, 2.25, 0.5, 2)
    """
    if cells not in ("sources", "texts"):
        raise ValueError(f"cells must be sources or texts, not {cells!r}")
    has, values, names = _rated(present, quality, sources)
    first, second = _sides(has, values, numbered(names))
    if not len(first):
        return NO_SOURCE_WITH_BOTH
    found = paired_comparison(first, second, draws, seed)
    if cells == "texts" and not isinstance(found, Undefined):
        return replace(found, present=float(values[has].mean()), absent=float(values[~has].mean()))
    return found


def paired_within_editors(
    present: npt.ArrayLike, quality: npt.ArrayLike, editors: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 1
) -> PairedComparison | Undefined:
    """Compare the quality of texts with an operation and without it within each editor.

    Operations go with editors: good editors may substitute more. Here each editor with both kinds of texts gives one
    difference, and intervals draw editors.

    Parameters
    ----------
    present, quality : array_like of shape (t,)
        As for `paired_operation`.
    editors : array_like of shape (t,)
        The editor of each text.
    draws : int, default 1_000
        Number of draws of the editors.
    seed : int, default 1
        Seed of the draws.

    Returns
    -------
    PairedComparison or Undefined
        `sources` is the number of editors. Undefined if no editor has both.

    Raises
    ------
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> paired_within_editors([1, 0], [2.5, 2.0], ["a", "b"]).reason
    'no editor has rated texts both with and without it'
    """
    has, values, names = _rated(present, quality, editors)
    first, second = _sides(has, values, numbered(names))
    return paired_comparison(first, second, draws, seed) if len(first) else NO_EDITOR_WITH_BOTH


@dataclass(frozen=True)
class SentenceTexts:
    """Rated texts of single sentences of paragraphs.

    Attributes
    ----------
    quality : sequence of float
        Quality of each text; NaN if it is not rated.
    paragraphs : sequence of str or int
        The paragraph of the text's sentence.
    sentences : sequence of str or int
        The sentence, by a name that is unique in its paragraph.
    lengths : sequence of float, optional
        Length of the sentence, the same for all its texts; weights the sentences if given.
    """

    quality: Sequence[float]
    paragraphs: Sequence[str] | Sequence[int]
    sentences: Sequence[str] | Sequence[int]
    lengths: Sequence[float] | None = None


def joint_against_apart(
    quality: npt.ArrayLike,
    paragraphs: npt.ArrayLike,
    apart: SentenceTexts,
    *,
    draws: int = DRAWS,
    seed: int = 1,
) -> PairedComparison | Undefined:
    """Compare paragraphs compressed as a whole with the same paragraphs compressed sentence by sentence.

    The second side of a paragraph is the mean over its sentences (weighted by their lengths, if given) of the mean
    quality of each one's texts. Sentences without a rated text do not count.

    Source: Toutanova et al. 2016, Table 6.

    Parameters
    ----------
    quality : array_like of shape (t,)
        Quality of the compressions of whole paragraphs; NaN if not rated.
    paragraphs : array_like of shape (t,)
        Their paragraphs, named as in `apart`.
    apart : SentenceTexts
        The compressions of single sentences.
    draws : int, default 1_000
        Number of draws of the paragraphs.
    seed : int, default 1
        Seed of the draws.

    Returns
    -------
    PairedComparison or Undefined
        `present` is joint, `absent` is apart. Undefined if no paragraph has both.

    Raises
    ------
    ValueError
        If lengths of the inputs differ, or a sentence's length is not above 0.

    Examples
    --------
    >>> apart = SentenceTexts([2.0, 3.0, 2.0], ["p", "p", "p"], ["p.1", "p.1", "p.2"])
    >>> found = joint_against_apart([3.0, 2.5], ["p", "p"], apart)
    >>> found.present, found.absent
    (2.75, 2.25)
    """
    whole, of_whole = numbers_by_name(quality, paragraphs)
    single, of_single = numbers_by_name(apart.quality, apart.paragraphs)
    rated = ~np.isnan(single)
    names, place = np.unique(np.concatenate([of_whole.astype(str), of_single.astype(str)]), return_inverse=True)
    joint = means_by_place(whole, place[: len(whole)], len(names))
    pieces = _sentence_means(single, place[len(whole) :], apart, rated, len(names))
    both = ~np.isnan(joint) & ~np.isnan(pieces)
    return paired_comparison(joint[both], pieces[both], draws, seed) if both.any() else NO_PARAGRAPH_WITH_BOTH


def _rated(
    present: npt.ArrayLike, quality: npt.ArrayLike, names: npt.ArrayLike
) -> tuple[BoolArray, FloatArray, npt.NDArray[np.generic]]:
    has = np.asarray(present, dtype=bool)
    values, groups = numbers_by_name(quality, names)
    if has.shape != values.shape:
        raise ValueError(f"{has.shape} of present for {values.shape} of quality")
    rated = ~np.isnan(values)
    return has[rated], values[rated], groups[rated]


def _sides(has: BoolArray, values: FloatArray, place: IntArray) -> tuple[FloatArray, FloatArray]:
    n = int(place.max()) + 1 if len(place) else 0
    first, second = (means_by_place(values[side], place[side], n) for side in (has, ~has))
    both = ~np.isnan(first) & ~np.isnan(second)
    return first[both], second[both]


def _sentence_means(
    single: FloatArray, paragraph: IntArray, apart: SentenceTexts, rated: BoolArray, n: int
) -> FloatArray:
    names = np.asarray(apart.sentences).astype(str)
    lengths = np.ones(len(single)) if apart.lengths is None else np.asarray(apart.lengths, dtype=np.float64)
    if names.shape != single.shape or lengths.shape != single.shape or not (lengths > 0).all():
        raise ValueError("sentences and their lengths, above 0, must be given for each text")
    keys = np.stack([paragraph[rated], numbered(names[rated])], axis=1)
    unique, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    means = means_by_place(single[rated], place.ravel(), len(unique))
    return means_by_place(means, unique[:, 0], n, lengths[rated][first])
