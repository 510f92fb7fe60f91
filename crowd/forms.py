"""What staff fill in."""

from django import forms

from crowd.models import Campaign, JoinLink


class CampaignForm(forms.ModelForm):
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
            "keep_percent",
            "sentence_min_words",
            "paragraph_min_words",
            "qualification_pass_percent",
            "qualification_tries",
            "consent",
            "editor_guidelines",
            "rater_guidelines",
        )


class JoinLinkForm(forms.ModelForm):
    class Meta:
        model = JoinLink
        fields = ("round", "platform_key")
