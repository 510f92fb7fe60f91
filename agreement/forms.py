"""The forms for agreement reports and for rating plans."""

from collections.abc import Mapping
from typing import Any, get_args

from django import forms
from django.utils.translation import gettext_lazy

from agreement.parameters import MAX_NUMBER, ReportParameters
from agreement.planning.campaign_prices import StatedPrices, where_from
from agreement.planning.plans import DEFAULT_RATERS, MAX_PRICE, RATERS, TEXTS, Prices, plan_numbers
from common.typed_text import TypedTexts
from common.words import Words
from crowd.models import Campaign
from measures.agreement.cohen import Weights
from measures.agreement.mean_rounding import Rounding


def _number(label: Words, name: str, min_value: int = 1) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=min_value,
        max_value=MAX_NUMBER[name],
        initial=getattr(ReportParameters(), name),
        required=False,
    )


class ReportForm(forms.Form):
    """The parameters of a report; empty fields mean the defaults."""

    draws = _number(gettext_lazy("Simulated pairs of raters"), "draws")
    replications = _number(gettext_lazy("Bootstrap replications of the paper’s intervals"), "replications")
    seed = _number(gettext_lazy("Seed"), "seed", min_value=0)
    rounding = forms.ChoiceField(
        label=gettext_lazy("Rounding of means half-way between two points"),
        choices=[(each.value, each.value) for each in Rounding],
        required=False,
    )
    weights = forms.ChoiceField(
        label=gettext_lazy("Weights of kappa"), choices=[(each, each) for each in get_args(Weights)], required=False
    )

    @property
    def parameters(self) -> ReportParameters:
        given = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        if "rounding" in given:
            given["rounding"] = Rounding(given["rounding"])
        return ReportParameters(**given)


def display_parameters(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the parameters of a result with the labels of the form."""
    return [
        (str(field.label), _display_value(name, parameters[name])) for name, field in ReportForm.base_fields.items()
    ]


def _display_value(name: str, value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and name != "seed" else str(value)


def _price(label: Words) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        min_value=0,
        max_value=MAX_PRICE,
        decimal_places=4,
        required=False,
        help_text=gettext_lazy("In any currency."),
    )


class PlanForm(TypedTexts, forms.Form):
    """Comma-separated numbers; empty fields mean the defaults."""

    raters = forms.CharField(
        label=gettext_lazy("Ratings per text"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("Numbers separated by commas. If empty: 3, 4, 5, 7, 10."),
    )
    texts = forms.CharField(
        label=gettext_lazy("Texts"),
        max_length=60,
        required=False,
        help_text=gettext_lazy(
            "Numbers separated by commas. If empty: the number so far, twice that and four times that."
        ),
    )
    price_per_rating = _price(gettext_lazy("Price per rating"))
    price_per_compression = _price(gettext_lazy("Price per compression"))

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stated = StatedPrices.of(campaign)
        for name, pay in (("price_per_rating", self.stated.raters), ("price_per_compression", self.stated.editors)):
            self.fields[name].help_text = where_from(pay) or self.fields[name].help_text

    @property
    def prices(self) -> Prices:
        typed = (self.cleaned_data[name] for name in ("price_per_rating", "price_per_compression"))
        return self.stated.or_else(*typed)

    @property
    def as_typed(self) -> dict[str, str]:
        """The fields of this valid form as they were typed, without those left empty."""
        return {name: self.data[name] for name in self.fields if self.data.get(name)}

    def clean_raters(self) -> list[int]:
        return _numbers(self.cleaned_data["raters"], RATERS) or list(DEFAULT_RATERS)

    def clean_texts(self) -> list[int]:
        return _numbers(self.cleaned_data["texts"], TEXTS)


def _numbers(text: str, allowed: range) -> list[int]:
    try:
        return plan_numbers(text, allowed)
    except ValueError as error:
        raise forms.ValidationError(str(error)) from error
