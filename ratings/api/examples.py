"""Practice, test questions and gold questions."""

from http import HTTPStatus
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import ngettext
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from common.api.bodies import FileBody, content_of
from common.api.endpoint import UploadEndpoint
from common.api.operations import PageQueryOf, operation
from crowd.api.endpoint import CampaignEndpoint
from crowd.services.account_bounds import upload_take
from ratings.example_check import ExampleText
from ratings.example_files import MAX_FILE_BYTES, FileRefused, Kind, examples_read
from ratings.models import GoldItem, QualificationItem
from ratings.selectors.gold import GoldStanding, gold_with_answers
from ratings.services.gold import gold_add, gold_retire
from ratings.services.qualification import (
    qualification_item_delete,
    qualification_items_add,
    qualification_items_replace,
)

PRACTICE, TEST = "practice", "test"


class ExampleSerializer(serializers.ModelSerializer[QualificationItem]):
    """A practice or test question, with the points that are accepted."""

    kind = serializers.SerializerMethodField(help_text="`practice` or `test`.")
    source = serializers.CharField(source="source_text")  # type: ignore[assignment]
    compression = serializers.CharField(source="compression_text")
    other = serializers.CharField(source="other_text", help_text="The version beside it; empty if there is none.")
    answers = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))

    class Meta:
        model = QualificationItem
        fields = ["id", "kind", "position", "source", "compression", "other", "answers", "why", "deleted_at"]

    def get_kind(self, item: QualificationItem) -> str:
        return PRACTICE if item.is_practice else TEST


class GoldSerializer(serializers.Serializer[GoldStanding]):
    """A gold question with the points that are accepted, and how raters answered it."""

    id = serializers.IntegerField(source="gold.pk")
    source = serializers.CharField(source="gold.source_text")  # type: ignore[assignment]
    compression = serializers.CharField(source="gold.compression_text")
    other = serializers.CharField(source="gold.other_text", help_text="The version beside it; empty if there is none.")
    answers = serializers.DictField(
        source="gold.answers", child=serializers.ListField(child=serializers.IntegerField())
    )
    why = serializers.CharField(source="gold.why")
    is_retired = serializers.BooleanField(help_text="Whether no more raters are given it.")
    raters = serializers.IntegerField()
    answered = serializers.IntegerField(source="answers", help_text="How many points were given to it.")
    right = serializers.IntegerField(help_text="How many of them are accepted.")
    accuracy = serializers.FloatField(allow_null=True)


class AddedSerializer(serializers.Serializer[Any]):
    """The result of adding a file of questions."""

    questions = serializers.IntegerField(help_text="How many are in the file.")
    added = serializers.IntegerField(help_text="How many of them are new.")


class ExampleQuery(PageQueryOf):
    kind = serializers.ChoiceField([PRACTICE, TEST], required=False)
    deleted = serializers.BooleanField(
        required=False, allow_null=True, default=False, help_text="Deleted questions, which can be restored."
    )


class QuestionFileBody(FileBody):
    file = serializers.FileField(help_text="JSONL, CSV or TSV, as the page of test questions shows it.")


class ExampleFileBody(QuestionFileBody):
    replace = serializers.BooleanField(default=False, help_text="Replace the whole test, including practice.")


def _read(endpoint: CampaignEndpoint, kind: Kind) -> list[ExampleText]:
    """Return the questions of the file that was sent, or say what is wrong with each line at fault."""
    upload = endpoint.sent["file"]
    content = content_of(upload, most=MAX_FILE_BYTES)
    upload_take(endpoint.user, len(content))
    try:
        return examples_read(upload.name or "upload", content, endpoint.campaign, kind)
    except FileRefused as refusal:
        words = ngettext("%(n)s more fault.", "%(n)s more faults.", refusal.more) % {"n": refusal.more}
        faults = [str(fault) for fault in refusal.faults]
        raise ValidationError({"file": [*faults, *([words] if refusal.more else [])]}) from refusal


class Examples(UploadEndpoint, CampaignEndpoint):
    accepts_upload = True

    @operation("listExamples", answer=ExampleSerializer, query=ExampleQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List the practice and test questions."""
        found = QualificationItem.objects.filter(campaign=self.campaign)
        if "kind" in self.asked:
            found = found.filter(is_practice=self.asked["kind"] == PRACTICE)
        deleted = self.asked["deleted"]
        return found if deleted is None else found.filter(deleted_at__isnull=not deleted)

    @operation(
        "importExamples",
        body=ExampleFileBody,
        answer=AddedSerializer,
        status=HTTPStatus.CREATED,
        upload=True,
        problems=(409,),
    )
    def post(self, request: Request) -> Any:
        """Add the questions of a file to practice and the test, or replace them; all of them or none."""
        found = _read(self, Kind.TEST)
        store = qualification_items_replace if self.sent["replace"] else qualification_items_add
        store(campaign=self.campaign, examples=found, user=self.user)
        return {"questions": len(found), "added": len(found)}


class OneExample(CampaignEndpoint):
    @operation("deleteExample")
    def delete(self, request: Request, item_id: int) -> Any:
        """Delete a practice or test question: participants no longer get it. The page can restore it."""
        related = QualificationItem.objects.select_related("campaign")
        item = get_object_or_404(related, campaign=self.campaign, pk=item_id)
        qualification_item_delete(item=item, user=self.user)


class Gold(UploadEndpoint, CampaignEndpoint):
    accepts_upload = True

    @operation("listGold", answer=GoldSerializer, listed=True, key="gold.pk")
    def get(self, request: Request) -> Any:
        """List the gold questions, retired ones included."""
        return gold_with_answers(self.campaign)

    @operation(
        "importGold",
        body=QuestionFileBody,
        answer=AddedSerializer,
        status=HTTPStatus.CREATED,
        upload=True,
        problems=(409,),
    )
    def post(self, request: Request) -> Any:
        """Add the gold questions of a file that are not there yet; all of them or none."""
        found = _read(self, Kind.GOLD)
        return {"questions": len(found), "added": gold_add(campaign=self.campaign, examples=found, user=self.user)}


class OneGold(CampaignEndpoint):
    @operation("retireGold")
    def delete(self, request: Request, gold_id: int) -> Any:
        """Retire a gold question: raters no longer get it. Answers stay and count. The page can restore it."""
        questions = GoldItem.objects.select_related("item__campaign")
        gold_retire(gold=get_object_or_404(questions, item__campaign=self.campaign, pk=gold_id), user=self.user)
