"""Outputs and references in, scores out: all metrics at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from measures.arrays import FloatArray, IntArray
from measures.metrics.bleu import SMOOTHINGS, Counts, Smoothing, bleu, nearest_length
from measures.metrics.chunks import Chunk, chunks
from measures.metrics.comparisons import Comparisons
from measures.metrics.lcs import longest_common
from measures.metrics.overlap import Overlap, overlap
from measures.metrics.registry import METRICS, NGRAMS, ORDERS, PARSE, SKIPS, Metric, metrics_named
from measures.metrics.scores import Pairing, jackknifed_recall, mean_single, ratio, unit_scores
from measures.metrics.single import Single, single_references
from measures.metrics.units import ngrams, skip_bigrams, whole_rows

Scores = dict[str, FloatArray]
SU4 = "SKIP-2 of ROUGE-SU4"
SU4_WINDOW = 4
JACKKNIFED = {"ROUGE-1", "ROUGE-2", "ROUGE-SU4"}


@dataclass(frozen=True)
class Options:
    """What the paper leaves open, and what goes beyond it.

    Attributes
    ----------
    window : int
        Most words between the two of a skip bigram.
    single : {"drawn", "first", "mean"}
        Which reference stands for all in SINGLE-REF.
    seed : int
        Seed of the draws, from 0 to 2**32 - 1.
    smoothing : {"exp", "floor", "add-k", "none"}
        Of BLEU, by the names of sacrebleu.

    Raises
    ------
    ValueError
        If one of them is none of these.
    """

    window: int = 4
    single: Single = "drawn"
    seed: int = 2016
    smoothing: Smoothing = "exp"

    def __post_init__(self) -> None:
        if self.window < 0 or self.seed < 0:
            raise ValueError("window and seed must not be negative")
        if self.seed >= 2**32:
            raise ValueError("seed must be below 2**32")
        if self.single not in ("drawn", "first", "mean"):
            raise ValueError(f"single must be drawn, first or mean, not {self.single!r}")
        if self.smoothing not in SMOOTHINGS:
            raise ValueError(f"smoothing must be one of {', '.join(SMOOTHINGS)}, not {self.smoothing!r}")


def score(compared: Comparisons, metrics: Sequence[str] | None = None, options: Options | None = None) -> FloatArray:
    """Score every output by every metric.

    Parameters
    ----------
    compared : Comparisons
        Outputs and references, from `compare` or `leave_one_out`.
    metrics : sequence of str, optional
        Names of metrics; by default all eighty, or the 68 that want no parser where texts are not parsed.
    options : Options, optional
        What the paper leaves open.

    Returns
    -------
    FloatArray of shape (n, m)
        A row for each output, a column for each metric. Memory beyond it is bounded by the largest source, and
        does not grow with the number of sources.

    Raises
    ------
    ValueError
        If a metric is unknown, or wants dependencies that there are none of.

    Examples
    --------
    >>> from measures.metrics.comparisons import Text, compare
    >>> mine, yours = Text(("your", "household")), Text(("imagine", "your", "household"))
    >>> compared = compare([Text(("think", "about", "your", "household"))], [[yours, mine]])
    >>> score(compared, ["LR-2+Recall+MULT-ALL", "LR-2+Recall+MULT-PROB"]).round(3)
    array([[0.5  , 0.667]])
    """
    return np.concatenate(
        [np.zeros((0, len(chosen_metrics(compared, metrics)))), *score_chunks(compared, metrics, options)]
    )


def score_chunks(
    compared: Comparisons, metrics: Sequence[str] | None = None, options: Options | None = None
) -> Iterator[FloatArray]:
    """Score as `score` does, some outputs after others, for what is too long to wait for.

    Parameters
    ----------
    compared, metrics, options
        As of `score`.

    Yields
    ------
    FloatArray of shape (some, m)
        The rows of the next outputs.

    Raises
    ------
    ValueError
        As from `score`.

    Examples
    --------
    >>> from measures.metrics.comparisons import Text, leave_one_out
    >>> compared = leave_one_out([[Text(("a", "b")), Text(("a", "c"))]])
    >>> [rows.shape for rows in score_chunks(compared)]
    [(2, 68)]
    """
    asked, chosen = chosen_metrics(compared, metrics), options or Options()
    wanted = {metric.units for metric in asked}
    single = single_references(compared, chosen.single, chosen.seed)
    done = 0
    for chunk in chunks(compared, _skips(compared, wanted, chosen)):
        number = len(chunk.outputs)
        scores = _scores(chunk, _pairing(chunk, single[done : done + number]), wanted, chosen)
        yield np.stack([scores[metric.name] for metric in asked], axis=1) if asked else np.zeros((number, 0))
        done += number


def _skips(compared: Comparisons, wanted: set[str], options: Options) -> int:
    """How many units a word begins at the most, whatever the window: no text has more words than the longest."""
    widest = max(options.window, SU4_WINDOW if "ROUGE-SU4" in wanted else 0) + 1
    return min(widest, max(1, int(compared.words.lengths.max(initial=1))))


def chosen_metrics(compared: Comparisons, metrics: Sequence[str] | None) -> list[Metric]:
    """Return the metrics that are asked for, or all that can be computed.

    Parameters
    ----------
    compared : Comparisons
        Outputs and references.
    metrics : sequence of str, optional
        Names.

    Returns
    -------
    list of Metric
        In the order of the names, or of `METRICS`.

    Raises
    ------
    ValueError
        If a name is unknown or wants dependencies that there are none of.

    Examples
    --------
    >>> from measures.metrics.comparisons import Text, leave_one_out
    >>> len(chosen_metrics(leave_one_out([[Text(("a",), ()), Text(("b",), ())]]), None))
    80
    """
    if isinstance(metrics, str):
        raise ValueError(f"metrics are a sequence of names, not the one text {metrics!r}")
    if metrics is None:
        return [metric for metric in METRICS.values() if compared.triples is not None or not metric.wants_parser]
    asked = metrics_named(list(metrics))
    for metric in asked:
        if metric.wants_parser and compared.triples is None:
            raise ValueError(f"{metric.name} wants the dependencies of all texts: parse them first")
    return asked


def _pairing(chunk: Chunk, drawn: IntArray) -> Pairing:
    starts = chunk.references.starts[:-1]
    return Pairing(starts, chunk.references.lengths, chunk.output_of_pair, starts + drawn)


def _scores(chunk: Chunk, pairing: Pairing, wanted: set[str], options: Options) -> Scores:
    """All scores of the units that are wanted."""
    found = _overlaps(chunk, wanted, options)
    scores: Scores = {}
    for units, each in found.items():
        if units == SU4:
            continue
        by_unit = unit_scores(each, pairing)
        if options.single == "mean":
            by_unit |= mean_single(each, pairing)
        scores |= {f"{units}+{measure}+{references}": values for (measure, references), values in by_unit.items()}
    if wanted & ORDERS.keys():
        scores |= _bleu_scores(found, pairing, options)
    if "ROUGE-L" in wanted:
        scores |= _rouge_l(chunk, pairing, options)
    return scores | _jackknifed(found, pairing, wanted)


def _overlaps(chunk: Chunk, wanted: set[str], options: Options) -> dict[str, Overlap]:
    """The counts of all kinds of units that the wanted ones are made of."""
    kinds = wanted | {name for units, parts in _PARTS.items() if units in wanted for name in parts}
    found = {name: overlap(chunk, ngrams(chunk.words, n)) for n, name in enumerate(NGRAMS, start=1) if name in kinds}
    if SKIPS in kinds:
        found[SKIPS] = overlap(chunk, skip_bigrams(chunk.words, options.window))
    if SU4 in kinds:
        found[SU4] = overlap(chunk, skip_bigrams(chunk.words, SU4_WINDOW))
    if PARSE in kinds and chunk.triples is not None:
        found[PARSE] = overlap(chunk, whole_rows(chunk.triples))
    return found


_PARTS: dict[str, tuple[str, ...]] = {
    **{name: NGRAMS[:order] for name, order in ORDERS.items()},
    "ROUGE-1": ("LR-1",),
    "ROUGE-2": ("LR-2",),
    "ROUGE-SU4": ("LR-1", SU4),
}


def _bleu_scores(found: dict[str, Overlap], pairing: Pairing, options: Options) -> Scores:
    most = max(order for name, order in ORDERS.items() if set(NGRAMS[:order]) <= found.keys())
    grams = [found[name] for name in NGRAMS[:most]]
    words, reference_words = grams[0].output, grams[0].reference
    totals = [each.output for each in grams]
    several = Counts(
        [each.union_match for each in grams], totals, words, nearest_length(words, reference_words, pairing)
    )
    scores = {}
    for name, order in ORDERS.items():
        if order <= len(grams):
            scores[f"{name}+PrecBrev+MULT-ALL"] = bleu(several, order, options.smoothing)
            scores[f"{name}+PrecBrev+SINGLE-REF"] = _single_bleu(grams, pairing, order, options)
    return scores


def _single_bleu(grams: list[Overlap], pairing: Pairing, order: int, options: Options) -> FloatArray:
    """BLEU against the reference that stands for all, or its mean over all of them taken one by one."""
    pairs = np.arange(len(pairing.output)) if options.single == "mean" else pairing.single
    output = pairing.output[pairs]
    counts = Counts(
        [each.match[pairs] for each in grams],
        [each.output[output] for each in grams],
        grams[0].output[output],
        grams[0].reference[pairs],
    )
    values = bleu(counts, order, options.smoothing)
    return pairing.mean(values) if options.single == "mean" else values


def _rouge_l(chunk: Chunk, pairing: Pairing, options: Options) -> Scores:
    words = chunk.words.lengths[chunk.references.values].astype(np.float64)
    recall = ratio(longest_common(chunk), words)
    single = pairing.mean(recall) if options.single == "mean" else recall[pairing.single]
    return {"ROUGE-L+Recall+SINGLE-REF": single, "ROUGE-L+Recall+MULT-MAX": pairing.best(recall)}


def _jackknifed(found: dict[str, Overlap], pairing: Pairing, wanted: set[str]) -> Scores:
    scores = {}
    for name in wanted & JACKKNIFED:
        parts = [found[part] for part in _PARTS[name]]
        match, reference = sum(each.match for each in parts), sum(each.reference for each in parts)
        scores[f"{name}+Recall+JACKKNIFE"] = jackknifed_recall(np.asarray(match), np.asarray(reference), pairing)
    return scores
