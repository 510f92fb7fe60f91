"""The task of linking: which sentences of a document a sentence of its abstract sums up."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import AskedOnce
from protocols.links.abstracts import FIELD as ABSTRACT
from protocols.links.abstracts import LEAST, LONGEST, most_of, written, written_check
from protocols.links.material import FILE_HELP, LinksForm, Sentences, body_of
from protocols.links.simulation import planted_abstract, simulated_links
from protocols.task import Answer, AnswerRefused, MaterialRow, Page, Settings, StudyTask, Subject

MOST_BYTES = 500_000
MOST_LINKED = 0.6
"""Who links a larger share of a document to one sentence is asked whether that is meant."""
FEW_SENTENCES = 5
"""Up to so many sentences any number of them may be linked."""
FIELD = "box"

Links = dict[str, list[str]]
"""For each sentence of the abstract, by its id, the ids of the sentences that are linked to it."""


class LinkSentences(StudyTask):
    key = "links"
    template = "protocols/links/task.html"
    columns = ("id", "sentences")
    optional = ("abstract", "annotator", "expected")
    settings_form = LinksForm
    file_help = FILE_HELP

    def material(self, fields: Mapping[str, Any], settings: Settings) -> MaterialRow:
        name, annotator = fields["id"], fields.get("annotator") or ""
        if isinstance(name, bool) or not isinstance(name, str | int) or not isinstance(annotator, str):
            raise ValueError("id and annotator must be text")
        is_written = settings["writes_abstract"] and not fields.get("expected")
        if is_written and fields.get("abstract"):
            raise ValueError("people write the abstract themselves, so only practice has one")
        if not is_written and not fields.get("abstract"):
            raise ValueError("abstract is missing")
        body, expected = body_of(fields), None
        if fields.get("expected"):
            try:
                expected = {"links": _links(fields["expected"], body)}
            except ValueError as error:
                raise ValueError(f"expected: {error}") from error
        return MaterialRow(str(name), body, system=annotator, expected=expected)

    def pages(self, subject: Subject, settings: Settings) -> Sequence[Page]:
        if ABSTRACT in subject.body:
            return super().pages(subject, settings)
        return Page(ABSTRACT, "protocols/links/write.html"), Page("links", self.template)

    def page_check(self, key: str, posted: Mapping[str, str], subject: Subject, settings: Settings) -> None:
        del settings
        if key == ABSTRACT:
            written_check(written(posted.get(ABSTRACT, ""), most_of(subject.body)), subject.body)

    def shown(self, subject: Subject, settings: Settings) -> dict[str, Any]:
        del settings
        most = most_of(subject.body)
        own = {"least": LEAST, "most": most, "longest": LONGEST, "longest_in_all": 2 * LONGEST * most}
        return {"sentences": subject.body["sentences"], ABSTRACT: subject.body.get(ABSTRACT), **own}

    def read(self, posted: Mapping[str, str], subject: Subject, settings: Settings) -> Answer:
        sent = posted.get("answer", "")
        if len(sent.encode(errors="ignore")) > MOST_BYTES:
            raise AnswerRefused([("links", _("This is too much for us to save."))])
        answer: Answer = {}
        if ABSTRACT not in subject.body:
            answer[ABSTRACT] = written(posted.get(ABSTRACT, ""), most_of(subject.body))
            written_check(answer[ABSTRACT], subject.body)
        body = {**subject.body, **answer}
        try:
            answer["links"] = _links(json.loads(sent) if sent else boxes_ticked(posted), body)
        except (ValueError, RecursionError) as error:
            raise AnswerRefused([("links", _("We can’t read your links: %(why)s") % {"why": error})]) from error
        self.check(answer, subject, settings)
        odd = _asked_once(answer["links"], body)
        if odd and posted.get("confirmed") != "1":
            words = _("Is this what you mean? %(odd)s If so, submit it once more.")
            raise AskedOnce(words % {"odd": " ".join(odd)})
        return answer

    def check(self, answer: Answer, subject: Subject, settings: Settings) -> None:
        del settings
        if ABSTRACT not in subject.body:
            written_check(answer.get(ABSTRACT), subject.body)
        try:
            if _links(answer.get("links"), {**answer, **subject.body}) != answer.get("links"):
                raise ValueError("the links are not in the order of the sentences")
        except ValueError as error:
            raise AnswerRefused([("links", _("We can’t read your links: %(why)s") % {"why": error})]) from error

    def said(self, subject: Subject, answer: Answer) -> tuple[str, str]:
        number = sum(map(len, answer["links"].values()))
        return abstract_of(subject, answer)[0]["text"], ngettext("%(n)s link", "%(n)s links", number) % {"n": number}

    def simulated(self, subject: Subject, settings: Settings, skill: float, rng: random.Random) -> Answer:
        del settings
        own = {} if ABSTRACT in subject.body else {ABSTRACT: written(planted_abstract(subject), most_of(subject.body))}
        body = {**subject.body, **own}
        return {**own, "links": _links(simulated_links(subject, body[ABSTRACT], skill, rng), body)}

    def fields(self, answer: Answer, subject: Subject) -> dict[str, str]:
        del subject
        return {ABSTRACT: "\n".join(each["text"] for each in answer[ABSTRACT])} if ABSTRACT in answer else {}

    def erased(self, answer: Answer) -> Answer:
        if ABSTRACT not in answer:
            return answer
        numbers = {each["id"]: str(number) for number, each in enumerate(answer[ABSTRACT], start=1)}
        links = {numbers[name]: linked for name, linked in answer["links"].items()}
        return {ABSTRACT: [{"id": each, "text": ""} for each in numbers.values()], "links": links}


def abstract_of(subject: Subject, answer: Answer) -> Sentences:
    """Return the abstract whose sentences somebody linked: that of the material, or their own."""
    found: Sentences = answer.get(ABSTRACT) or subject.body[ABSTRACT]
    return found


def _links(given: object, body: Mapping[str, Any]) -> Links:
    """Return links as they are stored, in the order of both texts; raise ValueError if they are not of the texts."""
    if not isinstance(given, dict):
        raise ValueError("links are an object with a list for each sentence of the summary")
    places = {each["id"]: place for place, each in enumerate(body["sentences"])}
    known = [each["id"] for each in body["abstract"]]
    if unknown := sorted(set(given) - set(known)):
        raise ValueError(f"the summary has no sentence {unknown[0][:100]}")
    found: Links = {}
    for name in known:
        linked = given.get(name, [])
        if not isinstance(linked, list) or not all(isinstance(each, str) for each in linked):
            raise ValueError(f"links of {name} must be a list of ids")
        if missing := [each for each in linked if each not in places]:
            raise ValueError(f"the text has no sentence {missing[0][:100]}")
        found[name] = sorted(set(linked), key=places.__getitem__)
    return found


def boxes_ticked(posted: Mapping[str, str]) -> Links:
    """Return the links of a form that was sent without the script: a field for each box, named by both ids as JSON."""
    found: Links = {}
    for field in posted:
        if field.startswith(FIELD):
            pair = json.loads(field.removeprefix(FIELD))
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(each, str) for each in pair):
                raise ValueError("a box is named by two ids")
            found.setdefault(pair[0], []).append(pair[1])
    return found


def _asked_once(links: Links, body: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each thing that is unlikely to be meant."""
    sentences, odd = len(body["sentences"]), []
    places = [place for place, linked in enumerate(links.values(), start=1) if not linked]
    if places:
        words = ngettext(
            "Nothing is ticked for sentence %(which)s of the summary.",
            "Nothing is ticked for sentences %(which)s of the summary.",
            len(places),
        )
        odd.append(words % {"which": ", ".join(map(str, places))})
    for place, linked in enumerate(links.values(), start=1):
        if sentences > FEW_SENTENCES and len(linked) > MOST_LINKED * sentences:
            words = _("You ticked %(n)s of the %(all)s sentences of the text for sentence %(which)s of the summary.")
            odd.append(words % {"n": len(linked), "all": sentences, "which": place})
    return odd


TASK = LinkSentences()
