"""Forms for staff and workers."""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from django import forms

from common.typed_text import TypedTexts
from crowd.models import Campaign, JoinLink, RatingTask, Remark
from crowd.models.links import CODES
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.scales import scales_dump, scales_from_text, scales_to_text
from crowd.services.campaigns import RESERVED_SLUGS


class CampaignForm(TypedTexts, forms.ModelForm):
    """A campaign's settings. The slug cannot be changed later: it names the folders of published releases."""

    class Meta:
        model = Campaign
        fields = (
            "name",
            "slug",
            "description",
            "language",
            "licence",
            "homepage",
            "texts_go_on_erasure",
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
            "qualification_wait_minutes",
            "rating_task",
            "ratings_per_page",
            "extra_raters",
            "pairs_per_compression",
            "system_percent",
            "gold_percent",
            "gold_warn_percent",
            "consent",
            "editor_guidelines",
            "sentence_examples",
            "paragraph_examples",
            "rater_guidelines",
        )

    homepage = forms.URLField(label="address of the project", required=False, assume_scheme="https")
    scales_text = forms.CharField(
        label="scales",
        widget=forms.Textarea({"rows": 10, "class": "mono"}),
        help_text=(
            "For each scale a line “Name: question?”, then 2 to 7 lines with a digit and its words. Side by side only "
            "names and questions: the answers are “A is better”, “The same” and “B is better”."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["slug"].disabled = self.instance.pk is not None
        campaign = self.instance
        self.fields["scales_text"].initial = scales_to_text(
            campaign.rating_scales, side_by_side=campaign.is_side_by_side
        )
        self.fields["scales_text"].required = False  # if empty, the scales are left unchanged

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED_SLUGS:
            raise forms.ValidationError("This word has another meaning in addresses. Please choose another one.")
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        text = cleaned.pop("scales_text", "")
        if text:
            side_by_side = cleaned.get("rating_task") == RatingTask.PAIR
            try:
                cleaned["scales"] = scales_dump(scales_from_text(text, side_by_side=side_by_side))
            except forms.ValidationError as error:
                self.add_error("scales_text", error)
        return cleaned


class JoinLinkForm(TypedTexts, forms.ModelForm):
    """A new link; everything else about it has a default."""

    class Meta:
        model = JoinLink
        fields = ("name", "round", "platform_key", "is_test")
        labels: ClassVar = {"is_test": "a test link: who comes by it is marked as a test and never released"}

    @property
    def chosen(self) -> dict[str, Any]:
        return {"work_round" if name == "round" else name: value for name, value in self.cleaned_data.items()}


class LinkSettingsForm(TypedTexts, forms.ModelForm):
    """The name, codes and limits of a link, and where its people go back to."""

    class Meta:
        model = JoinLink
        fields = ("name", "max_people", "opens_at", "closes_at", *CODES, "completion_address")
        labels: ClassVar = {
            "opens_at": "opens (UTC)",
            "closes_at": "closes (UTC)",
            "completion_address": "completion URL",
        }
        help_texts: ClassVar = {
            "max_people": "Empty: as many as come.",
            "opens_at": "Empty: as soon as the campaign is open.",
            "closes_at": "Nobody new comes in from then on; who is there can finish.",
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

    reason = forms.ChoiceField(error_messages={"required": "Please choose a reason."})
    text = forms.CharField(required=False, max_length=MAX_REMARK_LENGTH)

    def __init__(self, *args: Any, reasons: Sequence[Remark.Reason], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["reason"]).choices = [(reason.value, reason.label) for reason in reasons]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("reason") == Remark.Reason.OTHER and cleaned.get("text") == "":
            raise forms.ValidationError("Please say in a few words what it is.")
        return cleaned
