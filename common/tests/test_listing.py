"""Tables that are sorted, searched and narrowed by what stands in the address."""

from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

import pytest
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import QueryDict
from django.template.loader import render_to_string
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from common.listing import MAX_SEARCH_LENGTH, Filter, Listing

STATES = [("1", "Active"), ("0", "Closed")]
PEOPLE = Listing(
    sorts={"name": "username", "seen": ("last_login", "username")},
    default="name",
    search=("username", "email"),
    filters=(Filter("active", "State", STATES, field="is_active"),),
)


@dataclass(frozen=True)
class Row:
    name: str
    score: float | None


ROWS = [Row("Ada", 2), Row("Émile", None), Row("Bob", 3), Row("Cy", 2)]
SCORES = Listing(
    sorts={"score": lambda row: row.score, "name": lambda row: row.name},
    default="-score",
    search_rows=lambda row: row.name,
)


def names(address: str) -> list[str]:
    return [row.name for row in SCORES.read(QueryDict(address)).of_rows(ROWS)]


def test_rows_come_in_the_order_asked_for_unknown_last() -> None:
    assert names("") == names("sort=-score") == ["Bob", "Ada", "Cy", "Émile"]
    assert names("sort=score") == ["Ada", "Cy", "Bob", "Émile"]
    assert names("sort=name") == ["Ada", "Bob", "Cy", "Émile"]


def test_rows_are_searched_in_either_case() -> None:
    assert names("q=éMI") == ["Émile"]
    assert names("q=+b+") == ["Bob"]
    assert names("q=nobody") == []


@pytest.mark.parametrize(
    ("search", "found"), [("1", [12, 13]), ("12", [12]), ("éMI", [13]), ("a", [12]), ("d", []), ("2", [])]
)
def test_rows_are_found_by_the_beginning_of_one_of_their_names(search: str, found: list[int]) -> None:
    people = Listing(
        sorts={"number": lambda row: row[0]}, default="number", search_names=lambda row: (str(row[0]), row[1])
    )
    rows = [(12, "Ada"), (13, "Émile")]
    assert [row[0] for row in people.read(QueryDict(urlencode({"q": search}))).of_rows(rows)] == found


@pytest.mark.django_db
def test_a_query_is_ordered_searched_and_narrowed() -> None:
    User.objects.create(username="cy", email="cy@example.org")
    User.objects.create(username="ada", email="a@x.org", last_login="2026-01-02T00:00Z")
    User.objects.create(username="bob", email="B@EXAMPLE.org", is_active=False, last_login="2026-01-01T00:00Z")

    def found(address: str) -> list[str]:
        return [user.username for user in PEOPLE.read(QueryDict(address)).of_query(User.objects.all())]

    assert found("") == ["ada", "bob", "cy"]
    assert found("sort=-name") == ["cy", "bob", "ada"]
    assert found("sort=seen") == ["bob", "ada", "cy"]
    assert found("sort=-seen") == ["ada", "bob", "cy"], "who was never seen is last either way"
    assert found("q=example") == ["bob", "cy"]
    assert found("q=%25") == [], "a wildcard of the database is a letter like others"
    assert found("active=0") == ["bob"]
    assert found("active=1&q=example") == ["cy"]


TYPED = st.dictionaries(
    st.sampled_from(["sort", "q", "active", "page", "other"]),
    st.one_of(st.text(max_size=300), st.sampled_from(["name", "-name", "--name", "seen", "0", "1", "password", "-pk"])),
)


@pytest.mark.django_db
@given(TYPED)
def test_no_address_breaks_a_table(typed: dict[str, str]) -> None:
    state = PEOPLE.read(QueryDict(urlencode(typed, errors="replace")))
    list(state.of_query(User.objects.all()))
    assert state.sort.removeprefix("-") in PEOPLE.sorts
    assert len(state.search) <= MAX_SEARCH_LENGTH
    assert "\0" not in state.search
    assert state.values["active"] in {"", "0", "1"}


def test_a_header_turns_the_order_round_and_keeps_the_search() -> None:
    state = PEOPLE.read(QueryDict("q=ada&sort=name&page=3&active=1"))
    name, seen = state.headers["name"], state.headers["seen"]
    assert (name.order, seen.order) == ("ascending", "")
    assert parse_qs(name.address[1:]) == {"q": ["ada"], "sort": ["-name"], "active": ["1"]}
    assert parse_qs(seen.address[1:]) == {"q": ["ada"], "sort": ["seen"], "active": ["1"]}
    assert PEOPLE.read(QueryDict("sort=-name")).headers["name"].order == "descending"


def test_two_tables_of_a_page_do_not_disturb_each_other() -> None:
    other = Listing(sorts={"name": "username"}, default="name", search=("username",), prefix="b-", page="b-page")
    address = QueryDict("q=ada&sort=-seen&page=2&b-q=bob&b-page=4")
    assert other.read(address).search == "bob"
    assert parse_qs(other.read(address).headers["name"].address[1:]) == {
        "q": ["ada"],
        "sort": ["-seen"],
        "page": ["2"],
        "b-q": ["bob"],
        "b-sort": ["-name"],
    }


def test_a_default_that_is_no_order_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="-age is not among the sorts"):
        Listing(sorts={"name": "username"}, default="-age")


def test_the_partials_show_the_state_escaped() -> None:
    state = PEOPLE.read(QueryDict('sort=-name&active=0&q="><b>&kept=1'))
    header = render_to_string("common/partials/sort_header.html", {"listing": state, "key": "name", "label": "Name"})
    assert 'aria-sort="descending"' in header
    assert "▼" in header
    form = render_to_string("common/partials/list_search.html", {"listing": state})
    assert 'value="&quot;&gt;&lt;b&gt;"' in form
    assert "<b>" not in form
    assert '<option value="0" selected>Closed</option>' in form
    assert '<input type="hidden" name="kept" value="1" />' in form
    assert '<input type="hidden" name="sort" value="-name" />' in form
    assert 'href="?sort=-name&amp;kept=1"' in form, "a way back to all rows"


def test_turning_the_page_keeps_the_other_parameters() -> None:
    request = RequestFactory().get("/", {"q": "a&b", "sort": "-name", "page": "2"})
    page = Paginator(range(30), 10).get_page(2)
    html = render_to_string("common/partials/pages.html", {"page": page, "label": "Pages"}, request)
    assert 'href="?q=a%26b&amp;sort=-name&amp;page=1"' in html
    assert 'href="?q=a%26b&amp;sort=-name&amp;page=3"' in html
