"""Staff views of sources and their imports."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from compressions.forms import SourceImportForm
from compressions.models import Source
from compressions.selectors.sources import (
    compression_counts,
    compressions_of_source,
    genres_of_campaign,
    imports_of_campaign,
    sources_of_campaign,
)
from compressions.selectors.writing import flagged_compressions, remarks_of_campaign
from compressions.services.imports import source_import_request
from crowd.access import accepts_upload, campaign_staff, staff_user
from crowd.models import Campaign

SOURCES_PER_PAGE = 50


@campaign_staff
@require_safe
def sources(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    page = Paginator(sources_of_campaign(campaign), SOURCES_PER_PAGE).get_page(request.GET.get("page"))
    counts = compression_counts(page.object_list)
    context = {
        "campaign": campaign,
        "page": page,
        "rows": [(source, counts.get(source.pk, 0)) for source in page],
        "genres": genres_of_campaign(campaign),
        "flagged": flagged_compressions(campaign).count(),
        "remarks": remarks_of_campaign(campaign).count(),
    }
    return render(request, "compressions/sources.html", context)


@campaign_staff
@require_safe
def source(request: HttpRequest, campaign: Campaign, source_id: str) -> HttpResponse:
    """Show a source with all its compressions."""
    related = Source.objects.select_related("paragraph")
    found = get_object_or_404(related, campaign=campaign, source_id=source_id)
    context = {"campaign": campaign, "source": found, "compressions": compressions_of_source(found)}
    return render(request, "compressions/source.html", context)


@accepts_upload
@campaign_staff
@require_http_methods(["GET", "POST"])
def imports(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = SourceImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["file"]
        record = source_import_request(
            campaign=campaign,
            file_name=upload.name or "upload",
            content=upload.read(),
            strict=form.cleaned_data["strict"],
            user=staff_user(request),
        )
        messages.success(request, f"{record.file_name} is being imported.")
        return redirect(record)
    context = {"campaign": campaign, "form": form, "imports": imports_of_campaign(campaign)[:50]}
    status = form.refusal_status if form.is_bound else 200
    return render(request, "compressions/imports.html", context, status=status)


@campaign_staff
@require_safe
def import_report(request: HttpRequest, campaign: Campaign, import_id: int) -> HttpResponse:
    """Show the outcome of an import; htmx polls this page while the file is being read."""
    found = get_object_or_404(imports_of_campaign(campaign), pk=import_id)
    template = (
        "compressions/partials/import_state.html" if getattr(request, "htmx", False) else "compressions/import.html"
    )
    return render(request, template, {"campaign": campaign, "wanted": found})
