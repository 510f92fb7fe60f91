"""The parameters of a report on marks of errors."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from protocols.parameters import CampaignParameters
from reports.parameters import number, seed, switch


@dataclass(frozen=True)
class SpansParameters(CampaignParameters):
    """How points are counted, and intervals drawn.

    `per_100_words` divides the points of each text by the words of its source; `draws` are the bootstrap draws of
    sources.
    """

    per_100_words: bool = switch(
        label=gettext_lazy("Count points per 100 words of the source"),
        api="Whether points are counted per 100 words of the source.",
        option="count points per 100 words of the source",
    )
    draws: int = number(
        1000,
        least=1,
        most=10_000,
        label=gettext_lazy("Bootstrap draws of sources"),
        api="Bootstrap draws of sources.",
        option="bootstrap draws of sources",
    )
    seed: int = seed(label=gettext_lazy("Seed"), api="Seed of the draws.", option="seed of the draws", is_folded=True)
