"""Weights of features from lists of outputs: batch k-best MIRA.

Source: Cherry and Foster 2012, "Batch tuning strategies for statistical machine translation", §3.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from measures.core.arrays import FloatArray
from measures.metrics import Text, compare, score
from systems.programs.tokens import tokens_of

LOSSES = ("LR-1+F-1+MULT-ALL", "LR-2+F-1+MULT-ALL")
PASSES = 10
"""How often the lists are gone through."""


class Listed(NamedTuple):
    """Outputs for one source.

    Attributes
    ----------
    features : FloatArray of shape (outputs, features)
        Of each output.
    losses : FloatArray of shape (outputs,)
        How far each is from what people wrote.
    """

    features: FloatArray
    losses: FloatArray


def losses(outputs: Sequence[str], references: Sequence[str], language: str) -> FloatArray:
    """Return how far outputs are from what people wrote: 1 less the mean F1 of words and of pairs of words.

    Parameters
    ----------
    outputs : sequence of str
        Outputs for one source.
    references : sequence of str
        What people wrote, at least one text.
    language : str
        Tag of their language.

    Returns
    -------
    FloatArray of shape (outputs,)
        0 to 1.

    Examples
    --------
    >>> losses(["a cat sat", "a dog"], ["a cat sat"], "en").round(2).tolist()
    [0.0, 0.8]
    """

    def words(text: str) -> Text:
        return Text(tuple(token.text.lower() for token in tokens_of(text, language)))

    known = [words(reference) for reference in references]
    return np.asarray(
        1 - score(compare([words(text) for text in outputs], [known] * len(outputs)), LOSSES).mean(axis=1)
    )


def improved(weights: FloatArray, lists: Sequence[Listed], *, cost: float, seed: int) -> FloatArray:
    """Return weights by which good outputs beat bad ones that score well, by as much as they are better.

    Parameters
    ----------
    weights : FloatArray of shape (features,)
        To begin with.
    lists : sequence of Listed
        The outputs of each source.
    cost : float
        The largest step (C).
    seed : int
        Of the order of the lists.

    Returns
    -------
    FloatArray of shape (features,)
        The mean of the weights after each list.

    Examples
    --------
    >>> lists = [Listed(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.0, 1.0]))]
    >>> bool(np.diff(improved(np.zeros(2), lists, cost=0.5, seed=1))[0] < 0)
    True
    """
    rng, order = Random(seed), list(range(len(lists)))
    now, total, steps = weights.copy(), np.zeros(len(weights)), 0
    for _pass in range(PASSES):
        rng.shuffle(order)
        for place in order:
            features, lost = lists[place]
            scores = features @ now
            hope, fear = int(np.argmax(scores - lost)), int(np.argmax(scores + lost))
            change, wanted = features[hope] - features[fear], lost[fear] - lost[hope]
            lack, size = wanted - float(change @ now), float(change @ change)
            if lack > 0 and size > 0:
                now += min(cost, lack / size) * change
            total += now
            steps += 1
    return np.asarray(total / steps) if steps else now
