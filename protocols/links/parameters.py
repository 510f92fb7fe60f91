"""The parameters of a report on linked sentences."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from protocols.parameters import CampaignParameters
from reports.parameters import number, real, seed, switch

MOST_COMMUNITIES = 200


@dataclass(frozen=True)
class LinksParameters(CampaignParameters):
    """How links are predicted, and communities found. With `communities` 0 it is the mean length of the abstracts."""

    communities: int = number(
        0,
        least=0,
        most=MOST_COMMUNITIES,
        label=gettext_lazy("Communities of linked sentences"),
        hint=gettext_lazy("0 for the mean number of sentences of an abstract. Murray et al. (2012) had 18."),
        api="At how many communities of linked sentences algorithms are compared; 0: as many as an abstract has.",
        option="communities of linked sentences; 0 for the mean length of an abstract",
    )
    each_its_own: bool = switch(
        label=gettext_lazy("As many communities as the abstracts of each document have sentences"),
        api="Whether each document has as many communities as its abstracts have sentences on average.",
        option="as many communities as the abstracts of each document have sentences",
    )
    drop_subsets: bool = switch(
        label=gettext_lazy("Leave out communities that lie inside others"),
        api="Whether communities that lie inside others are left out.",
        option="leave out communities that lie inside others",
    )
    copies: int = number(
        20,
        least=1,
        most=100,
        label=gettext_lazy("Relabelled copies of each graph"),
        hint=gettext_lazy("Ties decide much, so medians and ranges over copies are shown."),
        api="Relabelled copies of each graph, over which medians and ranges are.",
        option="relabelled copies of each graph",
    )
    threshold: float = real(
        0.5,
        least=0,
        most=1,
        label=gettext_lazy("Least score of a predicted link"),
        api="The least score at which a pair of sentences counts as linked.",
        option="least score of a predicted link",
        is_folded=True,
    )
    shuffles: int = number(
        1000,
        least=10,
        most=10_000,
        label=gettext_lazy("Shuffles for the band of chance"),
        api="How often sentences are shuffled for the band of chance.",
        option="shuffles for the band of chance",
        is_folded=True,
    )
    seed: int = seed(
        label=gettext_lazy("Seed"),
        api="Seed of copies, shuffles, folds and tests.",
        option="seed of copies, shuffles, folds and tests",
        is_folded=True,
    )
