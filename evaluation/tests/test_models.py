"""Models that rate texts: as good as people, biased, or not comparable."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from corpus.release.records import ReleasedSource
from evaluation.judged_release import JudgedRelease, ModelRatings
from evaluation.parameters import EvaluationParameters
from evaluation.sections.annotator_test import annotator_rows
from evaluation.sections.base import Row, SectionResult
from evaluation.sections.model_agreement import model_rows
from evaluation.sections.model_bias import bias_rows, copied_share
from evaluation.tests.releases import judged, mean_points, scored_release, sources_with_systems
from measures.text.normalization import length

pytestmark = pytest.mark.django_db
Points = Callable[[ReleasedSource, str, str], float]


def rated_by(name: str, sources: Sequence[ReleasedSource], points: Points) -> ModelRatings:
    """A model's ratings of all outputs for meaning."""
    return ModelRatings(
        name,
        {
            (source.source_id, output.text): {"meaning": points(source, output.system, output.text)}
            for source in sources
            for output in source.outputs
        },
    )


def with_model(points: Points, name: str = "judge", parameters: EvaluationParameters | None = None) -> JudgedRelease:
    sources = sources_with_systems(40)
    found = judged(scored_release(sources), parameters or EvaluationParameters(draws=100))
    return replace(found, models=[rated_by(name, sources, points)])


def like_people(source: ReleasedSource, system: str, _text: str) -> float:
    """The median of three ratings is as near to each of them as any can be."""
    (output,) = (each for each in source.outputs if each.system == system)
    return float(np.median([rating.scores["meaning"] for rating in output.ratings]))


def cells(found: SectionResult, judgement: str = "meaning", **wanted: object) -> dict[str, Row]:
    rows = [row for row in found.rows if row["judgement"] == judgement]
    return {row["figure"]: row for row in rows if all(row[name] == value for name, value in wanted.items())}


def test_a_model_like_people_agrees_and_may_replace_a_rater() -> None:
    found = with_model(like_people)
    agreement = cells(model_rows(found), other="crowd")
    assert agreement["model versus the pool, kappa"]["value"] > agreement["rater versus the others, kappa"]["value"]
    assert agreement["pearson"]["value"] > 0.8
    assert agreement["model minus people"]["low"] < agreement["model minus people"]["value"]
    tests = cells(annotator_rows(found), pool="crowd", score="accuracy", other="")
    assert tests["winning rate"]["value"] == 1
    assert tests["winning rate"]["may_replace"] is True
    assert tests["winning rate"]["n"] == 3
    curve = annotator_rows(found).figures["epsilon curve"][0]
    assert (curve["metric"], curve["pool"], curve["judgement"], curve["score"]) == (
        "judge",
        "crowd",
        "meaning",
        "accuracy",
    )
    assert curve["curve"][-1] == [0.3, 1.0]


def test_a_model_that_always_says_the_same_does_not() -> None:
    found = with_model(lambda *_: 1.0)
    assert cells(model_rows(found), other="crowd")["pearson"]["reason"] == "the values of one side are all the same"
    tests = cells(annotator_rows(found), pool="crowd", score="accuracy", other="")
    assert tests["winning rate"]["value"] == 0


def test_what_is_not_there_is_undefined_with_its_reason() -> None:
    found = with_model(like_people)
    experts = cells(model_rows(found), other="experts")
    assert experts["model versus the pool, kappa"]["reason"] == (
        "the model has rated no text that people of this pool rated"
    )
    grammar = cells(annotator_rows(found), "grammar", pool="crowd", score="accuracy", other="")
    assert "no rater has enough items" in grammar["winning rate"]["reason"]


def test_points_between_those_of_the_scale_have_no_kappa() -> None:
    found = with_model(lambda *given: like_people(*given) * 0.9)
    agreement = cells(model_rows(found), other="crowd")
    assert "between those of the scale" in agreement["model versus the pool, kappa"]["reason"]
    assert agreement["pearson"]["value"] > 0.8
    tests = cells(annotator_rows(found), pool="crowd", score="accuracy", other="")
    assert "between those of the scale" in tests["winning rate"]["reason"]
    distances = cells(annotator_rows(found), pool="crowd", score="-RMSE", other="")
    assert distances["winning rate"]["value"] is not None


def test_a_model_that_likes_long_texts_is_seen() -> None:
    def likes_length(source: ReleasedSource, system: str, text: str) -> float:
        (output,) = (each for each in source.outputs if each.system == system)
        return mean_points(output) + length(text) / length(source.text) / 10

    bias = cells(bias_rows(with_model(likes_length)))
    assert bias["length"]["value"] > 0.99
    assert bias["length"]["low"] > 0.9


def test_a_model_that_prefers_its_own_outputs_is_seen() -> None:
    def vain(source: ReleasedSource, system: str, _text: str) -> float:
        (output,) = (each for each in source.outputs if each.system == system)
        return mean_points(output) + (0.25 if system == "Beta" else 0)

    found = bias_rows(with_model(vain, name="beta"))
    own = cells(found)["its own outputs minus the others"]
    assert own["value"] == pytest.approx(0.25)
    by_system: Mapping[str, Row] = {row["other"]: row for row in found.rows if row["figure"] == "system"}
    assert by_system["Beta"]["is_own"] is True
    assert by_system["Beta"]["value"] == pytest.approx(0.25)
    assert by_system["Alpha"]["value"] == pytest.approx(0)


def test_without_a_system_of_its_name_nothing_is_said_of_its_own_outputs() -> None:
    assert "its own outputs minus the others" not in cells(bias_rows(with_model(like_people)))


@pytest.mark.parametrize(
    ("source", "text", "share"),
    [("Two men went.", "Two men left.", 2 / 3), ("A b.", "a B", 1), ("A b.", "...", np.nan)],
)
def test_the_share_of_copied_words(source: str, text: str, share: float) -> None:
    assert copied_share(source, text) == pytest.approx(share, nan_ok=True)
