"""Erasing texts with their ratings, and the tally that had counted them."""

from datetime import timedelta

import pytest

from common.clock import database_now
from corpus.services.erasure import worker_erase
from ratings.models import RatingTally, RatingVersion
from ratings.selectors.rating_tasks import rating_summary
from ratings.selectors.tally import rating_summary_now
from ratings.services.tally import tally_advance
from tests.support.factories import judged_campaign

pytestmark = pytest.mark.django_db


def test_an_erasure_of_texts_with_their_ratings_makes_the_tally_begin_anew() -> None:
    campaign = judged_campaign(sources=3, editors=2, scores=((3, 3), (1, 2)), texts_go_on_erasure=True)
    RatingVersion.objects.update(created_at=database_now() - timedelta(hours=1))
    tally_advance(campaign=campaign)
    assert rating_summary_now(campaign).count == 12
    worker_erase(worker=campaign.workers.get(external_id="editor-1"))
    assert not RatingTally.objects.exists()
    assert rating_summary_now(campaign) == rating_summary(campaign)
    tally_advance(campaign=campaign)
    assert rating_summary_now(campaign) == rating_summary(campaign)
    assert rating_summary_now(campaign).count == 6
