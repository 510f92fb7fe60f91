"""Annotators choose summaries of texts from the texts alone, for a quiz study: no slides, no sound, no questions."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from crowd.models import Enrolment, Round
from protocols.quiz.files import can_be_chosen, too_coarse
from protocols.quiz.material import FIELDS, TEXT, row_of
from protocols.quiz.settings import LengthForm
from protocols.quiz.task import Prepare
from protocols.task import MaterialRow, Settings


class Extract(Prepare):
    """What people see and answer is what the first visit of a quiz study has of a text; its files of texts are taken.

    It is a campaign of its own, since all that participants of a quiz study read tells that there is one.
    """

    key = "extract"
    round = Round.RATE
    optional = FIELDS
    settings_form = LengthForm
    file_help = gettext_lazy(
        "JSON lines, a text in each: id, title, utterances (a list of id, text and optionally speaker), as for a quiz "
        "study. What else such a line has is not shown."
    )

    def next_visit(self, enrolment: Enrolment) -> None:
        del enrolment

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        row = row_of(fields)
        if row.task != TEXT:
            raise ValueError("this is no text")
        if not can_be_chosen(row.body, settings):
            raise ValueError(too_coarse(row.name, settings))
        shown = {name: row.body[name] for name in ("title", "utterances")}
        return MaterialRow(row.name, {**shown, "slides": [], "questions": [], "chooses": True})


TASK = Extract()
