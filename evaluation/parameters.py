"""The parameters of a report on metrics against ratings. Defaults follow the papers where they state them."""

from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext_lazy

from common.words import Words
from measures.meta_evaluation import Missing, OverPairs
from reports.parameters import ReportParameters, choice, names, number, real, seed

Pool = Literal["crowd", "experts"]
POOLS: dict[str, Words] = {"crowd": gettext_lazy("raters of the crowd"), "experts": gettext_lazy("experts")}


@dataclass(frozen=True)
class EvaluationParameters(ReportParameters):
    """How metrics are held against ratings.

    `pool` is whose ratings count. `draws` and `seed` are of all that is drawn. `missing` says which inputs two systems
    are compared on, `over_pairs` how a metric's correlations with the pairs of systems become one number. A metric
    dominates another if it is better on at least `share` of the pairs at `alpha`. Pairs with fewer than `min_inputs`
    inputs are left out of the agreement about significance. `epsilon`, `min_raters` and `min_items` are of the
    alternative annotator test; without an epsilon it is the authors' advice for the pool. `smaller_is_better` names
    metrics whose scores are negated.
    """

    pool: Pool = choice(
        "crowd",
        Pool,
        label=gettext_lazy("Compare metrics with the ratings of"),
        api="Whose ratings count.",
        option="whose ratings count",
        labels=POOLS,
    )
    draws: int = number(
        1000,
        least=1,
        most=10_000,
        label=gettext_lazy("Draws"),
        hint=gettext_lazy("How often tests and some intervals draw again. 1,000 is usual."),
        api="Draws of resampling and permutation.",
        option="draws of resampling and permutation",
    )
    seed: int = seed(
        label=gettext_lazy("Seed"),
        hint=gettext_lazy("The same seed gives the same draws, and so the same numbers."),
        api="The same seed draws the same.",
        option="seed of all draws",
    )
    missing: Missing = choice(
        "by pair",
        Missing,
        label=gettext_lazy("Compare two systems on"),
        hint=gettext_lazy("Matters only where some outputs have no rating or no score."),
        api="Which inputs two systems are compared on.",
        option="compare two systems on the inputs that both have, or on those that all have",
        labels={
            "by pair": gettext_lazy("the texts that both have"),
            "complete": gettext_lazy("the texts that all systems have"),
        },
        is_folded=True,
    )
    over_pairs: OverPairs = choice(
        "mean",
        OverPairs,
        label=gettext_lazy("A metric’s correlations with all pairs of systems become one by"),
        hint=gettext_lazy("The paper does not say how. The default is the plain mean."),
        api="How correlations with the pairs of systems become one number.",
        option="how correlations with the pairs of systems become one number",
        labels={
            "mean": gettext_lazy("their mean"),
            "fisher": gettext_lazy("their mean after Fisher’s transformation"),
            "pooled": gettext_lazy("one correlation over all pairs"),
        },
        is_folded=True,
    )
    alpha: float = real(
        0.05,
        above=0,
        least=1e-6,
        most=0.5,
        label=gettext_lazy("Level of the tests"),
        hint=gettext_lazy("A metric is better than another on a pair of systems if p is below this."),
        api="Level of tests.",
        option="level of the tests",
        is_folded=True,
    )
    share: float = real(
        0.8,
        above=0.5,
        least=0.51,
        most=1,
        label=gettext_lazy("Share of pairs for dominance"),
        hint=gettext_lazy("A metric dominates another if it is better on this share of the pairs of systems."),
        api="The share of pairs on which a metric must be better to dominate another.",
        option="share of the pairs on which a metric must be better to dominate another",
        is_folded=True,
    )
    min_inputs: int = number(
        10,
        least=3,
        most=100_000,
        label=gettext_lazy("Minimum texts per pair of systems"),
        hint=gettext_lazy("Pairs with fewer texts are left out of the agreement about significance."),
        api="The least inputs of a pair of systems in the agreement about significance.",
        option="pairs of systems with fewer inputs are left out of the agreement about significance",
        is_folded=True,
    )
    epsilon: float | None = real(
        None,
        least=0,
        most=1,
        label=gettext_lazy("Epsilon of the alternative annotator test"),
        hint=gettext_lazy("What a rater costs more than a model. Empty: 0.1 for the crowd, 0.2 for experts."),
        api="The cost of a rater in the alternative annotator test; by default what its authors advise.",
        option="cost of a rater in the alternative annotator test (default: by the pool)",
        none=gettext_lazy("by whose ratings count"),
        is_folded=True,
    )
    min_raters: int = number(
        2,
        least=2,
        most=100,
        label=gettext_lazy("Minimum raters per output in that test"),
        api="The least raters of an output in that test.",
        option="raters that an output needs in the alternative annotator test",
        is_folded=True,
    )
    min_items: int = number(
        30,
        least=2,
        most=100_000,
        label=gettext_lazy("Minimum outputs per rater in that test"),
        api="The least outputs of a rater in that test.",
        option="outputs that a rater needs to be tested there",
        is_folded=True,
    )
    smaller_is_better: tuple[str, ...] = names(
        most=300,
        label=gettext_lazy("Metrics whose small scores are good"),
        hint=gettext_lazy("One name per line. Their scores are negated. Only imported metrics can need this."),
        api="Metrics whose small scores are good.",
        option="a metric whose small scores are good; may be repeated (default: none, large scores are good)",
        none=gettext_lazy("none"),
        is_folded=True,
    )

    def epsilon_for(self, pool: Pool) -> float:
        """Return epsilon of the alternative annotator test: what its authors advise, unless one is given."""
        return self.epsilon if self.epsilon is not None else {"crowd": 0.1, "experts": 0.2}[pool]
