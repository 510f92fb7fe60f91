"""Retired texts in a release: with the work done on them or without, as staff chose, and always said."""

import json
from typing import Any

import pytest

from common.errors import Refused
from compressions.models import Source
from compressions.services.outputs import Output, outputs_add
from compressions.services.retirement import source_correct, source_reinstate, source_retire
from corpus.models import Release
from corpus.services.building import release_build
from corpus.services.release import release_create
from crowd.models import Campaign
from tests.support.factories import RATE, SENTENCE, edit_all, enrol, freeze, judged_campaign, rate_all, silent
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db


def retire(campaign: Campaign, source_id: str, *, kept: bool) -> None:
    source = campaign.sources.get(source_id=source_id)
    source_retire(source=source, note="It is broken.", work_is_kept=kept, user=None)


def ids_of(release: Release) -> list[str]:
    return [json.loads(line)["id"] for line in (release_folder(release) / "corpus.jsonl").read_text().splitlines()]


def manifest_of(release: Release) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((release_folder(release) / "manifest.json").read_text())
    return manifest


def card_of(release: Release) -> str:
    return (release_folder(release) / "README.md").read_text()


def test_a_release_has_a_retired_text_only_if_its_work_is_kept() -> None:
    campaign = judged_campaign(sources=3)
    outputs_add(campaign=campaign, system="half", outputs=[Output(1, "2", "What a system wrote.")])
    retire(campaign, "1", kept=True)
    retire(campaign, "2", kept=False)

    release = freeze(campaign)

    assert ids_of(release) == ["1", "3"]
    assert (release.summary["sources"], release.summary["ratings"], release.summary["systems"]) == (2, 4, {})
    assert release.summary["left_out"]["sources_without_text"] == 0
    assert manifest_of(release)["retired_texts"] == {"retired": 2, "left_out": ["2"]}
    for path in release_folder(release).rglob("*.tsv"):
        assert "number 2 " not in path.read_text(), path


@pytest.mark.parametrize(
    ("kept", "sentence"),
    [
        ((True,), "The researchers retired 1 text before this release: the work done on it until then counts as"),
        ((False,), "The researchers retired 1 text before this release: it and the work done on it are left out."),
        ((False, False), "retired 2 texts before this release: they and the work done on them are left out."),
        (
            (False, True),
            "retired 2 texts before this release: 1 of them and the work done on it are left out; the work done on "
            "the others until then counts as any other.",
        ),
    ],
)
def test_the_card_says_how_many_were_retired_and_what_became_of_their_work(
    kept: tuple[bool, ...], sentence: str
) -> None:
    campaign = judged_campaign(sources=3)
    for number, each in enumerate(kept, start=1):
        retire(campaign, str(number), kept=each)

    assert sentence in card_of(freeze(campaign))


def test_nothing_is_said_where_no_text_is_retired() -> None:
    campaign = judged_campaign(sources=2)
    retire(campaign, "1", kept=False)
    source_reinstate(source=campaign.sources.get(source_id="1"))

    release = freeze(campaign)

    assert "retired" not in card_of(release)
    assert "retired_texts" not in manifest_of(release)


def test_a_release_is_pinned_to_what_was_retired_when_it_was_frozen() -> None:
    campaign = judged_campaign(sources=2)
    retire(campaign, "1", kept=False)
    release = release_create(campaign=campaign)
    source_reinstate(source=campaign.sources.get(source_id="1"))
    retire(campaign, "2", kept=False)

    release_build(release=release, progress=silent)

    assert ids_of(release) == ["2"]


def test_sizes_of_splits_do_not_count_what_is_left_out() -> None:
    campaign = judged_campaign(sources=2)
    retire(campaign, "1", kept=False)

    with pytest.raises(Refused, match="The splits need 2 sources, but only 1 can be released"):
        freeze(campaign, sizes={"valid": 1, "test": 1})


def test_a_text_and_its_correction_are_in_the_same_split() -> None:
    campaign = judged_campaign(sources=6, editor_tasks=99, rater_tasks=99)
    for source in list(Source.objects.filter(campaign=campaign)):
        text = SENTENCE.format(number=f"{source.source_id}0")
        source_correct(source=source, text=text, note="A typing error.", work_is_kept=True, user=None)
    edit_all(campaign, 2)
    rate_all(enrol(campaign, RATE, "rater-of-corrections"))

    splits = manifest_of(freeze(campaign, shares={"train": 1, "valid": 1, "test": 1}))["splits"]

    assert len(splits) == 12
    assert len(set(splits.values())) == 3
    for number in range(1, 7):
        assert splits[str(number)] == splits[f"{number}-corrected"]
