"""The parameters of a report on rankings."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from protocols.parameters import CampaignParameters
from reports.parameters import number, seed, switch


@dataclass(frozen=True)
class RankingParameters(CampaignParameters):
    """Whether strengths are kept finite, and how much is drawn.

    With `pseudo_wins` each system gets a tenth of a win over each other one. `draws` are those of sets for intervals,
    and of orders for Friedman's test.
    """

    pseudo_wins: bool = switch(
        label=gettext_lazy("Give each system 0.1 pseudo-wins over each other one"),
        api="Whether strengths are kept finite by 0.1 wins of each system over each other one.",
        option="keep strengths finite by 0.1 wins of each system over each other one",
    )
    draws: int = number(
        10_000,
        least=100,
        most=50_000,
        label=gettext_lazy("Draws"),
        api="Draws of sets for intervals, and of orders for Friedman's test.",
        option="draws of sets for intervals, and of orders for Friedman's test",
        is_folded=True,
    )
    seed: int = seed(label=gettext_lazy("Seed"), api="Seed of the draws.", option="seed of the draws", is_folded=True)
