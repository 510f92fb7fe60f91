"""The parameters of an agreement report. Defaults are the paper's values; the rest is what the paper leaves open."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from measures.agreement.cohen import Weights
from measures.agreement.mean_rounding import Rounding
from reports.parameters import ReportParameters, choice, number, seed


@dataclass(frozen=True)
class AgreementParameters(ReportParameters):
    draws: int = number(
        1000,
        least=1,
        most=100_000,
        label=gettext_lazy("Simulated pairs of raters"),
        api="Simulated pairs of raters.",
        option="simulated pairs of raters",
    )
    seed: int = seed(
        label=gettext_lazy("Seed"), api="The same seed draws the same pairs.", option="seed of the simulation"
    )
    rounding: Rounding = choice(
        Rounding.HALF_UP,
        Rounding,
        label=gettext_lazy("Rounding of means half-way between two points"),
        api="How a mean half-way between two points is rounded.",
        option="how a mean half-way between two points is rounded",
    )
    weights: Weights = choice(
        "quadratic",
        Weights,
        label=gettext_lazy("Weights of kappa"),
        api="The weights of kappa.",
        option="weights of kappa",
    )
    replications: int = number(
        25_000,
        least=1,
        most=1_000_000,
        label=gettext_lazy("Bootstrap replications of the paper’s intervals"),
        api="Bootstrap replications of the paper's intervals.",
        option="bootstrap replications of the paper's intervals of experts",
    )

    @property
    def other_rounding(self) -> Rounding:
        return Rounding.HALF_EVEN if self.rounding is Rounding.HALF_UP else Rounding.HALF_UP
