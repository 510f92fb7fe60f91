"""The links of the list of texts: to the same list in another order, or with a filter taken away."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from compressions.forms import SourceFilterForm


@dataclass(frozen=True)
class SortLink:
    """The head of a column: where it leads, and how the list is sorted by it now ("" if it is not)."""

    address: str
    now: str


@dataclass(frozen=True)
class ActiveFilter:
    """A filter that is set, in words, and the list without it."""

    words: str
    address: str


def sort_links(form: SourceFilterForm, query: dict[str, str]) -> dict[str, SortLink]:
    """Return the link of each column that can be sorted; sorting by the same column again turns the order round."""
    sort = query.get("sort", "")
    orders = [order for order, _ in form.fields["sort"].choices if not order.startswith("-")]  # type: ignore[attr-defined]
    links = {}
    for order in orders:
        now = {order: "ascending", f"-{order}": "descending"}.get(sort, "")
        links[order] = SortLink(_address(query | {"sort": f"-{order}" if now == "ascending" else order}), now)
    return links


def active_filters(form: SourceFilterForm, query: dict[str, str]) -> list[ActiveFilter]:
    """Return the filters that are set and valid; the scale is none by itself."""
    found = []
    for name in query:
        if name not in {"sort", "scale"} and form.cleaned_data.get(name) not in ("", None, False):
            found.append(ActiveFilter(_words(form, name), _without(query, name)))
    return found


def _words(form: SourceFilterForm, name: str) -> str:
    field, value = form.fields[name], form.cleaned_data[name]
    if name == "reported":
        return _("With a reported problem")
    shown = dict(getattr(field, "choices", ())).get(value, value)
    if name not in {"above", "below"}:
        return _("%(filter)s: %(value)s") % {"filter": field.label, "value": shown}
    scale = dict(form.fields["scale"].choices)[form.wanted.scale]  # type: ignore[attr-defined]
    return _("%(filter)s (%(scale)s): %(value)s") % {"filter": field.label, "scale": scale, "value": shown}


def _without(query: dict[str, str], name: str) -> str:
    return _address({key: value for key, value in query.items() if key != name})


def _address(query: dict[str, str]) -> str:
    return f"?{urlencode(query)}"
