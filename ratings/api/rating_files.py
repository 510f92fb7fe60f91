"""Files of ratings, and the models that gave some."""

from http import HTTPStatus
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.bodies import FileBody, content_of
from common.api.endpoint import UploadEndpoint
from common.api.operations import operation
from common.api.results import JOB_STATES
from common.models import Job
from crowd.api.endpoint import CampaignEndpoint
from ratings.models import ImportPool, ModelRater, RatingImport
from ratings.selectors.imported_ratings import model_raters, rating_imports
from ratings.services.model_ratings import model_ratings_delete
from ratings.services.rating_imports import rating_import_request

TIMES = ("created_at", "finished_at")


class ModelRaterSerializer(serializers.ModelSerializer[ModelRater]):
    """A model that rated texts. Its ratings are never counted among people's."""

    ratings = serializers.IntegerField(source="rating_count", help_text="How many texts it has rated.")

    class Meta:
        model = ModelRater
        fields = ["id", "name", "ratings", "created_at"]


class RatingImportSerializer(serializers.ModelSerializer[RatingImport]):
    """A file of ratings, and what became of its lines."""

    job = serializers.IntegerField(source="job_id", allow_null=True, help_text="The job that imports it.")
    state = serializers.SerializerMethodField(help_text="How far the import is: that of its job.")

    class Meta:
        model = RatingImport
        fields = ["id", "pool", "file_name", "state", "job", "added", "unchanged", "refused", *TIMES]

    @extend_schema_field(serializers.ChoiceField(JOB_STATES))
    def get_state(self, record: RatingImport) -> str:
        if record.job is not None:
            return record.job.state
        return Job.State.DONE if record.finished_at else Job.State.FAILED


class RefusedRatingSerializer(serializers.Serializer[Any]):
    """A line that was refused. Line 0 stands for the whole file."""

    line = serializers.IntegerField()
    reason = serializers.CharField()


class OneRatingImportSerializer(RatingImportSerializer):
    """A file of ratings, what became of its lines, and why lines were refused."""

    problems = serializers.SerializerMethodField(help_text="Why lines were refused: the first 1,000 of them.")

    class Meta(RatingImportSerializer.Meta):
        fields = [*RatingImportSerializer.Meta.fields, "problems"]

    @extend_schema_field(RefusedRatingSerializer(many=True))
    def get_problems(self, record: RatingImport) -> list[dict[str, Any]]:
        return [{"line": line, "reason": reason} for line, reason in record.problems]


class RatingsBody(FileBody):
    """A file of ratings, and who gave them."""

    pool = serializers.ChoiceField(
        ImportPool.choices, help_text="Who gave the ratings: models, or people of the crowd, or experts."
    )
    file = serializers.FileField(
        help_text="JSONL, CSV or TSV with id, text or system, rater, and a column for each scale."
    )


class RatingImports(UploadEndpoint, CampaignEndpoint):
    accepts_upload = True

    @operation("listRatingImports", answer=RatingImportSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the imports of files of ratings."""
        return rating_imports(self.campaign).defer("content", "problems", "warnings")

    @operation(
        "importRatings",
        body=RatingsBody,
        answer=OneRatingImportSerializer,
        status=HTTPStatus.ACCEPTED,
        upload=True,
        problems=(409,),
    )
    def post(self, request: Request) -> Any:
        """Import a file of ratings by models, or by people who rated elsewhere.

        A job reads the file. Lines that cannot be used are refused one by one; the others are imported. Ratings by
        models are never counted among people's.
        """
        file = self.sent["file"]
        return rating_import_request(
            campaign=self.campaign,
            pool=ImportPool(self.sent["pool"]),
            file_name=file.name or "upload",
            content=content_of(file),
            user=self.user,
        )


class OneRatingImport(CampaignEndpoint):
    @operation("getRatingImport", answer=OneRatingImportSerializer)
    def get(self, request: Request, import_id: int) -> Any:
        """Get an import of ratings, with the reasons why lines were refused."""
        return get_object_or_404(rating_imports(self.campaign), pk=import_id)


class ModelRaters(CampaignEndpoint):
    @operation("listModelRaters", answer=ModelRaterSerializer, listed=True)
    def get(self, request: Request) -> Any:
        """List the models whose ratings were imported."""
        return model_raters(self.campaign)


class OneModelRater(CampaignEndpoint):
    @operation("deleteModelRatings")
    def delete(self, request: Request, rater_id: int) -> Any:
        """Delete a model with all of its ratings. Reports that are computed keep what they say."""
        rater = get_object_or_404(ModelRater, pk=rater_id, campaign=self.campaign)
        model_ratings_delete(rater=rater, user=self.user)
