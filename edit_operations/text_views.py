"""Staff pages: the texts of a report by what was done to them, and their alignments as a file."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from common.spreadsheets import csv_download
from corpus.browse.marked_words import marked_texts
from corpus.selectors import release_or_404
from crowd.access import campaign_staff
from crowd.models import Campaign
from edit_operations.aligned import AlignedSource, AlignedText
from edit_operations.found_texts import PARTS_AT_ONCE, FoundText, aligned_stream, texts_found, texts_stream
from edit_operations.kind import KIND
from edit_operations.text_links import active_filters
from edit_operations.texts_form import TextsForm, text_choices
from reports.models import Report
from reports.views import finished_report

TEXTS_PER_PAGE = 6
MAX_PAGE = 1_000_000
HEAD = (
    "source_id",
    "genre",
    "split",
    "sentences",
    "source",
    "compression",
    "editors",
    "system",
    "class",
    "two_sentences",
    "copied",
    "paraphrased",
    "inserted",
    "deleted",
    "moved",
    "corrected",
)


def _form(request: HttpRequest, campaign: Campaign, report: Report) -> TextsForm:
    form = TextsForm(request.GET, choices=text_choices(report.rows or []), scales=campaign.rating_scales)
    form.is_valid()
    return form


@campaign_staff
@require_safe
def texts(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    """List the wanted texts of a stretch of the sources; an invalid filter is refused, and the others apply."""
    release = release_or_404(campaign, version)
    report = finished_report(request, release, KIND)
    form = _form(request, campaign, report)
    number = _page_number(request)
    parts = list(report.parts.order_by("number").values_list("begin", "stop"))
    stretch = Paginator(parts, PARTS_AT_ONCE).get_page(request.GET.get("sources"))
    read = range(stretch.start_index() - 1, stretch.end_index())
    found = texts_found(report, form.wanted, page=number, size=TEXTS_PER_PAGE, parts=read)
    scales = {scale.key: scale.name for scale in campaign.rating_scales if not scale.is_preference}
    query = {"report": report.digest[:16], **form.asked}
    context = {
        "campaign": campaign,
        "release": release,
        "report": report,
        "form": form,
        "rows": [(each, marked_texts(each.source, each.text), _means(each, scales)) for each in found.texts],
        "page": Paginator(range(found.total), TEXTS_PER_PAGE).get_page(number),
        "stretch": stretch,
        "sources": (parts[read.start][0] + 1, parts[read.stop - 1][1], parts[-1][1]) if parts else None,
        "filters": active_filters(form, query),
        "query": urlencode(query),
    }
    return render(request, "edit_operations/texts.html", context, status=422 if form.errors else 200)


def _page_number(request: HttpRequest) -> int:
    typed = request.GET.get("page", "1")
    is_number = typed.isascii() and typed.isdecimal() and len(typed) < len(str(MAX_PAGE))
    return max(1, int(typed)) if is_number else 1


def _means(found: FoundText, scales: dict[str, str]) -> list[tuple[str, float]]:
    quality = found.text.quality or {}
    return [(name, quality[key]) for key, name in scales.items() if key in quality]


@campaign_staff
@require_safe
def texts_csv(request: HttpRequest, campaign: Campaign, version: int) -> StreamingHttpResponse:
    """Download the texts that the list shows under the same address."""
    release = release_or_404(campaign, version)
    report = finished_report(request, release, KIND)
    form = _form(request, campaign, report)
    scales = [scale.key for scale in campaign.rating_scales if not scale.is_preference]
    head = (*HEAD, *(f"mean {key}" for key in scales))
    return csv_download(f"{release.name}-operations-texts", head, _lines(report, form, scales))


def _lines(report: Report, form: TextsForm, scales: list[str]) -> Iterator[list[object]]:
    for each in texts_stream(report, form.wanted):
        source, text = each.source, each.text
        aligned = {place for place in text.places if place is not None}
        yield [
            *(source.source_id, source.genre, source.split, source.sentences, source.text),
            text.text,
            " ".join(text.editors),
            text.system,
            text.compression,
            text.sentences,
            *(text.classes.count(name) for name in ("copied", "paraphrased", "inserted")),
            len(source.words) - len(aligned),
            len(text.moved),
            int(text.correction is not None),
            *((text.quality or {}).get(key, "") for key in scales),
        ]


@campaign_staff
@require_safe
def alignments(request: HttpRequest, campaign: Campaign, version: int) -> StreamingHttpResponse:
    release = release_or_404(campaign, version)
    lines = alignment_lines(finished_report(request, release, KIND))
    response = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{release.name}-alignments.jsonl"'
    return response


def alignment_lines(report: Report) -> Iterator[str]:
    """Yield one line for each text: its words, their places in the source, and what was done; a part at a time."""
    for source in aligned_stream(report):
        for text in source.texts:
            yield json.dumps(_alignment(source, text), ensure_ascii=False) + "\n"


def _alignment(source: AlignedSource, text: AlignedText) -> dict[str, Any]:
    return {
        "source": source.source_id,
        "by": "system" if text.is_output else "people",
        "system": text.system or None,
        "editors": list(text.editors),
        "text": text.text,
        "source_words": list(source.words),
        "words": list(text.words),
        "places": list(text.places),
        "pairs": " ".join(f"{place}-{number}" for number, place in enumerate(text.places) if place is not None),
        "classes": list(text.classes),
        "moved": list(text.moved),
        "compression": text.compression,
        "sentences": text.sentences or None,
        "corrected": text.correction is not None,
    }
