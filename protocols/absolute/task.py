"""The task of giving a text from 1 to 5 points, after a page with a reference that closes once it is left."""

import random
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from protocols.absolute.settings import FILE_HELP, WITH, WITHOUT, AbsoluteForm, draws_arms
from protocols.fusions import FusionTask
from protocols.models import MAX_NAME_LENGTH
from protocols.services.fusions import REFERENCE, FusedPair
from protocols.task import Answer, AnswerRefused, MaterialRow, Page, Settings, Subject

POINTS = (1, 2, 3, 4, 5)
"""From the best to the worst, as published."""
LEAST_SECONDS = 5
SENTENCES = 2
PAGES = (
    Page("reference", "protocols/absolute/reference.html", closes_on_next=True, min_seconds=LEAST_SECONDS),
    Page("points", "protocols/absolute/points.html"),
)


class Absolute(FusionTask):
    key = "absolute"
    template = "protocols/absolute/points.html"
    columns = ("id", "reference", "output")
    optional = ("system", "sentences", "language", "expected")
    settings_form = AbsoluteForm
    file_help = FILE_HELP

    def arms(self, settings: Settings) -> Sequence[str]:
        return (WITH, WITHOUT) if draws_arms(settings) else ()

    def pages(self, subject: Subject, settings: Settings) -> Sequence[Page]:
        return PAGES if arm_of(subject, settings) == WITH else PAGES[1:]

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        del settings
        texts = ("reference", "output", "language", "system")
        wrong = [name for name in texts if not isinstance(fields.get(name) or "", str)]
        if wrong:
            raise ValueError(f"{', '.join(wrong)} must be text")
        body: dict[str, Any] = {
            name: unicodedata.normalize("NFC", fields[name])
            for name in ("reference", "output", "language")
            if fields.get(name)
        }
        if len(body.get("language", "")) > MAX_NAME_LENGTH:
            raise ValueError("language must be a tag such as en")
        if fields.get("sentences"):
            body["sentences"] = _sentences(fields["sentences"])
        given = fields.get("expected")
        return MaterialRow(
            str(fields["id"]),
            body,
            fields.get("system") or "",
            expected=None if given in (None, "") else _expected(given),
        )

    def lines_of(self, pair: FusedPair) -> Iterator[dict[str, Any]]:
        reference = next((each.text for each in pair.texts if each.kind == REFERENCE), "")
        if not reference:
            raise ValueError("no system called reference has a text of it")
        shared = {"id": pair.name, "sentences": list(pair.sentences), "reference": reference}
        yield from (
            shared | {"output": each.text, "system": each.name} for each in pair.texts if each.kind != REFERENCE
        )

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        return {
            "reference": subject.body["reference"],
            "output": subject.body["output"],
            "sentences": subject.body.get("sentences", []) if settings["shows_sentences"] else [],
            "text_language": subject.body.get("language", ""),
            "points": POINTS,
            "has_read": arm_of(subject, settings) == WITH,
        }

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        score = posted.get("score", "")
        if score not in map(str, POINTS):
            raise AnswerRefused([("score-1", _("Choose from 1 to 5 points."))])
        return {"score": int(score), "arm": arm_of(subject, settings)}

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        del settings, subject
        score = answer.get("score")
        if type(score) is not int or score not in POINTS or answer.get("arm") not in (WITH, WITHOUT):
            raise AnswerRefused([("score-1", _("Choose from 1 to 5 points."))])

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        return subject.body["output"], _("Points: %(points)s") % {"points": answer["score"]}

    def fields(self, answer: Answer, subject: Subject) -> dict[str, str]:
        del subject
        return {"score": str(answer["score"])}

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        """Return the points of somebody who sees a quality from 0 to 1 that is drawn from the system's name.

        Texts of a system differ by normal noise with a standard deviation of 0.5 points, drawn once for all people. A
        person adds noise with one of 0.3 + 1.5 (1 - skill), and without a reference sees half a point less.
        """
        arm = arm_of(subject, settings)
        quality = random.Random(f"quality:{subject.system}").random()
        seen = 1 + 4 * (1 - quality) + random.Random(f"text:{subject.name}:{subject.system}").gauss(0, 0.5)
        seen += rng.gauss(0, 0.3 + 1.5 * (1 - skill)) - 0.5 * (arm == WITHOUT)
        return {"score": min(max(round(seen), POINTS[0]), POINTS[-1]), "arm": arm}


def arm_of(subject: Subject, settings: Settings) -> str:
    """Return whether the reference is read before a text."""
    if not draws_arms(settings):
        return WITH
    # What was handed out before arms were drawn in blocks has that which follows from its order.
    return subject.arm or (WITHOUT if subject.drawn().random() < 0.5 else WITH)


def _sentences(given: object) -> list[str]:
    found = given.split("|") if isinstance(given, str) else given
    if (
        not isinstance(found, list)
        or len(found) != SENTENCES
        or not all(isinstance(each, str) and each for each in found)
    ):
        raise ValueError(f"sentences must be {SENTENCES} texts")
    return [unicodedata.normalize("NFC", each).strip() for each in found]


def _expected(given: object) -> Answer:
    if isinstance(given, bool) or str(given).strip() not in map(str, POINTS):
        raise ValueError("expected must be from 1 to 5")
    return {"score": int(str(given)), "arm": WITH}


TASK = Absolute()
