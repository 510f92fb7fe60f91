"""What people linked, as a report reads it of others; and the abstracts they wrote, as material for others to link."""

import json
from collections.abc import Iterator

from django.utils.translation import gettext_lazy

from crowd.models import Campaign
from protocols.exports import JSONL, Export, ExportForm
from protocols.links.task import abstract_of
from protocols.selectors import given_answers


def _links(campaign: Campaign) -> Iterator[str]:
    for each in given_answers(campaign):
        links = each.answer["links"]
        for part in (sentence["id"] for sentence in abstract_of(each.subject, each.answer)):
            if part in links:
                row = {"document": each.subject.name, "annotator": each.person, "abstract_sentence": part}
                yield json.dumps({**row, "sentences": links[part]}, ensure_ascii=False) + "\n"


def _abstracts(campaign: Campaign) -> Iterator[str]:
    for each in given_answers(campaign):
        if "abstract" in each.answer:
            row = {"id": each.subject.name, "annotator": each.person, "sentences": each.subject.body["sentences"]}
            yield json.dumps({**row, "abstract": abstract_of(each.subject, each.answer)}, ensure_ascii=False) + "\n"


FORMS = {
    "links": ExportForm(
        *("links", gettext_lazy("Links (JSONL)"), "links.jsonl", JSONL), write=lambda campaign: Export(_links(campaign))
    ),
    "abstracts": ExportForm(
        *("abstracts", gettext_lazy("Summaries that people wrote (JSONL)"), "abstracts.jsonl", JSONL),
        write=lambda campaign: Export(_abstracts(campaign)),
    ),
}
