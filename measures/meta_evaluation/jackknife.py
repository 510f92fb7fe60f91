"""People as one more system: scores against all but one of the references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.system_correlations import Correlation, SystemCorrelation, system_correlation

Who: TypeAlias = Literal["systems only", "people and systems", "people only"]

ONE_REFERENCE = Undefined("a text by people needs a second reference to be scored against")
LEAST_FOR_P = 3

Text = TypeVar("Text")


def jackknifed(
    score: Callable[[Text, Sequence[Text]], float], text: Text, references: Sequence[Text]
) -> float | Undefined:
    """Score a system's output against all references but one, each left out in turn, and average.

    This makes it comparable with texts by people, which have one reference fewer.

    Source: Lin 2004, "ROUGE: a package for automatic evaluation of summaries"; Owczarzak et al. 2012.

    Parameters
    ----------
    score : callable
        The metric: of a text and its references.
    text : Text
        The output.
    references : sequence of Text
        All references of the input.

    Returns
    -------
    float or Undefined
        The mean; undefined with fewer than 2 references.

    Examples
    --------
    >>> jackknifed(lambda text, references: max(references) - text, 1, [3, 4, 6])
    4.333333333333333
    >>> jackknifed(lambda text, references: 1.0, "a", ["b"]).reason
    'a text by people needs a second reference to be scored against'
    """
    if len(references) < 2:
        return ONE_REFERENCE
    return float(np.mean([score(text, _without(references, place)) for place in range(len(references))]))


def person_scores(
    score: Callable[[Text, Sequence[Text]], float], references: Sequence[Text]
) -> list[float] | Undefined:
    """Score each text by people against the others.

    Parameters
    ----------
    score : callable
        The metric: of a text and its references.
    references : sequence of Text
        All texts by people of the input.

    Returns
    -------
    list of float, or Undefined
        One for each text; undefined with fewer than 2.

    Examples
    --------
    >>> person_scores(lambda text, references: max(references) - text, [3, 4, 6])
    [3.0, 2.0, -2.0]
    """
    if len(references) < 2:
        return ONE_REFERENCE
    return [float(score(text, _without(references, place))) for place, text in enumerate(references)]


def correlations_by_kind(
    scores: FloatArray, quality: FloatArray, people: BoolArray, method: Correlation = "pearson"
) -> dict[Who, SystemCorrelation]:
    """Correlate means of a metric with means of quality: of systems, of people, and of both.

    Source: Steinberger and Turchi 2012, "Machine translation for multilingual summary content evaluation".

    Parameters
    ----------
    scores, quality : FloatArray of shape (s,)
        Mean of each system and person.
    people : BoolArray of shape (s,)
        Which of them are people.
    method : {"pearson", "spearman", "kendall"}
        Kendall's is tau-b.

    Returns
    -------
    dict of str to SystemCorrelation
        For "systems only", "people and systems" and "people only".

    Examples
    --------
    >>> found = correlations_by_kind(np.array([1, 2, 3.0]), np.array([1, 3, 5.0]), np.array([False, False, True]))
    >>> round(found["people and systems"].r, 9), found["people only"].r.reason
    (1.0, 'there are fewer than 2 systems with a score and a quality')
    """
    chosen: dict[Who, BoolArray] = {
        "systems only": ~people,
        "people and systems": np.ones(len(people), dtype=bool),
        "people only": people,
    }
    return {who: system_correlation(scores[mask], quality[mask], method) for who, mask in chosen.items()}


def _without(references: Sequence[Text], place: int) -> list[Text]:
    return [each for number, each in enumerate(references) if number != place]
