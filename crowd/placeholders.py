"""Settings that guidelines, examples and consent name in braces, such as {percent}: people read their values.

A number that is typed into guidelines can differ from the rule that is enforced; one that is filled in cannot. The list
is closed. `{{` and `}}` are written for braces. Braces around anything else stay as they are: texts from before there
were placeholders may have them.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from common.errors import Refused
from common.words import Words
from crowd.models import Campaign, Round
from crowd.models.campaign import EditorTask, PayUnit
from crowd.models.setting_words import label_of
from crowd.placeholder_words import ALL, AS_AGREED, per_text, task_of_editors, task_of_fusers
from crowd.tasks import task_of

Settings = Mapping[str, Any]
_MARK = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}")
_BRACES = {"{{": "{", "}}": "}"}


@dataclass(frozen=True)
class Placeholder:
    """A name in braces. `words` returns what people of a round read in its place, or None while that is not set."""

    name: str
    meaning: Words
    words: Callable[[Settings, str], str | None]
    reads: Mapping[str, tuple[str, ...]]

    @property
    def mark(self) -> str:
        return f"{{{self.name}}}"

    def missing(self, settings: Settings, rounds: Collection[str]) -> list[str]:
        """Return the settings that it needs in some rounds and that have no value."""
        names = {name for work_round in rounds for name in self.reads.get(work_round, ())}
        return sorted(name for name in names if settings.get(name) is None)


def money(amount: Decimal | str, currency: str) -> str:
    """Return an amount with its currency, such as "2.50 GBP"."""
    return f"{Decimal(amount):.2f} {currency}"


def _of(name: str) -> Callable[[Settings, str], str | None]:
    def words(settings: Settings, _work_round: str) -> str | None:
        value = settings.get(name)
        return None if value is None else str(value)

    return words


def _by_round(of_editors: str, of_raters: str, *, of_experts: Words) -> Callable[[Settings, str], str | None]:
    def words(settings: Settings, work_round: str) -> str | None:
        if work_round == Round.EXPERT:
            return str(of_experts)
        value = settings.get(of_editors if work_round == Round.EDIT else of_raters)
        return None if value is None else str(value)

    return words


def _percent(settings: Settings, _work_round: str) -> str | None:
    keep = settings.get("keep_percent")
    return None if keep is None else str(100 - keep)


def _pay(settings: Settings, work_round: str) -> str | None:
    if work_round == Round.EXPERT:
        return str(AS_AGREED)
    role = "editor" if work_round == Round.EDIT else "rater"
    amount, currency = settings.get(f"{role}_pay"), settings.get("currency")
    if amount is None or currency is None:
        return None
    is_per_text = settings.get(f"{role}_pay_unit") == PayUnit.TEXT
    paid = money(amount, currency)
    return per_text(paid) if is_per_text else paid


def _task(settings: Settings, work_round: str) -> str | None:
    task = task_of(settings.get("rating_task"))
    if work_round == Round.EXPERT:
        return str(task.words_in(work_round).agreed_of_experts)
    is_editor = work_round == Round.EDIT
    number = settings.get("editor_tasks" if is_editor else "rater_tasks")
    if number is None:
        return None
    if not is_editor or work_round in task.rounds:
        words = task.words_in(work_round).agreed
    else:
        words = task_of_fusers if settings.get("editor_task") == EditorTask.FUSE else task_of_editors
    return words(number) % {"n": number}


def _each(*of_editors: str, raters: tuple[str, ...] = ()) -> Mapping[str, tuple[str, ...]]:
    return {Round.EDIT: of_editors, Round.RATE: raters or of_editors}


_TASKS = _each("editor_tasks", raters=("rater_tasks",))
PLACEHOLDERS = {
    each.name: each
    for each in (
        Placeholder(
            "percent", _("the minimum by which a text must be shortened, in %"), _percent, _each("keep_percent")
        ),
        Placeholder(
            "keep_percent",
            _("the maximum length of a shortened text, in % of the original"),
            _of("keep_percent"),
            _each("keep_percent"),
        ),
        Placeholder("task", _("what the reader will do, such as “shorten up to 10 short texts”"), _task, _TASKS),
        Placeholder(
            "texts",
            _("the maximum number of texts for the reader; for experts “all”"),
            _by_round("editor_tasks", "rater_tasks", of_experts=ALL),
            _TASKS,
        ),
        Placeholder(
            "minutes",
            _("how many minutes it takes; for experts “(as agreed)”"),
            _by_round("editor_minutes", "rater_minutes", of_experts=AS_AGREED),
            _each("editor_minutes", raters=("rater_minutes",)),
        ),
        Placeholder(
            "pay",
            _("what the reader is paid, such as “2.50 GBP” or “0.25 GBP per text”; for experts “(as agreed)”"),
            _pay,
            _each("editor_pay", "editor_pay_unit", "currency", raters=("rater_pay", "rater_pay_unit", "currency")),
        ),
        Placeholder(
            "tries",
            _("how many attempts at the test raters have"),
            _of("qualification_tries"),
            _each("qualification_tries"),
        ),
        Placeholder(
            "pass_percent",
            _("the share of right answers needed to pass the test, in %"),
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


def faults_of(text: str, settings: Settings, rounds: Collection[str]) -> list[str]:
    """Return why the placeholders of a text cannot be filled in for people of some rounds, each reason once."""
    return list(dict.fromkeys([*_unknown(text), *_unset(text, settings, rounds)]))


def names_in(text: str) -> Iterator[str]:
    """Yield what stands in single braces and looks like the name of a placeholder."""
    yield from (match[1] for match in _MARK.finditer(text) if match[1])


def _unknown(text: str) -> Iterator[str]:
    known = ", ".join(each.mark for each in PLACEHOLDERS.values())
    for name in names_in(text):
        if name not in PLACEHOLDERS:
            words = gettext(
                "There is no placeholder {%(name)s}. You can use %(known)s, or write {{%(name)s}} for plain braces."
            )
            yield words % {"name": name, "known": known}


def _unset(text: str, settings: Settings, rounds: Collection[str]) -> Iterator[str]:
    for name in names_in(text):
        if name in PLACEHOLDERS and (missing := PLACEHOLDERS[name].missing(settings, rounds)):
            labels = ", ".join(f"“{capfirst(label_of(each))}”" for each in missing)
            words = gettext("{%(name)s} has no value yet: set %(settings)s first, or remove {%(name)s} from the text.")
            yield words % {"name": name, "settings": labels}


def placeholders_of(settings: Settings, rounds: Iterable[Round]) -> list[tuple[Placeholder, str]]:
    """Return every placeholder with what people of some rounds read in its place, for staff who write a text."""
    wanted = [each for each in rounds if each != Round.EXPERT]
    return [(each, _shown(each, settings, wanted)) for each in PLACEHOLDERS.values()]


def _shown(placeholder: Placeholder, settings: Settings, rounds: Iterable[Round]) -> str:
    values = [placeholder.words(settings, each) or gettext("not set") for each in rounds]
    return " / ".join(dict.fromkeys(values))
