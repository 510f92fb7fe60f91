"""Signatures: with what settings a score was computed, in one line that travels with it."""

from __future__ import annotations

from measures.metrics.analysis import Analysis
from measures.metrics.bleu import ADDED, FLOOR
from measures.metrics.registry import Metric
from measures.metrics.scoring import Options

VERSION = 1
"""Raised when the same settings give other scores than before."""

_AMOUNTS = {"floor": f"[{FLOOR}]", "add-k": f"[{ADDED}]"}


def signature(metric: Metric, analysis: Analysis, options: Options) -> str:
    """Say how a metric was computed; what does not concern it is left out.

    Parameters
    ----------
    metric : Metric
        The metric.
    analysis : Analysis
        How texts became words and dependencies.
    options : Options
        What the paper leaves open.

    Returns
    -------
    str
        Settings as ``name:value``, parted by ``|``.

    Examples
    --------
    >>> from measures.metrics.registry import metrics_named
    >>> from measures.metrics.tokens import Tokenizer
    >>> (metric,) = metrics_named(["BLEU-4+PrecBrev+SINGLE-REF"])
    >>> signature(metric, Analysis(Tokenizer("whitespace")), Options())
    'tok:whitespace|case:lower|stem:no|stop:no|single:drawn|seed:2016|smooth:exp|eff:yes|precis:1'
    """
    parts = [f"parser:{analysis.parser_signature}"] if metric.wants_parser else [analysis.tokenizer.signature]
    if metric.units == "SKIP-2":
        parts.append(f"window:{options.window}")
    if metric.references == "SINGLE-REF":
        parts.append(f"single:{options.single}")
        if options.single == "drawn":
            parts.append(f"seed:{options.seed}")
    if metric.measure == "PrecBrev":
        parts.append(f"smooth:{options.smoothing}{_AMOUNTS.get(options.smoothing, '')}|eff:yes")
    return "|".join([*parts, f"precis:{VERSION}"])
