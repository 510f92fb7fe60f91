"""Read a release, its scores and its models' ratings as metrics are held against them."""

from collections.abc import Collection, Mapping
from math import comb

from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.selectors.translations import translations_until
from corpus.selectors import release_sources
from evaluation.judged_release import JudgedRelease, ModelRatings, Translations, systems_of, texts_of
from evaluation.parameters import EvaluationParameters
from evaluation.scored_outputs import metrics_of, scored_outputs
from ratings.selectors.imported_ratings import model_ratings_until
from reports.models import Report
from scoring.models import ScoreRun
from scoring.parquet_tables import refuse_without_parquet

MAX_COMPARISONS = 100_000
"""Metrics times pairs of systems: with 80 metrics, 50 systems."""


def judged_release(report: Report, *, only: Collection[str] | None = None) -> JudgedRelease:
    """Read what a report is computed from, or only the scores of the metrics in `only`.

    Raises Refused if scores have been lost or cannot be read here, or have no metric that the parameters name.
    """
    refuse_without_parquet()
    sources = release_sources(report.of_release)
    systems = systems_of(sources)
    if only is None:
        _check_size(report, len(systems))
    places = [place for place, source in enumerate(sources) if source.outputs]
    inputs = tuple(sources[place] for place in places)
    parameters = EvaluationParameters.of(report.parameters)
    try:
        scored = scored_outputs(
            pinned_runs(report),
            systems,
            {place: number for number, place in enumerate(places)},
            negated=parameters.smaller_is_better,
            only=only,
        )
    except FileNotFoundError as error:
        words = _("The scores of %(release)s are lost. Compute or import them again.")
        raise Refused(words % {"release": report.of_release.name}) from error
    except ValueError as error:
        raise Refused(str(error)) from error
    scales = report.of_release.rating_scales
    models = _models(report) if only is None else []
    translated = _translations(report) if only is None else Translations()
    texts = texts_of(inputs, systems)
    answers = report.pinned.get("compares_answers", False)
    return JudgedRelease(sources, inputs, systems, scales, texts, scored, parameters, models, translated, answers)


def _check_size(report: Report, systems: int) -> None:
    """Raise Refused if comparing all pairs of systems by all metrics would take hours."""
    metrics = len(metrics_of(pinned_runs(report)))
    comparisons = metrics * comb(systems, 2)
    if comparisons > MAX_COMPARISONS:
        words = _(
            "%(release)s has %(systems)s systems and %(metrics)s metrics: %(n)s comparisons of two systems by a "
            "metric. A report takes at most %(most)s."
        )
        sizes = {"systems": systems, "metrics": metrics, "n": f"{comparisons:,}", "most": f"{MAX_COMPARISONS:,}"}
        raise Refused(words % {"release": report.of_release.name, **sizes})


def _models(report: Report) -> list[ModelRatings]:
    """Return the ratings by each model that counts in a report."""
    if report.pinned["last_model_rating"] is None:
        return []
    found: dict[str, dict[tuple[str, str], Mapping[str, float]]] = {}
    for row in model_ratings_until(report.of_release.campaign, report.pinned["last_model_rating"]):
        found.setdefault(row.rater, {})[row.source_id, row.text] = row.scores
    return [ModelRatings(name, scores) for name, scores in sorted(found.items())]


def _translations(report: Report) -> Translations:
    campaign = report.of_release.campaign
    rows = list(translations_until(campaign, report.pinned["last_translation"]))
    return Translations(campaign.language, campaign.keep_percent, rows)


def pinned_runs(report: Report) -> list[ScoreRun]:
    """Return the scores that a report stands on, in its order; raise Refused if one is gone."""
    pinned = [each["id"] for each in report.pinned["score_runs"]]
    runs = ScoreRun.objects.filter(summary__isnull=False).in_bulk(pinned)
    if len(runs) < len(pinned):
        raise Refused(_("Scores that this report stands on are gone. Request it again."))
    return [runs[pk] for pk in pinned]
