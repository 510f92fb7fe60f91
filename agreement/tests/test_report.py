"""The rows of the report, against plain loops and by hand."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from agreement.kind import agreement_report
from agreement.parameters import AgreementParameters
from agreement.scale_ratings import ReleaseContext
from agreement.sections.coefficients import LEVELS
from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText
from crowd.scales import DEFAULT_SCALES
from measures.agreement.mean_rounding import Rounding
from measures.agreement.two_way import NO_SPREAD
from tests.support.factories import silent

Points = Sequence[int | None]
QUICK = AgreementParameters(draws=200, replications=200)
COMPARISONS = ("worker versus worker", "expert versus expert", "expert versus worker")


def released(meaning: Iterable[Points], grammar: int = 2) -> list[ReleasedSource]:
    """One source for each item; a column is a rater, None where they did not rate."""
    return [
        ReleasedSource(str(number), "Letters", "A text.", 1, "", str(number), "train", [_text(points, grammar)])
        for number, points in enumerate(meaning)
    ]


def _text(points: Points, grammar: int) -> ReleasedText:
    ratings = [
        ReleasedRating(str(rater), {"meaning": point, "grammar": grammar})
        for rater, point in enumerate(points, start=50)
        if point
    ]
    return ReleasedText("Text.", ("1",), tuple(ratings))


def rows_of(
    meaning: Iterable[Points], parameters: AgreementParameters = QUICK, first_ratings: int | None = None
) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows about meaning, by comparison and measure."""
    report = agreement_report(released(meaning), DEFAULT_SCALES, parameters, silent, ReleaseContext(first_ratings))
    rows: list[dict[str, Any]] = report.rows
    return {(row["comparison"], row["measure"]): row for row in rows if row["scale"] == "meaning" and not row["group"]}


MIXED: list[Points] = [(3, 3, 2), (1, 2, 1), (2, 2, 3), (3, 1, 3), (1, 1, 1), (3, None, 2), (None, 2, None)]


def test_every_comparison_has_its_rows_on_both_scales() -> None:
    rows = agreement_report(released(MIXED), DEFAULT_SCALES, QUICK, silent).rows

    expected = {(name, measure) for name in COMPARISONS for measure in ("agreement", "kappa")}
    expected |= {("all raters", f"Krippendorff's alpha ({level})") for level in LEVELS}
    for scale in ("meaning", "grammar"):
        assert {(row["comparison"], row["measure"]) for row in rows if row["scale"] == scale} >= expected


def test_the_defaults_are_the_paper_s_numbers() -> None:
    defaults = AgreementParameters()

    assert (defaults.draws, defaults.weights, defaults.rounding) == (1000, "quadratic", Rounding.HALF_UP)
    assert defaults.replications == 25_000


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"draws": 0}, "draws must be from 1"),
        ({"replications": 0}, "replications must be from 1"),
        ({"seed": -1}, "seed"),
        ({"rounding": "half up"}, "rounding"),
    ],
)
def test_parameters_without_sense_are_refused(wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        AgreementParameters(**wrong)


def half_up(value: float) -> int:
    return math.floor(value + 0.5)


def half_to_even(value: float) -> int:
    return round(value)


@pytest.mark.parametrize(("rounding", "rounded"), [(Rounding.HALF_UP, half_up), (Rounding.HALF_EVEN, half_to_even)])
def test_worker_versus_worker_is_the_mean_over_all_ways_to_choose_a_rater(
    rounding: Rounding, rounded: Callable[[float], int]
) -> None:
    items = [[point for point in points if point] for points in MIXED]
    pairs = [
        [(point, rounded((sum(item) - point) / (len(item) - 1))) for point in item] for item in items if len(item) > 1
    ]
    agreements, kappas = [], []
    for way in product(*pairs):  # every rater of an item is as likely, so every way is
        drawn, others = zip(*way, strict=True)
        agreements.append(sum(one == other for one, other in way) / len(way))
        kappas.append(cohen_kappa_score(drawn, others, labels=[1, 2, 3], weights="quadratic"))

    rows = rows_of(MIXED, AgreementParameters(draws=4000, rounding=rounding, replications=1))

    for measure, values in (("agreement", agreements), ("kappa", kappas)):
        row = rows["worker versus worker", measure]
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / len(values)
        assert row["value"] == pytest.approx(mean, abs=5 * math.sqrt(variance / 4000))
        assert row["variance"] == pytest.approx(variance, rel=0.2)
        assert row["low"] <= row["value"] <= row["high"]
        assert (row["items"], row["draws"], row["undefined"]) == (6, 4000, "")


def test_where_both_raters_of_each_text_agree_all_numbers_are_one() -> None:
    rows = rows_of([(3, 3), (1, 1), (2, 2), (3, 3)], QUICK)

    for measure in ("agreement", "kappa"):
        row = rows["worker versus worker", measure]
        assert (row["value"], row["variance"]) == (1, 0)
        # Nobody ever disagreed, so nothing shows how often somebody would: not certainty, but no interval.
        assert (row["low"], row["high"], row["no_interval"]) == (None, None, NO_SPREAD.reason)
    for level in LEVELS:
        assert rows["all raters", f"Krippendorff's alpha ({level})"]["value"] == pytest.approx(1)


def plain_alpha(items: Iterable[Points], distance: Callable[[int, int, list[int]], float]) -> float:
    """Krippendorff's alpha from its definition, by pairs of ratings."""
    require_pairs = [[point for point in item if point] for item in items]
    require_pairs = [item for item in require_pairs if len(item) > 1]
    everything = [point for item in require_pairs for point in item]
    observed = sum(
        distance(one, other, everything) / (len(item) - 1) for item in require_pairs for one in item for other in item
    )
    expected = sum(distance(one, other, everything) for one in everything for other in everything)
    return 1 - observed / (expected / (len(everything) - 1))


def ordinal(one: int, other: int, everything: list[int]) -> float:
    low, high = min(one, other), max(one, other)
    between = sum(low <= point <= high for point in everything)
    return (between - (everything.count(low) + everything.count(high)) / 2) ** 2


DISTANCES: dict[str, Callable[[int, int, list[int]], float]] = {
    "nominal": lambda one, other, _: float(one != other),
    "ordinal": ordinal,
    "interval": lambda one, other, _: float((one - other) ** 2),
}


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_is_that_of_its_definition(level: str) -> None:
    row = rows_of(MIXED)["all raters", f"Krippendorff's alpha ({level})"]

    assert row["value"] == pytest.approx(plain_alpha(MIXED, DISTANCES[level]))
    assert row["low"] < row["value"] < row["high"]
    assert row["items"] == 6


def test_experts_are_undefined_as_long_as_there_are_none() -> None:
    rows = rows_of(MIXED)

    for name in COMPARISONS[1:]:
        for measure in ("agreement", "kappa"):
            assert rows[name, measure]["undefined"] == "no expert has rated texts of this release"
            assert rows[name, measure]["value"] is None


@pytest.mark.parametrize(
    ("meaning", "pair_reason", "alpha_reason"),
    [
        (
            [(3, 3), (3, 3, 3)],
            "all ratings are in one category in every draw",
            "all ratings are in one category",
        ),
        ([(3,), (None, 1), (2,)], "no item has two ratings", "no item has two ratings"),
        ([], "no item has two ratings", "no item has two ratings"),
    ],
)
def test_what_does_not_exist_is_undefined_with_its_reason_and_never_a_number(
    meaning: list[Points], pair_reason: str, alpha_reason: str
) -> None:
    rows = rows_of(meaning)

    for (comparison, measure), row in rows.items():
        # Where everybody gives one point, shares of agreement exist, and no coefficient does.
        if pair_reason == "no item has two ratings" or not measure.startswith(("Gwet", "share of pairs", "agreement")):
            numbers = (row["value"], row["variance"], row["low"], row["high"])
            assert numbers == (None, None, None, None), (comparison, measure)
    assert rows["worker versus worker", "kappa"]["undefined"] == pair_reason
    if pair_reason != "no item has two ratings":
        agreement = rows["worker versus worker", "agreement"]
        assert (agreement["value"], agreement["low"], agreement["no_interval"]) == (1, None, NO_SPREAD.reason)
    for level in LEVELS:
        assert rows["all raters", f"Krippendorff's alpha ({level})"]["undefined"] == alpha_reason


def test_draws_without_a_value_are_not_counted() -> None:
    rows = rows_of([(3, 3), (3, 2)])

    assert 0 < rows["worker versus worker", "kappa"]["draws"] <= QUICK.draws


def test_the_same_seed_gives_the_same_rows_and_another_seed_others() -> None:
    def rows(seed: int) -> list[dict[str, object]]:
        parameters = AgreementParameters(draws=50, replications=50, seed=seed)
        return agreement_report(released(MIXED), DEFAULT_SCALES, parameters, silent).rows

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)


def test_the_order_of_texts_and_raters_changes_nothing() -> None:
    turned = [tuple(reversed(points)) for points in reversed(MIXED)]

    found, wanted = rows_of(turned), rows_of(MIXED)
    assert list(found) == list(wanted)
    for key, row in found.items():
        for name, value in row.items():
            # Sums in another order differ in their last bits.
            assert value == (pytest.approx(wanted[key][name]) if isinstance(value, float) else wanted[key][name])


def test_progress_reaches_its_end() -> None:
    steps: list[tuple[int, int]] = []

    agreement_report(released(MIXED), DEFAULT_SCALES, QUICK, lambda done, total: steps.append((done, total)))

    assert [done for done, _ in steps] == list(range(1, len(steps) + 1))
    assert steps[-1][0] == steps[-1][1]


EXTRA: list[Points] = [(3, 3, 2), (1, 2, 1), (3, 1, 3, 3, 3), (2, 2, 2), (1, 3, 2, 2, 2)]


@pytest.mark.parametrize("first", [2, 3])
def test_where_extra_raters_were_asked_the_first_ratings_count_whatever_their_number(first: int) -> None:
    rows = rows_of(EXTRA, first_ratings=first)

    of_first, of_all = rows_of([each[:first] for each in EXTRA]), rows_of(EXTRA)
    for measure in ("agreement", "kappa"):
        assert rows["worker versus worker", measure] == of_first["worker versus worker", measure]
        assert rows["worker versus worker, all ratings", measure]["value"] == pytest.approx(
            of_all["worker versus worker", measure]["value"]
        )
    name = "Krippendorff's alpha (interval)"
    assert rows["all raters", name] == of_first["all raters", name]


def test_without_extra_raters_all_ratings_count_however_many_a_text_has() -> None:
    rows = rows_of(EXTRA)

    assert rows["worker versus worker", "agreement"]["items"] == 5
    assert ("worker versus worker, all ratings", "kappa") not in rows


def test_where_nobody_disagreed_extra_raters_change_nothing() -> None:
    meaning: list[Points] = [(3, 3, 2), (1, 2, 1), (2, 2, 2)]

    assert rows_of(meaning, first_ratings=3) == rows_of(meaning)


def clustered(names: bool = True) -> list[ReleasedSource]:
    """Ten sources, some easy and some hard to agree on, with five texts each, by eight raters, some of them severe."""
    rng = np.random.default_rng(5)
    sources = []
    for number in range(10):
        quality, doubt = rng.integers(1, 4), 0.05 if number % 2 else 0.9
        texts: list[ReleasedText] = []
        for _ in range(5):
            raters = rng.permutation(8)[:3]
            points = np.clip(quality + rng.integers(-1, 2, 3) * (rng.random(3) < doubt) - (raters < 2), 1, 3)
            ratings = tuple(
                ReleasedRating(str(rater) if names else "", {"meaning": int(point), "grammar": 2})
                for rater, point in zip(raters, points, strict=True)
            )
            texts.append(ReleasedText(f"Text {len(texts)}.", ("1",), ratings))
        sources.append(ReleasedSource(str(number), "Letters", "A text.", 1, "", str(number), "train", texts))
    return sources


def found_in(sources: list[ReleasedSource]) -> dict[tuple[str, str, str], dict[str, Any]]:
    rows: list[dict[str, Any]] = agreement_report(sources, DEFAULT_SCALES, QUICK, silent).rows
    return {(row["comparison"], row["measure"], row["group"]): row for row in rows if row["scale"] == "meaning"}


def test_intervals_are_over_sources_and_raters_and_wider_than_if_each_text_were_by_itself() -> None:
    together, unnamed = found_in(clustered()), found_in(clustered(names=False))
    apart = [
        replace(source, source_id=f"{source.source_id}-{place}", family=f"{source.family}-{place}", texts=[text])
        for source in clustered(names=False)
        for place, text in enumerate(source.texts)
    ]
    alone = found_in(apart)

    for key in (
        ("worker versus worker", "kappa", ""),
        ("all raters", "Krippendorff's alpha (interval)", ""),
        ("by genre", "kappa", "Letters"),
    ):
        assert (together[key]["sources"], together[key]["raters"]) == (10, 8)
        assert (alone[key]["sources"], alone[key]["raters"]) == (50, 0)
        assert (unnamed[key]["sources"], unnamed[key]["raters"]) == (10, 0)
        # The same numbers, however the texts are grouped and whoever rated them.
        assert together[key]["value"] == pytest.approx(alone[key]["value"]) == pytest.approx(unnamed[key]["value"])
        assert unnamed[key]["standard_error"] > 1.1 * alone[key]["standard_error"]
        assert together[key]["standard_error"] > unnamed[key]["standard_error"]
    person = together["one rater versus the others", "kappa", "0"]
    assert (person["raters"], person["low"] < person["value"] < person["high"]) == (0, True)


def test_a_paragraph_and_its_own_sentences_are_one_source() -> None:
    sources = clustered()
    for place, source in enumerate(sources):
        source.family = str(place // 2)

    assert found_in(sources)["worker versus worker", "kappa", ""]["sources"] == 5


def test_each_estimand_has_one_value() -> None:
    """The whole release, its only genre, and the row to cite say the same, whatever interval stands beside it."""
    rows = found_in(clustered())

    whole, genre = rows["worker versus worker", "kappa", ""], rows["by genre", "kappa", "Letters"]
    assert whole["value"] == genre["value"]
    assert (whole["low"], whole["high"]) == (genre["low"], genre["high"])
    assert whole["paper_low"] < whole["value"] < whole["paper_high"]
    assert not any("items drawn" in comparison for comparison, *_ in rows)
