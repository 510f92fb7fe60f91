"""The simulation behind the fewest items of the worker filter, at a small size."""

import numpy as np
import pytest

from benchmarks.quality_simulation import (
    LIMITS,
    MIN_ITEMS,
    RATINGS_PER_TEXT,
    ROLES,
    Crowd,
    main,
    outcomes,
    simulate,
    simulated_crowd,
)
from crowd.models import Campaign
from measures.quality_control.parameters import FilterParameters

SOURCES, LIMIT = 40, (10, 20)


@pytest.fixture(scope="module")
def crowd() -> Crowd:
    return simulated_crowd(np.random.default_rng(1), LIMIT, SOURCES)


def test_nobody_does_more_than_they_may_or_the_same_twice(crowd: Crowd) -> None:
    assert np.bincount(crowd.authorship.editor).max() == LIMIT[0]
    assert np.bincount(crowd.ratings.rater).max() == LIMIT[1]
    pairs = np.stack([crowd.ratings.text, crowd.ratings.rater])
    assert np.unique(pairs, axis=1).shape == pairs.shape
    assert np.bincount(crowd.ratings.text).max() <= RATINGS_PER_TEXT


def test_a_tenth_of_each_role_is_careless_and_says_points_of_the_scale(crowd: Crowd) -> None:
    for careless in (crowd.careless_editors, crowd.careless_raters):
        assert careless.sum() == round(len(careless) / 10)
    assert set(np.unique(crowd.ratings.scores)) == {1, 2, 3}


def test_the_fewer_are_assessed_the_more_items_are_wanted() -> None:
    found = simulate(LIMIT, SOURCES, runs=3, seed=1)

    assert set(found) == {(role, least) for role in ROLES for least in MIN_ITEMS}
    for role in ROLES:
        counts = [found[role, least] for least in MIN_ITEMS]
        assert len({(each.people, each.careless, each.work) for each in counts}) == 1
        assessed = [each.assessed for each in counts]
        assert assessed == sorted(assessed, reverse=True)
        for each in counts:
            assert each.careless_removed <= min(each.removed, each.careless)
            assert each.removed <= each.assessed / 10
            assert each.careless_work_left <= each.careless_work
    nobody = found["editors", 20]
    assert (nobody.assessed, nobody.removed, nobody.recall) == (0, 0, 0)
    assert np.isnan(nobody.precision)


def test_the_filter_finds_more_than_chance_would() -> None:
    found = simulate(LIMIT, SOURCES, runs=5, seed=1)

    assert all(found[role, 5].precision > 0.3 for role in ROLES)


def test_the_same_seed_gives_the_same_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["quality_simulation.py", "--sources=20", "--runs=1", "--seed=3"])
    main()
    once = capsys.readouterr().out
    main()

    assert capsys.readouterr().out == once
    assert len(once.splitlines()) == 3 + len(LIMITS) * (3 + len(ROLES) * len(MIN_ITEMS))


def test_the_default_is_within_what_a_person_may_do() -> None:
    """Otherwise the rule would assess nobody."""
    least = FilterParameters().min_items
    assert least in MIN_ITEMS
    campaign = Campaign()
    assert (campaign.editor_tasks, campaign.rater_tasks) == LIMITS[0]
    assert least <= campaign.editor_tasks / 2
    assert least <= campaign.rater_tasks / 2


def test_the_rule_is_that_of_the_product_but_for_the_fewest_items(crowd: Crowd) -> None:
    (_, few), (_, many) = outcomes(crowd, [1, 10_000])
    assert few.raters.removed.sum() == len(crowd.careless_raters) // 10
    assert not many.raters.removed.any()
    assert many.raters.unassessed.all()
