"""The parameters of reports on which units texts have."""

from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext_lazy

from protocols.parameters import CampaignParameters
from reports.parameters import choice, names, number, seed

Ties = Literal["no", "left out"]


@dataclass(frozen=True)
class UnitsParameters(CampaignParameters):
    """What counts where people differ, and how much is drawn."""

    where_people_differ: Ties = choice(
        "no",
        Ties,
        label=gettext_lazy("Where as many people say yes as no"),
        hint=gettext_lazy("Else the majority counts."),
        labels={
            "no": gettext_lazy("the text does not have it"),
            "left out": gettext_lazy("it is left out for this text"),
        },
        api="What counts of a fact or unit of which as many people say yes as no; else the majority counts.",
        option="what counts where as many people say yes as no; else the majority counts",
    )
    draws: int = number(
        10_000,
        least=100,
        most=50_000,
        label=gettext_lazy("Draws"),
        api="Draws of sources for intervals.",
        option="draws of sources for intervals",
        is_folded=True,
    )
    seed: int = seed(label=gettext_lazy("Seed"), api="Seed of the draws.", option="seed of the draws", is_folded=True)


@dataclass(frozen=True)
class FactoidsParameters(UnitsParameters):
    """Which texts the facts of others are held against: one for precision and recall, several for a pyramid."""

    gold: tuple[str, ...] = names(
        most=1,
        label=gettext_lazy("System that the others are held against"),
        hint=gettext_lazy("Empty for the reference."),
        none=gettext_lazy("the reference"),
        api="The system that precision, recall and F are against; by default the reference.",
        option="system that precision, recall and F are against (default: the reference)",
        is_folded=True,
    )
    models: tuple[str, ...] = names(
        most=10,
        label=gettext_lazy("Systems whose facts make the pyramid, one in a line"),
        hint=gettext_lazy("Empty for all people. A system among them is scored by the others."),
        none=gettext_lazy("all people"),
        api="The systems whose facts make the pyramid; by default all of the kind human.",
        option="a system whose facts make the pyramid, once for each (default: all of the kind human)",
        is_folded=True,
    )
