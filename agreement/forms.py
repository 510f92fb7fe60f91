"""What staff may ask of a report."""

from collections.abc import Mapping
from typing import Any, get_args

from django import forms

from agreement.parameters import ReportParameters
from agreement.planning import DEFAULT_RATERS
from measures.cohen import Weights
from measures.pairs import Rounding

DEFAULTS = ReportParameters()
MOST_DRAWS = 1_000_000
MOST_NUMBERS = 8


def _number(label: str, initial: int, least: int = 1, most: int = MOST_DRAWS) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, initial=initial, required=False)


class ReportForm(forms.Form):
    """The parameters of a report; empty fields are the defaults."""

    draws = _number("simulated pairs of raters", DEFAULTS.draws, most=100_000)
    replications = _number("bootstrap replications of experts", DEFAULTS.replications)
    alpha_replications = _number("bootstrap replications of coefficients", DEFAULTS.alpha_replications, most=100_000)
    seed = _number("seed", DEFAULTS.seed, least=0, most=2**31 - 1)
    rounding = forms.ChoiceField(
        label="means half-way between two points go",
        choices=[(each.value, each.value) for each in Rounding],
        required=False,
    )
    weights = forms.ChoiceField(
        label="weights of kappa", choices=[(each, each) for each in get_args(Weights)], required=False
    )

    @property
    def parameters(self) -> ReportParameters:
        given = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        if "rounding" in given:
            given["rounding"] = Rounding(given["rounding"])
        return ReportParameters(**given)


def spelled(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The parameters of a result, named as in the form."""
    return [(str(field.label), _spelled(name, parameters[name])) for name, field in ReportForm.base_fields.items()]


def _spelled(name: str, value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and name != "seed" else str(value)


class PlanForm(forms.Form):
    """Numbers parted by commas; empty fields are the defaults."""

    raters = forms.CharField(
        label="ratings of a text", max_length=60, required=False, help_text="Such as 3, 4, 5. Empty: 3, 4, 5, 7, 10."
    )
    texts = forms.CharField(
        label="texts", max_length=60, required=False, help_text="Empty: as many as there are, twice, four times."
    )

    def clean_raters(self) -> list[int]:
        return _numbers(self.cleaned_data["raters"], least=2, most=20) or list(DEFAULT_RATERS)

    def clean_texts(self) -> list[int]:
        return _numbers(self.cleaned_data["texts"], least=1, most=10_000_000)


def _numbers(text: str, *, least: int, most: int) -> list[int]:
    try:
        numbers = [int(part) for part in text.replace(";", ",").split(",") if part.strip()]
    except ValueError as error:
        raise forms.ValidationError("Please give whole numbers parted by commas, such as 3, 4, 5.") from error
    if len(numbers) > MOST_NUMBERS or any(not least <= number <= most for number in numbers):
        raise forms.ValidationError(f"Please give at most {MOST_NUMBERS} numbers from {least} to {most}.")
    return numbers
