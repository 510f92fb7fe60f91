"""Staff choose the columns of a list, and keep the order, the filters and the columns as views of their own."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from compressions.models import Compression
from crowd.models import Campaign, ListView, Membership, Remark, Role
from crowd.models.list_views import MAX_VIEWS
from tests.support.factories import judged_campaign, make_staff, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LISTS = {
    "sources/": ["genre", "sentences", "text", "compressions", "mean-meaning", "mean-grammar"],
    "flagged/": ["flags", "editor", "state"],
    "participants/edit/": ["id", "outcome", "submitted", "last", "active", "look", "quality", "excluded"],
    "participants/rate/": [
        *("id", "outcome", "submitted", "last", "active", "gold_items", "gold", "look", "quality", "excluded"),
    ],
}


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def campaign(owner: User) -> Campaign:
    campaign = judged_campaign(owner=owner)
    Compression.objects.update(is_flagged=True, flags=[["stops in the middle", "", None]], flag_kinds=" short ")
    return campaign


@pytest.fixture
def client(owner: User) -> Client:
    return staff_client(owner)


def table_of(client: Client, address: str) -> tuple[list[str], int]:
    """Return the heads of a list's columns and the cells of its first row."""
    (table,) = re.findall(r'<table class="lines">(.*?)</table>', readable(client.get(address)), re.DOTALL)
    heads = [re.sub("<[^>]*>|\\s", "", each) for each in re.findall("<th [^>]*>(.*?)</th>|<td", _part(table, "thead"))]
    return heads, len(re.findall("<t[hd][ >]", _part(table, "tbody").partition("</tr>")[0]))


def _part(table: str, name: str) -> str:
    return table.partition(f"<{name}>")[2].partition(f"</{name}>")[0].replace("\n", " ")


def links_of_views(client: Client, address: str) -> dict[str, tuple[str, bool]]:
    """Return where the views of a list lead, by their names, and whether each is the one that is shown."""
    (row,) = re.findall(r'aria-label="Views of this list">(.*?)</nav>', readable(client.get(address)), re.DOTALL)
    found = re.findall(r'<a class="button quiet"\s+href="([^"]*)"\s*(aria-current="true")?\s*>(.*?)</a>', row)
    return {name: (html.unescape(link), bool(current)) for link, current, name in found}


@pytest.mark.parametrize("path", LISTS)
def test_each_column_but_what_names_the_row_can_be_left_out(path: str, campaign: Campaign, client: Client) -> None:
    address = f"/campaigns/{campaign.slug}/{path}"
    every, cells = table_of(client, address)
    offered = re.findall(r'name="columns"\s+value="([^"]*)"', readable(client.get(address)))

    assert offered == LISTS[path]
    assert len(every) == cells
    for name in offered:
        others = "&".join(f"columns={each}" for each in offered if each != name)
        heads, shown = table_of(client, f"{address}?{others}")
        assert len(heads) == shown == cells - 1, name
        assert len(set(every) - set(heads)) == 1, name


def test_columns_stay_when_a_list_is_ordered_searched_or_turned(campaign: Campaign, client: Client) -> None:
    page = readable(client.get(f"/campaigns/{campaign.slug}/sources/?columns=text&columns=genre"))
    search = re.findall(r'<form method="get"\s+role="search"(.*?)</form>', page, re.DOTALL)

    assert "?columns=text&columns=genre&sort=genre" in page
    assert re.findall('name="columns" value="([^"]*)"', search[0]) == ["text", "genre"]


def test_remarks_have_columns_too(campaign: Campaign, client: Client) -> None:
    compression = Compression.objects.first()
    assert compression is not None
    Remark.objects.create(assignment=compression.assignment, kind="comment", text="Hello.", created_at=timezone.now())

    whole = readable(client.get(f"/campaigns/{campaign.slug}/remarks/"))
    few = readable(client.get(f"/campaigns/{campaign.slug}/remarks/?columns=when"))

    assert "<th" in whole
    assert whole.count("<th") - few.count("<th") == 4
    assert whole.count("<td") - few.count("<td") == 4


def test_a_view_is_kept_used_and_removed_by_its_owner_alone(campaign: Campaign, client: Client) -> None:
    asked = "sort=-submitted&outcome=complete&columns=outcome&columns=submitted"
    viewer = make_staff("viewer")
    Membership.objects.create(campaign=campaign, user=viewer, role=Role.VIEWER)
    address = f"/campaigns/{campaign.slug}/participants/edit/"

    reply = client.post(
        f"/campaigns/{campaign.slug}/views/edit/?{asked}&q=5f3c&page=2&excluded=", {"name": "Done"}, follow=True
    )

    assert "The view “Done” is kept." in readable(reply)
    assert links_of_views(client, address) == {"All": (address, True), "Done": (f"{address}?{asked}", False)}
    assert links_of_views(client, f"{address}?{asked}&q=1")["Done"] == (f"{address}?{asked}", True)
    assert "Done</a>" not in readable(staff_client(viewer).get(address))
    assert "Done</a>" not in readable(client.get(f"/campaigns/{campaign.slug}/participants/rate/"))
    assert staff_client(viewer).post(f"/campaigns/{campaign.slug}/views/edit/", {"name": "Done", "remove": "1"})
    assert ListView.objects.get().name == "Done"
    client.post(f"/campaigns/{campaign.slug}/views/edit/", {"name": "Done", "remove": "1"})
    assert not ListView.objects.exists()


def test_a_view_of_the_same_name_is_replaced_and_there_are_not_too_many(campaign: Campaign, client: Client) -> None:
    address = f"/campaigns/{campaign.slug}/views/texts/"
    for number in range(MAX_VIEWS):
        client.post(f"{address}?sort=genre", {"name": f"View {number}"})

    refused = readable(client.post(address, {"name": "One more"}, follow=True))
    client.post(f"{address}?sort=-genre", {"name": "View 3"})

    assert "You have 20 views of this list. Remove one first." in refused
    assert ListView.objects.count() == MAX_VIEWS
    assert ListView.objects.get(name="View 3").query == "sort=-genre"


@pytest.mark.parametrize(
    ("staff_list", "query", "name", "said"),
    [
        ("texts", "", " ", "Enter a name for the view."),
        ("texts", "", "n" * 61, "at most 60 characters"),
        ("texts", "genre=" + "g" * 1000, "Long", "This view is too long to be kept."),
        ("edit", "q=" + "5f" * 600, "Short", "The view “Short” is kept."),
    ],
)
def test_what_cannot_be_kept_is_said(
    staff_list: str, query: str, name: str, said: str, campaign: Campaign, client: Client
) -> None:
    reply = client.post(f"/campaigns/{campaign.slug}/views/{staff_list}/?{query}", {"name": name}, follow=True)

    assert said in readable(reply)


def test_there_are_no_views_of_other_pages(campaign: Campaign, client: Client) -> None:
    assert client.post(f"/campaigns/{campaign.slug}/views/audit/", {"name": "All"}).status_code == 404
