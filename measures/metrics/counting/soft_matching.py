"""Units matched by how similar they are, and not only where they are equal: many pairs of texts at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.counting.batching import Chunk
from measures.metrics.counting.reference_sets import JaggedArray
from measures.metrics.options import Matching

DIGITS = 12
"""Similarities are compared by so many decimals: what differs by less is the same."""

_CELLS = 400_000
MAX_CELLS = 25_000_000
"""Most pairs of a unit of the reference and one of the output that are looked at for two texts."""

Similarity = Callable[[IntArray, IntArray], FloatArray]
Matches = tuple[FloatArray, FloatArray]


def soft_matches(
    sizes: IntArray, reference: IntArray, output: IntArray, similarity: Similarity, matching: Matching
) -> Matches:
    """Match the units of pairs of texts.

    Source: Ng and Abrecht 2015, §3; they do not say how similarities are clipped.

    Parameters
    ----------
    sizes : IntArray of shape (texts,)
        Units of each text.
    reference, output : IntArray of shape (pairs,)
        The texts of each pair.
    similarity : callable of two IntArray of shape (b,) to FloatArray of shape (b, most of a, most of b)
        The similarities of the units of some references and some outputs; 0 where a text has no such unit.
    matching : {"greedy", "optimal", "best"}
        What is matched with what.

    Returns
    -------
    (FloatArray, FloatArray), each of shape (pairs,)
        The sum of the similarities that count: for recall, and for precision. They differ where nothing is clipped.

    Raises
    ------
    ValueError
        If two texts are too long to be set beside each other.
    """
    of_reference, of_output = np.zeros(len(reference)), np.zeros(len(reference))
    for pairs in _blocks(sizes, reference, output):
        similar = np.round(similarity(reference[pairs], output[pairs]), DIGITS)
        of_reference[pairs], of_output[pairs] = _MATCHED[matching](similar)
    return of_reference, of_output


def _blocks(sizes: IntArray, reference: IntArray, output: IntArray) -> Iterator[IntArray]:
    """Pairs of about the same size, so few that their similarities have a bounded number of cells."""
    order = np.lexsort((sizes[output], sizes[reference]))
    rows, columns = sizes[reference[order]], sizes[output[order]]
    order, rows, columns = (each[(rows > 0) & (columns > 0)] for each in (order, rows, columns))
    if len(order) and (largest := int((rows * columns).max())) > MAX_CELLS:
        raise ValueError(f"two texts have {largest:,} pairs of units; at most {MAX_CELLS:,} can be compared")
    first, widest = 0, 0
    for place, (height, width) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
        widest = max(widest, width)
        if place > first and (place + 1 - first) * height * widest > _CELLS:
            yield order[first:place]
            first, widest = place, width
    if first < len(order):
        yield order[first:]


def greedy(similar: FloatArray) -> Matches:
    """Take the most similar two units, then the most similar two of those that are left, and so on.

    Of equal similarities the first unit of the reference comes first, then the first of the output. A unit of the
    reference and one of the output that prefer each other can be taken at once: nothing that comes earlier concerns
    either.

    Parameters
    ----------
    similar : FloatArray of shape (b, m, n)
        Similarities of the m units of references and the n of outputs; what is not above 0 is not matched.

    Returns
    -------
    (FloatArray, FloatArray), each of shape (b,)
        The sum of the similarities that were taken, twice.

    Examples
    --------
    >>> greedy(np.array([[[0.9, 0.8], [0.8, 0.0]]]))[0], optimal(np.array([[[0.9, 0.8], [0.8, 0.0]]]))[0]
    (array([0.9]), array([1.6]))
    """
    total, left, pair = np.zeros(len(similar)), similar.copy(), np.arange(len(similar))
    while len(left):
        best = left.argmax(axis=2)
        values = np.take_along_axis(left, best[:, :, None], axis=2)[:, :, 0]
        back = np.take_along_axis(left.argmax(axis=1), best, axis=1)
        taken = (back == np.arange(left.shape[1])) & (values > 0)
        block, row = np.nonzero(taken)
        total += np.bincount(pair[block], values[block, row], minlength=len(total))
        left[block, row, :] = 0
        left[block, :, best[block, row]] = 0
        some = taken.any(axis=1)
        if not some.all():
            left, pair = left[some], pair[some]
    return total, total


def optimal(similar: FloatArray) -> Matches:
    """Match one to one so that the sum is greatest.

    Parameters
    ----------
    similar : FloatArray of shape (b, m, n)
        Similarities.

    Returns
    -------
    (FloatArray, FloatArray), each of shape (b,)
        The greatest sum of similarities above 0, twice.
    """
    from scipy.optimize import linear_sum_assignment

    positive = np.maximum(similar, 0)
    total = np.array([each[linear_sum_assignment(each, maximize=True)].sum() for each in positive])
    return total, total


def best(similar: FloatArray) -> Matches:
    """Take for each unit the most similar one of the other text, however often that one is taken.

    Parameters
    ----------
    similar : FloatArray of shape (b, m, n)
        Similarities.

    Returns
    -------
    (FloatArray, FloatArray), each of shape (b,)
        The sum over units of the reference, and over units of the output.
    """
    positive = np.maximum(similar, 0)
    return positive.max(axis=2).sum(axis=1), positive.max(axis=1).sum(axis=1)


_MATCHED: dict[Matching, Callable[[FloatArray], Matches]] = {"greedy": greedy, "optimal": optimal, "best": best}


def padded(rows: JaggedArray, chosen: Sequence[int] | IntArray) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return some rows as a rectangle, and where it has a value.

    Parameters
    ----------
    rows : JaggedArray
        Rows of numbers.
    chosen : IntArray of shape (b,)
        Which of them.

    Returns
    -------
    (IntArray, array of bool), each of shape (b, longest)
        The values, with 0 where a row has ended, and whether there is one.

    Examples
    --------
    >>> padded(JaggedArray.of([[7, 8], [9]]), [1, 0])
    (array([[9, 0],
           [7, 8]]), array([[ True, False],
           [ True,  True]]))
    """
    lengths = rows.lengths[chosen]
    there = np.arange(int(lengths.max(initial=0))) < lengths[:, None]
    values = np.zeros(there.shape, np.int64)
    values[there] = rows.values[(rows.starts[:-1][chosen][:, None] + np.arange(there.shape[1]))[there]]
    return values, there


def distinct_pairs(chunk: Chunk) -> tuple[IntArray, IntArray, IntArray]:
    """Return the distinct pairs of texts of a chunk; jackknifed, an output meets each reference several times.

    Parameters
    ----------
    chunk : Chunk
        Outputs and references.

    Returns
    -------
    (IntArray, IntArray) of shape (d,), and IntArray of shape (pairs,)
        The reference and the output of each distinct pair, and which of them each pair of the chunk is.
    """
    output, reference = chunk.outputs[chunk.output_of_pair], chunk.references.values
    number = len(chunk.words.lengths)
    distinct, pair = np.unique(output * number + reference, return_inverse=True)
    return distinct % number, distinct // number, pair
