"""The summaries that annotators chose, as a quiz study takes them."""

import json
from collections.abc import Iterator

from django.utils.translation import gettext_lazy

from crowd.models import Campaign
from protocols.exports import JSONL, Export, ExportForm
from protocols.selectors import given_answers


def annotator_lines(campaign: Campaign) -> Iterator[str]:
    for each in given_answers(campaign):
        row = {"text_id": each.subject.name, "annotator": each.person, "utterances": each.answer["utterances"]}
        yield json.dumps(row, ensure_ascii=False) + "\n"


FORMS = {
    "summaries": ExportForm(
        *("summaries", gettext_lazy("Summaries (JSONL)"), "summaries.jsonl", JSONL),
        write=lambda campaign: Export(annotator_lines(campaign)),
    )
}
