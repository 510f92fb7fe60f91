"""What staff and workers fill in."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms

from crowd.models import Campaign, JoinLink, Remark
from crowd.models.remarks import LONGEST_REMARK

RESERVED_SLUGS = {"new"}  # stands for something else in addresses


class CampaignForm(forms.ModelForm):
    """A campaign's slug is chosen once: it names the folders of its releases, which never change."""

    class Meta:
        model = Campaign
        fields = (
            "name",
            "slug",
            "is_open",
            "editors_per_source",
            "raters_per_compression",
            "editor_tasks",
            "rater_tasks",
            "lease_minutes",
            "editor_start",
            "keep_percent",
            "sentence_min_words",
            "paragraph_min_words",
            "qualification_pass_percent",
            "qualification_tries",
            "consent",
            "editor_guidelines",
            "sentence_examples",
            "paragraph_examples",
            "rater_guidelines",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["slug"].disabled = self.instance.pk is not None

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED_SLUGS:
            raise forms.ValidationError("This word has another meaning in addresses. Please choose another one.")
        return slug


class JoinLinkForm(forms.ModelForm):
    class Meta:
        model = JoinLink
        fields = ("round", "platform_key")


class RemarkForm(forms.Form):
    """A reason, and words that say more."""

    reason = forms.ChoiceField(error_messages={"required": "Please choose a reason."})
    text = forms.CharField(required=False, max_length=LONGEST_REMARK)

    def __init__(self, *args: Any, reasons: Sequence[Remark.Reason], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["reason"]).choices = [(reason.value, reason.label) for reason in reasons]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("reason") == Remark.Reason.OTHER and not cleaned.get("text"):
            raise forms.ValidationError("Please say in a few words what it is.")
        return cleaned
