"""Where the features of an editor's texts, or of one, lie among the texts of others."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compressions import feature_places
from compressions.feature_places import median_features, places_of
from compressions.models import Compression, TextFeatures
from compressions.services.comparison import compressions_compare
from crowd.models import Campaign, Worker
from tests.support.factories import EDIT, edit_all, edit_next, enrol, make_campaign, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(sources=5, editors_per_source=9, editor_tasks=9)


def reading_of(campaign: Campaign, worker: Worker, seconds: float) -> tuple[str, str]:
    (found,) = places_of(worker, {"reading_s": seconds})
    return found.value, found.place


def test_features_are_stored_when_texts_are_compared_and_told_among_those_of_others(campaign: Campaign) -> None:
    edit_all(campaign, 6)
    editor = enrol(campaign, EDIT, "ann")
    while edit_next(editor):
        pass
    assert not TextFeatures.objects.exists()
    assert reading_of(campaign, editor.worker, 1.0) == ("1.0 s", "")

    compressions_compare()

    assert TextFeatures.objects.count() == Compression.objects.count() == 35
    assert reading_of(campaign, editor.worker, 1.0) == ("1.0 s", "lower than 100% of 30 texts")
    assert reading_of(campaign, editor.worker, 2.0) == ("2.0 s", "higher than 100% of 30 texts")
    few = TextFeatures.objects.exclude(compression__worker=editor.worker)[:3].values("pk")
    TextFeatures.objects.filter(pk__in=few).update(values={"reading_s": 9.0})
    assert reading_of(campaign, editor.worker, 8.0) == ("8.0 s", "higher than 90% of 30 texts")
    TextFeatures.objects.exclude(compression__worker=editor.worker).first().delete()  # type: ignore[union-attr]
    assert reading_of(campaign, editor.worker, 1.0) == ("1.0 s", "")


def test_only_the_newest_texts_of_real_people_of_this_campaign_are_compared_with(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_campaign(sources=5, editors_per_source=9)
    for each in (campaign, other):
        edit_all(each, 8)
    compressions_compare()
    worker = Worker.objects.filter(campaign=campaign).earliest("pk")
    assert reading_of(campaign, worker, 1.0)[1] == "lower than 100% of 35 texts"
    monkeypatch.setattr(feature_places, "MOST_COMPARED", 31)
    assert reading_of(campaign, worker, 1.0)[1] == "lower than 100% of 31 texts"
    Worker.objects.filter(campaign=campaign).exclude(pk=worker.pk).update(is_test=True)
    assert reading_of(campaign, worker, 1.0)[1] == ""


def test_pages_of_people_and_texts_tell_places(campaign: Campaign) -> None:
    edit_all(campaign, 7)
    compressions_compare()
    client, written = staff_client(campaign.staff.get()), Compression.objects.latest("pk")

    for address in (f"people/{written.worker.number}/", f"compressions/{written.pk}/"):
        with CaptureQueriesContext(connection) as captured:
            page = " ".join(readable(client.get(f"/campaigns/{campaign.slug}/{address}")).split())
        assert "Reading: time before the first change" in page
        assert "1.5 s" in page
        assert "lower than 0% of 30 texts" in page
        assert sum("compressions_textfeatures" in each["sql"] for each in captured) == 1


def test_the_median_is_of_the_texts_that_have_the_feature() -> None:
    assert median_features([{"tail": 2.0}, {"tail": 4.0}, {"fresh": 1.0}]) == {"tail": 3.0, "fresh": 1.0}
