"""The form for a report on metrics against ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, get_args

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.typed_text import TypedTexts
from common.words import Words
from evaluation.models import EvaluationReport
from evaluation.page_words import choice_label
from evaluation.parameters import MAX_NEGATED, MAX_NUMBER, EvaluationParameters, Pool, parameters_of
from measures.meta_evaluation import Missing, OverPairs

DEFAULTS = EvaluationParameters()
NEGATED = "smaller_is_better"
FIRST = ("pool", "draws", "seed")
MAX_TYPED = 50_000


def _number(label: Words, name: str, least: int, help_text: Words = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=MAX_NUMBER[name],
        initial=getattr(DEFAULTS, name),
        required=False,
        help_text=help_text,
    )


def _share(label: Words, name: str, low: float, high: float, help_text: Words = "") -> forms.FloatField:
    return forms.FloatField(
        label=label,
        min_value=low,
        max_value=high,
        initial=getattr(DEFAULTS, name),
        required=False,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


def _choice(label: Words, choices: Sequence[str], help_text: Words = "") -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=[(each, choice_label(each)) for each in choices],
        required=False,
        help_text=help_text,
    )


class EvaluationForm(TypedTexts, forms.Form):
    """The parameters of a report; empty fields mean the defaults, which follow the papers where they state them."""

    pool = _choice(gettext_lazy("Hold metrics against the ratings of"), get_args(Pool))
    draws = _number(
        gettext_lazy("Draws"),
        "draws",
        1,
        gettext_lazy("How often systems and texts are drawn again for intervals and tests. 1,000 is usual."),
    )
    seed = _number(
        gettext_lazy("Seed"), "seed", 0, gettext_lazy("The same seed gives the same draws, and so the same numbers.")
    )
    missing = _choice(
        gettext_lazy("Compare two systems on"),
        get_args(Missing),
        gettext_lazy("Matters only where some outputs have no rating or no score."),
    )
    over_pairs = _choice(
        gettext_lazy("A metric’s correlations with all pairs of systems become one by"),
        get_args(OverPairs),
        gettext_lazy("The paper does not say how. The default is the plain mean."),
    )
    alpha = _share(
        gettext_lazy("Level of the tests"),
        "alpha",
        1e-6,
        0.5,
        gettext_lazy("A metric is better than another on a pair of systems if p is below this."),
    )
    share = _share(
        gettext_lazy("Share of pairs for dominance"),
        "share",
        0.51,
        1,
        gettext_lazy("A metric dominates another if it is better on this share of the pairs of systems."),
    )
    min_inputs = _number(
        gettext_lazy("Minimum texts per pair of systems"),
        "min_inputs",
        3,
        gettext_lazy("Pairs with fewer texts are left out of the agreement about significance."),
    )
    epsilon = forms.FloatField(
        label=gettext_lazy("Epsilon of the alternative annotator test"),
        min_value=0,
        max_value=1,
        required=False,
        help_text=gettext_lazy("What a rater costs more than a model. Empty: 0.1 for the crowd, 0.2 for experts."),
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    min_raters = _number(gettext_lazy("Minimum raters per output in that test"), "min_raters", 2)
    min_items = _number(gettext_lazy("Minimum outputs per rater in that test"), "min_items", 2)
    smaller_is_better = forms.CharField(
        label=gettext_lazy("Metrics whose small scores are good"),
        required=False,
        max_length=MAX_TYPED,
        help_text=gettext_lazy("One name per line. Their scores are negated. Only imported metrics can need this."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def clean_smaller_is_better(self) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(line.strip() for line in self.cleaned_data[NEGATED].splitlines() if line.strip()))
        if len(names) > MAX_NEGATED:
            raise forms.ValidationError(_("Please name %(most)s metrics or fewer.") % {"most": MAX_NEGATED})
        return names

    @property
    def parameters(self) -> EvaluationParameters:
        given = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        return EvaluationParameters(**given)

    @property
    def first_fields(self) -> list[BoundField]:
        return [self[name] for name in FIRST]

    @property
    def more_fields(self) -> list[BoundField]:
        """The fields that few need, folded on the page."""
        return [field for field in self if field.name not in FIRST]

    @property
    def has_more_errors(self) -> bool:
        return any(field.errors for field in self.more_fields)


def initial_of(report: EvaluationReport | None) -> dict[str, Any]:
    """Return what the form shows at first: the settings of the report on the page."""
    parameters = DEFAULTS if report is None else parameters_of(report.parameters)
    return {**asdict(parameters), NEGATED: "\n".join(parameters.smaller_is_better)}


def shown_parameters(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the parameters of a report with the labels of the form."""
    fields = EvaluationForm.base_fields
    return [
        (str(fields[name].label), _shown_value(name, value)) for name, value in parameters.items() if name in fields
    ]


def changed_settings(parameters: Mapping[str, Any]) -> list[str]:
    """Say which settings of a report are not the default ones."""
    usual = asdict(parameters_of({**asdict(DEFAULTS)}))
    return [
        _("%(setting)s: %(value)s") % {"setting": label, "value": value}
        for name in usual
        for label, value in shown_parameters({name: parameters.get(name, usual[name])})
        if value != _shown_value(name, usual[name])
    ]


def _shown_value(name: str, value: Any) -> str:
    if name == NEGATED:
        return ", ".join(value) or _("none")
    if value is None:
        return _("by whose ratings count")
    if isinstance(value, int):
        return str(value) if name == "seed" else f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else choice_label(str(value))
