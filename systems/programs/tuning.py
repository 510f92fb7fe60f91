"""How good a system's outputs are on the dev split, when its parameters are chosen."""

from __future__ import annotations

from collections.abc import Sequence

from measures.core.undefined import Undefined
from measures.metrics import Analysis, Tokenizer, compare, score
from systems.programs.baselines import Compress
from systems.programs.pairs import DevSource
from systems.programs.texts import Range

CRITERION = "LR-2+F-1+MULT-ALL"
"""Among the best for grammar and for both together (Toutanova et al. 2016, Table 9)."""


def quality(compress: Compress, dev: Sequence[DevSource], range_: Range, seed: int) -> float:
    """Return the mean of `CRITERION` over what a system makes of texts; where it makes nothing, that is 0.

    Parameters
    ----------
    compress : callable
        The system.
    dev : sequence of DevSource
        Texts with references, at least one.
    range_ : Range
        How long outputs may be.
    seed : int
        Of what is drawn.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> from systems.programs.baselines import first
    >>> from systems.programs.texts import Source
    >>> rain = DevSource(Source("1", "en", ("It rained all day long and more.",)), ("It rained all day long.",))
    >>> quality(first, [rain], Range(), seed=1)
    1.0
    """
    outputs = [compress(each.source, range_, seed) for each in dev]
    written = ["" if isinstance(output, Undefined) else output.text for output in outputs]
    language = dev[0].source.language.partition("-")[0].lower()
    try:
        tokenizer = Tokenizer(language=language)
        list(tokenizer.words(["."]))
    except (ValueError, ModuleNotFoundError):
        tokenizer = Tokenizer("whitespace", language)
    analysis = Analysis(tokenizer)
    references = [list(analysis.texts(each.references)) for each in dev]
    return float(score(compare(list(analysis.texts(written)), references), [CRITERION]).mean())
