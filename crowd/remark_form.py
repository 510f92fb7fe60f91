"""The form in which participants say why they skip a text, or what is wrong with it."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from common.typed_text import TypedTexts
from crowd.models import Remark
from crowd.models.remarks import MAX_REMARK_LENGTH


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
