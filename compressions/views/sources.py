"""Staff views of texts: the list, its download, the page of one; to retire one, take that back, or correct it."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from common.chosen import chosen_numbers
from common.errors import Refused
from common.listing import COLUMNS, Columns
from common.spreadsheets import csv_download
from compressions.forms import CorrectionForm, RetireForm, SourceFilterForm
from compressions.models import Source
from compressions.selectors.flags import flagged_compressions
from compressions.selectors.found_sources import (
    MEAN,
    SourceRow,
    all_source_rows,
    found_sources,
    reported_sources,
    shown_scales,
    source_rows,
)
from compressions.selectors.sources import genres_of_campaign, live_relative, sources_with_relations, texts_of_source
from compressions.selectors.writing import remarks_of_campaign
from compressions.services.retirement import source_correct, source_reinstate, source_retire, sources_retire
from crowd.access import campaign_staff, role_of, staff_user
from crowd.models import Campaign, Role, StaffList
from crowd.scales import Scale
from crowd.views.list_views import list_context

Query = dict[str, str | list[str]]


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


def sort_links(form: SourceFilterForm, query: Query) -> dict[str, SortLink]:
    """Return the link of each column that can be sorted; sorting by the same column again turns the order round."""
    sort = query.get("sort", "")
    orders = [order for order, _ in form.fields["sort"].choices if not order.startswith("-")]  # type: ignore[attr-defined]
    links = {}
    for order in orders:
        now = {order: "ascending", f"-{order}": "descending"}.get(sort, "")
        links[order] = SortLink(_address(query | {"sort": f"-{order}" if now == "ascending" else order}), now)
    return links


def active_filters(form: SourceFilterForm, query: Query) -> list[ActiveFilter]:
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


def _without(query: Query, name: str) -> str:
    return _address({key: value for key, value in query.items() if key != name})


def _address(query: Query) -> str:
    return f"?{urlencode(query, doseq=True)}"


SOURCES_PER_PAGE = 15


@campaign_staff
@require_safe
def sources(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the texts that are looked for; a filter that makes no sense is refused, and the others apply."""
    return _list(request, campaign)


def _list(request: HttpRequest, campaign: Campaign, retire_form: RetireForm | None = None) -> HttpResponse:
    genres = genres_of_campaign(campaign)
    form = SourceFilterForm(request.GET, campaign=campaign, genres=[each.genre for each in genres])
    is_valid = form.is_valid()
    page = Paginator(found_sources(campaign, form.wanted), SOURCES_PER_PAGE).get_page(request.GET.get("page"))
    query = asked_for(request, form)
    links = sort_links(form, query)
    scales = [scale for scale in campaign.rating_scales if scale.key in shown_scales(campaign)]
    columns = Columns(_columns(scales), request.GET)
    context = list_context(request, campaign, StaffList.TEXTS, columns) | {
        "campaign": campaign,
        "form": form,
        "page": page,
        "rows": source_rows(campaign, list(page.object_list), reported_sources(campaign)),
        "scales": scales,
        "shown_scales": [scale for scale in scales if columns.shown[f"{MEAN}{scale.key}"]],
        "links": links,
        "mean_links": [(s, links[f"{MEAN}{s.key}"]) for s in scales if columns.shown[f"{MEAN}{s.key}"]],
        "filters": active_filters(form, query),
        "query": urlencode(query, doseq=True),
        "genres": genres,
        "total": sum(each.sources for each in genres),
        "flagged": flagged_compressions(campaign).count(),
        "remarks": remarks_of_campaign(campaign).count(),
        "retire_form": retire_form or RetireForm(auto_id="retire-%s"),
        "may_change": role_of(request) != Role.VIEWER and not campaign.is_archived,
        "chosen": chosen_numbers(request.POST),
    }
    status = 200 if is_valid and retire_form is None else 422
    return render(request, "compressions/sources.html", context, status=status)


def _columns(scales: list[Scale]) -> dict[str, str]:
    means = {f"{MEAN}{scale.key}": _("Mean %(scale)s") % {"scale": scale.name} for scale in scales}
    return {
        "genre": _("Genre"),
        "sentences": _("Sentences"),
        "text": _("Text"),
        "compressions": _("Compressions"),
    } | means


def asked_for(request: HttpRequest, form: SourceFilterForm) -> Query:
    """Return the part of the query string that filters, sorts and chooses columns, without the page."""
    asked: Query = {name: value for name in form.fields if (value := request.GET.get(name, "").strip())}
    return asked | {COLUMNS: columns} if (columns := request.GET.getlist(COLUMNS)) else asked


@campaign_staff
@require_safe
def sources_csv(request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """Download the texts that the list shows under the same address."""
    genres = [each.genre for each in genres_of_campaign(campaign)]
    form = SourceFilterForm(request.GET, campaign=campaign, genres=genres)
    form.is_valid()
    scales = shown_scales(campaign)
    head = ("source", "genre", "sentences", "paragraph", "text", "compressions", "wanted", "retired", "reported")
    rows = all_source_rows(campaign, found_sources(campaign, form.wanted))
    return csv_download(f"{campaign.slug}-texts", (*head, *(f"mean {key}" for key in scales)), _lines(rows, scales))


def _lines(rows: Iterator[SourceRow], scales: list[str]) -> Iterator[tuple[object, ...]]:
    for row in rows:
        source = row.source
        means = (round(row.means[key], 4) if key in row.means else "" for key in scales)
        yield (
            source.source_id,
            source.genre,
            source.sentences,
            source.paragraph_id_anywhere,
            source.text,
            row.compressions,
            source.item.wanted,
            source.retired_at or "",
            int(row.is_reported),
            *means,
        )


@campaign_staff
@require_safe
def source(request: HttpRequest, campaign: Campaign, source_id: str) -> HttpResponse:
    """Show a text with its compressions, and the ratings of each."""
    found = get_object_or_404(sources_with_relations(campaign), source_id=source_id)
    return source_page(request, campaign, found)


def source_page(
    request: HttpRequest,
    campaign: Campaign,
    found: Source,
    *,
    retire_form: RetireForm | None = None,
    correction_form: CorrectionForm | None = None,
) -> HttpResponse:
    texts, comparisons = texts_of_source(found)
    context = {
        "campaign": campaign,
        "source": found,
        "texts": texts,
        "comparisons": comparisons,
        "relative": live_relative(found) if found.is_retired else None,
        "is_reported": found.pk in reported_sources(campaign),
        "form": retire_form or correction_form,
        "retire_form": retire_form or RetireForm(auto_id="retire-%s"),
        "correction_form": correction_form or CorrectionForm(source=found, auto_id="correct-%s"),
        "is_retiring": retire_form is not None,
        "is_correcting": correction_form is not None,
    }
    return render(request, "compressions/source.html", context, status=422 if retire_form or correction_form else 200)


@campaign_staff
@require_POST
def retire(request: HttpRequest, campaign: Campaign, source_id: str) -> HttpResponse:
    """Retire a text; a text that is retired already stays as it is."""
    source = get_object_or_404(sources_with_relations(campaign), source_id=source_id)
    form = RetireForm(request.POST, auto_id="retire-%s")
    if not form.is_valid():
        return source_page(request, campaign, source, retire_form=form)
    ended = source_retire(source=source, user=staff_user(request), **form.decision)
    words = _("The text is retired: nobody is given it any more.")
    messages.success(request, " ".join([words, *_told(ended)]))
    return redirect("compressions:source", campaign.slug, source_id)


@campaign_staff
@require_POST
def retire_many(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Retire the texts that were chosen in the list."""
    form, chosen = RetireForm(request.POST, auto_id="retire-%s"), chosen_numbers(request.POST)
    if form.is_valid() and not chosen:
        form.add_error(None, _("Choose at least one text."))
    if not form.is_valid():
        return _list(request, campaign, form)
    found = sources_with_relations(campaign).filter(pk__in=chosen)
    retired, ended = sources_retire(sources=found, user=staff_user(request), **form.decision)
    words = ngettext("%(n)s text is retired.", "%(n)s texts are retired.", retired)
    messages.success(request, " ".join([words % {"n": f"{retired:,}"}, *_told(ended)]))
    return redirect(f"{reverse('compressions:sources', args=[campaign.slug])}?{request.GET.urlencode()}")


def _told(ended: int) -> Iterator[str]:
    if ended:
        words = ngettext(
            "%(n)s participant working on it will be told.", "%(n)s participants working on it will be told.", ended
        )
        yield words % {"n": ended}


@campaign_staff
@require_POST
def reinstate(request: HttpRequest, campaign: Campaign, source_id: str) -> HttpResponse:
    source = get_object_or_404(sources_with_relations(campaign), source_id=source_id)
    try:
        source_reinstate(source=source, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The text is back: its open places are given to participants again."))
    return redirect("compressions:source", campaign.slug, source_id)


@campaign_staff
@require_POST
def correct(request: HttpRequest, campaign: Campaign, source_id: str) -> HttpResponse:
    source = get_object_or_404(sources_with_relations(campaign), source_id=source_id)
    form = CorrectionForm(request.POST, source=source, auto_id="correct-%s")
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            new = source_correct(source=source, text=text, user=staff_user(request), **form.decision)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            words = _("Text %(new)s replaces %(old)s, which is retired.")
            messages.success(request, words % {"new": new.source_id, "old": source_id})
            return redirect("compressions:source", campaign.slug, new.source_id)
    return source_page(request, campaign, source, correction_form=form)
