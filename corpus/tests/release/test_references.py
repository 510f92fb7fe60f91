"""Compressions that nobody rated stay in a release as references, counted apart, and systems' ratings beside them."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from common.errors import Refused
from corpus.models import Release
from corpus.release_import.reading import release_import, release_read
from corpus.selectors import release_sources
from corpus.statistics.tables import latex_tables, overview_rows
from corpus.tests.release_import.test_equal_outputs import GOOD, POOR, folder_of, taken_in
from corpus.tests.support.cards import card_of
from crowd.models import Campaign
from ratings.models import Rating
from tests.support.factories import (
    RATE,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    rate_next,
    readable,
    silent,
    staff_client,
)
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

HEADS = [f"{number}\tNews\tThe committee agreed on the budget of year {number}." for number in (1, 2)]
REFERENCES = "\n".join(f"{head} ||| It agreed.\tref0\t0 ||| The committee agreed.\tref1\t0" for head in HEADS).encode()
TEST = {"test": 1}


def output(judge: str, *ratings: tuple[str, str]) -> bytes:
    fields = ["It agreed on it.", judge, str(len(ratings)), *(field for rating in ratings for field in rating)]
    return "\n".join(f"{head} ||| " + "\t".join(fields) for head in HEADS).encode()


def published(place: Path) -> Path:
    """A corpus with two references for each source, which nobody rated, and outputs of two systems with ratings."""
    outputs = {"test_output__A": output("A", GOOD, GOOD), "test_output__B": output("B", POOR)}
    return folder_of(place, test=REFERENCES, **outputs)


def rows_of(release: Release) -> dict[tuple[str, str], Any]:
    rows = overview_rows(release, release.campaign.rating_scales)[1]
    return {
        (str(row), str(figure)): value
        for _, split, table, row, figure, value in rows
        if (split, table) == ("all", "sizes")
    }


def test_references_come_in_and_stay_without_a_rating(tmp_path: Path) -> None:
    release = freeze(taken_in(published(tmp_path)), shares=TEST, min_ratings=0)

    texts = [(text.text, text.editors, text.ratings) for source in release_sources(release) for text in source.texts]
    assert texts == [("It agreed.", ("ref0",), ()), ("The committee agreed.", ("ref1",), ())] * 2
    assert Rating.objects.count() == 6


def test_they_come_back_from_the_complete_file(tmp_path: Path) -> None:
    first = freeze(taken_in(published(tmp_path)), shares=TEST, min_ratings=0)
    content = release_read(release_folder(first))

    again = release_import(content=content, slug="again", name="Again", owner=None, progress=silent)

    copy = release_folder(freeze(again, min_ratings=0)) / "corpus.jsonl"
    assert copy.read_bytes() == (release_folder(first) / "corpus.jsonl").read_bytes()


def test_by_default_they_are_left_out_and_the_refusal_says_how_they_stay(tmp_path: Path) -> None:
    with pytest.raises(
        Refused, match="With a minimum of 0 ratings per compression, those without a rating are released"
    ):
        freeze(taken_in(published(tmp_path)), shares=TEST)


def test_the_import_says_how_they_stay_and_the_command_keeps_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_staff()
    call_command("import_release", published(tmp_path), "--campaign", "made")
    assert "Compressions without a rating: 4. As references they are in releases" in capsys.readouterr().out

    call_command("freeze_release", "made", "--min-ratings", "0")

    assert Release.objects.get().summary["compressions"] == 4


def test_the_form_takes_0(by_page: Any) -> None:
    campaign = make_campaign(owner=make_staff(), sources=3, editors_per_source=1, editor_tasks=3)
    edit_all(campaign, 1)
    rate_next(enrol(campaign, RATE), 3, 3)

    by_page(campaign, min_ratings="0")

    summary = Release.objects.get().summary
    assert (summary["compressions"], summary["unrated_compressions"], summary["ratings"]) == (3, 2, 1)


def partly_rated() -> Campaign:
    campaign = make_campaign(
        owner=make_staff(), sources=2, editors_per_source=1, editor_tasks=2, raters_per_compression=1
    )
    edit_all(campaign, 1)
    rate_next(enrol(campaign, RATE), 3, 2)
    return campaign


def test_tables_and_card_count_rated_and_unrated_apart() -> None:
    release = freeze(partly_rated(), shares=TEST, min_ratings=0)

    rows = rows_of(release)
    assert (rows["all", "compressions"], rows["all", "unrated_compressions"], rows["all", "mean meaning"]) == (
        2,
        1,
        3.0,
    )
    assert ("2 sentences", "unrated_compressions") not in rows
    card = card_of(release)
    assert "2 compressions (1 of them without a rating, as references), 1 rating." in card
    assert "| | sources | compressions | of them without ratings | per source |" in card
    assert "| all | 2 | 2 | 1 | 1.00 | 3.00 | 2.00 | 3.00 | 2.00 |" in card
    assert "Kind & Sources & Compressions & Without ratings & CPS" in latex_tables(
        release, release.campaign.rating_scales
    )
    client = staff_client(release.campaign.staff.get())
    page = readable(client.get(f"/campaigns/{release.campaign.slug}/releases/{release.version}/overview/"))
    assert "Without ratings" in page


def test_where_all_are_rated_nothing_says_that_some_are_not() -> None:
    campaign = judged_campaign(sources=2)
    releases = [freeze(campaign, shares=TEST), freeze(campaign, shares=TEST, min_ratings=0)]

    assert [release.summary for release in releases] == [releases[0].summary] * 2
    assert all("without a rating" not in card_of(release) for release in releases)


def test_the_card_counts_outputs_and_their_ratings_and_says_that_they_came_from_files(tmp_path: Path) -> None:
    campaign = taken_in(published(tmp_path))

    card = card_of(freeze(campaign, shares=TEST, min_ratings=0))

    assert (
        "2 automatic systems: 4 outputs, of which 4 have ratings by the crowd. 6 ratings of outputs alone are not among"
        in card
    )
    assert "not among those above, and all of these came from files." in card
