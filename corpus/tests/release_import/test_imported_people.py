"""People whom only an imported release knows: staff decide about them as about everybody."""

from pathlib import Path

import pytest
from django.test import Client

from corpus.release_import.reading import release_import, release_read
from corpus.selectors import release_sources
from crowd.models import Campaign, Worker
from measures.quality_control.worker_filter import FilterParameters
from ratings.services.quality import quality_apply
from tests.support.factories import EDIT, RATE, freeze, golden_campaign, make_staff, readable, silent, staff_client
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

HALF = FilterParameters(share=0.5)


@pytest.fixture
def copy() -> Campaign:
    """Two editors and three raters, of whom a rule with a share of a half leaves one editor and one rater out."""
    folder: Path = release_folder(freeze(golden_campaign()))
    return release_import(content=release_read(folder), slug="copy", name="Copy", owner=make_staff(), progress=silent)


@pytest.fixture
def client(copy: Campaign) -> Client:
    return staff_client(copy.staff.get())


def left_out(campaign: Campaign, work_round: str) -> Worker:
    run = quality_apply(campaign=campaign, parameters=HALF)
    return run.decisions.get(removed=True, round=work_round).worker


def test_their_pages_show_each_round_that_they_worked_in(copy: Campaign, client: Client) -> None:
    for work_round, heading in ((EDIT, "Editor round"), (RATE, "Rater round")):
        worker = left_out(copy, work_round)
        page = readable(client.get(f"/campaigns/copy/people/{worker.number}/"))
        assert heading in page
        assert "known only from an imported release" in page


def test_somebody_may_be_kept_in_whatever_a_rule_says(copy: Campaign, client: Client) -> None:
    worker = left_out(copy, EDIT)

    client.post(f"/campaigns/copy/people/{worker.number}/include/edit/", {"note": "Known to be careful."})

    texts = [text for source in release_sources(freeze(copy)) for text in source.texts]
    assert worker.public_name in {editor for text in texts for editor in text.editors}


def test_somebody_may_be_excluded(copy: Campaign, client: Client) -> None:
    quality_apply(campaign=copy, parameters=FilterParameters(share=0))
    worker = copy.workers.filter(assignments__round=RATE).distinct().earliest("number")

    client.post(f"/campaigns/copy/people/{worker.number}/exclude/rate/", {"note": "A program."})

    release = freeze(copy)
    assert release.summary["left_out"]["removed_raters"] == 1
    ratings = [rating for source in release_sources(release) for text in source.texts for rating in text.ratings]
    assert worker.public_name not in {rating.rater for rating in ratings}


def test_nobody_is_decided_on_in_a_round_that_they_have_no_part_in(copy: Campaign, client: Client) -> None:
    worker = left_out(copy, EDIT)

    for act in ("keep", "exclude"):
        reply = client.post(f"/campaigns/copy/people/{worker.number}/{act}/rate/", {"note": "Why not."})
        assert reply.status_code == 404
