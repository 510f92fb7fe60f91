"""The metrics by name: those of all modules in `measures.metrics.families`."""

from __future__ import annotations

from itertools import chain

from measures.core.discovery import find_in_modules
from measures.metrics import families
from measures.metrics.base import Metric


def find_metrics() -> list[Metric]:
    """Return the metrics of all families, by their ranks.

    Returns
    -------
    list of Metric
        The metrics of the paper first, in its order.

    Examples
    --------
    >>> find_metrics()[0].name
    'LR-1+Precision+SINGLE-REF'
    """
    return sorted(chain.from_iterable(find_in_modules(families, "METRICS")), key=lambda metric: metric.rank)


METRICS: dict[str, Metric] = {metric.name: metric for metric in find_metrics() if not metric.is_extra}
"""The eighty metrics of the paper."""

EXTRA_METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in find_metrics()
    if metric.is_extra and not (metric.wants_vectors or metric.wants_encoder or metric.wants_sources)
}
"""Metrics beyond the paper, computed when asked for by name."""

SOURCE_METRICS: dict[str, Metric] = {metric.name: metric for metric in find_metrics() if metric.wants_sources}
"""Metrics beyond the paper that look at the text that was compressed, too."""

VECTOR_METRICS: dict[str, Metric] = {
    metric.name: metric for metric in find_metrics() if metric.wants_vectors or metric.wants_encoder
}
"""Metrics beyond the paper that need vectors of words, or a model that makes some, from whoever asks for them."""

KNOWN_METRICS: dict[str, Metric] = METRICS | EXTRA_METRICS | SOURCE_METRICS | VECTOR_METRICS
"""All metrics."""


def metrics_named(names: list[str] | tuple[str, ...]) -> list[Metric]:
    """Look metrics up.

    Parameters
    ----------
    names : list of str
        Names as in `KNOWN_METRICS`.

    Returns
    -------
    list of Metric
        In the same order.

    Raises
    ------
    ValueError
        If a name is unknown, with those that are like it, or stands there twice.

    Examples
    --------
    >>> metrics_named(["SKIP-2+Recall+MULT-PROB"])[0].wants_parser
    False
    """
    for name in names:
        if name not in KNOWN_METRICS:
            like = [each for each in KNOWN_METRICS if each.partition("+")[0] == name.partition("+")[0]]
            hint = f"there are {', '.join(like)}" if like else "a name is like SKIP-2+Recall+MULT-PROB"
            raise ValueError(f"there is no metric {name!r}; {hint}")
        if names.count(name) > 1:
            raise ValueError(f"the metric {name!r} is named twice")
    return [KNOWN_METRICS[name] for name in names]
