"""What the API says of one person: their rounds, and what was decided about them."""

from typing import Any

from rest_framework import serializers

from crowd.models import Exclusion, ManualDecision, Outcome, Round
from ratings.api.participant_answers import GoldRecordSerializer, VisitSerializer
from ratings.models import QualificationAttempt, QualityDecision


class AttemptSerializer(serializers.ModelSerializer[QualificationAttempt]):
    """A try at the test; one that was reset does not count any more."""

    class Meta:
        model = QualificationAttempt
        fields = ["number", "correct", "questions", "passed", "created_at", "reset_at"]


class RaterRecordSerializer(serializers.Serializer[Any]):
    """How a rater did in the crowd."""

    ratings = serializers.IntegerField(help_text="Without those of gold questions.")
    gold = GoldRecordSerializer()
    is_low_on_gold = serializers.BooleanField()
    flags = serializers.SerializerMethodField(help_text="What was seen, in words. None is a reason to reject.")

    def get_flags(self, record: Any) -> list[str]:
        return [flag.evidence for flag in record.flags]


class PersonRoundSerializer(serializers.Serializer[Any]):
    """A person's work in one round."""

    round = serializers.ChoiceField(Round.choices)
    outcome = serializers.ChoiceField(
        Outcome.choices,
        source="enrolment.outcome",
        default=None,
        allow_null=True,
        help_text="Of the last visit; null for people of an imported release.",
    )
    submitted = serializers.IntegerField()
    is_excluded = serializers.BooleanField()
    has_withdrawn = serializers.BooleanField()
    visits = VisitSerializer(many=True)
    attempts = AttemptSerializer(many=True)
    record = RaterRecordSerializer(allow_null=True, help_text="Of raters of the crowd.")


class ManualDecisionSerializer(serializers.Serializer[Any]):
    """A decision by hand, withdrawn ones included."""

    decision = serializers.SerializerMethodField(help_text="`excluded` or `kept`.")
    round = serializers.ChoiceField(Round.choices)
    note = serializers.CharField()
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField(source="created_by.username", default=None, allow_null=True)
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    withdrawn_by = serializers.CharField(source="withdrawn_by.username", default=None, allow_null=True)

    def get_decision(self, decision: ManualDecision) -> str:
        return "excluded" if isinstance(decision, Exclusion) else "kept"


class DecisionSerializer(serializers.ModelSerializer[QualityDecision]):
    """What a run of the quality rule decided about a person in a round."""

    participant = serializers.IntegerField(source="worker.number")
    gap = serializers.FloatField(
        allow_null=True, help_text="The distance from the cutoff: above 0 on the side of those kept."
    )
    gap_in_standard_errors = serializers.FloatField(source="gap_in_errors", allow_null=True)
    is_excluded = serializers.BooleanField(source="removed")

    class Meta:
        model = QualityDecision
        fields = ["run_id", "participant", "round", "quality", "standard_error", "gap", "gap_in_standard_errors"]
        fields += ["items", "is_excluded", "is_by_hand", "reason"]


class PersonSerializer(serializers.Serializer[Any]):
    """A person, by the number that they have in the campaign."""

    number = serializers.IntegerField(source="worker.number")
    name = serializers.CharField(source="worker.public_name")
    platform = serializers.CharField(source="worker.platform_key")
    is_test = serializers.BooleanField(source="worker.is_test")
    is_simulated = serializers.BooleanField(source="worker.is_simulated")
    erased_at = serializers.DateTimeField(source="worker.erased_at", allow_null=True)
    same_browser = serializers.ListField(
        child=serializers.IntegerField(), help_text="The numbers of those who have used the same browser."
    )
    rounds = PersonRoundSerializer(many=True)
    manual_decisions = ManualDecisionSerializer(many=True)
    decisions = DecisionSerializer(many=True, help_text="By the quality rule: the last 20.")
