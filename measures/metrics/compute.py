"""Outputs and references in, scores out: all metrics at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.metrics.base import Metric
from measures.metrics.counting.batching import chunks
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.reference_choice import single_references
from measures.metrics.counting.reference_sets import Comparisons
from measures.metrics.options import Options
from measures.metrics.registry import METRICS, metrics_named
from measures.metrics.vectors.models import Models, ModelsOfTexts


def score(
    compared: Comparisons,
    metrics: Sequence[str] | None = None,
    options: Options | None = None,
    models: Models | None = None,
) -> FloatArray:
    """Score every output by every metric.

    Parameters
    ----------
    compared : Comparisons
        Outputs and references, from `compare`, `jackknife` or `leave_one_out`.
    metrics : sequence of str, optional
        Names of metrics; by default all eighty, or the 68 that want no parser where texts are not parsed.
    options : Options, optional
        What the paper leaves open.
    models : Models, optional
        Vectors of words and a model that reads texts, for the metrics that want them.

    Returns
    -------
    FloatArray of shape (n, m)
        A row for each output, a column for each metric. Memory beyond it is bounded by the largest source, and
        does not grow with the number of sources.

    Raises
    ------
    ValueError
        If a metric is unknown, or wants dependencies, vectors or a model that there are none of.

    Examples
    --------
    >>> from measures.metrics import Text, compare
    >>> mine, yours = Text(("your", "household")), Text(("imagine", "your", "household"))
    >>> compared = compare([Text(("think", "about", "your", "household"))], [[yours, mine]])
    >>> score(compared, ["LR-2+Recall+MULT-ALL", "LR-2+Recall+MULT-PROB"]).round(3)
    array([[0.5  , 0.667]])
    """
    return np.concatenate(
        [
            np.zeros((0, len(chosen_metrics(compared, metrics, models)))),
            *score_chunks(compared, metrics, options, models),
        ]
    )


def score_chunks(
    compared: Comparisons,
    metrics: Sequence[str] | None = None,
    options: Options | None = None,
    models: Models | None = None,
) -> Iterator[FloatArray]:
    """Score as `score` does, some outputs after others, for what is too long to wait for.

    Parameters
    ----------
    compared, metrics, options, models
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
    >>> from measures.metrics import Text, leave_one_out
    >>> compared = leave_one_out([[Text(("a", "b")), Text(("a", "c"))]])
    >>> [rows.shape for rows in score_chunks(compared)]
    [(2, 68)]
    """
    wanted, chosen = chosen_metrics(compared, metrics, models), options or Options()
    of_texts = ModelsOfTexts(models or Models(), compared)
    single = single_references(compared, chosen)
    done = 0
    for chunk in chunks(compared, _units_per_word(compared, wanted, chosen)):
        number = len(chunk.outputs)
        counts = ChunkCounts(
            chunk, single[done : done + number], chosen, of_texts.of_words(chunk), of_texts.encoded(chunk)
        )
        scores = np.stack([metric.compute(counts) for metric in wanted], axis=1) if wanted else np.zeros((number, 0))
        yield _averaged(scores, chunk.rows)
        done += number


def _averaged(scores: FloatArray, rows: IntArray) -> FloatArray:
    """Return the mean over the comparisons of each row, which begin at `rows`."""
    if len(rows) == len(scores):
        return scores
    return np.asarray(np.add.reduceat(scores, rows) / np.diff(rows, append=len(scores))[:, None])


def _units_per_word(compared: Comparisons, metrics: Sequence[Metric], options: Options) -> int:
    """Upper bound of the units that begin at one word, however wide a window is: no text is longer than the longest."""
    widest = max((kind.units_per_word(options) for metric in metrics for kind in metric.kinds), default=1)
    return min(widest, max(1, int(compared.words.lengths.max(initial=1))))


def chosen_metrics(compared: Comparisons, metrics: Sequence[str] | None, models: Models | None = None) -> list[Metric]:
    """Return the metrics that are asked for, or all that can be computed.

    Parameters
    ----------
    compared : Comparisons
        Outputs and references.
    metrics : sequence of str, optional
        Names.
    models : Models, optional
        Vectors of words and a model that reads texts.

    Returns
    -------
    list of Metric
        In the order of the names, or of `METRICS`.

    Raises
    ------
    ValueError
        If a name is unknown or wants dependencies, vectors or a model that there are none of.

    Examples
    --------
    >>> from measures.metrics import Text, leave_one_out
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
        if metric.wants_sources and compared.originals is None:
            raise ValueError(f"{metric.name} wants the texts that were compressed: score the outputs of a release")
        if metric.wants_vectors and (models is None or models.words is None):
            raise ValueError(f"{metric.name} wants vectors of words: read some with read_word_vectors")
        if metric.wants_encoder and (models is None or models.encoder is None):
            raise ValueError(f"{metric.name} wants a model that reads texts: load one with load_encoder")
    return asked
