"""The figures of a comparison: what is planted is found, undefined ones have their reason, the answer says no more."""

import numpy as np
import pytest

from corpus.release.records import ReleasedOutput, ReleasedSource
from crowd.scales import Scale, scale_of
from measures.experiments import ArmEffects, CrossedModel, arm_effects, detectable_scale_difference
from measures.experiments.latent_judging import same_judging
from protocols.scale_against_scale.arms_of_release import ComparedRatings, compared_ratings
from protocols.scale_against_scale.effects import shared_scales
from protocols.scale_against_scale.figures import Row, figures
from protocols.scale_against_scale.page import answer_of, context_of, figure_of, rows_by, tables_of
from protocols.scale_against_scale.parameters import ScaleParameters, comparable_pairs
from protocols.scale_against_scale.tests.planted import FIVE, THREE, planted_sources
from tests.support.factories import silent

FEW = ScaleParameters(draws=400, seed=1)
NAMES = ("three", "five")
DRAWN = {"three": 13, "five": 12}


def rows_of(
    sources: list[ReleasedSource], drawn: dict[str, int] = DRAWN, scales: tuple[Scale, ...] = (), **minutes: float
) -> list[Row]:
    ratings = compared_ratings(sources, (THREE, FIVE))
    shared = shared_scales(sources, (THREE, FIVE), scales)
    return figures(ratings, FEW, minutes=minutes, drawn=drawn, shared=shared, progress=silent)


def ratings_of(sources: list[ReleasedSource]) -> ComparedRatings:
    return compared_ratings(sources, (THREE, FIVE))


@pytest.fixture(scope="module")
def planted() -> list[ReleasedSource]:
    return planted_sources(1, sources=60)


def test_rows_of_both_arms_are_the_same_texts_and_nobody_rates_one_twice(planted: list[ReleasedSource]) -> None:
    ratings = ratings_of(planted)
    texts = [text for source in planted for text in source.texts]
    for number, scale in enumerate((THREE, FIVE)):
        sums = [sum(each.scores.get(scale.key, 0) for each in text.ratings) for text in texts]
        assert ratings.arms[number].sums[:, 0].tolist() == sums
        assert ratings.arms[number].category.shape == (120, 5)
        assert ratings.raters(number) == 12
    assert len(set(ratings.sources.tolist())) == 60
    assert ratings.writer == ["e0", "e1"] * 60
    assert not ratings.writers_are_systems


def test_equal_judging_on_both_scales_is_not_called_better(planted: list[ReleasedSource]) -> None:
    found = rows_by(rows_of(planted))
    latent = found["judging", "latent_icc", "difference"]
    assert latent["low"] < 0 < latent["high"]
    for scale in ("first", "second"):
        assert found["judging", "latent_icc", scale]["value"] == pytest.approx(0.5, abs=0.12)
    assert found["points alone", "agreement", "first"]["value"] > found["points alone", "agreement", "second"]["value"]
    expected = same_judging(
        np.mean([found["judging", "latent_icc", scale]["value"] for scale in ("first", "second")]),
        (np.bincount(ratings_of(planted).arms[0].category.ravel()) / 600).tolist(),
    )
    assert found["one judging", "kappa_quadratic", "first"]["value"] == pytest.approx(expected.kappa_quadratic)
    told = answer_of(list(found.values()), NAMES)
    assert told[0].startswith("It is not shown that people judge better")
    assert len(told) == 2


def test_better_judging_on_one_scale_is_found_and_named() -> None:
    rows = rows_of(planted_sources(2, sources=80, rho=(0.15, 0.75)))
    told = answer_of(rows, NAMES)
    assert told[0].startswith("People judge better on the scale five: the latent ICCs differ by \N{MINUS SIGN}0.")
    assert told[1].startswith("The scale five gives the more reliable means of texts")


def test_arms_that_were_drawn_wrongly_are_said_first(planted: list[ReleasedSource]) -> None:
    rows = rows_of(planted, {"three": 60, "five": 20})
    assert "drawn wrongly" in answer_of(rows, NAMES)[0]
    assert len(answer_of(rows, NAMES)) == 3


def test_losses_and_times_and_the_smallest_difference(planted: list[ReleasedSource]) -> None:
    found = rows_by(rows_of(planted, three=0.5, five=0.6))
    assert found["arms", "lost", "first"]["value"] == pytest.approx(1 / 13)
    assert found["arms", "lost", "second"]["value"] == 0
    bits = found["information", "bits", "first"]["value"]
    assert found["information", "bits_per_minute", "first"]["value"] == pytest.approx(bits / 0.5)
    equal = found["corpus", "icc_k_equal_minutes", "first"]["value"]
    assert equal == pytest.approx(found["corpus", "icc_k", "first"]["value"], abs=1e-3)
    icc = found["power", "icc_1", ""]["value"]
    assert found["power", "smallest_found", "difference"]["value"] == detectable_scale_difference(icc, 120, 5)


def test_few_sources_and_none_at_all_have_reasons_and_claim_nothing() -> None:
    few = rows_of(planted_sources(3, sources=4))
    assert answer_of(few, NAMES)[0].startswith("Whether people judge better on one of the scales is not known: ")
    nothing = rows_of([], {})
    assert {row["value"] for row in nothing if row["table"] in {"judging", "corpus", "same thing", "power"}} == {None}
    assert all(row["reason"] for row in nothing if row["value"] is None)
    context = context_of(nothing, NAMES)
    assert len(context["answer"]) == 2
    assert not figure_of(nothing, NAMES)


def test_a_text_that_only_one_arm_rated_and_one_with_a_rating_more_are_kept() -> None:
    sources = planted_sources(4, sources=12)
    first = sources[0].texts[0]
    only = tuple(rating for rating in first.ratings if rating.arm == "three")
    more = (*sources[1].texts[0].ratings, type(only[0])("three99", {"meaning": 2}, arm="three"))
    sources[0].texts[0] = type(first)(first.text, first.editors, only)
    sources[1].texts[0] = type(first)(sources[1].texts[0].text, first.editors, more)
    ratings = ratings_of(sources)
    assert [arm.category.shape for arm in ratings.arms] == [(24, 6), (24, 5)]
    assert [arm.category.shape for arm in ratings.whole] == [(24, 5), (24, 5)]
    found = rows_by(rows_of(sources, {"three": 13, "five": 12}))
    assert found["same thing", "correlation", ""]["n"] == 23
    assert found["corpus", "split_half", "first"]["value"] is not None


def test_every_row_has_a_place_on_the_page(planted: list[ReleasedSource]) -> None:
    rows = rows_of(planted, scales=(THREE, GRAMMAR, FIVE), three=0.5, five=0.6)
    shown = [cell for table in tables_of(rows) for line in table.lines for cell in line.cells if cell]
    assert sorted(map(id, shown)) == sorted(map(id, rows))


def test_raters_whom_nobody_knows_are_people_of_their_own() -> None:
    sources = planted_sources(5, sources=10, texts=1)
    for source in sources:
        text = source.texts[0]
        nameless = tuple(type(each)("", each.scores, arm=each.arm) for each in text.ratings)
        source.texts[0] = type(text)(text.text, text.editors, nameless)
    assert ratings_of(sources).raters(0) == 50


def test_systems_are_compared_where_two_were_rated() -> None:

    sources = planted_sources(6, sources=12)
    for source in sources:
        source.outputs = [ReleasedOutput(f"system {n}", text.text, text.ratings) for n, text in enumerate(source.texts)]
        source.texts = []
    ratings = ratings_of(sources)
    assert ratings.writers_are_systems
    assert rows_by(rows_of(sources))["apart", "pairs_of_systems", "first"]["n"] == 1


PLAIN = scale_of("plain", "Meaning (plain)", "How much?", ("1", "2", "3"), "five")
GRAMMAR = scale_of("grammar", "Grammar", "How good?", ("1", "2", "3", "4", "5"))


def with_grammar(sources: list[ReleasedSource], higher: float) -> list[ReleasedSource]:
    """Everybody rates the grammar, too; people of the arm of three points that much higher before it is rounded."""
    rng = np.random.default_rng(7)
    for source in sources:
        for text in source.texts:
            quality = rng.normal(3, 0.5)
            for rating in text.ratings:
                point = quality + rng.normal(0, 0.7) + (higher if rating.arm == "three" else 0)
                assert isinstance(rating.scores, dict)
                rating.scores["grammar"] = int(np.clip(round(point), 1, 5))
    return sources


def test_what_an_arm_does_to_a_scale_that_both_have_is_told_as_the_model_says() -> None:
    sources = with_grammar(planted_sources(8, sources=20, texts=1), 0.8)
    (shared,) = shared_scales(sources, (THREE, FIVE), (THREE, GRAMMAR, FIVE))
    direct = arm_effects(shared.points, shared.arm, shared.source, shared.person, reference="five")
    assert isinstance(direct, ArmEffects)
    assert isinstance(direct.model, CrossedModel)
    found = rows_by(rows_of(sources, scales=(THREE, GRAMMAR, FIVE)))
    effect = found["effect", "effect: Grammar", "difference"]
    assert effect["value"] == direct.model.coefficients["three"].value
    assert 0 < effect["low"] < 0.8 < effect["high"]
    assert effect["p"] < 0.01
    means = [found["effect", "mean: Grammar", arm]["value"] for arm in ("first", "second")]
    assert means[0] - means[1] == pytest.approx(effect["value"], abs=0.1)
    assert found["effect", "standardised: Grammar", "difference"]["value"] > 1
    plain = found["effect", "mean: Grammar", "difference"]
    assert (plain["value"], plain["p"]) == (pytest.approx(means[0] - means[1]), 1 / 2001)
    assert found["effect", "likelihood_ratio: Grammar", "difference"]["p"] < 0.01
    (table,) = [each for each in tables_of(list(found.values())) if each.heading.table == "effect"]
    assert str(table.lines[0].label).startswith("Grammar: mean of the ratings")


def test_two_scales_of_the_same_points_are_shared_and_few_people_have_no_test() -> None:
    sources = planted_sources(9, sources=14, texts=1, people=5, scales=(THREE, PLAIN))
    (shared,) = shared_scales(sources, (THREE, PLAIN), (THREE, PLAIN))
    assert (shared.name, shared.ratings("three"), shared.ratings("five")) == ("", 70, 70)
    ratings = compared_ratings(sources, (THREE, PLAIN))
    found = rows_by(figures(ratings, FEW, minutes={}, drawn=DRAWN, shared=[shared], progress=silent))
    effect = found["effect", "effect", "difference"]
    assert (effect["low"], effect["p"], effect["reason"]) == (None, None, "no test with fewer than 6 people in an arm")
    assert ("effect", "log_odds", "difference") not in found


def test_a_scale_that_only_one_arm_rated_has_a_reason() -> None:
    sources = with_grammar(planted_sources(10, sources=3), 0)
    for source in sources:
        for text in source.texts:
            for rating in text.ratings:
                if rating.arm == "five":
                    assert isinstance(rating.scores, dict)
                    del rating.scores["grammar"]
    found = rows_by(rows_of(sources, scales=(THREE, GRAMMAR, FIVE)))
    assert found["effect", "effect: Grammar", "difference"]["reason"] == "only one of the arms has ratings on it"


def test_scales_of_one_arm_are_no_pair() -> None:

    shared = scale_of("grammar", "Grammar", "How good?", ("bad", "good"))
    assert comparable_pairs([THREE, shared]) == []
    assert comparable_pairs([THREE, shared, FIVE]) == [(THREE, FIVE), (FIVE, THREE)]
