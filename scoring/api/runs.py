"""Scores of a release's outputs: those at hand, and asking for more."""

from http import HTTPStatus
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from common.api.operations import Body, operation
from common.api.pages import LARGEST_KEY
from common.api.results import RESULT_STATES, STATE_WORDS, result_state
from common.models import Job
from corpus.models import Release
from corpus.selectors import release_or_404
from crowd.api.endpoint import CampaignEndpoint
from measures.metrics import KNOWN_METRICS, VECTOR_METRICS, Options
from measures.metrics.options import GROUNDS, REFERENCE_CHOICES, REFERENCE_WEIGHTS, SMOOTHINGS, Ground
from scoring.downloads import PARQUET_TYPE, TSV_TYPE, scores_response
from scoring.entries import ALL
from scoring.mean_rows import mean_rows, part_rows
from scoring.models import ScoreRun
from scoring.parquet_tables import refuse_without_parquet
from scoring.selectors import default_ground, jobs_of_runs, most_complete_run, runs_of_release
from scoring.services.runs import scores_request
from scoring.settings import MAX_SEED, MAX_WINDOW, ScoreSettings

TIMES = ("created_at", "finished_at")
NAMED = [name for name in KNOWN_METRICS if name not in VECTOR_METRICS or VECTOR_METRICS[name].wants_vectors]
"""What can be asked for: a model that reads texts is given to the command alone."""


class ScoreRunSerializer(serializers.ModelSerializer[ScoreRun]):
    """The scores of all outputs of a release, computed with one set of settings or imported from a file."""

    state = serializers.SerializerMethodField(help_text=STATE_WORDS)
    job = serializers.SerializerMethodField(help_text="The job that best shows how far it is; null once it is ready.")
    metrics = serializers.SerializerMethodField()
    settings = serializers.DictField(help_text="What it is computed with; for imported scores, the name of the file.")
    release_sha256 = serializers.CharField(source="release_checksum")

    class Meta:
        model = ScoreRun
        fields = ["id", "kind", "state", "job", "metrics", "settings", "release_sha256", "outputs", *TIMES]

    @extend_schema_field(serializers.ChoiceField(RESULT_STATES))
    def get_state(self, run: ScoreRun) -> str:
        return result_state(self._job(run), is_ready=run.finished_at is not None)

    def get_job(self, run: ScoreRun) -> int | None:
        job = self._job(run)
        return job.pk if job else None

    def get_metrics(self, run: ScoreRun) -> list[str]:
        return sorted(run.signatures)

    def _job(self, run: ScoreRun) -> Job | None:
        jobs: dict[int, Job] = self.context["endpoint"].jobs
        return jobs.get(run.pk)


class MeanRowSerializer(serializers.Serializer[Any]):
    """The mean of a metric over the outputs of a system, with its 95% interval over sources."""

    metric = serializers.CharField()
    system = serializers.CharField(allow_blank=True, help_text="Empty for the texts that people wrote.")
    outputs = serializers.IntegerField()
    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class PartRowSerializer(serializers.Serializer[Any]):
    """The mean of a metric over a part of the outputs of a system."""

    by = serializers.ChoiceField(["genre", "length"])
    part = serializers.CharField(allow_blank=True)
    metric = serializers.CharField()
    system = serializers.CharField(allow_blank=True)
    outputs = serializers.IntegerField()
    value = serializers.FloatField()


class ScoresSerializer(ScoreRunSerializer):
    """A run with its means. They are empty until it is ready."""

    signatures = serializers.DictField(
        child=serializers.CharField(), help_text="The settings of each metric in one line, to cite."
    )
    ground = serializers.SerializerMethodField(
        help_text="`jackknifed`: each text is scored against all references but one, so that people and systems can be "
        "compared. `all`: against all of them."
    )
    rows = serializers.SerializerMethodField()
    parts = serializers.SerializerMethodField()

    class Meta(ScoreRunSerializer.Meta):
        fields = [*ScoreRunSerializer.Meta.fields, "signatures", "ground", "rows", "parts"]

    @extend_schema_field(serializers.ChoiceField(GROUNDS, allow_null=True))
    def get_ground(self, run: ScoreRun) -> Ground | None:
        if run.summary is None:
            return None
        return ALL if self.context["endpoint"].asked.get("ground") == ALL else default_ground(run.summary)

    @extend_schema_field(MeanRowSerializer(many=True))
    def get_rows(self, run: ScoreRun) -> list[dict[str, Any]]:
        return mean_rows(run.summary, self.get_ground(run))

    @extend_schema_field(PartRowSerializer(many=True))
    def get_parts(self, run: ScoreRun) -> list[dict[str, Any]]:
        return part_rows(run.summary, self.get_ground(run))


class RunQuery(serializers.Serializer[Any]):
    """Which run is wanted."""

    run = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_KEY,
        help_text="By default the latest with nearly all metrics, or else the latest.",
    )


class ScoresQuery(RunQuery):
    """Which run is wanted, and on which ground."""

    ground = serializers.ChoiceField(
        GROUNDS, required=False, help_text="By default `jackknifed` where something was jackknifed."
    )


class RunBody(Body):
    """The settings of scores. The defaults are those of the paper, where it states them."""

    metrics = serializers.ListField(
        child=serializers.ChoiceField(NAMED),
        required=False,
        max_length=len(NAMED),
        help_text="By default all of the paper that can be computed. Those that begin with `WE-` need the vectors that "
        "`PRECIS_EMBEDDINGS` names, and `CONTEXT` the model that `PRECIS_ENCODER` names.",
    )
    tokenizer = serializers.ChoiceField(["spacy", "whitespace"], required=False)
    mixed_case = serializers.BooleanField(required=False, help_text="Keep the case of letters.")
    stemmer = serializers.ChoiceField(["none", "porter", "snowball"], required=False)
    without_stop_words = serializers.BooleanField(required=False)
    window = serializers.IntegerField(
        default=Options.window, min_value=0, max_value=MAX_WINDOW, help_text="Skip-bigram window, in words."
    )
    single = serializers.ChoiceField(REFERENCE_CHOICES, required=False, help_text="The reference of SINGLE-REF.")
    seed = serializers.IntegerField(default=Options.seed, min_value=0, max_value=MAX_SEED)
    smoothing = serializers.ChoiceField(SMOOTHINGS, required=False, help_text="Smoothing of BLEU.")
    reference_weights = serializers.ChoiceField(
        REFERENCE_WEIGHTS, required=False, help_text="How a text counts that several editors wrote."
    )
    no_normalize = serializers.BooleanField(
        required=False, help_text="Keep typographic and invisible characters as written."
    )


def run_or_404(release: Release, number: int | None) -> ScoreRun:
    """Return the run with a number, or by default the most complete recent one."""
    runs = runs_of_release(release)
    run = most_complete_run(runs) if number is None else get_object_or_404(runs, pk=number)
    if run is None:
        raise Http404
    return run


class _RunsEndpoint(CampaignEndpoint):
    jobs: dict[int, Job]

    def found(self, version: int) -> Release:
        """Find the release, and the jobs that compute scores of it."""
        release = release_or_404(self.campaign, version)
        self.jobs = jobs_of_runs(release)
        return release


class Scores(_RunsEndpoint):
    @operation("getScores", answer=ScoresSerializer, query=ScoresQuery)
    def get(self, request: Request, version: int) -> Any:
        """Get the scores of a release: the mean of each metric for each system."""
        return run_or_404(self.found(version), self.asked.get("run"))


class Runs(_RunsEndpoint):
    @operation("requestScores", body=RunBody, answer=ScoreRunSerializer, status=HTTPStatus.ACCEPTED)
    def post(self, request: Request, version: int) -> Any:
        """Ask for scores of the outputs of a release.

        Jobs compute them. The same settings give the same run.
        """
        release = self.found(version)
        given = {name: value for name, value in self.sent.items() if name != "metrics"}
        settings = ScoreSettings.typed(
            given, language=self.campaign.language, metrics=tuple(dict.fromkeys(self.sent.get("metrics", ())))
        )
        run = scores_request(release=release, settings=settings, user=self.user)
        self.jobs = jobs_of_runs(release)
        return run


class Parquet(CampaignEndpoint):
    @operation("getScoresParquet", query=RunQuery, files={200: PARQUET_TYPE}, problems=(503,))
    def get(self, request: Request, version: int) -> Any:
        """Download the scores of each output as Parquet."""
        return scores_response(run_or_404(release_or_404(self.campaign, version), self.asked.get("run")), "parquet")


class Tsv(CampaignEndpoint):
    @operation("getScoresTsv", query=RunQuery, files={200: TSV_TYPE}, problems=(409, 503))
    def get(self, request: Request, version: int) -> Any:
        """Download the scores of each output as tab-separated values.

        Refused (409) by an installation without the extra that reads the file they are kept in.
        """
        refuse_without_parquet()
        return scores_response(run_or_404(release_or_404(self.campaign, version), self.asked.get("run")), "tsv")
