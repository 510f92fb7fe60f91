"""The task of marking units of content in several texts of one source."""

import json
import random
from collections.abc import Iterator, Mapping
from string import ascii_uppercase
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import AskedOnce
from protocols.content_units.forms import ANSWER, page_data, parts_sent, quoted, units_sent
from protocols.content_units.material import (
    LONGEST_UNIT,
    MOST_UNITS,
    SCU_HELP,
    expected_units,
    is_given,
    name_of,
    references_body,
)
from protocols.content_units.simulation import simulated_units
from protocols.content_units.words import content_words
from protocols.task import Answer, AnswerRefused, MaterialRow, Settings, StudyTask, Subject

MOST_NAMED = 8


class ContentUnits(StudyTask):
    """`units` of an answer are labels with parts of the texts, which `order` has as they were shown."""

    key = "scu"
    template = "protocols/content_units/marking.html"
    columns = ("id", "references")
    optional = ("peers", "language", "expected")
    file_help = SCU_HELP

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        del settings
        body = references_body(fields)
        expected = expected_units(fields["expected"], body) if is_given(fields, "expected") else None
        return MaterialRow(name_of(fields["id"], "id"), body, expected=expected)

    def order(self, subject: Subject) -> list[int]:
        order = list(range(len(subject.body["references"])))
        subject.drawn().shuffle(order)
        return order

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        del settings
        texts = texts_of(subject)
        shown = [(ascii_uppercase[place], each, texts[each]) for place, each in enumerate(self.order(subject))]
        language = subject.body.get("language", "")
        return {"text_language": language, **page_data(shown, None, language)}

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        units = []
        for number, each in enumerate(units_sent(posted), start=1):
            label = each.get("label")
            if not isinstance(label, str) or not label.strip():
                raise AnswerRefused([("units", _("Statement %(n)s has no words of its own yet.") % {"n": number})])
            if not (parts := parts_sent(each, texts_of(subject))):
                raise AnswerRefused([("units", _("Statement %(n)s is marked in no text yet.") % {"n": number})])
            units.append({"label": label.strip(), "parts": parts})
        answer = {"units": units, "order": self.order(subject)}
        self.check(answer, subject, settings)
        if posted.get("confirmed") != "1" and (odd := list(_odd(answer, subject))):
            words = _("Is this what you mean? %(odd)s If so, submit it once more.")
            raise AskedOnce(words % {"odd": " ".join(odd)})
        return answer

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        del settings
        units, texts = answer.get("units"), texts_of(subject)
        if not isinstance(units, list) or not 0 < len(units) <= MOST_UNITS:
            words = _("Mark 1 to %(most)s statements.")
            raise AnswerRefused([("units", words % {"most": MOST_UNITS})])
        if sorted(answer.get("order", range(len(texts)))) != list(range(len(texts))):
            raise AnswerRefused([("units", _("This answer is of another text. Open the page again."))])
        for each in units:
            if len(each["label"]) > LONGEST_UNIT or "\x00" in each["label"]:
                raise AnswerRefused([("units", _("A statement has at most %(n)s characters.") % {"n": LONGEST_UNIT})])
            parts_sent(each, texts)

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        number = len(answer["units"])
        words = ngettext("%(n)s statement", "%(n)s statements", number) % {"n": number}
        return texts_of(subject)[answer["order"][0]], words

    def fields(self, answer: Answer, subject: Subject) -> dict[str, str]:
        texts, letters = texts_of(subject), dict(zip(self.order(subject), ascii_uppercase, strict=False))
        lines = []
        for each in answer["units"]:
            of_texts = [
                f"{letters[text]}: {quoted([part for part in each['parts'] if part[0] == text], texts)}"
                for text in sorted({part[0] for part in each["parts"]}, key=letters.__getitem__)
            ]
            lines.append(f"{each['label']} – {'; '.join(of_texts)}")
        return {ANSWER: json.dumps({"units": answer["units"]}), "said": "\n".join(lines)}

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        del settings
        return {"units": simulated_units(subject.name, texts_of(subject), skill, rng), "order": self.order(subject)}

    def erased(self, answer: Answer) -> Answer:
        return {**answer, "units": [{**each, "label": ""} for each in answer["units"]]}


def texts_of(subject: Subject) -> list[str]:
    return [each["text"] for each in subject.body["references"]]


def _odd(answer: Answer, subject: Subject) -> Iterator[str]:
    """Yield a sentence on words with a content that are in no unit, and one on those that are in two."""
    seen: dict[int, list[str]] = {0: [], 2: []}
    parts = [(number, *part) for number, unit in enumerate(answer["units"]) for part in unit["parts"]]
    for place in answer["order"]:
        text = texts_of(subject)[place]
        for start, end in content_words(text, subject.body.get("language") or "en"):
            times = len({unit for unit, of, first, last in parts if of == place and first < end and last > start})
            seen.get(min(times, 2), []).append(text[start:end])
    for times, words in ((0, _("In no statement: %(words)s.")), (2, _("In more than one: %(words)s."))):
        if named := list(dict.fromkeys(seen[times])):
            yield words % {"words": ", ".join(named[:MOST_NAMED]) + ("…" if named[MOST_NAMED:] else "")}
