"""Forms for staff and workers."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from common.typed_text import TypedTexts
from crowd.models import JoinLink
from crowd.models.links import CODES


class JoinLinkForm(TypedTexts, forms.ModelForm):
    """A new link; everything else about it has a default."""

    class Meta:
        model = JoinLink
        fields = ("name", "round", "platform_key", "is_test")
        labels: ClassVar = {
            "name": _("name"),
            "round": _("round"),
            "is_test": _("a test link: anyone who joins by it is marked as a test participant and never released"),
        }

    @property
    def chosen(self) -> dict[str, Any]:
        return {"work_round" if name == "round" else name: value for name, value in self.cleaned_data.items()}


class LinkSettingsForm(TypedTexts, forms.ModelForm):
    """The name, codes and limits of a link, and where its people go back to."""

    class Meta:
        model = JoinLink
        fields = ("name", "max_people", "opens_at", "closes_at", *CODES, "completion_address")
        labels: ClassVar = {
            "name": _("name"),
            "opens_at": _("opens (UTC)"),
            "closes_at": _("closes (UTC)"),
            "completion_address": _("completion URL"),
        }
        help_texts: ClassVar = {
            "max_people": _("Leave it empty for no limit."),
            "opens_at": _("Leave it empty to open with the campaign."),
            "closes_at": _("Nobody new can join from then on. Participants who have started can finish."),
        }
        widgets: ClassVar = {
            name: forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            for name in ("opens_at", "closes_at")
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.platform.return_hosts:
            del self.fields["completion_address"]
