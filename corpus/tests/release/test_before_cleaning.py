"""What a release tells of the ratings before anybody was left out."""

import json
from pathlib import Path
from typing import Any

import pytest

from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from corpus.tests.release_import.test_import_release import imported, side_by_side
from crowd.models import Campaign, Worker
from measures.quality_control.parameters import FilterParameters
from ratings.models import Score
from ratings.services.exclusions import person_exclude
from ratings.services.quality import quality_apply
from tests.support.factories import EDIT, RATE, enrol, freeze, golden_campaign, judged_campaign, rate_all
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

# Five texts deserve 3 and five 2; two fair raters say so, and grim says 1.
OF_GOLDEN = [{"points": [1, 2, 2], "texts": 5}, {"points": [1, 3, 3], "texts": 5}]


def patterns(release: Release, scale: str = "meaning") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = release.summary["before_cleaning"][scale]
    return found


def test_ratings_by_and_of_those_left_out_count() -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5))

    release = freeze(campaign)

    assert release.summary["ratings"] == 10
    assert patterns(release) == patterns(release, "grammar") == OF_GOLDEN


def test_who_was_excluded_by_hand_counts_too() -> None:
    campaign = golden_campaign()
    grim = Worker.objects.get(campaign=campaign, external_id="grim")
    person_exclude(worker=grim, work_round=RATE, note="clicks through", user=None)

    assert patterns(freeze(campaign)) == OF_GOLDEN


def test_sources_that_the_release_drops_do_not_count() -> None:
    campaign = golden_campaign()
    first = campaign.sources.order_by("pk").first()
    assert first is not None
    Score.objects.filter(rating__target__source=first).exclude(rating__worker__external_id="grim").delete()
    grim = Worker.objects.get(campaign=campaign, external_id="grim")
    person_exclude(worker=grim, work_round=RATE, note="clicks through", user=None)

    before = patterns(freeze(campaign))

    assert sum(each["texts"] for each in before) == 8


def test_outputs_of_systems_do_not_count() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 2), (1, 3)))
    source = campaign.sources.get()
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, source.source_id, "The committee agreed.")])
    assert rate_all(enrol(campaign, RATE, "late"), 2, 2)

    assert sum(each["texts"] for each in patterns(freeze(campaign))) == 1


def test_comparisons_count_and_the_manifest_says_the_same() -> None:
    release = freeze(side_by_side())

    manifest = json.loads((release_folder(release) / "manifest.json").read_text(encoding="utf-8"))
    told = manifest["summary"]["before_cleaning"]
    assert told == release.summary["before_cleaning"]
    for found in told.values():
        assert sum(len(each["points"]) * each["texts"] for each in found) == release.summary["ratings"] > 0


def test_of_imported_ratings_nothing_is_known() -> None:
    copy = imported(release_folder(freeze(golden_campaign())))

    assert freeze(copy).summary["before_cleaning"] is None


def test_of_ratings_by_nobody_known_nothing_is_known(tmp_path: Path) -> None:
    """RawData does not name its raters."""
    folder = release_folder(freeze(golden_campaign()))
    (tmp_path / "RawData").mkdir()
    for file in (folder / "RawData").iterdir():
        (tmp_path / "RawData" / file.name).write_bytes(file.read_bytes())
    copy: Campaign = imported(tmp_path)

    assert freeze(copy).summary["before_cleaning"] is None


def test_texts_of_editors_left_out_are_not_in_the_release_but_count_before() -> None:
    campaign = golden_campaign()
    poor = Worker.objects.get(campaign=campaign, external_id="editor-2")
    person_exclude(worker=poor, work_round=EDIT, note="a bot", user=None)

    release = freeze(campaign)

    assert (release.summary["compressions"], patterns(release)) == (5, OF_GOLDEN)
