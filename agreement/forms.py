"""The form for rating plans."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from agreement.planning.campaign_prices import StatedPrices, where_from
from agreement.planning.plans import DEFAULT_RATERS, MAX_PRICE, RATERS, TEXTS, Prices, plan_numbers
from common.typed_text import TypedTexts
from common.words import Words
from crowd.models import Campaign


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
