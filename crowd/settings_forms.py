"""Forms of a campaign: the few settings that a new one needs, the settings tab by tab, and a text to be previewed."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from common.typed_text import TypedTexts
from crowd.arms import arms_dump, arms_from_text, arms_to_text, arms_validate
from crowd.default_texts import translated_scales
from crowd.models import Campaign
from crowd.models.setting_words import WORDS, label_of
from crowd.models.settings_version import PEOPLE_READ
from crowd.prose_bounds import prose_bound
from crowd.scale_texts import scales_from_text, scales_to_text
from crowd.scales import scales_dump, scales_load
from crowd.selectors.campaigns import short_name_free, short_name_of
from crowd.services.campaigns import RESERVED_SLUGS
from crowd.settings_tabs import ARMS_TEXT, SCALES_TEXT, TABS, WRITTEN, Group, Tab
from crowd.tasks import task_of

NEW = (
    "name",
    "slug",
    "language",
    "page_language",
    "rating_task",
    "keep_percent",
    "editors_per_source",
    "raters_per_compression",
)
SCALES_HELP = _(
    "For each scale, write a line “Name: question?”, then 2 to 7 lines with a digit and its words. Side by side, "
    "write only names and questions: the answers are “A is better”, “About the same” and “B is better”. With [nuggets] "
    "after the question, raters can open a list of what a good answer says, if the file of texts has nuggets. The "
    "scales are fixed at the same time as what raters see."
)

RESERVED_WORDS = _("This word has another meaning in addresses. Choose another one.")
MADE_OF_NAME = _("If you leave it empty, we make one from the name.")


class CampaignSettings(TypedTexts, forms.ModelForm):  # type: ignore[type-arg]
    """A form of settings, each with what it does and its range."""

    class Meta:
        model = Campaign
        fields = tuple(dict.fromkeys(name for tab in TABS for name in tab.fields if name not in WRITTEN))
        widgets = {
            "description": forms.Textarea({"rows": 5}),
            **{name: forms.Textarea({"rows": 22, "class": "mono"}) for name in PEOPLE_READ},
        }

    homepage = forms.URLField(label=label_of("homepage"), required=False, assume_scheme="https")

    def keep_only(self, names: tuple[str, ...]) -> None:
        for name in set(self.fields) - set(names):
            del self.fields[name]
        for name, field in self.fields.items():
            if name in WORDS:
                field.help_text = " ".join(filter(None, (str(WORDS[name].help), _range(name, field))))


def _range(name: str, field: forms.Field) -> str:
    """Say between which numbers a value must lie, and tell the browser; nothing if it is not a number."""
    validators = getattr(Campaign._meta.get_field(name), "validators", ())
    limits = [each for each in validators if isinstance(each, _LIMITS)]
    ends = {type(each): each.limit_value for each in limits}
    if len(ends) < len(_LIMITS):
        return ""
    least, most = ends[MinValueValidator], ends[MaxValueValidator]
    field.widget.attrs |= {"min": least, "max": most}
    return gettext("From %(least)s to %(most)s.") % {"least": f"{least:,}", "most": f"{most:,}"}


_LIMITS = (MinValueValidator, MaxValueValidator)


class SettingsForm(CampaignSettings):
    """The settings of one tab. The short name cannot be changed: it names the folders of published releases."""

    scales_text = forms.CharField(
        label=label_of("scales"),
        widget=forms.Textarea({"rows": 10, "class": "mono"}),
        help_text=SCALES_HELP,
        required=False,  # if empty, the scales are left unchanged
    )
    arms_text = forms.CharField(
        label=label_of("arms"),
        widget=forms.Textarea({"rows": 3, "class": "mono"}),
        help_text=WORDS["arms"].help,
        required=False,
    )

    def __init__(self, *args: Any, tab: Tab, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tab = tab
        self.keep_only(tab.fields)
        campaign = self.instance
        for name in set(PEOPLE_READ) & set(self.fields):
            prose_bound(self.fields[name], getattr(campaign, name))
        if "slug" in self.fields:
            self.fields["slug"].disabled = True
        if SCALES_TEXT in self.fields:
            self.fields[SCALES_TEXT].initial = scales_to_text(
                scales_load(campaign.scales), side_by_side=campaign.task.asks_preference
            )
        if ARMS_TEXT in self.fields:
            self.fields[ARMS_TEXT].initial = arms_to_text(campaign.rating_arms)

    def groups(self) -> Iterator[tuple[Group, list[forms.BoundField]]]:
        for group in self.tab.groups:
            yield group, [self[name] for name in group.fields]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        text = cleaned.pop(SCALES_TEXT, "")
        if text:
            side_by_side = task_of(cleaned.get("rating_task")).asks_preference
            try:
                cleaned["scales"] = scales_dump(scales_from_text(text, side_by_side=side_by_side, keys=self._keys()))
            except forms.ValidationError as error:
                self.add_error(SCALES_TEXT, error)
        if ARMS_TEXT in self.fields and ARMS_TEXT in self.data:
            self._clean_arms(cleaned)
        cleaned.pop(ARMS_TEXT, None)
        return cleaned

    def _clean_arms(self, cleaned: dict[str, Any]) -> None:
        scales = scales_load(cleaned.get("scales", self.instance.scales))
        try:
            cleaned["arms"] = arms_dump(arms_from_text(cleaned.get(ARMS_TEXT, "")))
            task = task_of(cleaned.get("rating_task", self.instance.rating_task))
            arms_validate(cleaned["arms"], scales, extra_raters=cleaned.get("extra_raters", False), task=task)
        except forms.ValidationError as error:
            self.add_error(ARMS_TEXT, error)

    def _keys(self) -> dict[tuple[str, str], str]:
        """Return the keys of scales by arm and name: exports rely on them, and a translated name makes another key."""
        known = (*translated_scales(self.instance.page_language), *scales_load(self.instance.scales))
        return {(each.arm, each.name): each.key for each in known}

    def refuse(self, faults: Mapping[str, list[str]]) -> None:
        """Say what is wrong beside the field that it is about, or above the form if that is on another tab."""
        for name, reasons in faults.items():
            for reason in reasons:
                is_here = name in self.fields
                self.add_error(
                    name if is_here else None, reason if is_here else f"{capfirst(label_of(name))}: {reason}"
                )


class NewSettings(CampaignSettings):
    """Settings of a campaign that is about to be made. Without a short name it gets one made of its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["slug"].required = False

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED_SLUGS:
            raise forms.ValidationError(RESERVED_WORDS)
        if slug and (free := short_name_free(slug, RESERVED_SLUGS)) != slug:
            raise forms.ValidationError(_("Another campaign has this short name. %(name)s is free.") % {"name": free})
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("slug") == "":
            cleaned["slug"] = short_name_of(cleaned.get("name", ""), RESERVED_SLUGS)
        return cleaned


class NewCampaignForm(NewSettings):
    """What a campaign cannot do without; all else has defaults."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.keep_only(NEW)
        self.order_fields(NEW)
        self.fields["slug"].help_text = f"{WORDS['slug'].help} {MADE_OF_NAME}"
        self.fields["language"].help_text = _("A language tag, such as en or pt-BR; mul for several.")


class PreviewForm(TypedTexts, forms.Form):
    """A text that people are going to read, and which one it is."""

    name = forms.ChoiceField(choices=[(name, name) for name in PEOPLE_READ])
    text = forms.CharField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        prose_bound(self.fields["text"], "")
