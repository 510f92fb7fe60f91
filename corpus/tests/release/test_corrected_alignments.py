"""Alignments that staff corrected: in releases, and taken in again from one."""

import json
from typing import Any

import pytest

from compressions.alignment_words import words_of
from compressions.models import AlignmentCorrection, Target
from compressions.selectors.alignments import targets_of_campaign
from compressions.services.alignments import alignment_correct, alignment_take_back
from corpus.models import Release
from corpus.release_import.reading import release_import, release_read
from tests.support.factories import freeze, judged_campaign, silent
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db


def lines(release: Release) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (release_folder(release) / "corpus.jsonl").read_text().splitlines()]


def test_a_release_has_the_corrections_of_its_moment_and_an_import_takes_them_in() -> None:
    campaign = judged_campaign(sources=2, editors=1)
    first, second = targets_of_campaign(campaign).order_by("pk")
    before = freeze(campaign)
    places = [0, *([None] * (len(words_of(first).text.words) - 1))]
    made = alignment_correct(target=first, places=places, based_on_version=0, user=None)
    alignment_correct(target=second, places=[None] * len(words_of(second).text.words), based_on_version=0, user=None)
    alignment_take_back(target=second, based_on_version=1, user=None)

    release = freeze(campaign)

    assert "alignment" not in (release_folder(before) / "corpus.jsonl").read_text()
    assert "corrected_alignments" not in before.summary
    found = [text.get("alignment") for line in lines(release) for text in line["compressions"]]
    expected = {"source_words": made.source_words, "words": made.words, "places": places, "version": 1}
    assert [each for each in found if each] == [expected]
    assert release.summary["corrected_alignments"] == 1
    assert "1 text whose word alignment was corrected by hand" in (release_folder(release) / "README.md").read_text()
    copy = release_import(
        content=release_read(release_folder(release)), slug="copy", name="Copy", owner=None, progress=silent
    )
    taken = AlignmentCorrection.objects.get(target__source__campaign=copy)
    assert (taken.places, taken.version, taken.made_by) == (places, 1, None)
    assert lines(freeze(copy)) == lines(release)


def test_a_correction_goes_with_its_text() -> None:
    target = targets_of_campaign(judged_campaign(sources=1, editors=1)).get()
    alignment_correct(target=target, places=[None] * len(words_of(target).text.words), based_on_version=0, user=None)
    target.ratings.all().delete()
    target.compressions.all().delete()
    Target.objects.all().delete()
    assert not AlignmentCorrection.objects.exists()
