"""Three tasks on content: facts looked for in a text, units marked in several texts, and units looked for in a text."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeGuard

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from protocols.content_units.forms import (
    ANSWER,
    FURTHER,
    field_of,
    further_of,
    has_unit,
    is_further,
    page_data,
    parts_sent,
    quoted,
    units_sent,
)
from protocols.content_units.material import (
    ABSENT,
    BROKEN,
    FACTOIDS_HELP,
    MOST_FURTHER,
    PEER_HELP,
    PRESENT,
    REFERENCE,
    SAID,
    expected_facts,
    expected_peer,
    facts_body,
    is_given,
    name_of,
    peer_body,
)
from protocols.content_units.references import MOST_NAMED, ContentUnits
from protocols.content_units.simulation import simulated_facts, simulated_parts
from protocols.task import Answer, AnswerRefused, MaterialRow, Settings, StudyTask, Subject


@dataclass(frozen=True)
class ShownUnit:
    """A fact or unit on the page, with its place there. Its field is named by its place in the file."""

    place: int
    id: str
    text: str
    field: str


class UnitsOfOneText(StudyTask):
    """What the tasks share in which people say which units a text has: `factoids` and `peer`."""

    optional: ClassVar[Sequence[str]] = ("system", "language", "expected")

    def unfit(self, row: MaterialRow, others: Mapping[str, Mapping[str, Any]]) -> str:
        other = others.get(self.key, row.body)
        differing = [name for name in ("source", "units", "references") if row.body.get(name) != other.get(name)]
        return f"another line of this id has other {differing[0]}" if differing else ""

    def units_shown(self, subject: Subject) -> list[ShownUnit]:
        """Return the units in the order of the page."""
        units = subject.body["units"]
        order = self.order(subject)
        return [
            ShownUnit(place, units[each]["id"], units[each]["text"], field_of(each))
            for place, each in enumerate(order, start=1)
        ]

    def order(self, subject: Subject) -> list[int]:
        return list(range(len(subject.body["units"])))

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        del settings
        return {
            "source": subject.body.get("source", []),
            "output": subject.body["output"],
            "units": self.units_shown(subject),
            "text_language": subject.body.get("language", ""),
            "most_further": MOST_FURTHER,
        }

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        has = sum(has_unit(each) for each in answer["units"].values())
        words = _("%(n)s of %(all)s; further: %(further)s")
        return subject.body["output"], words % {"n": has, "all": len(answer["units"]), "further": answer["further"]}


class Factoids(UnitsOfOneText):
    """`units` of an answer has, by the id of each fact, whether the text has it; `further` counts what it adds."""

    key = "factoids"
    template = "protocols/content_units/facts.html"
    columns = ("id", "source", "output", "facts")
    optional = ("system", "kind", "language", "expected")
    file_help = FACTOIDS_HELP

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        del settings
        body = facts_body(fields)
        system = fields.get("system") or (REFERENCE if body["kind"] == REFERENCE else "")
        expected = expected_facts(fields["expected"], body) if is_given(fields, "expected") else None
        return MaterialRow(name_of(fields["id"], "id"), body, system=_system(system), expected=expected)

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        given = [posted.get(field_of(place), "") for place in range(len(subject.body["units"]))]
        missing = [place for place, said in enumerate(given) if said not in SAID]
        problems = []
        if missing:
            words = ngettext("Fact %(which)s is not answered yet.", "Not answered yet: facts %(which)s.", len(missing))
            which = ", ".join(str(place + 1) for place in missing[:MOST_NAMED]) + ("…" if missing[MOST_NAMED:] else "")
            problems.append((f"{field_of(missing[0])}-yes", words % {"which": which}))
        further, problem = further_of(posted, _("Say how many facts the text adds, 0 to %(most)s."))
        if problems := [*problems, *problem]:
            raise AnswerRefused(problems)
        units = {each["id"]: said for each, said in zip(subject.body["units"], given, strict=True)}
        answer = {"units": units, "further": further}
        self.check(answer, subject, settings)
        return answer

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        del settings
        units = answer.get("units")
        if not _is_of(units, subject) or not all(each in SAID for each in units.values()) or not is_further(answer):
            raise AnswerRefused([(FURTHER, _("This answer is of another text. Open the page again."))])

    def fields(self, answer: Answer, subject: Subject) -> dict[str, str]:
        units = {field_of(place): answer["units"][each["id"]] for place, each in enumerate(subject.body["units"])}
        return units | {FURTHER: str(answer["further"])}

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        del settings
        has, further = simulated_facts(subject, skill, rng)
        said = {each: PRESENT if there else BROKEN if rng.random() < 0.05 else ABSENT for each, there in has.items()}
        return {"units": said, "further": further}


class Peer(UnitsOfOneText):
    """`units` of an answer has, by the id of each unit, the parts of the text that express it; `order` as shown."""

    key = "peer"
    template = "protocols/content_units/marking.html"
    columns = ("id", "output", "units")
    optional = ("references", "system", "pyramid", "language", "expected")
    file_help = PEER_HELP

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        del settings
        body = peer_body(fields)
        expected = expected_peer(fields["expected"], body) if is_given(fields, "expected") else None
        names = {"system": _system(fields.get("system") or ""), "condition": _system(fields.get("pyramid") or "")}
        return MaterialRow(name_of(fields["id"], "id"), body, expected=expected, **names)

    def order(self, subject: Subject) -> list[int]:
        """Return an order that is drawn, since that of the file may follow the weights."""
        order = super().order(subject)
        subject.drawn().shuffle(order)
        return order

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        shown = super().shown(subject, settings)
        units = [{"id": each.id, "label": each.text} for each in shown["units"]]
        return {**shown, **page_data([("", 0, subject.body["output"])], units, shown["text_language"])}

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        further, problems = further_of(posted, _("Say how many further statements the text has, 0 to %(most)s."))
        texts, found = [subject.body["output"]], {}
        for each in units_sent(posted):
            parts = parts_sent(each, texts)
            if parts or each.get("none") is True:
                found[str(each.get("id"))] = parts
        units = {each["id"]: found[each["id"]] for each in subject.body["units"] if each["id"] in found}
        if missing := len(subject.body["units"]) - len(units):
            words = ngettext(
                "%(n)s statement is open: mark its words, or say that it is not in the text.",
                "%(n)s statements are open: mark their words, or say that they are not in the text.",
                missing,
            )
            problems.insert(0, ("units", words % {"n": missing}))
        if problems:
            raise AnswerRefused(problems)
        answer = {"units": units, "further": further, "order": self.order(subject)}
        self.check(answer, subject, settings)
        return answer

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        del settings
        units, number = answer.get("units"), len(subject.body["units"])
        order = answer.get("order", list(range(number)))
        if not _is_of(units, subject) or not is_further(answer) or sorted(order) != list(range(number)):
            raise AnswerRefused([("units", _("This answer is of another text. Open the page again."))])
        for each in units.values():
            parts_sent({"parts": each}, [subject.body["output"]])

    def fields(self, answer: Answer, subject: Subject) -> dict[str, str]:
        units = [{"id": each, "parts": parts, "none": not parts} for each, parts in answer["units"].items()]
        quotes = {
            field_of(place): quoted(answer["units"][each["id"]], [subject.body["output"]])
            for place, each in enumerate(subject.body["units"])
        }
        return quotes | {ANSWER: json.dumps({"units": units}), FURTHER: str(answer["further"])}

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        del settings
        has, further = simulated_facts(subject, skill, rng)
        units = {each: simulated_parts(subject.body["output"], rng) if there else [] for each, there in has.items()}
        return {"units": units, "further": further, "order": self.order(subject)}


def _system(given: object) -> str:
    if not isinstance(given, str):
        raise ValueError("system and pyramid must be text")
    return given


def _is_of(units: object, subject: Subject) -> TypeGuard[dict[str, Any]]:
    return isinstance(units, dict) and set(units) == {each["id"] for each in subject.body["units"]}


TASKS = (Factoids(), ContentUnits(), Peer())
