"""Raters of arms in agreement: each scale has the ratings of its own people and no others."""

import numpy as np
import pytest

from agreement.parameters import AgreementParameters
from agreement.planning.plans import campaign_plans
from agreement.scale_ratings import scale_ratings
from corpus.selectors import release_sources
from tests.support.arms import armed_campaign, rate_rest
from tests.support.factories import RATE, enrol, freeze

pytestmark = pytest.mark.django_db


def test_each_scale_has_the_ratings_of_its_arm_alone() -> None:
    campaign = armed_campaign(sources=3, texts=1)
    for number in range(6):
        rate_rest(enrol(campaign, RATE, f"rater-{number}"))
    release = freeze(campaign)

    found = scale_ratings(release_sources(release), release.rating_scales, AgreementParameters())
    plans = campaign_plans(campaign, raters=[3])

    given = {each.scale.key: (~np.isnan(each.crowd)).sum(axis=1).tolist() for each in found}
    assert given == {"meaning": [2, 2, 2], "meaning_5": [2, 2, 2], "grammar": [4, 4, 4]}
    assert {each.scale.key: (each.texts, each.ratings) for each in plans} == {
        "meaning": (3, 6),
        "meaning_5": (3, 6),
        "grammar": (3, 12),
    }
