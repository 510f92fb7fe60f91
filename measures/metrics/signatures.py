"""Signatures: with what settings a score was computed, in one line that travels with it."""

from __future__ import annotations

from measures.metrics.base import Metric
from measures.metrics.options import Ground, Options
from measures.metrics.words.preprocessing import Analysis

VERSION = 2
"""Raised when the same settings give other scores than before. Since 2, long runs of signs are cut sign by sign."""


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
    >>> from measures.metrics.words.tokens import Tokenizer
    >>> (metric,) = metrics_named(["BLEU-4+PrecBrev+SINGLE-REF"])
    >>> signature(metric, Analysis(Tokenizer("whitespace")), Options())
    'norm:yes|tok:whitespace|case:lower|stem:no|stop:no|refs:distinct|single:drawn|seed:2016|smooth:exp|eff:yes|precis:2'
    """
    references = f"refs:{options.reference_weights}"
    parts = [analysis.text_signature, *_reader(metric, analysis), references, *metric.signature(options)]
    return "|".join([*parts, f"precis:{VERSION}"])


def _reader(metric: Metric, analysis: Analysis) -> list[str]:
    """What turned the texts into words, dependencies or vectors."""
    if metric.wants_encoder:
        return [f"encoder:{analysis.encoder_signature}"]
    if metric.wants_parser:
        return [f"parser:{analysis.parser_signature}", *([] if analysis.labelled else ["labels:no"])]
    vectors = [f"vectors:{analysis.vectors_signature}"] if metric.wants_vectors else []
    return [analysis.tokenizer.signature, *vectors]


def with_ground(signed: str, ground: Ground) -> str:
    """Add to a signature what outputs were scored against, for tables that have no column for it.

    Parameters
    ----------
    signed : str
        The signature.
    ground : {"jackknifed", "all"}
        All references, or all but one, each in turn.

    Returns
    -------
    str
        The signature with the ground.

    Examples
    --------
    >>> with_ground("tok:whitespace|precis:2", "jackknifed")
    'tok:whitespace|precis:2|ground:jackknifed'
    """
    return f"{signed}|ground:{ground}"
