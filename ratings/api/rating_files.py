"""Files of ratings, and the models that gave some."""

from http import HTTPStatus
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import operation
from compressions.api.imports import ImportSerializer, TableBody, TableImports
from crowd.api.endpoint import CampaignEndpoint
from ratings.models import ImportPool, ModelRater
from ratings.selectors.imported_ratings import model_raters
from ratings.services.model_ratings import model_ratings_delete
from ratings.services.rating_imports import rating_import_request


class ModelRaterSerializer(serializers.ModelSerializer[ModelRater]):
    """A model that rated texts. Its ratings are never counted among people's."""

    ratings = serializers.IntegerField(source="rating_count", help_text="How many texts it has rated.")

    class Meta:
        model = ModelRater
        fields = ["id", "name", "ratings", "created_at"]


class RatingsBody(TableBody):
    """A file of ratings, and who gave them."""

    pool = serializers.ChoiceField(
        ImportPool.choices, help_text="Who gave the ratings: models, or people of the crowd, or experts."
    )
    file = serializers.FileField(
        help_text="JSONL, CSV or TSV with id, text or system, rater, and a column for each scale."
    )
    scales = serializers.CharField(
        default="",
        max_length=1_000,
        help_text="If they are not those of the campaign: the scales of the file, each in a line with its column, ends "
        "and step, such as `score 0..100 real` or `adequacy 1..5 step 1`, and `, less is better` behind it where that "
        "is so. Other columns are then left aside.",
    )


class RatingImports(TableImports):
    @operation(
        "importRatings",
        body=RatingsBody,
        answer=ImportSerializer,
        status=HTTPStatus.ACCEPTED,
        upload=True,
        problems=(409,),
    )
    def post(self, request: Request) -> Any:
        """Import a file of ratings by models, or by people who rated elsewhere.

        A job reads the file. Lines that cannot be used are refused one by one; the others are imported. Ratings by
        models are never counted among people's.
        """
        scales = [line.strip() for line in self.sent["scales"].splitlines() if line.strip()]
        return rating_import_request(**self.uploaded(), pool=ImportPool(self.sent["pool"]), scales=scales)


class ModelRaters(CampaignEndpoint):
    @operation("listModelRaters", answer=ModelRaterSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the models whose ratings were imported."""
        return model_raters(self.campaign)


class OneModelRater(CampaignEndpoint):
    @operation("deleteModelRatings")
    def delete(self, request: Request, rater_id: int) -> Any:
        """Delete a model with all of its ratings. Reports computed before stay as they are."""
        rater = get_object_or_404(ModelRater, pk=rater_id, campaign=self.campaign)
        model_ratings_delete(rater=rater, user=self.user)
