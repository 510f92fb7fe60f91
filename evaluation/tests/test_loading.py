"""A release as metrics are held against it."""

import json

import numpy as np
import pytest

from common.errors import Refused
from compressions.models import TranslatedText
from compressions.services.translations import translations_import
from corpus.models import Release
from corpus.services.outputs import outputs_import
from evaluation import loading
from evaluation.kind import KIND
from evaluation.loading import judged_release
from evaluation.parameters import EvaluationParameters
from evaluation.scored_outputs import metrics_of
from evaluation.tests.releases import (
    METRICS,
    SYSTEMS,
    compute_scores,
    computed,
    import_rows,
    judged,
    mean_points,
    metric_scores,
    released_with,
    score_rows,
    scored_release,
    sources_with_systems,
    started,
)
from ratings.models import ImportPool
from ratings.services.rating_imports import file_ratings_import
from scoring.models import ScoreRun
from tests.support.factories import SENTENCE, import_texts

pytestmark = pytest.mark.django_db


def test_scores_and_ratings_of_the_same_output_stand_at_the_same_place() -> None:
    sources = sources_with_systems()
    found = judged(scored_release(sources))
    assert found.systems == tuple(sorted(SYSTEMS))
    assert [each.name for each in found.metrics] == sorted(METRICS)
    outputs = found.judged("meaning")
    assert outputs.quality.shape == (4, 24)
    for row in score_rows(sources, "good", 0.1):
        place = found.systems.index(row["system"]), outputs.inputs.index(row["source"])
        assert metric_scores(found, "good")[place] == pytest.approx(row["score"])
    for column, source in enumerate(sources):
        for output in source.outputs:
            assert outputs.quality[found.systems.index(output.system), column] == pytest.approx(mean_points(output))


def test_the_combined_judgement_is_the_mean_of_both_scales() -> None:
    found = judged(scored_release())
    assert found.judgements == ("meaning", "grammar", "combined")
    expected = (found.quality("meaning") + found.quality("grammar")) / 2
    assert found.quality("combined") == pytest.approx(expected)


def test_computed_and_imported_metrics_stand_side_by_side() -> None:
    sources = sources_with_systems(6)
    release = scored_release(sources)
    compute_scores(release, "LR-2+Recall+MULT-ALL")
    import_rows(release, score_rows(sources, "LR-2+Recall+MULT-ALL", 1))
    found = judged(release)
    computed_metric, *_others, imported = found.metrics
    assert (computed_metric.unit, computed_metric.measure, computed_metric.references) == ("LR-2", "Recall", "MULT-ALL")
    assert (imported.name, imported.unit) == ("LR-2+Recall+MULT-ALL (scores.jsonl)", "")
    assert not np.isnan(found.scored.jackknifed[0]).any()
    assert len(found.scored.people) == 18


def test_a_metric_whose_small_scores_are_good_is_negated() -> None:
    release = scored_release()
    plain, turned = (
        metric_scores(judged(release, EvaluationParameters(smaller_is_better=names)), "fair")
        for names in ((), ("fair",))
    )
    assert turned.tolist() == (-plain).tolist()


def test_the_parts_are_genres_and_thirds_of_lengths() -> None:
    found = judged(scored_release())
    kinds = [part.kind for part in found.parts]
    assert kinds[0] == ""
    assert kinds.count("genre") == 2
    for kind in ("genre", "length"):
        places = [place for part in found.parts if part.kind == kind for place in part.places.tolist()]
        assert sorted(places) == list(range(24))


def test_a_release_without_scores_is_refused() -> None:
    with pytest.raises(Refused, match="has no scores yet"):
        started(released_with(sources_with_systems(2)))


def test_an_unknown_metric_to_be_negated_is_refused() -> None:
    with pytest.raises(Refused, match="no metric called “bad”"):
        started(scored_release(), EvaluationParameters(smaller_is_better=("bad",)))


def test_a_release_of_too_many_systems_and_metrics_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    release = scored_release()
    # Four systems are six pairs, for each of three metrics.
    monkeypatch.setattr(loading, "MAX_COMPARISONS", 17)
    with pytest.raises(Refused, match=r"4 systems and 3 metrics: 18 comparisons.* at most 17"):
        judged(release)
    monkeypatch.setattr(loading, "MAX_COMPARISONS", 18)
    assert len(judged(release).systems) == 4


def test_the_same_request_gives_the_same_report() -> None:
    release = scored_release()
    first = computed(release)
    assert first.rows is not None
    assert started(release).pk == first.pk
    import_rows(release, score_rows(sources_with_systems(), "another", 1))
    assert started(release).pk != first.pk


def test_ratings_by_models_are_held_against_peoples_but_change_no_quality() -> None:
    sources = sources_with_systems(12)
    release = scored_release(sources)
    without = computed(release)
    campaign = release.campaign
    import_texts(campaign, [SENTENCE.format(number=1)])
    output = sources[0].outputs[0]
    source = campaign.sources.get(source_id="1")
    lines = f"id,text\n{source.source_id},{output.text}\n"
    outputs_import(campaign=campaign, system="Alpha", file_name="a.csv", content=lines.encode())
    rated = f"id,system,rater,meaning\n{source.source_id},Alpha,judge,3\n"
    file_ratings_import(campaign=campaign, pool=ImportPool.MODEL, file_name="r.csv", content=rated.encode())

    found = judged(release)
    assert [(each.name, dict(each.scores)) for each in found.models] == [
        ("judge", {("1", output.text): {"meaning": 3}})
    ]
    report = computed(release)
    assert report.pk != without.pk
    tables = {row["table"] for row in report.rows or []}
    assert {"model judges", "model judge bias", "alternative annotator test"} <= tables
    means = [[row for row in each.rows or [] if row["table"] == "table 8"] for each in (without, report)]
    assert means[0] == means[1]


def translate(release: Release, name: str, made_by: str) -> None:
    row = {"id": name, "kind": "output", "system": "T3", "language": "fr", "made_by": made_by, "translated": "Court."}
    content = json.dumps(row).encode()
    done = translations_import(campaign=release.campaign, file_name="fr.jsonl", content=content)
    assert done.added == 1, done.problems


def test_translations_that_came_before_a_report_count_and_later_ones_are_news() -> None:
    sources = sources_with_systems()
    release = scored_release(sources)
    import_texts(release.campaign, [SENTENCE.format(number=1)])
    (source,) = release.campaign.sources.all()
    output = f"id,text\n{source.source_id},Rain.\n".encode()
    outputs_import(campaign=release.campaign, system="T3", file_name="t3.csv", content=output)
    without = started(release)
    assert judged(release).translations.rows == []

    translate(release, source.source_id, "X")
    assert len(KIND.news(without)) == 1
    assert "Translations have been added" in KIND.news(without)[0]
    report = started(release)
    translate(release, source.source_id, "Y")
    assert report.pk != without.pk
    assert [row.made_by for row in judged_release(report).translations.rows] == ["X"]

    newest = started(release)
    TranslatedText.objects.filter(made_by="X").delete()
    assert started(release).pk not in {report.pk, newest.pk}, "the last translation is the same, and another is gone"
    release.campaign.keep_percent = 60
    assert started(release).pk not in {report.pk, newest.pk}, "summaries of translated sources may be as long as that"


def test_without_translations_the_share_to_keep_makes_no_other_report() -> None:
    release = scored_release()
    before = started(release)
    release.campaign.keep_percent = 60
    assert started(release).pk == before.pk


def test_a_metric_of_vectors_has_the_parts_of_its_name_as_any_other() -> None:
    name = "WE-SU4+Recall+MULT-MAX"
    run = ScoreRun(kind=ScoreRun.Kind.COMPUTED, signatures={name: "vectors:any", "LR-1+Recall+MULT-ALL": "tok:any"})
    first, second = metrics_of([run])
    assert (first.name, second.name) == ("LR-1+Recall+MULT-ALL", name)
    assert (second.unit, second.measure, second.references) == ("WE-SU4", "Recall", "MULT-MAX")
