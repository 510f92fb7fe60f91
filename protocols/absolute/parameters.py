"""The parameters of a report on points."""

from dataclasses import dataclass

from protocols.parameters import CampaignParameters


@dataclass(frozen=True)
class AbsoluteParameters(CampaignParameters):
    """There are no others: nothing is drawn."""
