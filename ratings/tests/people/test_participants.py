"""The list of a round's participants: who stands in it, who sees ids, how it is searched, and what is downloaded."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compressions.flag_kinds import Flag, flag_columns
from compressions.models import Compression
from crowd.models import AuditEntry, Campaign, Outcome, Worker
from measures.quality_control.worker_filter import FilterParameters
from ratings.services.exclusions import person_exclude
from ratings.services.quality import quality_apply
from ratings.tests.people.support import comes, comes_again, named_link, owner_of, rows_of, viewer_of, works
from ratings.views.participants import PEOPLE_PER_PAGE
from tests.support.factories import EDIT, RATE, freeze, judged_campaign, make_campaign, make_staff, readable
from tests.support.stored import release_folder

FLAG: Flag = ["done in a few seconds", "the last change came 4.1 s after the page was shown", None]
pytestmark = pytest.mark.django_db
ID = "5f0c9a1b2d3e4f5061728394"


def address_of(campaign: Campaign, work_round: str = EDIT) -> str:
    return f"/campaigns/{campaign.slug}/participants/{work_round}/"


def csv_of(campaign: Campaign, work_round: str = EDIT) -> str:
    return f"/campaigns/{campaign.slug}/participants/{work_round}.csv"


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(sources=6, editor_tasks=6, gold_percent=0)


def listed(campaign: Campaign, work_round: str = EDIT, **asked: Any) -> list[str]:
    """The numbers of the participants on the first page, in order."""
    response = owner_of(campaign).get(address_of(campaign, work_round), asked)
    return re.findall(r'<th scope="row">\s*<a href="[^"]*/people/(\d+)/">', readable(response))


# Who stands in the list


def test_each_participant_stands_in_one_row_with_ids_times_and_counts(campaign: Campaign) -> None:
    link = named_link(campaign, EDIT, "Pilot")
    someone = comes(link, ID, tasks=2, outcome=Outcome.DONE)
    Compression.objects.filter(worker=someone.worker).update(active_ms=90_000)

    page = readable(owner_of(campaign).get(address_of(campaign)))

    for words in (ID, f"study-{link.pk}", f"session-{ID}-{link.pk}", "Pilot", "Done", ">3.0<"):
        assert words in page
    assert listed(campaign) == [str(someone.worker.number)]


def test_a_participant_by_two_links_has_one_row_on_the_page_and_two_in_the_file(campaign: Campaign) -> None:
    first, second = named_link(campaign, EDIT, "Pilot"), named_link(campaign, EDIT, "Main study")
    someone = comes(first, ID, tasks=1, outcome=Outcome.DONE)
    comes_again(someone, second, tasks=2, outcome=Outcome.STOPPED_EARLY)

    page = readable(owner_of(campaign).get(address_of(campaign)))
    rows = rows_of(owner_of(campaign).post(csv_of(campaign)))

    assert len(listed(campaign)) == 1
    assert re.search(r"<td>\s+Pilot,\s+Main study\s+</td>", page)
    told = [(row["link"], row["study"], row["outcome"], row["submitted"], row["code"]) for row in rows]
    assert told == [
        ("Pilot", f"study-{first.pk}", "done", "1", first.code_done),
        ("Main study", f"study-{second.pk}", "stopped", "2", ""),
    ]


def test_someone_back_by_an_earlier_link_has_one_visit_by_it(campaign: Campaign) -> None:
    first, second = named_link(campaign, EDIT, "Pilot"), named_link(campaign, EDIT, "Main study")
    someone = comes_again(comes(first, ID, tasks=1), second)
    someone.link = first
    someone.save()

    rows = rows_of(owner_of(campaign).post(csv_of(campaign)))

    assert [row["link"] for row in rows] == ["Pilot"]


def test_whoever_stops_early_has_been_shown_a_code_only_after_enough_texts(campaign: Campaign) -> None:
    link = named_link(campaign, EDIT, "Pilot")
    Campaign.objects.filter(pk=campaign.pk).update(partial_after=2)
    for name, tasks in (("one", 1), ("two", 2)):
        comes(link, name, tasks=tasks, outcome=Outcome.STOPPED_EARLY)

    rows = rows_of(owner_of(campaign).post(csv_of(campaign)))

    assert [row["code"] for row in rows] == ["", link.code_partial]


def test_people_of_an_imported_release_are_no_participants(campaign: Campaign) -> None:
    Worker.objects.create(campaign=campaign, platform_key="imported", number=99, imported_name="editor 99")

    assert listed(campaign) == []
    assert rows_of(owner_of(campaign).post(f"/campaigns/{campaign.slug}/participants.csv")) == []


def test_flagged_compressions_excluded_test_and_simulated_people_are_marked(campaign: Campaign) -> None:
    link = named_link(campaign, EDIT, "Pilot")
    flagged, excluded, test = (comes(link, name, tasks=1) for name in ("a", "b", "c"))
    Compression.objects.update(**flag_columns([]))
    Compression.objects.filter(worker=flagged.worker).update(**flag_columns([FLAG]))
    person_exclude(worker=excluded.worker, work_round=EDIT, user=make_staff(), note="A program.")
    Worker.objects.filter(pk=test.worker_id).update(is_test=True, is_simulated=True)

    rows = rows_of(owner_of(campaign).post(csv_of(campaign)))

    marks = [(row["flags"], row["excluded"], row["test"], row["simulated"]) for row in rows]
    assert marks == [("1", "0", "0", "0"), ("0", "1", "0", "0"), ("0", "0", "1", "1")]
    assert [row["submitted"] for row in rows] == ["1", "1", "1"]
    assert listed(campaign, excluded="1") == [str(excluded.worker.number)]
    assert listed(campaign, flagged="1") == [str(flagged.worker.number)]
    assert "1 flagged compression" in readable(owner_of(campaign).get(address_of(campaign)))


def test_the_decision_of_the_rule_in_force_is_told() -> None:
    campaign = judged_campaign(sources=6, editors=2, scores=((3, 3), (2, 3), (1, 1)))
    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5, min_items=1))

    rows = rows_of(owner_of(campaign).post(csv_of(campaign, RATE)))

    decided = {str(each.worker.number): each for each in run.decisions.filter(round=RATE).select_related("worker")}
    assert {row["quality_decision"] for row in rows} == {"kept", "left out"}
    for row in rows:
        decision = decided[row["participant"]]
        assert row["quality_decision"] == ("left out" if decision.removed else "kept")
        assert float(row["quality"]) == decision.quality


# Who sees ids


@pytest.mark.parametrize("page", ["participants/edit/", "participants/edit.csv", "participants.csv", "people/1/"])
@pytest.mark.parametrize("query", ["", "?sort=id", "?sort=session"])
def test_viewers_get_no_ids_in_any_form(campaign: Campaign, page: str, query: str) -> None:
    link = named_link(campaign, EDIT, "Pilot")
    comes(link, ID, tasks=1, outcome=Outcome.DONE)

    response: Any = viewer_of(campaign).get(f"/campaigns/{campaign.slug}/{page}{query}")
    content = b"".join(response).decode()

    assert response.status_code == 200
    for secret in (ID, f"study-{link.pk}", f"session-{ID}-{link.pk}", link.code_done):
        assert secret not in content


def test_viewers_cannot_find_out_ids_by_searching_for_them(campaign: Campaign) -> None:
    comes(named_link(campaign, EDIT, "Pilot"), ID)

    page = readable(viewer_of(campaign).get(address_of(campaign), {"q": ID[:4]}))

    assert "No participants match." in page


@pytest.mark.parametrize("page", ["participants/edit.csv", "participants.csv"])
def test_ids_are_downloaded_by_post_alone_and_that_is_logged(campaign: Campaign, page: str) -> None:
    comes(named_link(campaign, EDIT, "Pilot"), ID)
    address = f"/campaigns/{campaign.slug}/{page}"

    assert viewer_of(campaign).post(address).status_code == 403
    assert "platform_id" not in rows_of(owner_of(campaign).get(address))[0]
    assert not AuditEntry.objects.filter(action="ids exported").exists()
    assert rows_of(owner_of(campaign).post(address))[0]["platform_id"] == ID
    entry = AuditEntry.objects.get(action="ids exported")
    assert (entry.campaign, entry.detail) == (campaign, "1 row")


def test_no_release_has_ids() -> None:
    campaign = judged_campaign(sources=2, editors=1, scores=((3, 3), (2, 3)))
    names = list(campaign.workers.values_list("external_id", flat=True))
    campaign.workers.update(external_id="")
    for number, worker in enumerate(campaign.workers.order_by("pk")):
        Worker.objects.filter(pk=worker.pk).update(external_id=f"{ID}-{number}")

    release = freeze(campaign)

    assert names
    assert all(ID.encode() not in each.read_bytes() for each in release_folder(release).rglob("*") if each.is_file())


# Search, filters, order


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("1", ["1"]),
        ("5f0c", ["1"]),
        (ID.upper(), ["1"]),
        ("session-6a", ["2"]),
        ("study-", ["1", "2"]),
        ("c9a1", []),
        ("9", []),
    ],
)
def test_people_are_found_by_the_beginning_of_their_number_or_ids(
    campaign: Campaign, search: str, found: list[str]
) -> None:
    link = named_link(campaign, EDIT, "Pilot")
    for name in (ID, "6a11"):
        comes(link, name)

    assert listed(campaign, q=search) == found


def test_a_past_visit_is_found_by_its_session_and_link(campaign: Campaign) -> None:
    first, second = named_link(campaign, EDIT, "Pilot"), named_link(campaign, EDIT, "Main study")
    someone = comes_again(comes(first, ID, outcome=Outcome.DONE), second)
    comes(second, "other")

    assert listed(campaign, q=f"session-{ID}") == [str(someone.worker.number)]
    assert listed(campaign, link=first.pk) == [str(someone.worker.number)]
    assert listed(campaign, link=first.pk, outcome="done") == [str(someone.worker.number)]
    assert listed(campaign, link=second.pk, outcome="done") == []


def test_the_file_holds_what_the_list_is_narrowed_to(campaign: Campaign) -> None:
    first, second = named_link(campaign, EDIT, "Pilot"), named_link(campaign, EDIT, "Main study")
    comes_again(comes(first, ID), second)
    comes(first, "other")

    rows = rows_of(owner_of(campaign).post(f"{csv_of(campaign)}?link={second.pk}&sort=-number"))

    assert [(row["platform_id"], row["link"]) for row in rows] == [(ID, "Main study")]


@pytest.mark.parametrize(
    "sort",
    ["number", "id", "study", "session", "link", "outcome", "submitted", "first", "last", "active", "look", "quality"],
)
def test_every_column_orders_the_list_both_ways_with_unknown_values_last(campaign: Campaign, sort: str) -> None:
    link = named_link(campaign, EDIT, "Pilot")
    busy, idle = comes(link, "a", tasks=2), comes(link, "b")
    numbers = [str(each.worker.number) for each in (busy, idle)]

    assert sorted(listed(campaign, sort=sort)) == sorted(listed(campaign, sort=f"-{sort}")) == sorted(numbers)
    if sort in {"first", "last", "active"}:
        assert listed(campaign, sort=sort) == listed(campaign, sort=f"-{sort}") == numbers
    if sort in {"number", "id", "session", "submitted"}:
        assert listed(campaign, sort=sort) == listed(campaign, sort=f"-{sort}")[::-1]


def test_long_lists_come_in_pages(campaign: Campaign) -> None:
    link = named_link(campaign, EDIT, "Pilot")
    for number in range(PEOPLE_PER_PAGE + 1):
        comes(link, f"name-{number}")

    assert (len(listed(campaign)), len(listed(campaign, page=2))) == (PEOPLE_PER_PAGE, 1)


@pytest.mark.parametrize("page", ["participants/edit/", "participants/rate/", "participants/rate/lists/", "pay/"])
def test_more_people_take_no_more_queries(page: str) -> None:
    counts = []
    for editors, raters in ((1, 2), (4, 8)):
        campaign = judged_campaign(sources=2, editors=editors, scores=[(3, 3)] * raters)
        client = owner_of(campaign)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/campaigns/{campaign.slug}/{page}").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("work_round", ["none", "EDIT", "edit-"])
def test_other_rounds_are_not_found(campaign: Campaign, work_round: str) -> None:
    for address in (address_of(campaign, work_round), csv_of(campaign, work_round)):
        assert owner_of(campaign).get(address).status_code == 404


def test_the_raters_are_where_they_were_before(campaign: Campaign) -> None:
    client = owner_of(campaign)
    assert client.get(f"/campaigns/{campaign.slug}/raters/")["Location"] == address_of(campaign, RATE)
    assert client.get(f"/campaigns/{campaign.slug}/raters.csv")["Location"] == csv_of(campaign, RATE)


# The page of one person


def test_the_page_of_a_person_tells_each_visit_with_its_ids_and_code(campaign: Campaign) -> None:
    first, second = named_link(campaign, EDIT, "Pilot"), named_link(campaign, EDIT, "Main study")
    someone = comes_again(comes(first, ID, tasks=1, outcome=Outcome.DONE), second)
    works(someone, 1, Outcome.DONE)

    page = readable(owner_of(campaign).get(f"/campaigns/{campaign.slug}/people/{someone.worker.number}/"))

    for words in (
        ID,
        "Prolific",
        "Visit through Pilot",
        "Visit through Main study",
        f"study-{first.pk}",
        f"study-{second.pk}",
    ):
        assert words in page
    assert first.code_done in page
    assert second.code_done in page
