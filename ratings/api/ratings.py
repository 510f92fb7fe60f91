"""Ratings, one by one."""

from typing import Any, NamedTuple

from django.db.models import Q
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import PageQueryOf, operation
from common.api.pages import LARGEST_KEY, Completed
from compressions.rows import MAX_ID_LENGTH
from crowd.api.endpoint import CampaignEndpoint
from crowd.scales import plain_number
from ratings.models import RaterPool, Rating, RatingVersion
from ratings.selectors.ratings import WantedRatings, rating_keys, ratings_listed

MOST_PEOPLE = 2**31 - 1
NEWEST, ALL = "newest", "all"


class RatingVersionSerializer(serializers.ModelSerializer[RatingVersion]):
    """A rating as it was submitted; a correction is another version."""

    points = serializers.DictField(source="scores", child=serializers.IntegerField())

    class Meta:
        model = RatingVersion
        fields = ["number", "points", "milliseconds", "difference_shown", "created_at"]


class RatingSerializer(serializers.ModelSerializer[Rating]):
    """What one rater gave to a version of a text, to two versions side by side, or to a gold question."""

    text_id = serializers.SerializerMethodField(help_text="The id of the text; null for a gold question.")
    version_id = serializers.IntegerField(
        source="target_id", allow_null=True, help_text="The version of the text that was rated by itself, or null."
    )
    pair = serializers.SerializerMethodField(help_text="The two versions that were rated side by side, or null.")
    gold_id = serializers.IntegerField(allow_null=True, help_text="The gold question, or null.")
    rater = serializers.IntegerField(
        source="worker.number", default=None, allow_null=True, help_text="Null if nobody knows the rater."
    )
    pool = serializers.ChoiceField(RaterPool.choices, source="rater_pool")
    points = serializers.SerializerMethodField(help_text="The points by scale, or the numbers that a file gave.")
    version = serializers.IntegerField(help_text="1, and one more for each correction.")
    versions = serializers.SerializerMethodField(help_text="All versions, oldest first, if they are asked for.")

    class Meta:
        model = Rating
        fields = ["id", "text_id", "version_id", "pair", "gold_id", "rater", "pool", "points", "version", "versions"]
        fields += ["milliseconds", "difference_shown", "created_at"]

    def get_text_id(self, rating: Rating) -> str | None:
        target = rating.pair.first if rating.pair else rating.target
        return target.source.source_id if target else None

    def get_pair(self, rating: Rating) -> list[int] | None:
        return [rating.pair.first_id, rating.pair.second_id] if rating.pair else None

    def get_points(self, rating: Rating) -> dict[str, float]:
        numbers = {each.scale.key: plain_number(each.number) for each in rating.imported_scores.all()}
        return {score.scale: score.value for score in rating.scores.all()} | numbers

    @extend_schema_field(RatingVersionSerializer(many=True, allow_null=True))
    def get_versions(self, rating: Rating) -> Any:
        if self.context["endpoint"].asked["versions"] != ALL:
            return None
        return RatingVersionSerializer(rating.versions.all(), many=True).data


class RatingQuery(PageQueryOf):
    rater = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_PEOPLE,
        help_text="Only ratings by the participant with this number.",
    )
    text_id = serializers.CharField(
        required=False, max_length=MAX_ID_LENGTH, help_text="Only ratings of versions of this text."
    )
    version_id = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_KEY, help_text="Only ratings of this version of a text."
    )
    compression = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_KEY,
        help_text="Only ratings of the version that this compression has.",
    )
    pool = serializers.ChoiceField(RaterPool.choices, required=False)
    gold = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only ratings of gold questions, or only others."
    )
    since = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_KEY, help_text="Only ratings with a greater id."
    )
    versions = serializers.ChoiceField(
        [NEWEST, ALL], default=NEWEST, help_text="`all` includes the versions before corrections."
    )


class _Key(NamedTuple):
    pk: int


class Ratings(CampaignEndpoint):
    @operation("listRatings", answer=RatingSerializer, query=RatingQuery, listed=True)
    def get(self, request: Request) -> Any:
        """List the ratings of the crowd and of experts, oldest first.

        The points are those of the newest version. A correction changes a rating and leaves its id.
        """
        keys = rating_keys(self.campaign, self._wanted(), after=self._after(), most=self.asked["limit"] + 1)
        return Completed([_Key(key) for key in keys], self._rows)

    def _wanted(self) -> WantedRatings:
        others = Q(rater_pool=self.asked["pool"]) if "pool" in self.asked else Q()
        if self.asked["gold"] is not None:
            others &= Q(gold__isnull=not self.asked["gold"])
        named = {name: self.asked.get(name) for name in ("rater", "text_id", "version_id", "compression")}
        return WantedRatings(**named, others=others)

    def _after(self) -> int:
        after: int = max(self.asked["cursor"], self.asked.get("since", -1))
        return after

    def _rows(self, rows: list[_Key]) -> list[Rating]:
        return list(ratings_listed([row.pk for row in rows], with_versions=self.asked["versions"] == ALL))
