"""The parameters of the report on a quiz."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from protocols.parameters import CampaignParameters
from reports.parameters import names, number, real, seed, switch

NO_SUMMARY = "none"


@dataclass(frozen=True)
class QuizParameters(CampaignParameters):
    """What conditions are held against, which difference would matter, and how intervals are drawn."""

    control: tuple[str, ...] = names(
        most=1,
        label=gettext_lazy("Condition that the others are held against"),
        none=gettext_lazy("“none” if there is one, else the first"),
        api="The condition that the others are held against: by default none if there is one, else the first.",
        option="the condition that the others are held against (default: none if there is one, else the first)",
    )
    bound: float = real(
        5.0,
        least=0.1,
        most=100.0,
        label=gettext_lazy("Smallest difference that would matter, in points of 100"),
        hint=gettext_lazy("Conditions within it of the control are called equivalent."),
        api="The smallest difference from the control that would matter, in points of 100.",
        option="smallest difference from the control that would matter, in points of 100",
    )
    keep_heard: bool = switch(
        label=gettext_lazy("Keep people who knew a text before"),
        api="Whether people who knew a text before are kept.",
        option="keep people who knew a text before",
    )
    draws: int = number(
        10_000,
        least=100,
        most=10_000,
        label=gettext_lazy("Draws of people"),
        api="Draws of people for intervals, and shuffles for tests.",
        option="draws of people for intervals, and shuffles for tests",
        is_folded=True,
    )
    seed: int = seed(
        2012, label=gettext_lazy("Seed"), api="Seed of the draws.", option="seed of the draws", is_folded=True
    )
