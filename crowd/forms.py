"""Forms for staff and workers."""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from common.typed_text import TypedTexts
from crowd.models import JoinLink, Remark
from crowd.models.links import CODES
from crowd.models.remarks import MAX_REMARK_LENGTH


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


class RemarkForm(TypedTexts, forms.Form):
    """A reason for a remark and an optional explanation."""

    reason = forms.ChoiceField(error_messages={"required": _("Please choose a reason.")})
    text = forms.CharField(required=False, max_length=MAX_REMARK_LENGTH)

    def __init__(self, *args: Any, reasons: Sequence[Remark.Reason], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["reason"]).choices = [(reason.value, reason.label) for reason in reasons]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("reason") == Remark.Reason.OTHER and cleaned.get("text") == "":
            raise forms.ValidationError(_("Please say in a few words what it is."))
        return cleaned
