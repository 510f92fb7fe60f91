"""Tasks whose material can be composed of the sentences that people made of two in another campaign."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.errors import Refused
from common.typed_text import TypedTexts
from crowd.models import Campaign
from protocols.services.fusions import FUSIONS, FusedPair, campaign_of_fusions, fused_pairs, fusions_compose
from protocols.task import MaterialRow, StudyTask

SHOWN = 5


class FusionForm(TypedTexts, forms.Form):
    fusions = forms.SlugField(
        label=gettext_lazy("Campaign whose fusions are taken in (its short name)"),
        required=False,
        initial="",
        help_text=gettext_lazy("Its editors make one sentence of two. Empty if all material comes from files."),
    )


class FusionTask(StudyTask):
    settings_form = FusionForm
    takes_fusions = True

    @abstractmethod
    def lines_of(self, pair: FusedPair) -> Iterator[dict[str, Any]]:
        """Yield the lines of material of a pair of sentences; raise ValueError with the reason if there are none."""

    def pieces_make(self, campaign: Campaign, *, fill_in: bool = False, user: User | None = None) -> str:
        """Take in the fusions of the campaign that the settings name."""
        del fill_in
        settings = self.settings_read(campaign.task_settings)
        if not settings[FUSIONS]:
            raise Refused(_("Name the campaign of the fusions in the settings of the task first."))
        rows: list[MaterialRow] = []
        left_out: list[str] = []
        for pair in fused_pairs(campaign_of_fusions(settings[FUSIONS], user)):
            try:
                rows += [self.material_checked(line, settings) for line in self.lines_of(pair)]
            except ValueError as error:
                left_out.append(f"{pair.name}: {error}.")
        if not rows:
            raise Refused(" ".join([_("No pair of sentences can be taken in."), *left_out[:SHOWN]]))
        said = ngettext("%(n)s pair is left out.", "%(n)s pairs are left out.", len(left_out)) % {"n": len(left_out)}
        composed = fusions_compose(campaign=campaign, task=self, rows=rows, user=user)
        return " ".join([composed, *([said, *left_out[:SHOWN]] if left_out else [])])
