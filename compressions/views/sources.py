"""Staff views of texts: the list, its download, and the page of one text."""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from common.spreadsheets import csv_download
from compressions.forms import CorrectionForm, RetireForm, SourceFilterForm
from compressions.list_links import active_filters, sort_links
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
from compressions.selectors.retired import live_relative
from compressions.selectors.source_page import sources_with_relations, texts_of_source
from compressions.selectors.sources import genres_of_campaign
from compressions.selectors.writing import remarks_of_campaign
from crowd.access import campaign_staff
from crowd.models import Campaign

SOURCES_PER_PAGE = 50


@campaign_staff
@require_safe
def sources(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the texts that are looked for; a filter that makes no sense is refused, and the others apply."""
    genres = genres_of_campaign(campaign)
    form = SourceFilterForm(request.GET, campaign=campaign, genres=[each.genre for each in genres])
    is_valid = form.is_valid()
    page = Paginator(found_sources(campaign, form.wanted), SOURCES_PER_PAGE).get_page(request.GET.get("page"))
    query = asked_for(request, form)
    links = sort_links(form, query)
    scales = [scale for scale in campaign.rating_scales if scale.key in shown_scales(campaign)]
    context = {
        "campaign": campaign,
        "form": form,
        "page": page,
        "rows": source_rows(campaign, list(page.object_list), reported_sources(campaign)),
        "scales": scales,
        "links": links,
        "mean_links": [(scale, links[f"{MEAN}{scale.key}"]) for scale in scales],
        "filters": active_filters(form, query),
        "query": urlencode(query),
        "genres": genres,
        "total": sum(each.sources for each in genres),
        "flagged": flagged_compressions(campaign).count(),
        "remarks": remarks_of_campaign(campaign).count(),
    }
    return render(request, "compressions/sources.html", context, status=200 if is_valid else 422)


def asked_for(request: HttpRequest, form: SourceFilterForm) -> dict[str, str]:
    """Return the part of the query string that filters and sorts, without the page."""
    return {name: value for name in form.fields if (value := request.GET.get(name, "").strip())}


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
