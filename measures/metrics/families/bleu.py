"""BLEU of single outputs: clipped precision of n-grams up to a length, with a penalty for brevity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.base import Metric
from measures.metrics.counting.aggregation import Pairing
from measures.metrics.counting.batching import chunks
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.reference_sets import Comparisons
from measures.metrics.counting.units import NGRAMS, UnitKind
from measures.metrics.options import SMOOTHINGS, Options, Smoothing

FLOOR, ADDED = 0.1, 1.0
ORDERS = {"BLEU-2": 2, "BLEU-3": 3, "BLEU-4": 4}
_AMOUNTS = {"floor": f"[{FLOOR}]", "add-k": f"[{ADDED}]"}


@dataclass(frozen=True, eq=False)
class Counts:
    """What BLEU is made of, for the lengths 1, 2, ... of n-grams.

    Attributes
    ----------
    matches, totals : sequence of FloatArray of shape (n,)
        N-grams of each output that are in the references (clipped), and n-grams of each output.
    words, reference_words : FloatArray of shape (n,)
        Words of each output, and of the reference that is nearest to it in length.
    """

    matches: Sequence[FloatArray]
    totals: Sequence[FloatArray]
    words: FloatArray
    reference_words: FloatArray


def nearest_length(words: FloatArray, reference_words: FloatArray, pairing: Pairing) -> FloatArray:
    """Return how long the reference is that is nearest in length; the shorter of two.

    Source: Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine translation", §2.2.2.

    Parameters
    ----------
    words : FloatArray of shape (n,)
        Words of each output.
    reference_words : FloatArray of shape (pairs,)
        Words of the reference of each pair.
    pairing : Pairing
        The pairs of each output.

    Returns
    -------
    FloatArray of shape (n,)
        Numbers of words.
    """
    distance = reference_words - words[pairing.output]
    # Of two that are as far away the longer one counts as a little farther.
    ranks = np.abs(distance) + np.where(distance > 0, 0.5, 0.0)
    nearest = -pairing.best(-ranks)
    return np.asarray(np.where(nearest % 1 > 0, words + nearest - 0.5, words - nearest))


def bleu(counts: Counts, order: int, smoothing: Smoothing = "exp") -> FloatArray:
    """Compute BLEU of each output.

    Equal to ``sacrebleu.sentence_bleu`` divided by 100, with ``max_ngram_order=order`` and
    ``effective_order=True``: lengths of n-grams that the output is too short for do not count.

    Source: Papineni et al. 2002; the smoothings are those that Chen and Cherry 2014, "A systematic
    comparison of smoothing techniques for sentence-level BLEU", compare.

    Parameters
    ----------
    counts : Counts
        Matches, totals and lengths.
    order : int
        The longest n-grams, at most as many as there are counts.
    smoothing : {"exp", "floor", "add-k", "none"}
        What becomes of a length without a match.

    Returns
    -------
    FloatArray of shape (n,)
        Between 0 and 1; 0 without any match.

    Raises
    ------
    ValueError
        If the smoothing is unknown.
    """
    if smoothing not in SMOOTHINGS:
        raise ValueError(f"smoothing must be one of {', '.join(SMOOTHINGS)}, not {smoothing!r}")
    n = len(counts.words)
    logs, lengths, unmatched = np.zeros(n), np.zeros(n), np.ones(n)
    reached, matched = np.ones(n, dtype=bool), np.zeros(n, dtype=bool)
    for length, (match, total) in enumerate(zip(counts.matches[:order], counts.totals[:order], strict=True), start=1):
        matched |= match > 0
        more = ADDED if smoothing == "add-k" and length > 1 else 0.0
        reached &= total + more > 0
        unmatched = np.where(reached & (match + more == 0), unmatched * 2, unmatched)
        precision = _precision(match + more, np.where(reached, total + more, 1.0), unmatched, smoothing)
        with np.errstate(divide="ignore"):  # without smoothing no match is a precision of 0, and so is BLEU
            logs += np.where(reached, np.log(precision), 0.0)
        lengths += reached
    return np.asarray(np.where(matched, _brevity(counts) * np.exp(logs / np.maximum(lengths, 1)), 0.0))


def _precision(match: FloatArray, total: FloatArray, unmatched: FloatArray, smoothing: Smoothing) -> FloatArray:
    instead = {"exp": 1 / unmatched, "floor": np.full_like(match, FLOOR)}.get(smoothing, np.zeros_like(match))
    return np.asarray(np.where(match > 0, match, instead) / total)


def _brevity(counts: Counts) -> FloatArray:
    words = np.maximum(counts.words, 1)
    return np.asarray(np.exp(np.minimum(0, 1 - counts.reference_words / words)))


def corpus_bleu(compared: Comparisons, options: Options | None = None) -> FloatArray:
    """Compute BLEU of all outputs together, as it was defined, beside the mean of BLEU of single outputs.

    N-grams and words are summed over the outputs before anything is divided, so long outputs count more. Equal to
    ``sacrebleu.corpus_bleu`` divided by 100 with ``max_ngram_order``; lengths of n-grams that no output has do not
    count.

    Source: Papineni et al. 2002, §2.2 and §2.3; Toutanova et al. 2016, footnote 15, prefer the mean.

    Parameters
    ----------
    compared : Comparisons
        Outputs and all of their references, from `compare`.
    options : Options, optional
        The smoothing.

    Returns
    -------
    FloatArray of shape (3,)
        Of n-grams up to two, three and four words; 0 without outputs.

    Raises
    ------
    ValueError
        If outputs are jackknifed: each would count several times.

    Examples
    --------
    >>> from measures.metrics import Text, compare
    >>> short, long = Text(("a", "b")), Text(("c", "d", "e", "f", "g", "h"))
    >>> corpus_bleu(compare([short, long], [[short], [long]]))
    array([1., 1., 1.])
    """
    if len(compared) != len(compared.outputs):
        raise ValueError("corpus BLEU takes each output once: they must not be jackknifed")
    chosen, sums = options or Options(), np.zeros(2 * len(NGRAMS) + 2)
    for chunk in chunks(compared, 1):
        counts = ChunkCounts(chunk, np.zeros(len(chunk.outputs), np.int64), chosen)
        found = Bleu("BLEU-4", "PrecBrev", "MULT-ALL").counts_by_all(counts)
        sums += [each.sum() for each in (*found.matches, *found.totals, found.words, found.reference_words)]
    matches, totals, (words, reference_words) = np.split(sums[:, None], [len(NGRAMS), 2 * len(NGRAMS)])
    summed = Counts(list(matches), list(totals), words, reference_words)
    return np.concatenate([bleu(summed, order, chosen.smoothing) for order in ORDERS.values()])


@dataclass(frozen=True)
class Bleu(Metric):
    """BLEU of single outputs, by one reference or by all of them."""

    source: str = "Papineni et al. 2002, §2; BLEU of single outputs averaged, Toutanova et al. 2016, §4.3"
    rank: ClassVar[int] = 20
    empty: ClassVar[str] = "0 where the output is empty or nothing matches"

    @property
    def kinds(self) -> tuple[UnitKind, ...]:
        return NGRAMS[: ORDERS[self.units]]

    def compute(self, counts: ChunkCounts) -> FloatArray:
        smoothing = counts.options.smoothing
        if self.references == "MULT-ALL":
            return bleu(self.counts_by_all(counts), ORDERS[self.units], smoothing)
        pairs = np.arange(len(counts.pairing.output)) if counts.options.single == "mean" else counts.pairing.single
        values = bleu(self._counts_by_one(counts, pairs), ORDERS[self.units], smoothing)
        return counts.pairing.mean(values) if counts.options.single == "mean" else values

    def counts_by_all(self, counts: ChunkCounts) -> Counts:
        """Return what BLEU of each output by all of its references is made of."""
        grams = [counts.overlap(kind) for kind in self.kinds]
        words, reference_words = grams[0].output, grams[0].reference
        nearest = counts.once("nearest length", lambda: nearest_length(words, reference_words, counts.pairing))
        return Counts([each.union_match for each in grams], [each.output for each in grams], words, nearest)

    def _counts_by_one(self, counts: ChunkCounts, pairs: IntArray) -> Counts:
        grams, output = [counts.overlap(kind) for kind in self.kinds], counts.pairing.output[pairs]
        return Counts(
            [each.match[pairs] for each in grams],
            [each.output[output] for each in grams],
            grams[0].output[output],
            grams[0].reference[pairs],
        )

    def signature(self, options: Options) -> list[str]:
        smoothing = f"smooth:{options.smoothing}{_AMOUNTS.get(options.smoothing, '')}"
        return [*super().signature(options), smoothing, "eff:yes"]


METRICS = [Bleu(units, "PrecBrev", references) for units in ORDERS for references in ("SINGLE-REF", "MULT-ALL")]
