"""How far a system keeps the words that people kept, on pairs whose text only drops words."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from measures.core.undefined import Undefined
from systems.programs.baselines import Compress
from systems.programs.pairs import Pair, embedded
from systems.programs.texts import Range, Source
from systems.programs.tokens import tokens_of

LANGUAGE = "en"


class Kept(NamedTuple):
    """F1 of the words that are kept, over all pairs; the share of texts with just these; CPU seconds of a text."""

    f1: float
    exact: float
    seconds: float

    def __str__(self) -> str:
        return f"F1 {self.f1:.3f}, exact {self.exact:.3f}; {1000 * self.seconds:.0f} ms a text"


def kept_by(compress: Compress, pairs: Sequence[Pair]) -> Kept:
    begun, hits, made, true, exact = time.process_time(), 0, 0, 0, 0
    for pair in pairs:
        output = compress(Source("", LANGUAGE, (pair.source,)), Range(), 1)
        text = "" if isinstance(output, Undefined) else output.text
        own, theirs = kept_places(pair, text), kept_places(pair, pair.target)
        hits, made, true = hits + len(own & theirs), made + len(own), true + len(theirs)
        exact += own == theirs
    return Kept(2 * hits / (made + true), exact / len(pairs), (time.process_time() - begun) / len(pairs))


def kept_places(pair: Pair, text: str) -> frozenset[int]:
    """Return the places of the words that a text keeps; none if it does more than drop words."""
    words, kept = ([token.text for token in tokens_of(each, LANGUAGE)] for each in (pair.source, text))
    return frozenset(embedded(words, kept) or ())
