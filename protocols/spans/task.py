"""The task of marking errors: spans of a text, their kinds and severities, and a score of the whole text."""

import json
import random
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import AskedOnce
from measures.spans import (
    Mark,
    Oddity,
    asked_once,
    cluster_starts,
    premarks,
    refusals,
    whole_clusters,
)
from measures.spans.mark import PERSON
from protocols.spans.answer import digest_of, held_to, judged_answer, marks_of, stored_answer
from protocols.spans.elsewhere import ANSWER_FORMS, read_elsewhere
from protocols.spans.settings import FILE_HELP, WITH, WITHOUT, SpansForm, preset_of
from protocols.spans.simulation import SimulatedPerson
from protocols.task import (
    Answer,
    AnswerRefused,
    AnswersFile,
    Known,
    MaterialRow,
    Settings,
    StudyTask,
    Subject,
)

MOST_BYTES = 200_000
FILE = "file"
"""The origin of marks of a file that names none."""


class Spans(StudyTask):
    key = "spans"
    template = "protocols/spans/task.html"
    columns = ("id", "source", "output")
    optional = ("system", "language", "context_before", "context_after", "marks", "expected")
    settings_form = SpansForm
    file_help = FILE_HELP
    answer_forms = ANSWER_FORMS

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        texts = ("id", "source", "output", "system", "language", "context_before", "context_after")
        wrong = [name for name in texts if not isinstance(fields.get(name) or "", str)]
        if wrong:
            raise ValueError(f"{', '.join(wrong)} must be text")
        body: dict[str, Any] = {
            name: unicodedata.normalize("NFC", fields[name])
            for name in ("source", "output", "language", "context_before", "context_after")
            if fields.get(name)
        }
        if fields.get("marks"):
            body["marks"] = [each.as_dict() for each in _begun_with(fields["marks"], body)]
        expected = self._expected(fields["expected"], body, settings) if fields.get("expected") else None
        return MaterialRow(str(fields["id"]), body, system=fields.get("system") or "", expected=expected)

    def _expected(self, given: object, body: Mapping[str, Any], settings: Settings) -> Answer:
        if not isinstance(given, dict):
            raise ValueError("expected must be an object with marks, or with no_errors")
        answer = stored_answer(given, body, settings)
        if faults := refusals(judged_answer(answer, body), preset_of(settings)):
            raise ValueError(f"expected: {'; '.join(faults)}")
        return answer

    def arms(self, settings: Settings) -> Sequence[str]:
        return () if settings["premark"] == "none" else (WITH, WITHOUT)

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        body, used = subject.body, preset_of(settings)
        given = [] if _is_control(subject, settings) else _given(body, settings)
        sides = {kind.side for kind in used.kinds if not kind.composite}
        return {
            "source": body["source"],
            "output": body["output"],
            "before": body.get("context_before", ""),
            "after": body.get("context_after", ""),
            "text_language": body.get("language", ""),
            "preset": used,
            "marks_source": bool(sides & {"source", "either", "both"}),
            "marks_missing": used.missing or "missing" in sides,
            "makes_groups": any(kind.composite for kind in used.kinds),
            "page_data": {
                "digest": digest_of(body),
                "source": body["source"],
                "output": body["output"],
                "joined": {side: _joined(body[side]) for side in ("source", "output")},
                "preset": dict(used.data),
                "marks": [each.as_dict() for each in given],
            },
        }

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        sent = posted.get("answer", "")
        if len(sent.encode(errors="ignore")) > MOST_BYTES:
            raise AnswerRefused([("marks", _("There are too many marks for us to save."))])
        try:
            given = json.loads(sent)
            if not isinstance(given, dict):
                raise ValueError("an answer is an object")
            answer = stored_answer(given, subject.body, settings)
        except (ValueError, RecursionError) as error:
            raise AnswerRefused([("marks", _("We can’t read your marks: %(why)s") % {"why": error})]) from error
        answer["premarked"] = _is_premarked(subject, settings)
        self.check(answer, subject, settings)
        odd = asked_once(judged_answer(answer, subject.body), preset_of(settings))
        if odd and posted.get("confirmed") != "1":
            words = _("Is this what you mean? %(odd)s If so, submit it once more.")
            raise AskedOnce(words % {"odd": " ".join(map(_odd_words, odd))})
        return answer

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        if answer.get("digest") != digest_of(subject.body):
            raise AnswerRefused([("marks", _("These marks are of another text. Open the page again."))])
        try:
            faults = refusals(judged_answer(answer, subject.body), held_to(answer, settings))
        except ValueError as error:
            faults = (str(error),)
        if faults:
            raise AnswerRefused([("marks", each) for each in faults])

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        marks = [each for each in answer["marks"] if each.get("fate") != "deleted"]
        words = ngettext("%(n)s mark", "%(n)s marks", len(marks)) % {"n": len(marks)}
        if answer["score"] is not None:
            words = _("%(marks)s; score %(score)s") % {"marks": words, "score": answer["score"]}
        return subject.body["output"], words

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        given = [] if _is_control(subject, settings) else _given(subject.body, settings)
        person = SimulatedPerson(subject, preset_of(settings), skill, rng)
        found = person.answer(given)
        answer = {"marks": [each.as_dict() for each in found.marks], "no_errors": found.no_errors, "score": found.score}
        return {**stored_answer(answer, subject.body, settings), "premarked": _is_premarked(subject, settings)}

    def answers_elsewhere(self, form: str, content: bytes, known: Known, settings: Settings) -> AnswersFile:
        return read_elsewhere(self, form, content, known, settings)

    def erased(self, answer: Answer) -> Answer:
        marks = [{**each, "note": "", "at_ms": 0} for each in answer["marks"]]
        return {**answer, "marks": marks, "actions": []}


def _odd_words(odd: Oddity) -> str:
    """Say what is odd about an answer to the person who gave it."""
    if odd.key == "high score":
        return _("The score is 100, but you marked a major error.")
    if odd.key == "low score":
        return _("The score is %(score)s, but you marked no major error.") % {"score": odd.number}
    if odd.name == "source":
        words = _("One of your marks covers %(percent)s%% of the original.")
    else:
        words = _("One of your marks covers %(percent)s%% of the text to check.")
    return words % {"percent": odd.number}


def _joined(text: str) -> list[int]:
    """Return the places within characters as readers see them, where no mark may begin or end."""
    return sorted(set(range(len(text))) - set(cluster_starts(text)))


def _is_control(subject: Subject, settings: Settings) -> bool:
    """Whether this task comes without the marks that others begin with."""
    if settings["premark"] == "none":
        return False
    # What was handed out before arms were drawn in blocks has that which follows from its order.
    return subject.arm == WITHOUT if subject.arm else subject.drawn().random() < 0.5


def _is_premarked(subject: Subject, settings: Settings) -> bool:
    return settings["premark"] != "none" and not _is_control(subject, settings)


def _begun_with(given: object, body: Mapping[str, Any]) -> list[Mark]:
    """Return marks of a file with which people begin; raise ValueError if they are not of the texts."""
    marks = marks_of(given)
    if len({each.id for each in marks}) < len(marks):
        raise ValueError("marks must have different ids")
    for mark in marks:
        for side, start, end in mark.places:
            try:
                is_whole = (start, end) == whole_clusters(body[side], start, end) and start < end
            except ValueError as error:
                raise ValueError(f"mark {mark.id}: {error}") from error
            if not is_whole:
                raise ValueError(f"mark {mark.id}: {start} to {end} are not whole characters of the {side}")
    return [replace(each, origin=FILE if each.origin == PERSON else each.origin, fate=None) for each in marks]


def _given(body: Mapping[str, Any], settings: Settings) -> list[Mark]:
    """Return the marks that are there at the beginning, without severity: that is for the person to say."""
    if settings["premark"] == "alignment":
        return list(premarks(body["source"], body["output"], language=body.get("language") or "en"))
    if settings["premark"] == "none":
        return []
    kinds = preset_of(settings).kind
    marks = marks_of(body.get("marks", []))
    return [replace(each, severity=None, kind=kind.key if (kind := kinds(each.kind)) else None) for each in marks]


__all__ = ["TASK", "Spans", "digest_of", "preset_of"]
TASK = Spans()
