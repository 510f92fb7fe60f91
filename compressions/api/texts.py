"""Texts and paragraphs: find them, read one with its versions, retire it, correct it."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.bodies import FiniteField, TypedField
from common.api.operations import Body, PageQueryOf, operation
from common.api.pages import Completed
from common.errors import Refused
from compressions.api.text_answers import OneTextSerializer, TextSerializer
from compressions.models import MAX_RETIRE_NOTE_LENGTH, Source
from compressions.rating_figures import ShownComparison
from compressions.rows import MAX_GENRE_LENGTH, MAX_TEXT
from compressions.selectors.found_sources import (
    STATES,
    Ids,
    Wanted,
    found_sources,
    reported_sources,
    shown_scales,
    source_rows,
)
from compressions.selectors.sources import ShownText, live_relative, sources_with_relations, texts_of_source
from compressions.services.paragraphs import paragraphs_divide
from compressions.services.retirement import correction_check, source_correct, source_reinstate, source_retire
from crowd.api.endpoint import CampaignEndpoint
from crowd.models import Campaign
from crowd.scales import MAX_POINTS

MOST_PARAGRAPHS, MOST_SEED = 1_000, 2**31 - 1


class DivisionSerializer(serializers.Serializer[Any]):
    """How many paragraphs were divided, of how many that can be."""

    divided = serializers.IntegerField()
    suitable = serializers.IntegerField(help_text="Undivided paragraphs whose sentences are both long enough.")


class DivisionBody(Body):
    count = serializers.IntegerField(min_value=1, max_value=MOST_PARAGRAPHS, help_text="How many to draw.")
    seed = serializers.IntegerField(
        min_value=0, max_value=MOST_SEED, default=1, help_text="The same seed draws the same paragraphs."
    )


class Paragraphs(CampaignEndpoint):
    @operation("divideParagraphs", body=DivisionBody, answer=DivisionSerializer)
    def post(self, request: Request) -> Any:
        """Draw paragraphs, and add each of their sentences as a text of its own."""
        return paragraphs_divide(campaign=self.campaign, user=self.user, **self.sent)


MOST_COMPRESSIONS = 1_000_000


class TextQuery(PageQueryOf):
    q = serializers.CharField(
        required=False, max_length=200, help_text="Only texts with these words, or with this in their id."
    )
    genre = serializers.CharField(
        required=False, max_length=MAX_GENRE_LENGTH, help_text="A genre as it is stored, or `unknown genre`."
    )
    state = serializers.ChoiceField(
        list(STATES), required=False, help_text="Whether a text needs compressions, is complete or is retired."
    )
    reported = serializers.BooleanField(required=False, help_text="Only texts with a reported problem.")
    least = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_COMPRESSIONS, help_text="The minimum number of compressions."
    )
    most = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_COMPRESSIONS, help_text="The maximum number of compressions."
    )
    scale = serializers.CharField(
        required=False, max_length=100, help_text="The scale of `above` and `below`; by default the first one."
    )
    above = FiniteField(required=False, min_value=0, max_value=MAX_POINTS, help_text="Only with a mean rating above.")
    below = FiniteField(
        required=False, min_value=0, max_value=MAX_POINTS + 1, help_text="Only with a mean rating below."
    )


class _Id(NamedTuple):
    pk: int


class Texts(CampaignEndpoint):
    @operation("listTexts", answer=TextSerializer, query=TextQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List the texts, narrowed as on their page.

        Means are those of the crowd’s ratings, without excluded raters.
        """
        found = found_sources(self.campaign, _wanted(self.campaign, self.asked))
        return Completed(_with_keys(found), self._rows)

    def _rows(self, rows: list[Any]) -> list[Any]:
        return list(source_rows(self.campaign, [row.pk for row in rows], reported_sources(self.campaign)))


def _wanted(campaign: Campaign, asked: dict[str, Any]) -> Wanted:
    given = {name: value for name, value in asked.items() if name not in {"limit", "cursor"} and value != ""}
    scales = shown_scales(campaign)
    for name in given.keys() & {"scale", "above", "below"}:
        if not scales:
            raise ValidationError({name: [_("Raters compare two versions here, so texts have no mean ratings.")]})
    scale = given.get("scale", scales[0] if scales else "")
    if scale and scale not in scales:
        raise ValidationError({"scale": [_("This campaign has no such scale.")]})
    return Wanted(**{**given, "scale": scale})


def _with_keys(found: Ids) -> Any:
    """Return ids as rows that have them as their key."""
    return found.values_list("pk", named=True) if isinstance(found, QuerySet) else [_Id(pk) for pk in found]


@dataclass(frozen=True)
class _OneText:
    source: Source
    own_sentences: list[str]
    relative: Source | None
    is_reported: bool
    versions: list[ShownText]
    comparisons: list[ShownComparison]


class TextEndpoint(CampaignEndpoint):
    """An endpoint about one text."""

    def _source(self, source_id: str) -> Source:
        return get_object_or_404(sources_with_relations(self.campaign), source_id=source_id)

    def _told(self, source_id: str) -> _OneText:
        source = self._source(source_id)
        versions, comparisons = texts_of_source(source)
        return _OneText(
            source,
            list(source.own_sentences.order_by("pk").values_list("source_id", flat=True)),
            live_relative(source) if source.is_retired else None,
            source.pk in reported_sources(self.campaign),
            versions,
            list(comparisons),
        )


class OneText(TextEndpoint):
    @operation("getText", answer=OneTextSerializer)
    def get(self, request: Request, source_id: str) -> Any:
        """Get a text with its versions and their ratings."""
        return self._told(source_id)


NOTE = "Why the text is retired."
WORK_IS_KEPT = "Whether releases have the text with its compressions and ratings, or exclude it with them."


class RetireBody(Body):
    retired = serializers.BooleanField(default=True, help_text="False gives a retired text to participants again.")
    note = TypedField(max_length=MAX_RETIRE_NOTE_LENGTH, required=False, help_text=NOTE)
    work_is_kept = serializers.BooleanField(required=False, help_text=WORK_IS_KEPT)

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Return what retiring takes; a text that is reinstated takes nothing."""
        if not sent["retired"]:
            return {}
        if missing := [name for name in ("note", "work_is_kept") if name not in sent]:
            raise ValidationError({name: [_("This field is required.")] for name in missing})
        return {name: sent[name] for name in ("note", "work_is_kept")}


class Retire(TextEndpoint):
    @operation("retireText", body=RetireBody, answer=OneTextSerializer, problems=(409,))
    def post(self, request: Request, source_id: str) -> Any:
        """Retire a text, so that nobody is given it any more, or give it to participants again.

        Nothing is deleted. A text that is retired already stays as it is.
        """
        source = self._source(source_id)
        if self.sent:
            source_retire(source=source, user=self.user, **self.sent)
        else:
            source_reinstate(source=source, user=self.user)
        return self._told(source_id)


class CorrectionBody(Body):
    note = TypedField(max_length=MAX_RETIRE_NOTE_LENGTH, help_text=NOTE)
    work_is_kept = serializers.BooleanField(help_text=WORK_IS_KEPT)
    text = TypedField(max_length=MAX_TEXT, help_text="The corrected text.")


class Correct(TextEndpoint):
    @operation("correctText", body=CorrectionBody, answer=OneTextSerializer, status=HTTPStatus.CREATED, problems=(409,))
    def post(self, request: Request, source_id: str) -> Any:
        """Retire a text and put a corrected one in its place, with its own id."""
        source = self._source(source_id)
        try:
            correction_check(source=source, text=self.sent["text"])
        except Refused as refusal:
            raise ValidationError({"text": [str(refusal)]}) from refusal
        return self._told(source_correct(source=source, user=self.user, **self.sent).source_id)
