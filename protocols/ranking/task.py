"""The task of ranking: all texts made from two sentences, put in order by numbers; ties are allowed."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, TypeGuard

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import AskedOnce
from measures.experiments import dense_ranks
from protocols.fusions import FusionTask
from protocols.ranking.material import FILE_HELP, expected_of, set_of
from protocols.services.fusions import FusedPair
from protocols.task import Answer, AnswerRefused, MaterialRow, Settings, Subject

MOST_DIGITS = 4
SPREAD, TIE = 0.5, 0.15
"""Of simulated people: how far texts of a system differ, and the width of the steps within which they tie."""


@dataclass(frozen=True)
class ShownText:
    """A text at its place on the page, from 1; only its letter names it."""

    place: int
    text: str

    @property
    def letter(self) -> str:
        return letter_of(self.place)

    @property
    def field(self) -> str:
        return field_of(self.place)


def letter_of(place: int) -> str:
    return ascii_uppercase[place - 1]


def field_of(place: int) -> str:
    return f"rank-{place}"


class Ranking(FusionTask):
    """`given` and `ranks` of an answer are in the order of the file, `order` has the texts as they were shown."""

    key = "ranking"
    template = "protocols/ranking/task.html"
    columns = ("id", "sentences", "hypotheses")
    optional = ("reference", "language", "expected")
    file_help = FILE_HELP

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        del settings
        body = set_of(fields)
        given = expected_of(fields["expected"], body) if fields.get("expected") else None
        return MaterialRow(str(fields["id"]), body, expected=_answer(given) if given else None)

    def lines_of(self, pair: FusedPair) -> Iterator[dict[str, Any]]:
        yield {"id": pair.name, "sentences": list(pair.sentences), "hypotheses": [vars(each) for each in pair.texts]}

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        del settings
        texts = [each["text"] for each in subject.body["hypotheses"]]
        order = _order(subject)
        return {
            "sentences": subject.body["sentences"],
            "texts": [ShownText(place, texts[index]) for place, index in enumerate(order, start=1)],
            "order": order,
            "text_language": subject.body.get("language", ""),
        }

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        del settings
        order = _order(subject)
        typed = [posted.get(field_of(place), "").strip() for place in range(1, len(order) + 1)]
        if problems := list(_problems(typed)):
            raise AnswerRefused(problems)
        given = [0] * len(order)
        for index, number in zip(order, typed, strict=True):
            given[index] = int(number)
        if len(set(given)) == 1 and posted.get("confirmed") != "1":
            raise AskedOnce(_("All texts have the same rank. If that is what you mean, submit it once more."))
        return _answer(given) | {"order": order}

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        del settings
        texts, given, order = len(subject.body["hypotheses"]), answer.get("given"), answer.get("order")
        if (
            not (_are_numbers(given, texts) and _are_numbers(order, texts))
            or sorted(order) != list(range(texts))
            or not all(1 <= each <= texts for each in given)
            or answer != _answer(given) | {"order": order}
        ):
            raise AnswerRefused([(field_of(1), _("These ranks are of other texts. Open the page again."))])

    def fields(self, answer: Answer, subject: Subject) -> dict[str, str]:
        return {field_of(place): str(answer["given"][index]) for place, index in enumerate(_order(subject), start=1)}

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        said = (f"{letter_of(place)}: {answer['given'][index]}" for place, index in enumerate(answer["order"], start=1))
        return " ".join(subject.body["sentences"]), ", ".join(said)

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        """Return ranks by a quality from 0 to 1 that is drawn from the first name of each text.

        Texts of a system differ by normal noise with a standard deviation of `SPREAD` / 4, drawn once for all people. A
        person adds noise of their own with one of 0.05 + 0.5 (1 - skill), and ties texts within a step of `TIE`.
        """
        del settings
        seen = []
        for each in subject.body["hypotheses"]:
            name = each["names"][0]
            quality = random.Random(f"quality:{name}").random()
            quality += random.Random(f"text:{subject.name}:{name}").gauss(0, SPREAD / 4)
            seen.append(round(-(quality + rng.gauss(0, 0.05 + 0.5 * (1 - skill))) / TIE))
        return _answer([int(rank) for rank in dense_ranks(seen)]) | {"order": _order(subject)}


def _order(subject: Subject) -> list[int]:
    """Return the texts by their places in the file, in the order in which this person is shown them."""
    order = list(range(len(subject.body["hypotheses"])))
    subject.drawn().shuffle(order)
    return order


def _answer(given: Sequence[int]) -> Answer:
    return {"given": list(given), "ranks": [int(rank) for rank in dense_ranks(given)]}


def _are_numbers(value: object, length: int) -> TypeGuard[list[int]]:
    return isinstance(value, list) and len(value) == length and all(type(each) is int for each in value)


def _problems(typed: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the ranks as they were typed, in the order of the page."""
    missing = [place for place, number in enumerate(typed, start=1) if not number]
    if missing:
        words = ngettext(
            "Text %(letters)s has no rank yet.", "These texts have no rank yet: %(letters)s.", len(missing)
        )
        yield field_of(missing[0]), words % {"letters": ", ".join(map(letter_of, missing))}
    for place, number in enumerate(typed, start=1):
        if number and not (number.isdecimal() and len(number) <= MOST_DIGITS and 1 <= int(number) <= len(typed)):
            words = _("Text %(letter)s: the rank is a whole number from 1 to %(most)s.")
            yield field_of(place), words % {"letter": letter_of(place), "most": len(typed)}


TASK = Ranking()
