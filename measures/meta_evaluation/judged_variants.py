"""What a variant of a score is worth: its means, its correlation with people's ratings, the differences it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from measures.core.arrays import BoolArray, FloatArray
from measures.core.undefined import Undefined
from measures.meta_evaluation.jackknife import ONE_REFERENCE, Who, correlations_by_kind
from measures.meta_evaluation.judged_outputs import JudgedOutputs
from measures.meta_evaluation.pair_shares import Share, share_of
from measures.meta_evaluation.pair_verdicts import MIN_INPUTS, Test, Verdicts, verdicts
from measures.meta_evaluation.scored_variants import VariantScores
from measures.meta_evaluation.system_correlations import FEW_SYSTEMS, Correlation, Of, SystemCorrelation, system_means
from measures.meta_evaluation.translated_texts import Texts

FEW_INPUTS = Undefined("no two systems share enough inputs with a score and a rating")
NO_DIFFERENCE = Undefined("the ratings find no significant difference between systems")
NO_TEXTS = Undefined("there is no such text by a person")
NO_OUTPUTS = Undefined("there is no output with two persons' references")


@dataclass(frozen=True, eq=False)
class Judges:
    """Ratings of the originals by one group of people, such as those of the source language.

    Attributes
    ----------
    name : str
        Whose ratings these are.
    systems : mapping of (input, system) to float
        Mean rating of each output.
    people : mapping of (input, person) to float
        Mean rating of each text by a person; may be empty.
    """

    name: str
    systems: Mapping[tuple[str, str], float]
    people: Mapping[tuple[str, str], float] = field(default_factory=dict)


@dataclass(frozen=True)
class DiscriminativePower:
    """Pairs of systems that differ significantly, by a metric and by ratings.

    Attributes
    ----------
    pairs : int
        Pairs that share enough inputs.
    by_metric, by_ratings : int
        How many of these differ significantly.
    same, opposite : int
        How many differ significantly by both, in the same direction or in opposite ones.
    left_out : int
        Pairs with too few inputs.
    coarse : bool
        Whether there are so few systems that shares of pairs are coarse.
    """

    pairs: int
    by_metric: int
    by_ratings: int
    same: int
    opposite: int
    left_out: int
    coarse: bool

    @property
    def share(self) -> Share:
        """The share of the pairs that the metric finds different."""
        return share_of(self.by_metric, self.pairs)

    @property
    def found_again(self) -> Share | Undefined:
        """The share of the differences in ratings that the metric finds, too; undefined if ratings find none."""
        return share_of(self.same, self.by_ratings) if self.by_ratings else NO_DIFFERENCE


@dataclass(frozen=True, eq=False)
class VariantAgainstJudges:
    """A metric in one variant beside the ratings of one group of judges.

    Attributes
    ----------
    correlations : mapping of str to mapping of str to SystemCorrelation
        By "systems only", "people and systems" and "people only", then by coefficient.
    power : DiscriminativePower or Undefined
        The pairs of systems found different.
    """

    correlations: Mapping[Who, Mapping[Correlation, SystemCorrelation]]
    power: DiscriminativePower | Undefined


@dataclass(frozen=True, eq=False)
class VariantFigures:
    """What there is to say of one metric in one variant.

    Attributes
    ----------
    variant, language, metric, signature : str
        Name of the variant, language of its texts, name of the metric and how it was computed.
    people, systems : int
        How many of them have a score.
    people_mean, systems_mean : float or Undefined
        Mean over people, and over systems, of the mean of each.
    against : mapping of str to VariantAgainstJudges
        By the name of the judges.
    """

    variant: str
    language: str
    metric: str
    signature: str
    people: int
    systems: int
    people_mean: float | Undefined
    systems_mean: float | Undefined
    against: Mapping[str, VariantAgainstJudges]


def variant_figures(
    scores: VariantScores,
    judges: Sequence[Judges],
    *,
    of: Of = "judged",
    alpha: float = 0.05,
    test: Test = "wilcoxon",
    min_inputs: int = MIN_INPUTS,
) -> tuple[VariantFigures, ...]:
    """Say of each metric in a variant how it scores people and systems, and how far it agrees with ratings.

    A person or a system is known by name: the ratings are of the originals, whatever texts were scored.

    Source: Steinberger and Turchi 2012, "Machine translation for multilingual summary content evaluation", Tables 1, 2
    and 4; discriminative power by the tests of Owczarzak et al. 2012.

    Parameters
    ----------
    scores : VariantScores
        From `variant_scores`.
    judges : sequence of Judges
        Ratings, such as of the source language and of the target language.
    of : {"judged", "all"}
        Correlate means over the texts with both a score and a rating, or means of each over all that have it.
    alpha, test, min_inputs
        As for `verdicts`.

    Returns
    -------
    tuple of VariantFigures
        One for each metric.

    Examples
    --------
    >>> from measures.meta_evaluation import Variant, variant_scores
    >>> from measures.metrics import Analysis, Tokenizer
    >>> references = {("1", "Ann"): ("a b c",), ("1", "Ben"): ("a b d",)}
    >>> people = {key: text for key, (text,) in references.items()}
    >>> variant = Variant("original", "en", {("1", "A"): "a b c", ("1", "B"): "d"}, people, references)
    >>> scores = variant_scores(variant, analysis=Analysis(Tokenizer("whitespace")))
    >>> ratings = Judges("crowd", {("1", "A"): 3, ("1", "B"): 1}, {("1", "Ann"): 3, ("1", "Ben"): 3})
    >>> figures = variant_figures(scores, [ratings])[0]
    >>> round(figures.people_mean, 3), round(figures.systems_mean, 3)
    (0.667, 0.5)
    >>> found = figures.against["crowd"]
    >>> found.correlations["systems only"]["pearson"].r.reason, found.power.reason
    ('two systems: only whether the order agrees', 'no two systems share enough inputs with a score and a rating')
    """
    against = [_against(scores, each, of, alpha, test, min_inputs) for each in judges]
    return tuple(
        VariantFigures(
            scores.variant.name,
            scores.variant.language,
            metric,
            scores.signatures[place],
            _scored(scores.person_scores[place]),
            _scored(scores.system_scores[place]),
            _mean_of_means(scores.person_scores[place], scores.variant.people, NO_TEXTS),
            _mean_of_means(scores.system_scores[place], scores.variant.outputs, NO_OUTPUTS),
            {each.name: found[place] for each, found in zip(judges, against, strict=True)},
        )
        for place, metric in enumerate(scores.metrics)
    )


def _against(
    scores: VariantScores, judges: Judges, of: Of, alpha: float, test: Test, min_inputs: int
) -> list[VariantAgainstJudges]:
    systems = _judged(scores, scores.systems, scores.system_scores, judges.systems, of)
    people = _judged(scores, scores.people, scores.person_scores, judges.people, of)
    of_systems, of_people = system_means(systems, of), system_means(people, of)
    is_person = np.repeat([False, True], [len(scores.systems), len(scores.people)])
    quality = np.concatenate([of_systems[1], of_people[1]])
    found = verdicts(systems, alpha=alpha, test=test, min_inputs=min_inputs)
    return [
        VariantAgainstJudges(
            _correlations(np.concatenate([of_systems[0][place], of_people[0][place]]), quality, is_person),
            _power(found, place + 1, len(scores.systems)),
        )
        for place in range(len(scores.metrics))
    ]


def _judged(
    scores: VariantScores,
    authors: tuple[str, ...],
    values: FloatArray,
    ratings: Mapping[tuple[str, str], float],
    of: Of,
) -> JudgedOutputs:
    quality = np.array(
        [[ratings.get((name, author), np.nan) for name in scores.inputs] for author in authors], dtype=np.float64
    ).reshape(len(authors), len(scores.inputs))
    if of == "judged":
        quality = np.where(np.isnan(values).all(axis=0), np.nan, quality)
    return JudgedOutputs(scores.metrics, authors, scores.inputs, values, quality)


def _correlations(
    values: FloatArray, quality: FloatArray, is_person: BoolArray
) -> dict[Who, dict[Correlation, SystemCorrelation]]:
    methods: tuple[Correlation, ...] = get_args(Correlation)
    by_method = {method: correlations_by_kind(values, quality, is_person, method) for method in methods}
    kinds: tuple[Who, ...] = get_args(Who)
    return {who: {method: by_method[method][who] for method in methods} for who in kinds}


def _power(found: Verdicts, row: int, systems: int) -> DiscriminativePower | Undefined:
    if systems < 2:
        return FEW_SYSTEMS
    metric, ratings = found.verdict[row], found.verdict[0]
    if not len(found.pairs):
        return FEW_INPUTS
    return DiscriminativePower(
        pairs=len(found.pairs),
        by_metric=int(np.count_nonzero(metric)),
        by_ratings=int(np.count_nonzero(ratings)),
        same=int(np.count_nonzero(metric * ratings > 0)),
        opposite=int(np.count_nonzero(metric * ratings < 0)),
        left_out=found.left_out,
        coarse=found.coarse,
    )


def _scored(values: FloatArray) -> int:
    return int((~np.isnan(values)).any(axis=1).sum())


def _mean_of_means(values: FloatArray, texts: Texts, none: Undefined) -> float | Undefined:
    means = [float(np.mean(row[~np.isnan(row)])) for row in values if not np.isnan(row).all()]
    if means:
        return float(np.mean(means))
    return ONE_REFERENCE if texts else none
