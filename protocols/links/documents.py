"""The documents that a report is on: their sentences, what people linked, and what was predicted elsewhere."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.models import Campaign
from measures.clustering import Sentence, gold_cover, gold_links
from measures.clustering.division import Cover
from measures.spans import tokens
from protocols.links.others import OthersLinks
from protocols.models import Material
from protocols.selectors import GivenAnswer

Sets = tuple[frozenset[int], ...]
Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class Annotator:
    """What somebody linked in a document: for each sentence of an abstract, the places of the document's sentences."""

    name: str
    sets: Sets

    @property
    def pairs(self) -> Pairs:
        return gold_links(self.sets)


@dataclass(frozen=True)
class LinkedDocument:
    """A document with one annotator or more; `scores` are those of links predicted elsewhere, None without any."""

    name: str
    ids: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    acts: tuple[tuple[str, ...], ...]
    entities: tuple[tuple[str, ...], ...]
    annotators: tuple[Annotator, ...]
    scores: Mapping[tuple[int, int], float] | None

    @property
    def nodes(self) -> int:
        return len(self.ids)

    @property
    def covers(self) -> list[Cover]:
        """The communities of each annotator."""
        return [gold_cover(each.sets, self.nodes) for each in self.annotators]

    @property
    def pairs(self) -> Pairs:
        """The pairs that somebody linked."""
        return gold_links([each for annotator in self.annotators for each in annotator.sets])

    @property
    def length(self) -> float:
        """The mean number of sentences of the abstracts."""
        return fmean(len(each.sets) for each in self.annotators)


def bodies_of(campaign: Campaign) -> dict[str, list[dict[str, Any]]]:
    """Return the sentences of each document of a campaign; raise Refused if lines of one document differ in them."""
    found: dict[str, list[dict[str, Any]]] = {}
    material = Material.objects.filter(campaign=campaign, expected__isnull=True).order_by("pk")
    for name, body in material.values_list("name", "body").iterator(chunk_size=200):
        if found.setdefault(name, body["sentences"]) != body["sentences"]:
            words = _("The lines of document %(name)s have different sentences, so their links cannot be compared.")
            raise Refused(words % {"name": name})
    return found


def texts_of(campaign: Campaign, name: str, ids: Sequence[str]) -> list[str]:
    """Return the texts of a document with these sentences; without them if it is there no more."""
    material = Material.objects.filter(campaign=campaign, name=name, expected__isnull=True).order_by("pk")
    for body in material.values_list("body", flat=True):
        if [each["id"] for each in body["sentences"]] == list(ids):
            return [each["text"] for each in body["sentences"]]
    return [""] * len(ids)


def places_of(sentences: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return {each["id"]: place for place, each in enumerate(sentences)}


def linked_documents(
    given: Iterable[GivenAnswer], others: OthersLinks, bodies: Mapping[str, Sequence[Mapping[str, Any]]], language: str
) -> list[LinkedDocument]:
    """Return the documents that somebody has linked, in the order of their names."""
    annotators: dict[str, list[Annotator]] = {}
    for each in given:
        places = places_of(each.subject.body["sentences"])
        sets = tuple(frozenset(places[name] for name in linked) for linked in each.answer["links"].values())
        annotators.setdefault(each.subject.name, []).append(Annotator(each.person, sets))
    for document, annotator in _of_others(others, bodies):
        annotators.setdefault(document, []).append(annotator)
    scores: dict[str, dict[tuple[int, int], float]] = {}
    for edge in others.edges:
        places = places_of(bodies[edge.document])
        a, b = sorted((places[edge.a], places[edge.b]))
        scores.setdefault(edge.document, {})[a, b] = edge.score
    return [_document(name, bodies[name], annotators[name], scores.get(name), language) for name in sorted(annotators)]


def _of_others(
    others: OthersLinks, bodies: Mapping[str, Sequence[Mapping[str, Any]]]
) -> Iterator[tuple[str, Annotator]]:
    grouped: dict[tuple[str, str], dict[str, set[int]]] = {}
    for each in others.links:
        places = places_of(bodies[each.document])
        of_annotator = grouped.setdefault((each.document, each.annotator), {})
        of_annotator.setdefault(each.abstract_sentence, set()).update(places[name] for name in each.sentences)
    for (document, name), sets in grouped.items():
        yield document, Annotator(name, tuple(frozenset(each) for each in sets.values()))


def _document(
    name: str,
    body: Sequence[Mapping[str, Any]],
    annotators: list[Annotator],
    scores: Mapping[tuple[int, int], float] | None,
    language: str,
) -> LinkedDocument:
    return LinkedDocument(
        name,
        tuple(each["id"] for each in body),
        tuple(
            Sentence(_words(each["text"], language), tuple(each.get("tags", ())), each.get("speaker")) for each in body
        ),
        tuple(tuple(each.get("acts", ())) for each in body),
        tuple(tuple(each.get("entities", ())) for each in body),
        tuple(annotators),
        scores,
    )


def _words(text: str, language: str) -> tuple[str, ...]:
    return tuple(text[start:end].lower() for start, end in tokens(text, language))
