"""The list of texts: what is found, in which order, on which page, and in the download."""

import csv
import io
import json
import re
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compressions.models import Source
from compressions.services.imports import source_import
from compressions.services.retirement import source_retire
from compressions.views import sources as views
from crowd.models import Campaign, Worker
from crowd.services.claims import assignment_claim
from crowd.services.exclusions import worker_exclude
from crowd.services.remarks import problem_report
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    edit_next,
    enrol,
    judged_campaign,
    make_campaign,
    rate_each,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db


def texts_campaign(**settings: Any) -> Campaign:
    """Three texts: a letter, a piece of news, and one of unknown genre."""
    campaign = make_campaign(**settings)
    genres = {"a": "Letters", "b": "News", "c": ""}
    rows = [
        {"id": each, "genre": genre, "text": SENTENCE.format(number=f"{each}{each}")} for each, genre in genres.items()
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True, seed=1)
    return campaign


def listed(campaign: Campaign, *, status: int = 200, **query: Any) -> list[str]:
    """The ids on the page, in its order; the download under the same query must have the same."""
    client = staff_client(campaign.staff.get())
    page = client.get(f"/campaigns/{campaign.slug}/sources/?{urlencode(query)}")
    assert page.status_code == status
    ids = [row.source.source_id for row in page.context["rows"]]
    if page.context["page"].paginator.num_pages == 1:
        assert [row["source"] for row in downloaded(campaign, **query)] == ids
    return ids


def downloaded(campaign: Campaign, **query: Any) -> list[dict[str, str]]:
    response = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/sources.csv?{urlencode(query)}")
    content = b"".join(response).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content)))


def test_compressions_that_do_not_count_are_not_counted() -> None:
    campaign = make_campaign(sources=1, editors_per_source=3)
    ann, ben, cem = (enrol(campaign, EDIT, name) for name in ("ann", "ben", "cem"))
    for each in (ann, ben, cem):
        edit_next(each)
    worker_exclude(worker=ben.worker, work_round=EDIT, note="A program.", user=None)
    Worker.objects.filter(pk=cem.worker_id).update(is_test=True)

    client, (source,) = staff_client(campaign.staff.get()), campaign.sources.all()
    (row,) = client.get(f"/campaigns/{campaign.slug}/sources/").context["rows"]

    assert row.compressions == 1
    page = readable(client.get(f"/campaigns/{campaign.slug}/sources/{source.source_id}/"))
    assert all(written.text in page for written in source.compressions.all())


def retire(campaign: Campaign, source_id: str) -> None:
    source = campaign.sources.get(source_id=source_id)
    source_retire(source=source, note="Broken.", work_is_kept=True, user=None)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["a", "b", "c"]),
        ({"q": "number BB"}, ["b"]),
        ({"q": "c"}, ["a", "b", "c"]),
        ({"q": "%"}, []),
        ({"genre": "News"}, ["b"]),
        ({"genre": "unknown genre"}, ["c"]),
        ({"state": "wants"}, ["a", "b"]),
        ({"state": "retired"}, ["c"]),
        ({"state": "complete"}, []),
        ({"sort": "-id"}, ["c", "b", "a"]),
        ({"sort": "genre"}, ["c", "a", "b"]),
        ({"sort": "-genre", "q": "wooden", "state": "wants"}, ["b", "a"]),
    ],
)
def test_texts_are_found(query: dict[str, Any], found: list[str]) -> None:
    campaign = texts_campaign()
    retire(campaign, "c")

    assert listed(campaign, **query) == found


def test_texts_are_found_by_their_number_of_compressions() -> None:
    campaign = texts_campaign(editors_per_source=1)
    compression = edit_next(enrol(campaign, EDIT))
    assert compression is not None
    done = compression.source.source_id
    others = [each for each in "abc" if each != done]

    assert listed(campaign, least=1) == listed(campaign, state="complete") == [done]
    assert listed(campaign, most=0) == listed(campaign, state="wants") == others
    assert listed(campaign, sort="-compressions") == [done, *others]
    assert listed(campaign, sort="compressions") == [*others, done]


@pytest.mark.parametrize("of_version", [False, True])
def test_a_problem_with_a_text_or_with_a_version_of_it_marks_the_text(of_version: bool) -> None:
    campaign = texts_campaign(editors_per_source=1)
    compression = edit_next(enrol(campaign, EDIT))
    assert compression is not None
    enrolment = enrol(campaign, RATE if of_version else EDIT)
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    problem_report(enrolment=enrolment, assignment_id=assignment.pk, reason="broken", text="")
    about = compression.source if of_version else assignment.item.source

    assert listed(campaign, reported="on") == [about.source_id]
    assert [row["reported"] for row in downloaded(campaign, q=about.source_id, reported="on")] == ["1"]


def rated_campaign() -> Campaign:
    """Texts 1, 2 and 3 with the means 1, 2 and 3 of meaning, grammar the other way round, and one without ratings."""
    campaign = make_campaign(sources=3, editors_per_source=1, raters_per_compression=2)
    editor = enrol(campaign, EDIT)
    while edit_next(editor):
        pass
    for _ in range(2):
        rate_each(
            enrol(campaign, RATE), lambda target: (int(target.source.source_id), 4 - int(target.source.source_id))
        )
    row = json.dumps({"id": "9", "genre": "News", "text": SENTENCE.format(number=9)}).encode()
    source_import(campaign=campaign, file_name="b.jsonl", content=row, strict=True, seed=1)
    return campaign


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"above": "1.5"}, ["2", "3"]),
        ({"above": "1", "below": "3"}, ["2"]),
        ({"scale": "grammar", "above": "1.5"}, ["1", "2"]),
        ({"sort": "-mean-meaning"}, ["3", "2", "1", "9"]),
        ({"sort": "mean-grammar"}, ["3", "2", "1", "9"]),
        ({"sort": "mean-meaning", "scale": "grammar", "below": "2.5"}, ["2", "3"]),
        ({"sort": "mean-meaning", "genre": "News"}, ["9"]),
    ],
)
def test_texts_are_found_by_their_mean_rating(query: dict[str, Any], found: list[str]) -> None:
    assert listed(rated_campaign(), **query) == found


def test_a_page_and_a_download_have_the_means() -> None:
    campaign = rated_campaign()

    assert [row["mean meaning"] for row in downloaded(campaign)] == ["1.0", "2.0", "3.0", ""]
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/sources/")
    assert "Mean Meaning" in readable(page)


@pytest.mark.parametrize(
    "query",
    [
        {"least": "-1"},
        {"least": "many"},
        {"genre": "no such genre"},
        {"sort": "mean-nothing"},
        {"above": "nan"},
        {"q": "\0"},
        {"q": "x" * 201},
    ],
)
def test_a_filter_that_makes_no_sense_is_refused_beside_its_field_and_the_others_apply(query: dict[str, str]) -> None:
    assert listed(texts_campaign(), status=422, state="wants", **query) == ["a", "b", "c"]


def test_side_by_side_there_are_no_means() -> None:
    campaign = make_campaign(sources=1, rating_task="pair")

    assert listed(campaign, status=422, sort="mean-meaning") == ["1"]
    assert listed(campaign, above="2") == ["1"]


def test_pages_and_the_links_of_columns_keep_the_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "SOURCES_PER_PAGE", 2)
    campaign = texts_campaign()
    client = staff_client(campaign.staff.get())
    address = f"/campaigns/{campaign.slug}/sources/"

    page = readable(client.get(f"{address}?q=wooden&sort=-id&page=1"))

    following = re.search(r'href="\?([^"]*)"\s+rel="next"', page)
    assert following
    assert parse_qs(following[1]) == {"page": ["2"], "q": ["wooden"], "sort": ["-id"]}
    assert 'href="?q=wooden&sort=genre"' in page
    assert 'href="?sort=-id"' in page  # without the filter
    assert f'href="{address[:-1]}.csv?q=wooden&sort=-id"' in page
    second = client.get(f"{address}?page=2&q=wooden&sort=-id")
    assert [row.source.source_id for row in second.context["rows"]] == ["a"]


def test_the_list_needs_the_same_number_of_queries_for_any_number_of_texts() -> None:
    few, many = judged_campaign(sources=1), judged_campaign(sources=6, editors=2)
    client_of = {each: staff_client(each.staff.get()) for each in (few, many)}

    def queries(campaign: Campaign, query: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            page = client_of[campaign].get(f"/campaigns/{campaign.slug}/sources/?{query}")
        assert page.status_code == 200
        return len(captured)

    for query in ("", "q=e&reported=on", "least=0&sort=-compressions", "above=1&sort=mean-meaning"):
        assert queries(few, query) == queries(many, query), query


def test_a_retired_text_is_marked_in_the_list() -> None:
    campaign = texts_campaign()
    retire(campaign, "b")

    page = readable(staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/sources/"))

    assert page.count("<strong>retired</strong>") == 1
    assert Source.objects.get(source_id="b").is_retired
