"""Weights that put better outputs first."""

import numpy as np
import pytest

from systems.programs.t3.mira import Listed, improved, losses


def test_losses_are_those_of_words_and_pairs_of_words_by_hand() -> None:
    # Of words F1 is 2/3 for "a b" beside "a b c d": 2 of 2 and 2 of 4; of pairs 1/2: 1 of 1 and 1 of 3.
    assert losses(["a b"], ["a b c d"], "en").tolist() == pytest.approx([1 - (2 / 3 + 1 / 2) / 2])


def test_what_features_show_is_learnt() -> None:
    rng = np.random.default_rng(1)
    truth = np.array([1.0, -1.0, 0.0])
    lists = []
    for _source in range(40):
        features = rng.normal(size=(20, 3))
        good = features @ truth
        lists.append(Listed(features, (good.max() - good) / 10))
    weights = improved(np.zeros(3), lists, cost=0.01, seed=1)
    best = [float(each.losses[np.argmax(each.features @ weights)]) for each in lists]
    assert np.mean(best) < 0.02
    assert np.array_equal(weights, improved(np.zeros(3), lists, cost=0.01, seed=1))


def test_without_lists_weights_stay() -> None:
    assert improved(np.ones(2), [], cost=0.01, seed=1).tolist() == [1, 1]
