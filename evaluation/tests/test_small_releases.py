"""Where a release is small, tied or rated only in part, a report says no more than is known."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from evaluation.judged_release import JudgedRelease, texts_of
from evaluation.model_items import items_of
from evaluation.page_rows import ReportRows
from evaluation.page_tables import drawn_words
from evaluation.page_words import interval_words
from evaluation.parameters import EvaluationParameters
from evaluation.sections.annotator_test import annotator_rows
from evaluation.sections.base import Row
from evaluation.sections.ceiling import ceiling_rows
from evaluation.sections.corpus_level import corpus_rows
from evaluation.sections.heterogeneity import heterogeneity_rows
from evaluation.sections.input_level import input_rows
from evaluation.sections.metric_differences import difference_rows
from evaluation.sections.power import power_rows
from evaluation.sections.sentinels import sentinel_rows
from evaluation.sections.summary_level import summary_rows
from evaluation.sections.system_order import order_rows
from evaluation.sections.trusted_difference import trusted_rows
from evaluation.tests.made_releases import made_release
from evaluation.tests.releases import (
    FEW_DRAWS,
    compute_scores,
    computed,
    judged,
    released_with,
    scored_release,
    sources_with_systems,
)
from evaluation.tests.test_answer import more
from evaluation.tests.test_models import like_people, rated_by
from measures.core.arrays import FloatArray
from measures.meta_evaluation import Missing, heterogeneity_ranking, rater_sentinel
from measures.meta_evaluation.sentinels import ONE_RATER
from reports.downloads import report_as

RNG = np.random.default_rng
SYSTEMS = ("A", "B", "C", "D", "E")


def of(rows: list[Row], figure: str, metric: str = "good", judgement: str = "meaning") -> Row:
    return next(
        row
        for row in rows
        if (row["figure"], row["metric"], row["judgement"], row["part_kind"] in {"", "whole"})
        == (figure, metric, judgement, True)
        and row.get("of", "judged") == "judged"
    )


def small(inputs: int, systems: int = 4, raters: int = 3) -> JudgedRelease:
    """Systems of rising quality, and a metric that follows it."""
    rng = RNG(7)
    quality = rng.normal(np.linspace(1.6, 2.4, systems)[:, None], 0.4, (systems, inputs))
    points = np.clip(np.rint(quality[..., None] + rng.normal(scale=0.4, size=(systems, inputs, raters))), 1, 3)
    metrics: dict[str, FloatArray] = {"good": quality, "fair": quality + rng.normal(scale=0.4, size=quality.shape)}
    return made_release(points.astype(int).tolist(), metrics, FEW_DRAWS, systems=SYSTEMS[:systems])


def test_three_inputs_or_two_systems_give_no_interval() -> None:
    assert of(input_rows(small(3)).rows, "r")["no_interval"] == "no two systems share 10 inputs"
    assert of(corpus_rows(small(3)).rows, "pearson")["no_interval"] == "no two systems share 10 inputs"
    assert of(corpus_rows(small(40)).rows, "pearson")["no_interval"] == "there are fewer than 5 systems"
    assert of(corpus_rows(small(40, systems=5)).rows, "kendall")["no_interval"] == (
        "there are fewer than 10 systems to rank"
    )
    without = of(heterogeneity_rows(small(3)).rows, "HBR minus this")
    assert (without["low"], without["no_interval"][:20]) == (None, "fewer than 10 inputs")
    for compute in (input_rows, corpus_rows):
        found = of(compute(small(40, systems=5)).rows, "r" if compute is input_rows else "pearson")
        assert found["low"] is not None


def test_an_interval_says_whether_it_is_over_systems() -> None:
    few, enough = (of(input_rows(small(40, systems=number)).rows, "r") for number in (4, 5))
    assert (few["systems"], few["raters"]) == (0, 3)
    assert (enough["systems"], enough["raters"]) == (5, 3)
    assert interval_words([few]) == (
        "The interval is over texts and raters; it holds for these systems and says nothing of others."
    )
    assert interval_words([enough]) == "The interval is over texts, systems and raters."
    assert "drawn again" in interval_words([{"low": 0.1, "high": 0.2}])
    assert interval_words([{"low": None}]) == ""


def test_two_systems_show_only_whether_the_order_agrees() -> None:
    judged = small(40, systems=2)
    for found in (*corpus_rows(judged).rows, *sentinel_rows(judged).rows, *summary_rows(judged).rows):
        if found["figure"] in {"pearson", "spearman", "kendall", "r_SYS"}:
            assert found["value"] is None
            assert found["reason"] in {
                "two systems: only whether the order agrees",
                "the means of all systems are the same",
                "the correlation is not defined",
            }, found
    assert of(corpus_rows(judged).rows, "pearson")["order"] == "same"
    turned = replace(judged, scored=replace(judged.scored, scores=-judged.scored.scores))
    assert of(corpus_rows(turned).rows, "kendall")["order"] == "opposite"
    assert of(heterogeneity_rows(small(40)).rows, "HBR minus this")["low"] is not None


def test_it_is_said_if_heterogeneity_is_from_some_of_the_pairs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "drawn_pairs" not in heterogeneity_rows(small(40)).rows[0]
    few = partial(heterogeneity_ranking, max_pairs=100, sampled=50)
    monkeypatch.setattr("evaluation.sections.heterogeneity.heterogeneity_ranking", few)
    rows = heterogeneity_rows(small(40)).rows
    assert all((row["drawn_pairs"], row["all_pairs"]) == (50, 240) for row in rows)
    assert drawn_words(rows) == "HBR is from 50 pairs of outputs, drawn from 240."


def test_a_difference_is_not_trusted_on_a_few_pairs_or_on_ties() -> None:
    assert of(trusted_rows(small(40, systems=3)).rows, "95%")["reason"] == "3 pairs of systems, 20 wanted"
    tied = made_release(
        [[[2, 2]] * 20] * 4,
        {"good": np.arange(80.0).reshape(4, 20), "constant": np.ones((4, 20))},
        FEW_DRAWS,
    )
    for metric in ("good", "constant"):
        assert of(trusted_rows(tied).rows, "95%", metric)["reason"] == "the mean ratings of two systems never differ"
        assert of(order_rows(tied).rows, "pairwise accuracy", metric)["value"] is None
        assert of(order_rows(tied).rows, "soft pairwise accuracy", metric)["value"] is None
    assert "is the same for every input" in of(ceiling_rows(tied).rows, "mean over pairs", "")["reason"]


def test_without_pairs_nothing_is_said_of_differences_however_large() -> None:
    found = small(6)
    rows = [*input_rows(found).rows, *trusted_rows(found).rows]
    assert {row["reason"] for row in trusted_rows(found).rows} == {"0 pairs of systems, 20 wanted"}
    assert "95%" not in more(rows)


def test_ratings_that_are_noise_have_no_ceiling() -> None:
    points = RNG(3).integers(1, 4, size=(5, 200, 4)).tolist()
    found = made_release(points, {"good": RNG(4).normal(size=(5, 200))}, FEW_DRAWS, systems=SYSTEMS)
    rows = ceiling_rows(found).rows
    over = of(rows, "mean over pairs", "")
    halves = [row["halves"] for row in rows if row["judgement"] == "meaning" and row["figure"] == "ceiling"]
    assert min(halves) < 0 < max(halves)
    assert over["halves"] == pytest.approx(np.mean(halves))
    assert (over["n"], over["pairs"]) == (10, 10)
    assert over["value"] is None or over["value"] < 0.2


def with_same_texts(judged_release: JudgedRelease, *, apart: bool = False) -> JudgedRelease:
    """Let all systems have the same outputs, rated once or, with the points they have, apart."""
    pools = ("crowd",) if apart else ()
    inputs = tuple(
        replace(each, outputs=[replace(output, text="The same.", rated_apart=pools) for output in each.outputs])
        for each in judged_release.inputs
    )
    return replace(judged_release, inputs=inputs, outputs=texts_of(inputs, judged_release.systems))


def test_a_text_of_two_systems_that_was_rated_once_is_split_once() -> None:
    points = RNG(3).integers(1, 4, size=(1, 40, 4)).repeat(2, axis=0).tolist()
    same = with_same_texts(made_release(points, {}, FEW_DRAWS, systems=SYSTEMS[:2]))

    over = of(ceiling_rows(same).rows, "mean over pairs", "")

    assert (over["halves"], over["value"], over["shared"]) == (None, None, 40)
    assert over["reason"].startswith("the difference between the two systems is the same for every input")


def test_a_text_of_two_systems_that_was_rated_for_each_is_split_for_each() -> None:
    points = RNG(3).integers(1, 4, size=(2, 40, 4)).tolist()
    found = made_release(points, {}, FEW_DRAWS, systems=SYSTEMS[:2])

    apart = with_same_texts(found, apart=True)

    assert ceiling_rows(apart).rows == ceiling_rows(found).rows
    assert of(ceiling_rows(apart).rows, "mean over pairs", "")["shared"] == 0


def test_one_rater_is_drawn_for_a_text_of_two_systems() -> None:
    points = RNG(3).integers(1, 4, size=(1, 40, 4)).repeat(2, axis=0)
    same = with_same_texts(made_release(points.tolist(), {}, FEW_DRAWS, systems=SYSTEMS[:2]))

    one, _ = rater_sentinel(same.ratings("meaning"), seed=1, panels=same.panels)

    assert (one[0] == one[1]).all()


@pytest.mark.django_db
def test_references_that_nobody_rated_are_scored_against_and_have_no_quality() -> None:
    rated = sources_with_systems(12)
    unrated = [replace(each, texts=[replace(text, ratings=()) for text in each.texts]) for each in rated]
    release, same = released_with(unrated), released_with(rated)
    for each in (release, same):
        compute_scores(each, "LR-2+Recall+MULT-ALL")

    found, other = judged(release), judged(same)

    assert np.isfinite(found.scored.scores).all()
    assert found.scored.scores.tolist() == other.scored.scores.tolist()
    assert found.quality("meaning").tolist() == other.quality("meaning").tolist()
    assert found.people_and_systems["meaning"].everyone == []
    assert computed(release).rows


def test_a_rater_who_follows_the_others_is_no_sentinel() -> None:
    points = RNG(5).integers(1, 4, size=(4, 40, 1)).repeat(3, axis=2)
    quality = points.mean(axis=2)
    metrics = {"good": quality + RNG(6).normal(scale=0.2, size=quality.shape)}
    found = made_release(points.tolist(), metrics, FEW_DRAWS)
    rows = [*input_rows(found).rows, *sentinel_rows(found).rows]
    assert of(rows, "r", ONE_RATER)["value"] == pytest.approx(1)
    assert "no metric should lose to" not in more(rows)


def partly_rated() -> JudgedRelease:
    """One system without ratings, and one with ratings of three outputs of 24."""
    sources = sources_with_systems(24)
    for place, source in enumerate(sources):
        source.outputs[2] = replace(source.outputs[2], ratings=())
        if place >= 3:
            source.outputs[3] = replace(source.outputs[3], ratings=())
    return judged(scored_release(sources))


@pytest.mark.django_db
def test_numbers_of_texts_are_those_that_were_compared() -> None:
    found = partly_rated()
    level = of(input_rows(found).rows, "r")
    assert (level["n"], level["pairs"], level["small_pairs"]) == (3, 3, 2)
    assert of(sentinel_rows(found).rows, "r", "length, words")["n"] == 3
    assert [row["n"] for row in power_rows(found).rows if row["judgement"] == "meaning"] == [3, 6, 12]
    assert "2 of the 3 pairs of systems share fewer than 10 texts" in more(input_rows(found).rows)


@pytest.mark.django_db
def test_latex_has_the_numbers_of_the_page_where_ratings_are_missing() -> None:
    sources = sources_with_systems(24)
    for place, source in enumerate(sources):
        if place % 2:
            source.outputs[:] = [replace(output, ratings=()) for output in source.outputs]
    report = computed(scored_release(sources))
    shown = ReportRows(report.rows or []).system_levels("meaning")["fair"]["pearson"]
    tables = "".join(report_as("latex", report))
    assert f"{shown['value']:.3f}" in tables
    shown = ReportRows(report.rows or []).metric_levels("meaning")[0]
    ends = f"{shown['value']:.3f} [{shown['low']:.3f}, {shown['high']:.3f}]"
    assert ends in tables.replace("$-$", "-")


@pytest.mark.parametrize("missing", ["by pair", "complete"])
def test_differences_of_metrics_are_those_of_the_report(missing: Missing) -> None:
    points = RNG(8).integers(1, 4, size=(4, 30, 3))
    quality = points.mean(axis=2)
    metrics = {name: quality + RNG(9).normal(scale=noise, size=quality.shape) for name, noise in (("a", 1), ("b", 2))}
    metrics["b"][3, :15] = np.nan
    found = made_release(points.tolist(), metrics, EvaluationParameters(draws=20, missing=missing))
    levels = input_rows(found).rows
    (difference,) = [row for row in difference_rows(found).rows if row["judgement"] == "meaning"]
    expected = of(levels, "r", difference["metric"])["value"] - of(levels, "r", difference["other"])["value"]
    assert difference["value"] == pytest.approx(expected)


@pytest.mark.django_db
def test_a_text_that_two_systems_made_counts_once() -> None:
    sources = sources_with_systems(20, systems=("Alpha",))
    for source in sources:
        source.outputs.append(replace(source.outputs[0], system="Beta"))
    found = judged(scored_release(sources))
    model = rated_by("judge", sources, lambda source, _system, _text: like_people(source, "Alpha", ""))
    found = replace(found, models=[model])
    texts = [next(items_of(found, model, "crowd", by_maker=by_maker)) for by_maker in (False, True)]
    assert [int(each.both.sum()) for each in texts] == [20, 40]
    # The test wants thirty texts of each rater.
    rates = [row for row in annotator_rows(found).rows if row["figure"] == "winning rate"]
    assert [row["value"] for row in rates if row["pool"] == "crowd" and row["judgement"] == "meaning"] == [None, None]


@pytest.mark.django_db
def test_a_single_system_leaves_no_metrics_to_compare() -> None:
    found = difference_rows(judged(scored_release(sources_with_systems(4, systems=["lead"]))))

    assert found.rows
    assert {(row["value"], row["reason"]) for row in found.rows} == {(None, "no metric has a correlation")}
