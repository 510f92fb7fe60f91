"""What the API says of participants, by their numbers and without their ids."""

from typing import Any

from rest_framework import serializers

from crowd.models import Outcome
from ratings.selectors.participants import Participant
from ratings.selectors.visits import Visit


class VisitSerializer(serializers.Serializer[Visit]):
    """A visit by one link; a participant who joined a round by two links has two."""

    link = serializers.IntegerField(source="link.pk")
    link_title = serializers.CharField(source="link.title")
    outcome = serializers.ChoiceField(Outcome.choices)
    began_at = serializers.DateTimeField()
    submitted = serializers.IntegerField(source="work.submitted")
    kept = serializers.IntegerField(source="work.kept", help_text="Not discarded with an exclusion.")
    skipped = serializers.IntegerField(source="work.skipped", help_text="Texts that they skipped.")
    flagged = serializers.IntegerField(source="work.flagged", help_text="Compressions with flags.")
    first_at = serializers.DateTimeField(source="work.first_at", allow_null=True)
    last_at = serializers.DateTimeField(source="work.last_at", allow_null=True)
    active_ms = serializers.IntegerField(
        source="work.active_ms", allow_null=True, help_text="At work, as far as that is known."
    )
    elapsed_ms = serializers.IntegerField(
        allow_null=True, help_text="From consent to the last submission, breaks included."
    )
    paid_at = serializers.DateTimeField(allow_null=True, help_text="When staff marked it as paid.")


class GoldRecordSerializer(serializers.Serializer[Any]):
    """How a rater answered the gold questions."""

    items = serializers.IntegerField()
    answers = serializers.IntegerField(help_text="One for each gold question and scale.")
    right = serializers.IntegerField()
    accuracy = serializers.FloatField(allow_null=True)


class ParticipantSerializer(serializers.Serializer[Participant]):
    """A participant of a round, as the list of participants shows them. No flag is by itself a reason to reject."""

    number = serializers.IntegerField()
    name = serializers.CharField(
        source="worker.public_name", help_text="The number, or the name in the release that was imported."
    )
    outcome = serializers.ChoiceField(Outcome.choices, source="visitor.current.outcome", help_text="Of the last visit.")
    submitted = serializers.IntegerField(source="visitor.submitted")
    visits = VisitSerializer(many=True)
    flags = serializers.IntegerField(help_text="How many there are, of compressions or of the person’s ratings.")
    evidence = serializers.ListField(child=serializers.CharField(), help_text="The flags of a rater, in words.")
    gold = GoldRecordSerializer()
    is_low_on_gold = serializers.BooleanField()
    quality = serializers.FloatField(allow_null=True, help_text="By the active quality rule; null if it says nothing.")
    decision = serializers.CharField(
        source="decision_words", help_text="What the active quality rule decided: `kept`, `left out` or nothing."
    )
    is_excluded = serializers.BooleanField(help_text="By hand.")
    arm = serializers.CharField(source="worker.arm", help_text="Into which a rater was drawn; empty without arms.")
    is_test = serializers.BooleanField(source="worker.is_test")
    is_simulated = serializers.BooleanField(source="worker.is_simulated")
    erased_at = serializers.DateTimeField(source="worker.erased_at", allow_null=True)
    same_browser = serializers.SerializerMethodField(help_text="The numbers of those who have used the same browser.")

    def get_same_browser(self, each: Participant) -> list[int]:
        return [other.number for other in each.same_browser]


class VisitIdsSerializer(serializers.Serializer[Visit]):
    """The ids of a visit."""

    link = serializers.IntegerField(source="link.pk")
    study_id = serializers.CharField()
    session_id = serializers.CharField()
    code = serializers.CharField(help_text="The completion code that was shown; empty if none was.")


class ParticipantIdsSerializer(serializers.Serializer[Participant]):
    """Who a participant is on their platform."""

    number = serializers.IntegerField()
    platform = serializers.CharField(source="worker.platform_key")
    external_id = serializers.CharField(source="worker.external_id", help_text="Empty if there is none.")
    visits = VisitIdsSerializer(many=True)
