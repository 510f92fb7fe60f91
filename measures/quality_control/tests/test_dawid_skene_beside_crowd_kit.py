"""The model of Dawid and Skene beside the same in crowd-kit, step by step and when it has settled."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation.classification import DawidSkene as CrowdKit

from measures.quality_control.dawid_skene import fit_dawid_skene
from measures.quality_control.tables import Ratings
from measures.quality_control.tests.test_dawid_skene import anaesthetists, crowd, table

CASES = {
    "anaesthetists": anaesthetists(),
    "crowd": crowd(1, texts=100),
    "larger crowd": crowd(3, texts=300, raters=10),
}


@pytest.mark.parametrize("ratings", CASES.values(), ids=CASES.keys())
def test_the_settled_model_is_that_of_crowd_kit(ratings: Ratings, monkeypatch: pytest.MonkeyPatch) -> None:
    """To 1e-5: crowd-kit takes 1e-10 for what is less, here 1e-10 is added to everything."""
    monkeypatch.setattr("measures.quality_control.dawid_skene.NUDGES", 0)  # crowd-kit does not look for a higher end
    text, rater, label = table(ratings)
    ours = fit_dawid_skene(text, rater, label, tolerance=1e-4)
    theirs = crowd_kit(pd.DataFrame({"task": text, "worker": rater, "label": label}), len(ours.objective))
    assert ours.convergence.converged
    np.testing.assert_allclose(ours.truth, theirs.probas_.loc[ours.texts, ours.labels], atol=1e-5)
    np.testing.assert_allclose(ours.prior, theirs.priors_.loc[ours.labels], atol=1e-5)
    rates = theirs.errors_.reindex(pd.MultiIndex.from_product([ours.raters, ours.labels]), fill_value=0.0)
    shape = (len(ours.raters), len(ours.labels), len(ours.labels))
    np.testing.assert_allclose(ours.rates, rates[ours.labels].to_numpy().reshape(shape).transpose(0, 2, 1), atol=1e-5)


def crowd_kit(ratings: pd.DataFrame, steps: int) -> Any:
    """The same number of steps: what crowd-kit ends by settles the accuracies to a tenth at worst."""
    with warnings.catch_warnings():
        # crowd-kit 1.4 calls pandas in ways that pandas 3 calls old.
        warnings.simplefilter("ignore", DeprecationWarning)
        return CrowdKit(n_iter=steps, tol=-np.inf).fit(ratings)
