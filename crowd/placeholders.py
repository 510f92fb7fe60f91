"""Settings that guidelines, examples and consent name in braces, such as {percent}: people read their values.

A number that is typed into guidelines can differ from the rule that is enforced; one that is filled in cannot. The list
is closed. `{{` and `}}` are written for braces. Braces around anything else stay as they are: texts from before there
were placeholders may have them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.template.defaultfilters import pluralize

from common.errors import Refused
from crowd.models import Campaign, Round
from crowd.models.campaign import PayUnit
from crowd.models.settings_version import EDITORS_READ, PEOPLE_READ, RATERS_READ, plain_text

Settings = Mapping[str, Any]
AS_AGREED = "(as agreed)"
READ_IN: Mapping[str, tuple[Round, ...]] = {
    "consent": (Round.EDIT, Round.RATE, Round.EXPERT),
    **dict.fromkeys(EDITORS_READ, (Round.EDIT,)),
    **dict.fromkeys(RATERS_READ, (Round.RATE, Round.EXPERT)),
}
"""The rounds whose people read a text."""
_MARK = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}")
_BRACES = {"{{": "{", "}}": "}"}


@dataclass(frozen=True)
class Placeholder:
    """A name in braces. `words` returns what people of a round read in its place, or None while that is not set."""

    name: str
    meaning: str
    words: Callable[[Settings, str], str | None]
    reads: Mapping[str, tuple[str, ...]]

    @property
    def mark(self) -> str:
        return f"{{{self.name}}}"

    def missing(self, settings: Settings) -> list[str]:
        """Return the settings that it needs and that have no value."""
        names = {name for needed in self.reads.values() for name in needed}
        return sorted(name for name in names if settings.get(name) is None)


def money(amount: Decimal | str, currency: str) -> str:
    """Return an amount with its currency, such as "2.50 GBP"."""
    return f"{Decimal(amount):.2f} {currency}"


def _of(name: str) -> Callable[[Settings, str], str | None]:
    def words(settings: Settings, _work_round: str) -> str | None:
        value = settings.get(name)
        return None if value is None else str(value)

    return words


def _by_round(of_editors: str, of_raters: str, *, of_experts: str) -> Callable[[Settings, str], str | None]:
    def words(settings: Settings, work_round: str) -> str | None:
        if work_round == Round.EXPERT:
            return of_experts
        value = settings.get(of_editors if work_round == Round.EDIT else of_raters)
        return None if value is None else str(value)

    return words


def _percent(settings: Settings, _work_round: str) -> str | None:
    keep = settings.get("keep_percent")
    return None if keep is None else str(100 - keep)


def _pay(settings: Settings, work_round: str) -> str | None:
    if work_round == Round.EXPERT:
        return AS_AGREED
    role = "editor" if work_round == Round.EDIT else "rater"
    amount, currency = settings.get(f"{role}_pay"), settings.get("currency")
    if amount is None or currency is None:
        return None
    per_text = settings.get(f"{role}_pay_unit") == PayUnit.TEXT
    return f"{money(amount, currency)}{' per text' if per_text else ''}"


def _task(settings: Settings, work_round: str) -> str | None:
    if work_round == Round.EXPERT:
        return "rate shortened texts"
    number = settings.get("editor_tasks" if work_round == Round.EDIT else "rater_tasks")
    if number is None:
        return None
    what = "shorten up to {} short text{}" if work_round == Round.EDIT else "rate up to {} shortened text{}"
    return what.format(number, pluralize(number))


def _each(*of_editors: str, raters: tuple[str, ...] = ()) -> Mapping[str, tuple[str, ...]]:
    return {Round.EDIT: of_editors, Round.RATE: raters or of_editors}


_TASKS = _each("editor_tasks", raters=("rater_tasks",))
PLACEHOLDERS = {
    each.name: each
    for each in (
        Placeholder("percent", "how much shorter a text must be at least, in %", _percent, _each("keep_percent")),
        Placeholder(
            "keep_percent",
            "how long a text may be at most, in % of the original",
            _of("keep_percent"),
            _each("keep_percent"),
        ),
        Placeholder("task", "what the reader will do, such as “shorten up to 10 short texts”", _task, _TASKS),
        Placeholder(
            "texts",
            "how many texts the reader gets at most; for experts “all”",
            _by_round("editor_tasks", "rater_tasks", of_experts="all"),
            _TASKS,
        ),
        Placeholder(
            "minutes",
            f"how many minutes it takes; for experts “{AS_AGREED}”",
            _by_round("editor_minutes", "rater_minutes", of_experts=AS_AGREED),
            _each("editor_minutes", raters=("rater_minutes",)),
        ),
        Placeholder(
            "pay",
            f"what the reader is paid, such as “2.50 GBP” or “0.25 GBP per text”; for experts “{AS_AGREED}”",
            _pay,
            _each("editor_pay", "editor_pay_unit", "currency", raters=("rater_pay", "rater_pay_unit", "currency")),
        ),
        Placeholder(
            "tries", "how often raters may try the test", _of("qualification_tries"), _each("qualification_tries")
        ),
        Placeholder(
            "pass_percent",
            "how many answers of the test must be right, in %",
            _of("qualification_pass_percent"),
            _each("qualification_pass_percent"),
        ),
    )
}
NUMBERS = sorted({name for each in PLACEHOLDERS.values() for names in each.reads.values() for name in names})
"""The settings that are filled in."""


class PlaceholdersRefused(Refused):
    """Texts name what cannot be filled in; `faults` are the reasons, text by text."""

    def __init__(self, faults: Mapping[str, list[str]]) -> None:
        super().__init__(" ".join(reason for reasons in faults.values() for reason in reasons))
        self.faults = faults


def fill(text: str, settings: Settings, work_round: str) -> str:
    """Return a text as people of a round read it."""

    def words(match: re.Match[str]) -> str:
        placeholder = PLACEHOLDERS.get(match[1])
        value = placeholder.words(settings, work_round) if placeholder else None
        return _BRACES.get(match[0], match[0]) if value is None else value

    return _MARK.sub(words, text)


def numbers_of(campaign: Campaign) -> dict[str, Any]:
    """Return what is filled in, without the long texts, which a page of a participant may not have loaded."""
    return {name: getattr(campaign, name) for name in NUMBERS}


def faults_of(text: str, settings: Settings) -> list[str]:
    """Return why the placeholders of a text cannot be filled in, each reason once."""
    return list(dict.fromkeys([*_unknown(text), *_unset(text, settings)]))


def _names(text: str) -> Iterator[str]:
    yield from (match[1] for match in _MARK.finditer(text) if match[1])


def _unknown(text: str) -> Iterator[str]:
    known = ", ".join(each.mark for each in PLACEHOLDERS.values())
    for name in _names(text):
        if name not in PLACEHOLDERS:
            yield f"There is no placeholder {{{name}}}. You can use {known}, or write {{{{{name}}}}} for plain braces."


def _unset(text: str, settings: Settings) -> Iterator[str]:
    for name in _names(text):
        if name in PLACEHOLDERS and (missing := PLACEHOLDERS[name].missing(settings)):
            labels = " and ".join(f"“{_label(each)}”" for each in missing)
            yield f"{{{name}}} has no value yet: set {labels} first, or remove {{{name}}} from the text."


def _label(name: str) -> str:
    label = str(getattr(Campaign._meta.get_field(name), "verbose_name", name))
    return label[0].upper() + label[1:]


def placeholders_check(before: Settings, after: Settings) -> None:
    """Refuse texts that name what is not known or not set, unless it was so before and the text is the same."""
    faults = {}
    for name in PEOPLE_READ:
        text = after.get(name) or ""
        known = faults_of(text, before) if before.get(name) == text else []
        if found := [reason for reason in faults_of(text, after) if reason not in known]:
            faults[name] = found
    if faults:
        raise PlaceholdersRefused(faults)


def readings_changed(before: Settings, after: Settings) -> list[str]:
    """Return the names of the texts that people read differently, be it for their words or for what is filled in."""
    return [name for name in PEOPLE_READ if _readings(name, before) != _readings(name, after)]


def _readings(name: str, settings: Settings) -> list[str]:
    text = plain_text(settings.get(name) or "")
    return [fill(text, settings, work_round) for work_round in READ_IN[name]]


def placeholders_of(settings: Settings, rounds: Iterable[Round]) -> list[tuple[Placeholder, str]]:
    """Return every placeholder with what people of some rounds read in its place, for staff who write a text."""
    wanted = [each for each in rounds if each != Round.EXPERT]
    return [(each, _shown(each, settings, wanted)) for each in PLACEHOLDERS.values()]


def _shown(placeholder: Placeholder, settings: Settings, rounds: Iterable[Round]) -> str:
    values = [placeholder.words(settings, each) or "not set" for each in rounds]
    return " / ".join(dict.fromkeys(values))
