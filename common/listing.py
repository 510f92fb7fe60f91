"""Tables that can be sorted, searched and narrowed by what stands in the address.

A page declares once by what its table can be ordered and filtered, and reads each request against it:

    LINKS = Listing(
        sorts={"made": ("created_at", "pk"), "round": "round"},
        default="-made",
        search=("note",),
        filters=(Filter("round", "Round", Round.choices, field="round"),),
    )

    listing = LINKS.read(request.GET)
    page = Paginator(listing.of_query(JoinLink.objects.filter(campaign=campaign)), 50).get_page(request.GET.get("page"))
    return render(request, "crowd/links.html", {"campaign": campaign, "listing": listing, "page": page})

and in the template:

    {% include "common/partials/list_search.html" with search_label="Note" %}
    ...
    <tr>
      {% include "common/partials/sort_header.html" with key="made" label="Created (UTC)" %}
      {% include "common/partials/sort_header.html" with key="round" label="Round" %}
    </tr>
    ...
    {% include "common/partials/pages.html" with label="Pages of links" %}

A list of rows that no database can order takes functions in place of field names, and `of_rows`:

    RATERS = Listing(
        sorts={"name": lambda record: record.worker.number, "ratings": lambda record: record.ratings},
        default="name",
        search_rows=lambda record: record.worker.public_name,
    )
    page = Paginator(listing.of_rows(records), 50).get_page(request.GET.get("page"))

Columns that may be left out are declared as `Columns`; the template asks `columns.shown` of each.

What the address says is never trusted: unknown names and values count as absent, and the text searched for is bounded.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import F, Model, Q, QuerySet
from django.http import QueryDict

from common.words import Words

MAX_SEARCH_LENGTH = 200
SEARCH = "q"
SORT = "sort"
COLUMNS = "columns"

M = TypeVar("M", bound=Model)
T = TypeVar("T")
SortKey = str | tuple[str, ...] | Callable[[Any], Any]


@dataclass(frozen=True)
class Filter:
    """A choice that narrows a table. Without a `field`, the view applies `state.values[name]` itself."""

    name: str
    label: Words
    choices: Sequence[tuple[str, Any]]
    field: str = ""

    def read(self, typed: str) -> str:
        return typed if typed in {str(value) for value, _label in self.choices} else ""


@dataclass(frozen=True)
class ShownFilter:
    """A filter with the name of its parameter and the value chosen, "" for all."""

    parameter: str
    label: Words
    choices: Sequence[tuple[str, Any]]
    value: str


@dataclass(frozen=True)
class Header:
    """The link in a column's header, and how the table is ordered by that column, in the words of aria-sort."""

    address: str
    order: str


@dataclass(frozen=True)
class Columns:
    """The columns of a table that may be left out, and those that a request asks for: all, unless it names some.

    >>> columns = Columns({"link": "Link", "flags": "Flags"}, QueryDict("sort=link&columns=flags"))
    >>> columns.shown
    {'link': False, 'flags': True}
    >>> columns.kept
    [('sort', 'link')]
    """

    labels: Mapping[str, Words]
    query: QueryDict

    @property
    def asked(self) -> list[str]:
        return [name for name in self.query.getlist(COLUMNS) if name in self.labels]

    @property
    def shown(self) -> dict[str, bool]:
        asked = set(self.asked) or self.labels
        return {name: name in asked for name in self.labels}

    @property
    def choices(self) -> list[tuple[str, Words, bool]]:
        return [(name, label, self.shown[name]) for name, label in self.labels.items()]

    @property
    def kept(self) -> list[tuple[str, str]]:
        """The parameters that the form of the columns has no field for."""
        return [(name, value) for name, values in self.query.lists() for value in values if name != COLUMNS]


@dataclass(frozen=True)
class Listing:
    """By what a table can be ordered, searched and filtered.

    Attributes
    ----------
    sorts
        What to order by, by the name in the address: field names for a query, a function of a row for a list.
    default
        The order without a choice: a name of `sorts`, with a minus in front for the greatest first.
    search
        Fields of a query of which one has to contain the text searched for, in either case.
    search_rows
        The text of a row to search in, for a list.
    search_names
        The names of a row, for a list: one of them has to begin with the text searched for, in either case.
    filters
        Choices that narrow the table.
    prefix
        Put before each parameter, where a page has several tables.
    page
        The parameter of the page number, which a new order or search drops.
    """

    sorts: Mapping[str, SortKey]
    default: str
    search: tuple[str, ...] = ()
    search_rows: Callable[[Any], str] | None = None
    search_names: Callable[[Any], Iterable[str]] | None = None
    filters: Sequence[Filter] = ()
    prefix: str = ""
    page: str = "page"

    def __post_init__(self) -> None:
        if self.default.removeprefix("-") not in self.sorts:
            raise ValueError(f"{self.default} is not among the sorts")

    def read(self, query: QueryDict) -> "ListingState":
        """Read the order, the search and the filters of a request; what is unknown counts as absent."""
        typed = query.get(self.prefix + SORT, "")
        search = query.get(self.prefix + SEARCH, "")[:MAX_SEARCH_LENGTH].replace("\0", "").strip()
        return ListingState(
            self,
            query,
            sort=typed if typed.removeprefix("-") in self.sorts else self.default,
            search=search if self.can_search else "",
            values={each.name: each.read(query.get(self.prefix + each.name, "")) for each in self.filters},
        )

    @property
    def can_search(self) -> bool:
        return bool(self.search or self.search_rows or self.search_names)


@dataclass(frozen=True)
class ListingState:
    """A listing as one request asks for it."""

    listing: Listing
    query: QueryDict
    sort: str
    search: str
    values: Mapping[str, str]

    @property
    def is_narrowed(self) -> bool:
        return bool(self.search or any(self.values.values()))

    @property
    def _sort_key(self) -> tuple[SortKey, bool]:
        return self.listing.sorts[self.sort.removeprefix("-")], self.sort.startswith("-")

    def of_query(self, rows: QuerySet[M]) -> QuerySet[M]:
        """Return the rows that are asked for, in order: unknown values last, ties by primary key."""
        for each in self.listing.filters:
            if each.field and (value := self.values[each.name]):
                rows = rows.filter(**{each.field: value})
        if self.search:
            found = (Q(**{f"{field}__icontains": self.search}) for field in self.listing.search)
            rows = rows.filter(_any(found))
        key, descending = self._sort_key
        if callable(key):
            raise TypeError("A query is ordered by fields, not by a function.")
        fields = [F(name) for name in ((key,) if isinstance(key, str) else key)]
        order = (each.desc(nulls_last=True) if descending else each.asc(nulls_last=True) for each in fields)
        return rows.order_by(*order, "pk")

    def of_rows(self, rows: Iterable[T]) -> list[T]:
        """Return the rows that are asked for, in order: None last, ties as they came."""
        found = self._found_rows(rows) if self.search else list(rows)
        key, descending = self._sort_key
        if not callable(key):
            raise TypeError("A list is ordered by a function, not by fields.")
        keyed = [(key(row), row) for row in found]
        known = [each for each in keyed if each[0] is not None]
        known.sort(key=lambda each: each[0], reverse=descending)
        return [row for _value, row in known] + [row for value, row in keyed if value is None]

    def _found_rows(self, rows: Iterable[T]) -> list[T]:
        text_of, names_of, wanted = self.listing.search_rows, self.listing.search_names, self.search.casefold()
        if names_of is not None:
            return [row for row in rows if any(name.casefold().startswith(wanted) for name in names_of(row))]
        return [row for row in rows if text_of is None or wanted in text_of(row).casefold()]

    @property
    def headers(self) -> dict[str, Header]:
        """The header of each column that can be ordered by, for `sort_header.html`."""
        return {name: self._header(name) for name in self.listing.sorts}

    def _header(self, name: str) -> Header:
        order = {name: "ascending", f"-{name}": "descending"}.get(self.sort, "")
        following = f"-{name}" if self.sort == name else name
        return Header(self._address({SORT: following}), order)

    @property
    def filters(self) -> list[ShownFilter]:
        return [
            ShownFilter(self.listing.prefix + each.name, each.label, each.choices, self.values[each.name])
            for each in self.listing.filters
        ]

    @property
    def search_parameter(self) -> str:
        return self.listing.prefix + SEARCH

    @property
    def longest_search(self) -> int:
        return MAX_SEARCH_LENGTH

    @property
    def kept(self) -> list[tuple[str, str]]:
        """The parameters that the search form has no field for, such as the order or those of another table."""
        left = self._without(*self._narrowing)
        return [(name, value) for name, values in left.lists() for value in values]

    @property
    def address_of_all(self) -> str:
        """The link to the whole table, in the same order."""
        return self._address({}, *self._narrowing)

    @property
    def _narrowing(self) -> tuple[str, ...]:
        return SEARCH, *(each.name for each in self.listing.filters)

    def _address(self, changed: Mapping[str, str], *left_out: str) -> str:
        query = self._without(*left_out)
        for name, value in changed.items():
            query[self.listing.prefix + name] = value
        return f"?{query.urlencode()}"

    def _without(self, *names: str) -> QueryDict:
        """Return the parameters of the request, without these and without the page."""
        query = self.query.copy()
        for name in (self.listing.page, *(self.listing.prefix + name for name in names)):
            query.pop(name, None)
        return query


def _any(conditions: Iterable[Q]) -> Q:
    either = Q()
    for condition in conditions:
        either |= condition
    return either
