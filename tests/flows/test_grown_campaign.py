"""The campaign that the benchmarks fill by SQL is one that the services could have made."""

import json
from collections.abc import Callable
from unittest.mock import patch

import pytest
from django.db import connection
from django.db.models import Count, F, Model, Q
from django.test.utils import CaptureQueriesContext

from benchmarks.grown_campaign import fill
from compressions.models import Compression
from compressions.services.submission import Submission, flags_of
from crowd.models import Assignment, Campaign, Item, ItemConflict, Worker
from measures.keystrokes.edit_log import parse_log, replay
from measures.quality_control.worker_filter import FilterParameters
from measures.text.length_rule import check_compression
from ratings.models import Rating, RatingVersion
from ratings.selectors.quality import decisions_of_run
from ratings.services.quality import quality_apply
from ratings.services.rating_counts import flags_advance, rating_counts_advance
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    make_campaign,
    rate_next,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db
SOURCES = 40


@pytest.fixture
def grown() -> Campaign:
    campaign = make_campaign(editors_per_source=5, raters_per_compression=4, editor_tasks=30_000, rater_tasks=30_000)
    fill(campaign_id=campaign.pk, sources=SOURCES)
    return campaign


def test_it_has_what_was_asked_for_and_keeps_all_constraints(grown: Campaign) -> None:
    connection.check_constraints()
    texts = 5 * SOURCES
    submitted = Assignment.objects.filter(worker__campaign=grown, state=Assignment.State.SUBMITTED)
    assert [submitted.filter(round=each).count() for each in (EDIT, RATE)] == [texts, 4 * texts]
    assert Compression.objects.filter(source__campaign=grown, is_flagged=True).count() == texts // 100
    assert Rating.objects.filter(target__source__campaign=grown).annotate(n=Count("scores")).filter(n=2).count() == (
        4 * texts
    )


def test_its_open_slots_add_up_and_a_tenth_of_the_sources_wants_more(grown: Campaign) -> None:
    held = Count("assignments", filter=Q(assignments__state=Assignment.State.SUBMITTED))
    items = Item.objects.filter(campaign=grown).annotate(held=held)
    assert not items.exclude(wanted=F("open_slots") + F("held")).exists()
    assert [items.filter(round=each, open_slots=1).count() for each in (EDIT, RATE)] == [SOURCES // 10, SOURCES // 10]
    assert items.values("position").distinct().count() == items.count()


def test_everybody_who_had_an_item_is_kept_from_those_it_conflicts_with(grown: Campaign) -> None:
    done = Assignment.objects.filter(worker__campaign=grown, round=RATE, state=Assignment.State.SUBMITTED)
    had = set(done.values_list("worker_id", "item__conflicts__blocks_id"))
    blocked = Assignment.objects.filter(worker__campaign=grown, state=Assignment.State.BLOCKED)
    assert set(blocked.filter(round=EDIT).values_list("worker_id", "item_id")) == had
    authors = Compression.objects.filter(source__campaign=grown).values_list("worker_id", "target__item_id")
    assert set(blocked.filter(round=RATE).values_list("worker_id", "item_id")) == set(authors)
    assert ItemConflict.objects.filter(item__campaign=grown).count() == 5 * SOURCES


def test_its_logs_lengths_and_flags_are_those_of_its_texts(grown: Campaign) -> None:
    for each in Compression.objects.filter(source__campaign=grown).select_related("source", "target"):
        operations = parse_log(each.edit_log)
        assert replay(each.source.text, operations) == each.text == each.target.text
        verdict = check_compression(each.source.text, each.text, keep_percent=grown.keep_percent)
        assert (verdict.accepted, verdict.length, verdict.allowed) == (True, each.length, each.allowed)
        assert flags_of(each.source, Submission(each.text, each.edit_log), operations) == each.flags


def test_the_versions_of_its_ratings_say_what_their_scores_say(grown: Campaign) -> None:
    for version in RatingVersion.objects.filter(rating__worker__campaign=grown).prefetch_related("rating__scores"):
        scores = {score.scale: score.value for score in version.rating.scores.all()}
        assert version.scores == json.loads(json.dumps(scores))


@pytest.mark.parametrize(("work_round", "work"), [(EDIT, edit_next), (RATE, rate_next)])
def test_further_people_find_work_and_new_rows_have_ids_of_their_own(
    grown: Campaign, work_round: str, work: Callable[..., Model | None]
) -> None:
    someone = enrol(grown, work_round)
    assert someone.worker.number == Worker.objects.filter(campaign=grown).count()
    assert work(someone) is not None


def test_people_do_very_different_amounts_of_work(grown: Campaign) -> None:
    done = Count("assignments", filter=Q(assignments__state=Assignment.State.SUBMITTED))
    counts = sorted(Worker.objects.filter(campaign=grown).annotate(done=done).values_list("done", flat=True))
    assert counts[0] > 0
    assert counts[-1] > 3 * counts[0]


STAFF_PAGES = (
    "",
    "sources/",
    "remarks/",
    "flagged/",
    "participants/edit/",
    "participants/rate/",
    "participants/rate/lists/",
    "pay/",
    "quality/",
    "settings/history/",
    "people/1/",
    "people/{last}/",
)


@pytest.mark.parametrize("page", STAFF_PAGES)
def test_pages_of_staff_take_as_many_queries_for_a_larger_campaign(page: str) -> None:
    assert queries_of(page, 20) == queries_of(page, 40)


def queries_of(page: str, sources: int) -> int:
    campaign = make_campaign(editors_per_source=5, raters_per_compression=4, editor_tasks=30_000, rater_tasks=30_000)
    fill(campaign_id=campaign.pk, sources=sources)
    quality_apply(campaign=campaign, parameters=FilterParameters())
    rating_counts_advance(campaign=campaign)
    flags_advance(campaign=campaign)
    client = staff_client(campaign.staff.get())
    address = f"/campaigns/{campaign.slug}/{page.format(last=campaign.workers.count())}"
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_the_decisions_about_editors_and_those_about_raters_have_pages_of_their_own(grown: Campaign) -> None:
    run = quality_apply(campaign=grown, parameters=FilterParameters())
    client, address = staff_client(grown.staff.get()), f"/campaigns/{grown.slug}/quality/"
    with patch("ratings.views.staff.DECISIONS_PER_PAGE", 3):
        context = client.get(address, {"editors": 2, "raters": 2}).context
        page = readable(client.get(address, {"editors": 2, "raters": 2}))
    for name, work_round in (("editors", EDIT), ("raters", RATE)):
        assert list(context[name]) == list(decisions_of_run(run, work_round)[3:6])
    for turned in ("editors=1&raters=2", "editors=3&raters=2", "editors=2&raters=1", "editors=2&raters=3"):
        assert f'href="?{turned}"' in page
