"""The parameters of a report, each declared once: its default, its bounds, and its words for page, API and command."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from enum import Enum
from http import HTTPStatus
from typing import Any, Self, get_args

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from common.api.operations import Body
from common.typed_text import TypedTexts, marks_validate
from common.words import Words

MAX_TYPED, MAX_NAME = 50_000, 200
MAX_SEED = 2**31 - 1
KEY = "parameter"


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """What is known of a parameter beside its name and its default.

    `label` and `hint` are of the page, `api` is what the API's description says, `option` what the command's help says.
    A number is at least `least` and at most `most`; where a bound is not part of what is allowed, it is `above`, and
    `least` is what may be typed. `choices` are what may be chosen, by the value that is kept; `labels` are what a page
    calls them. `most_names` makes it a list of names. `none` is shown for no value; `is_folded` hides the
    field behind "More settings".
    """

    label: Words
    api: str
    option: str
    hint: Words = ""
    least: float | None = None
    most: float | None = None
    above: float | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, Words] = field(default_factory=dict)
    most_names: int = 0
    none: Words = ""
    is_count: bool = True
    is_folded: bool = False


def number(default: int, *, least: int, most: int, **words: Any) -> Any:
    """Return the field of a whole number."""
    return field(default=default, metadata={KEY: Parameter(least=least, most=most, **words)})


def draws(option: str, label: Words = "") -> Any:
    """Return the field of how often something is drawn, behind "More settings"."""
    api = f"{option[0].upper()}{option[1:]}."
    return number(
        10_000, least=100, most=50_000, label=label or gettext_lazy("Draws"), api=api, option=option, is_folded=True
    )


def seed(default: int = 2016, **words: Any) -> Any:
    """Return the field of a seed, which is no count of anything."""
    usual = {"label": gettext_lazy("Seed"), "api": "The same seed draws the same.", "option": "seed of the draws"}
    return number(default, least=0, most=MAX_SEED, is_count=False, **{**usual, **words})


def real(default: float | None, *, least: float, most: float, above: float | None = None, **words: Any) -> Any:
    """Return the field of a number that need not be whole; None is a value if it is the default."""
    return field(default=default, metadata={KEY: Parameter(least=least, most=most, above=above, **words)})


def choice(default: Any, known: Any, **words: Any) -> Any:
    """Return the field of a choice among the values of a Literal or an Enum."""
    is_enum = isinstance(known, type) and issubclass(known, Enum)
    choices = {each.value: each for each in known} if is_enum else {each: each for each in get_args(known)}
    return field(default=default, metadata={KEY: Parameter(choices=choices, **words)})


def switch(**words: Any) -> Any:
    """Return the field of something that is off unless it is asked for."""
    return field(default=False, metadata={KEY: Parameter(**words)})


def names(*, most: int, **words: Any) -> Any:
    """Return the field of a list of names, which is empty unless some are given."""
    return field(default=(), metadata={KEY: Parameter(most_names=most, **words)})


@dataclass(frozen=True)
class ReportParameters:
    """The base of the parameters of a kind of report.

    Raises
    ------
    ValueError
        If a value is none that its parameter may have.
    """

    def __post_init__(self) -> None:
        for name, _default, parameter in declared(type(self)):
            _check(name, getattr(self, name), parameter)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Return parameters from what was stored, typed or sent; what is unknown, missing or empty is left out."""
        known = {name: parameter for name, _default, parameter in declared(cls)}
        filled = {name: each for name, each in given.items() if name in known and each not in (None, "")}
        return cls(**{name: _read(each, known[name]) for name, each in filled.items()})


@dataclass(frozen=True)
class Attachment:
    """What is sent with the parameters and kept apart from them, such as a list of words."""

    text: str = ""


NOTHING = Attachment()
Declared = tuple[str, Any, Parameter]


def declared(parameters: type[ReportParameters]) -> list[Declared]:
    """Return each parameter with its name and its default, in the order in which pages and programs list them."""
    return [(each.name, each.default, each.metadata[KEY]) for each in _fields(parameters)]


def _fields(parameters: type[ReportParameters]) -> Sequence[Field[Any]]:
    return fields(parameters)


def _check(name: str, value: Any, parameter: Parameter) -> None:
    said = name.replace("_", " ")
    if parameter.choices:
        known = parameter.choices.get(str(value))
        if value != known or type(value) is not type(known):  # a plain string equals its StrEnum, and is none
            raise ValueError(f"{said} must be one of {', '.join(parameter.choices)}, not {value!r}")
    elif parameter.most_names:
        if len(value) > parameter.most_names:
            raise ValueError(f"{said} must have at most {parameter.most_names} names")
    elif value is not None and parameter.most is not None:
        _check_bounds(said, value, parameter)


def _check_bounds(said: str, value: float, parameter: Parameter) -> None:
    least, above, most = parameter.least or 0, parameter.above, parameter.most or 0
    if above is not None and not above < value <= most:
        raise ValueError(f"{said} must be more than {above} and at most {most}, not {value}")
    if above is None and not least <= value <= most:
        raise ValueError(f"{said} must be from {least:,} to {most:,}, not {value}")


def _read(value: Any, parameter: Parameter) -> Any:
    if parameter.choices:
        return parameter.choices.get(value, value)
    return tuple(value) if parameter.most_names else value


# What pages show


def shown(parameters: type[ReportParameters], stored: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the parameters of a report with the labels of the form."""
    return [
        (str(parameter.label), _shown(stored[name], parameter))
        for name, _default, parameter in declared(parameters)
        if name in stored
    ]


def changed(parameters: type[ReportParameters], stored: Mapping[str, Any]) -> list[str]:
    """Say which parameters of a report are not the default ones."""
    return [
        _("%(setting)s: %(value)s") % {"setting": parameter.label, "value": _shown(stored[name], parameter)}
        for name, default, parameter in declared(parameters)
        if name in stored and _shown(stored[name], parameter) != _shown(default, parameter)
    ]


def _shown(value: Any, parameter: Parameter) -> str:
    if parameter.most_names:
        return ", ".join(value) or str(parameter.none)
    if value is None:
        return str(parameter.none)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return f"{value:,}" if parameter.is_count else str(value)
    if isinstance(value, float):
        return f"{value:g}"
    kept = str(_plain(value))
    return str(parameter.labels.get(kept, kept))


class ReportForm(TypedTexts, forms.Form):
    """The parameters of a report; empty fields mean the defaults."""

    def __init__(self, *args: Any, known: type[ReportParameters], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = known
        self.fields |= {name: _form_field(default, each) for name, default, each in declared(known)}

    @property
    def parameters(self) -> ReportParameters:
        return self.known.of(self.cleaned_data)

    @property
    def attached(self) -> Attachment:
        return NOTHING

    @property
    def refusal_status(self) -> HTTPStatus:
        """The HTTP status of the page that shows the form's errors."""
        return HTTPStatus.UNPROCESSABLE_ENTITY

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [self[name] for name, default, each in self._shown if default is not False and not each.is_folded]

    @property
    def switches(self) -> list[forms.BoundField]:
        return [self[name] for name, default, _parameter in self._shown if default is False]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """The fields that few need, folded on the page."""
        return [self[name] for name, _default, parameter in self._shown if parameter.is_folded]

    @property
    def has_more_errors(self) -> bool:
        return any(field.errors for field in self.more_fields)

    @property
    def _shown(self) -> list[Declared]:
        return [each for each in declared(self.known) if each[0] in self.fields]


class NamesField(forms.CharField):
    """Names, one a line; each counts once."""

    widget = forms.Textarea(attrs={"rows": 3})

    def __init__(self, *, most: int, **options: Any) -> None:
        super().__init__(max_length=MAX_TYPED, validators=[marks_validate], **options)
        self.most = most

    def prepare_value(self, value: Any) -> Any:
        return value if value is None or isinstance(value, str) else "\n".join(value)

    def clean(self, value: Any) -> Any:
        found = tuple(dict.fromkeys(line.strip() for line in super().clean(value).splitlines() if line.strip()))
        if len(found) > self.most:
            raise forms.ValidationError(_("Give %(most)s names or fewer.") % {"most": self.most})
        return found


def _form_field(default: Any, parameter: Parameter) -> forms.Field:
    shared: dict[str, Any] = {"label": parameter.label, "help_text": parameter.hint, "required": False}
    if parameter.choices:
        choices = [(each, parameter.labels.get(each, each)) for each in parameter.choices]
        return forms.ChoiceField(choices=choices, **shared)
    if parameter.most_names:
        return NamesField(most=parameter.most_names, **shared)
    if isinstance(default, bool):
        return forms.BooleanField(**shared)
    bounds: dict[str, Any] = {"min_value": parameter.least, "max_value": parameter.most, "initial": default}
    if isinstance(default, int):
        return forms.IntegerField(**bounds, **shared)
    return forms.FloatField(widget=forms.NumberInput(attrs={"step": "any"}), **bounds, **shared)


# What programs send

ApiField = serializers.Field[Any, Any, Any, Any]


def body_of(parameters: type[ReportParameters], name: str, words: str, **more: ApiField) -> Any:
    """Return the class of a body with a field for each parameter, and those in `more`."""
    sent = {each: _body_field(default, parameter) for each, default, parameter in declared(parameters)}
    return serializers.SerializerMetaclass(name, (Body,), {**sent, **more, "__doc__": words})


def _body_field(default: Any, parameter: Parameter) -> ApiField:
    if parameter.choices:
        return serializers.ChoiceField(list(parameter.choices), default=_plain(default), help_text=parameter.api)
    if parameter.most_names:
        name = serializers.CharField(max_length=MAX_NAME)
        most = parameter.most_names
        return serializers.ListField(child=name, default=list, max_length=most, help_text=parameter.api)
    if isinstance(default, bool):
        return serializers.BooleanField(default=default, help_text=parameter.api)
    shared: dict[str, Any] = {"default": default, "help_text": parameter.api}
    bounds: dict[str, Any] = {"min_value": parameter.least, "max_value": parameter.most}
    if isinstance(default, int):
        return serializers.IntegerField(**bounds, **shared)
    return serializers.FloatField(allow_null=default is None, **bounds, **shared)


# What the command takes


def add_options(parser: ArgumentParser, parameters: type[ReportParameters]) -> None:
    """Add an option for each parameter."""
    for name, default, parameter in declared(parameters):
        flag, usual = f"--{name.replace('_', '-')}", _plain(default)
        if parameter.most_names:
            parser.add_argument(flag, action="append", default=[], metavar="NAME", help=parameter.option)
        elif isinstance(default, bool):
            parser.add_argument(flag, action="store_true", help=f"{parameter.option} (default: no)")
        elif parameter.choices:
            words = f"{parameter.option} (default: {usual})"
            parser.add_argument(flag, choices=list(parameter.choices), default=usual, help=words)
        else:
            told = "" if default is None else f" (default: {_shown(default, parameter)})"
            kind = int if isinstance(default, int) else float
            parser.add_argument(flag, type=kind, default=default, help=parameter.option + told)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
