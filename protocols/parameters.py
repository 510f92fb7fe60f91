"""The parameters that all reports on the answers to a judgement task have."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from protocols.selectors import Whose
from reports.parameters import ReportParameters, choice


@dataclass(frozen=True)
class CampaignParameters(ReportParameters):
    """Those of a kind of report are these, and more."""

    whose: Whose = choice(
        "people",
        Whose,
        label=gettext_lazy("Whose answers"),
        hint=gettext_lazy("With those of test participants, simulated or not, the report is a rehearsal."),
        labels={"people": gettext_lazy("people"), "test participants": gettext_lazy("test participants: a rehearsal")},
        api="Whose answers it is on; with those of test participants, simulated or not, it is a rehearsal.",
        option="whose answers; those of test participants make it a rehearsal",
        is_folded=True,
    )
