"""The dataset card says what a simulated crowd did."""

import pytest

from corpus.models import Release
from corpus.tests.support.cards import card_of, collection_of, head_of
from dashboard.simulation.crowd import crowd_simulate
from tests.support.factories import EDIT, RATE, enrol, freeze, make_campaign, rate_all, silent, submit_text

pytestmark = pytest.mark.django_db


def test_a_simulated_crowd_is_called_one() -> None:
    campaign = make_campaign(sources=4, editors_per_source=2, raters_per_compression=2)
    crowd_simulate(campaign=campaign, editors=3, raters=4, seed=1, progress=silent)
    release = freeze(campaign)
    card, head = card_of(release), head_of(release)
    assert "**Simulated.** A program wrote all compressions and gave all ratings" in card
    assert "Simulated with Précis." in card
    assert "Human compressions" not in card
    assert (head["annotations_creators"], head["language_creators"]) == (["machine-generated"], ["machine-generated"])


def test_people_among_a_simulated_crowd_are_counted_apart() -> None:
    campaign = make_campaign(sources=2, editors_per_source=2, raters_per_compression=2)
    crowd_simulate(campaign=campaign, editors=1, raters=2, seed=1, progress=silent)
    submit_text(enrol(campaign, EDIT, "ann"), "The old bridge.")
    rate_all(enrol(campaign, RATE, "bob"))
    collection = collection_of(freeze(campaign))
    origins = {row["origin"]: (row["compressions"], row["ratings"]) for row in collection["work"]}
    assert set(origins) == {"collected", "simulated"}
    assert origins["collected"][0] == 1
    assert "**Partly simulated.** A program wrote 2 compressions" in card_of(Release.objects.get())
