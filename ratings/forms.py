"""Staff forms of the rater round, and the address of the preview with what is asked in its form."""

from collections.abc import Iterable
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.action_notices import ActionNotice
from common.templatetags.formatting import in_percent
from common.typed_text import TypedTexts
from common.words import Words
from compressions.forms import TOO_LARGE, TableForm, UploadForm, language_attributes
from crowd.models import Campaign, JoinLink, Round
from crowd.models.campaign import MOST_MINUTES, MOST_MONEY
from crowd.scales import Scale
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.bonus import BonusRule
from ratings.example_check import ExampleText
from ratings.example_files import MAX_FILE_BYTES, MAX_TEXT_LENGTH, Kind
from ratings.models import ImportPool
from ratings.models.examples import Example
from ratings.quality_words import ORDERS, RATER_QUALITIES, ROLES
from ratings.selectors.quality import since_latest_run

DEFAULTS = FilterParameters()
MOST_SHARE, MOST_ITEMS = 0.25, 10_000
MOST_SAMPLED, MOST_EXPERTS, MOST_SEED = 100_000, 20, 2**31 - 1
MOST_NOTE = 500


class ExampleForm(TypedTexts, forms.Form):
    """An example with its accepted answers: one or more points of each scale."""

    source = forms.CharField(
        label=gettext_lazy("The original"), max_length=MAX_TEXT_LENGTH, widget=forms.Textarea({"rows": 4})
    )
    compression = forms.CharField(
        label=gettext_lazy("The shorter version"), max_length=MAX_TEXT_LENGTH, widget=forms.Textarea({"rows": 3})
    )
    other = forms.CharField(
        label=gettext_lazy("The version beside it, B"), max_length=MAX_TEXT_LENGTH, widget=forms.Textarea({"rows": 3})
    )
    why = forms.CharField(label=gettext_lazy("Why"), max_length=MAX_TEXT_LENGTH, widget=forms.Textarea({"rows": 3}))

    def __init__(self, *args: Any, campaign: Campaign, why_hint: Words, needs_why: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.scales = campaign.shown_scales
        self.fields["why"].help_text = why_hint
        self.fields["why"].required = needs_why
        if campaign.task.judges_single_texts:
            del self.fields["other"]
        else:
            self.fields["compression"].label = _("The shorter version, A")
        for name in {"source", "compression", "other"} & self.fields.keys():
            self.fields[name].widget.attrs |= language_attributes(campaign)
        for scale in self.scales:
            self.fields[f"answers-{scale.key}"] = _answers_field(scale)

    def answer_fields(self) -> list[forms.BoundField]:
        return [self[f"answers-{scale.key}"] for scale in self.scales]

    @property
    def example(self) -> ExampleText:
        given = self.cleaned_data
        return ExampleText(
            source=given["source"],
            compression=given["compression"],
            other=given.get("other", ""),
            answers={scale.key: [int(value) for value in given[f"answers-{scale.key}"]] for scale in self.scales},
            why=given["why"],
            is_practice=given.get("is_practice", False),
        )


def _answers_field(scale: Scale) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=scale.name,
        choices=[(str(point.value), f"{point.value} {point.words}") for point in scale.points],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one answer that is right.")},
    )


class QualificationItemForm(ExampleForm):
    is_practice = forms.BooleanField(
        label=gettext_lazy("Practice: shows the right answers at once, and does not count"), required=False
    )


class ExampleFileForm(UploadForm):
    """A file of questions for the test, or of gold questions."""

    replace = forms.BooleanField(required=False, label=gettext_lazy("Replace the whole test, including practice"))

    def __init__(self, *args: Any, kind: Kind, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.command = f"import_{'gold' if kind == Kind.GOLD else 'qualification'}"
        if kind == Kind.GOLD:
            del self.fields["replace"]

    def clean_file(self) -> "UploadedFile[Any]":
        file = super().clean_file()
        if (file.size or 0) > MAX_FILE_BYTES:
            raise forms.ValidationError(
                _("The file is larger than %(size)s MiB. Split it.") % {"size": MAX_FILE_BYTES // 2**20},
                code=TOO_LARGE,
            )
        return file


def initial_of(example: Example) -> dict[str, Any]:
    """Return the initial form data for an existing example."""
    texts = {
        "source": example.source_text,
        "compression": example.compression_text,
        "other": example.other_text,
        "why": example.why,
        "is_practice": getattr(example, "is_practice", False),
    }
    answers = {f"answers-{key}": [str(value) for value in points] for key, points in example.answers.items()}
    return texts | answers


class ExpertSampleForm(forms.Form):
    size = forms.IntegerField(label=gettext_lazy("Texts"), min_value=1, max_value=MOST_SAMPLED, initial=116)
    experts = forms.IntegerField(label=gettext_lazy("Experts per text"), min_value=1, max_value=MOST_EXPERTS, initial=2)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=MOST_SEED, initial=2016)


class FilterForm(forms.Form):
    """The parameters of the worker filter; it begins with a campaign's rule, and so do fields that are left empty."""

    def __init__(self, *args: Any, rule: FilterParameters = DEFAULTS, **kwargs: Any) -> None:
        super().__init__(*args, **{"initial": preview_query(rule)} | kwargs)
        self.rule = rule

    share = forms.FloatField(
        label=gettext_lazy("Share to exclude, in %"),
        min_value=0,
        max_value=100 * MOST_SHARE,
        required=False,
    )
    min_items = forms.IntegerField(
        label=gettext_lazy("People with fewer ratings are not assessed"),
        min_value=1,
        max_value=MOST_ITEMS,
        required=False,
    )
    rater_quality = forms.ChoiceField(
        label=gettext_lazy("Raters are assessed by their"),
        choices=[(key.value, words) for key, words in RATER_QUALITIES.items()],
        required=False,
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Who is assessed first"),
        choices=[(key.value, words) for key, words in ORDERS.items()],
        required=False,
    )
    roles = forms.ChoiceField(
        label=gettext_lazy("Who is assessed"),
        choices=[(key.value, words) for key, words in ROLES.items()],
        required=False,
    )

    @property
    def parameters(self) -> FilterParameters:
        given, rule = self.cleaned_data, self.rule
        return FilterParameters(
            share=rule.share if given["share"] is None else given["share"] / 100,
            min_items=given["min_items"] or rule.min_items,
            order=Order(given["order"] or rule.order),
            rater_quality=RaterQuality(given["rater_quality"] or rule.rater_quality),
            roles=Roles(given["roles"] or rule.roles),
        )


class RatingFileForm(TableForm):
    pool = forms.ChoiceField(
        label=gettext_lazy("Who gave the ratings"),
        choices=ImportPool.choices,
        help_text=gettext_lazy(
            "Ratings by models are never counted among people’s. Those by people are part of the next release."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("JSONL, CSV or TSV with id, text or system, rater, and a column for each scale."),
    )
    scales = forms.CharField(
        label=gettext_lazy("Scales of the file"),
        required=False,
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy(
            "Only if they are not those of this campaign: each in a line with its column, ends and step, such as "
            "“score 0..100 real” or “adequacy 1..5 step 1”, and “, less is better” behind it where that is so. Other "
            "columns are then left aside."
        ),
    )
    command = "import_ratings"
    field_order = ("pool", "file", "written_by", "columns", "scales")

    def clean_scales(self) -> list[str]:
        """Return the scales, a line each."""
        return [line.strip() for line in self.cleaned_data["scales"].splitlines() if line.strip()]


class ExclusionForm(TypedTexts, forms.Form):
    note = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=MOST_NOTE,
        error_messages={"required": gettext_lazy("Say why this participant is excluded.")},
    )


class InclusionForm(TypedTexts, forms.Form):
    note = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=MOST_NOTE,
        error_messages={"required": gettext_lazy("Say why this participant is always kept.")},
    )


def _amount(label: Words, *, required: bool, help_text: Words) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        min_value=0,
        max_value=MOST_MONEY,
        max_digits=8,
        decimal_places=2,
        required=required,
        help_text=help_text,
    )


class BonusForm(TypedTexts, forms.Form):
    """A rule of bonuses for the people of one link."""

    link = forms.ChoiceField(label=gettext_lazy("Link"))
    each = _amount(gettext_lazy("Amount"), required=True, help_text=gettext_lazy("Such as 0.10."))
    most = _amount(gettext_lazy("Maximum per participant"), required=False, help_text=gettext_lazy("Empty: no limit."))

    def __init__(self, *args: Any, links: Iterable[JoinLink], work_round: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["link"]).choices = [(str(link.pk), link.title) for link in links]
        self.fields["each"].label = _("Per kept compression") if work_round == Round.EDIT else _("Per kept rating")

    @property
    def rule(self) -> BonusRule:
        return BonusRule(self.cleaned_data["each"], self.cleaned_data["most"])


class MinutesForm(forms.Form):
    """How long participants of a round are told that it takes."""

    round = forms.ChoiceField(choices=[(each.value, each.label) for each in (Round.EDIT, Round.RATE)])
    minutes = forms.IntegerField(min_value=1, max_value=MOST_MINUTES)


def preview_query(parameters: FilterParameters) -> dict[str, str]:
    """Return the fields of FilterForm for these parameters."""
    return {
        "share": str(in_percent(parameters.share)),
        "min_items": str(parameters.min_items),
        "rater_quality": parameters.rater_quality.value,
        "order": parameters.order.value,
        "roles": parameters.roles.value,
    }


def preview_address(campaign: Campaign, parameters: FilterParameters) -> str:
    """Return the address of the preview of the worker filter with these parameters."""
    return f"{reverse('ratings:quality-preview', args=[campaign.slug])}?{urlencode(preview_query(parameters))}"


def late_work_notice(campaign: Campaign) -> ActionNotice | None:
    """Say what came after the worker filter was last applied, with a button that applies it again; None if nothing."""
    since = since_latest_run(campaign)
    if since is None:
        return None
    words = ngettext(
        "%(n)s rating was given after the worker filter was last applied.",
        "%(n)s ratings were given after the worker filter was last applied.",
        since.ratings,
    ) % {"n": f"{since.ratings:,}"}
    if since.raters:
        raters = ngettext(
            "%(n)s rater was not part of that run.", "%(n)s raters were not part of that run.", since.raters
        )
        words += " " + raters % {"n": f"{since.raters:,}"}
    address = reverse("ratings:quality-apply", args=[campaign.slug])
    return ActionNotice(words, _("Apply it again now"), address, preview_query(since.parameters))
