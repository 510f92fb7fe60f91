"""What is said of a release, and what is asked of the next one."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.api.operations import Body
from corpus.models import Release, ReleaseFile
from corpus.release.data_statement import MAX_ANSWER_LENGTH, QUESTIONS
from corpus.release.options import DEFAULT_SEED, MAX_LEAST, MAX_SEED, ReleaseOptions, splits_in_order
from corpus.statistics.means import Means, named_means

LARGEST_SHARE, MOST_SOURCES = 1e9, 10_000_000
RELEASE_STATES = Release.State.choices
DETAILS = ("options", "statement", "counts", "splits", "means", "systems", "left_out", "files")
COUNTS = ("sources", "compressions", "ratings", "comparisons", "expert_ratings", "edit_logs")


def file_address(file: ReleaseFile, release: Release) -> str:
    kwargs = {"slug": release.campaign.slug, "version": release.version, "name": file.name}
    return reverse("corpus-api:file", kwargs=kwargs)


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """A release of a campaign."""

    sha256 = serializers.CharField(
        source="checksum", allow_blank=True, help_text="SHA-256 of its manifest.json; empty until it is ready."
    )
    job = serializers.SerializerMethodField(help_text="The job that writes its files; null once they are written.")

    class Meta:
        model = Release
        fields = ["version", "name", "state", "sha256", "job", "created_at", "finished_at"]

    name = serializers.CharField()

    def get_job(self, release: Release) -> int | None:
        return None if release.state == Release.State.READY else release.job_id


class FileSerializer(serializers.ModelSerializer[ReleaseFile]):
    """A file of a release."""

    address = serializers.SerializerMethodField(help_text="Where to download it, with a token.")

    class Meta:
        model = ReleaseFile
        fields = ["name", "size", "sha256", "address"]

    def get_address(self, file: ReleaseFile) -> str:
        address: str = self.context["request"].build_absolute_uri(file_address(file, self.context["release"]))
        return address


class ReleaseCountsSerializer(serializers.Serializer[Any]):
    """How much is in a release; null for what an early release did not count."""

    sources = serializers.IntegerField(allow_null=True)
    compressions = serializers.IntegerField(allow_null=True)
    ratings = serializers.IntegerField(allow_null=True)
    comparisons = serializers.IntegerField(allow_null=True)
    expert_ratings = serializers.IntegerField(allow_null=True)
    edit_logs = serializers.IntegerField(allow_null=True)


class MeansSerializer(serializers.Serializer[Any]):
    """The mean points of each scale; null where nothing was rated."""

    mean_over_compressions = serializers.DictField(
        child=serializers.FloatField(allow_null=True), help_text="Each compression counts once, as in the paper."
    )
    mean_over_ratings = serializers.DictField(
        child=serializers.FloatField(allow_null=True), help_text="Each rating counts once."
    )


class OneReleaseSerializer(ReleaseSerializer):
    """A release, with its options, its figures and its files."""

    options = serializers.DictField(help_text="The options that it was frozen with.")
    statement = serializers.DictField(
        source="data_statement", child=serializers.CharField(), help_text="What the researchers said of the corpus."
    )
    counts = serializers.SerializerMethodField()
    splits = serializers.SerializerMethodField(help_text="The number of sources of each split.")
    means = serializers.SerializerMethodField()
    systems = serializers.SerializerMethodField(help_text="The number of outputs of each system.")
    left_out = serializers.SerializerMethodField(help_text="How much is left out, by reason.")
    files = serializers.SerializerMethodField()

    class Meta(ReleaseSerializer.Meta):
        fields = [*ReleaseSerializer.Meta.fields, *DETAILS]

    @extend_schema_field(ReleaseCountsSerializer)
    def get_counts(self, release: Release) -> dict[str, int | None]:
        return {name: release.summary.get(name) for name in COUNTS}

    def get_splits(self, release: Release) -> dict[str, int]:
        found = release.summary.get("splits", {})
        return {name: found[name] for name in splits_in_order(found)}

    @extend_schema_field(MeansSerializer)
    def get_means(self, release: Release) -> dict[str, Means]:
        scales = release.rating_scales
        found = named_means(release.summary, scales)
        return {name: {scale.key: means.get(scale.key) for scale in scales} for name, means in found.items()}

    def get_systems(self, release: Release) -> dict[str, int]:
        return dict(sorted(release.summary.get("systems", {}).items()))

    def get_left_out(self, release: Release) -> dict[str, int]:
        return {name: number for name, number in sorted(release.summary.get("left_out", {}).items()) if number}

    @extend_schema_field(FileSerializer(many=True))
    def get_files(self, release: Release) -> Any:
        in_order = sorted(release.files.all(), key=lambda file: (not file.name.endswith(".zip"), file.pk))
        return FileSerializer(in_order, many=True, context={**self.context, "release": release}).data


class SharesBody(Body):
    """How the sources are split: proportions, whatever their sum."""

    train = serializers.FloatField(min_value=0, max_value=LARGEST_SHARE)
    valid = serializers.FloatField(min_value=0, max_value=LARGEST_SHARE)
    test = serializers.FloatField(min_value=0, max_value=LARGEST_SHARE)


class SizesBody(Body):
    """How many sources two of the splits get; the rest is for training."""

    valid = serializers.IntegerField(min_value=0, max_value=MOST_SOURCES)
    test = serializers.IntegerField(min_value=0, max_value=MOST_SOURCES)


class StatementBody(Body):
    """What only the researchers know of a corpus. What is left out or empty is “not stated” in its files."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            question.key: serializers.CharField(
                required=False, allow_blank=True, max_length=MAX_ANSWER_LENGTH, help_text=str(question.label)
            )
            for question in QUESTIONS
        }


class FreezeBody(Body):
    """The options of a release. All of them have defaults."""

    shares = SharesBody(required=False, help_text="By default in the proportions of the paper's corpus.")
    sizes = SizesBody(required=False, help_text="Instead of `shares`.")
    seed = serializers.IntegerField(default=DEFAULT_SEED, min_value=0, max_value=MAX_SEED)
    min_ratings = serializers.IntegerField(
        default=1,
        min_value=0,
        max_value=MAX_LEAST,
        help_text="Minimum ratings per compression. 0 also keeps compressions without any, as references.",
    )
    min_compressions = serializers.IntegerField(
        default=1,
        min_value=0,
        max_value=MAX_LEAST,
        help_text="Minimum compressions per source. 0 also keeps sources without any if an output for them is rated.",
    )
    exact_times = serializers.BooleanField(
        default=False,
        help_text="Publish edits with their times to the millisecond. Otherwise, times are rounded to a tenth of a "
        "second: a typist can be recognised by exact ones. Neither tells when the page was left.",
    )

    statement = StatementBody(
        required=False, help_text="What you say of the corpus; by default what was said of the last release."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "shares" in attrs and "sizes" in attrs:
            raise serializers.ValidationError({"sizes": [_("Give shares or sizes, not both.")]})
        statement = attrs.pop("statement", None)
        try:
            attrs["options"] = ReleaseOptions(**attrs)
            attrs["statement"] = statement
        except ValueError as error:
            raise serializers.ValidationError({"shares": [str(error)]}) from error
        return attrs


class FigureSerializer(serializers.Serializer[Any]):
    """One figure of a release."""

    split = serializers.CharField(help_text="The split that is counted, or `all`.")
    table = serializers.CharField(help_text="`sizes` is Table 3 of the paper, `genres` its Table 2.")
    row = serializers.CharField(allow_blank=True)
    figure = serializers.CharField()
    value = serializers.FloatField(allow_null=True)


class OverviewSerializer(serializers.Serializer[Any]):
    """The figures of a release, row by row as in the CSV file of its page."""

    release = serializers.CharField()
    sha256 = serializers.CharField(allow_blank=True)
    rows = FigureSerializer(many=True)
