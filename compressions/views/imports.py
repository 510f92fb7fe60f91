"""Staff views of the imports of texts and of their translations."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from compressions.forms import SourceImportForm, TranslationsForm
from compressions.models import FileImport, SourceImport, TranslationImport
from compressions.selectors.sources import file_imports
from compressions.selectors.translations import translation_counts
from compressions.services.imports import source_import_request
from compressions.services.translations import translation_import_request
from crowd.access import accepts_upload, campaign_staff, staff_user
from crowd.models import Campaign


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
            read_as=form.read_as,
            user=staff_user(request),
        )
        messages.success(request, _("%(file)s is being imported.") % {"file": record.file_name})
        return redirect(record)
    context = {"campaign": campaign, "form": form, "imports": file_imports(SourceImport, campaign)[:50]}
    status = form.refusal_status if form.is_bound else 200
    return render(request, "compressions/imports.html", context, status=status)


@campaign_staff
@require_safe
def import_report(request: HttpRequest, campaign: Campaign, import_id: int) -> HttpResponse:
    """Show the outcome of an import; htmx polls this page while the file is being read."""
    found = get_object_or_404(file_imports(SourceImport, campaign), pk=import_id)
    links = {"compressions:imports": _("All imports"), "compressions:sources": _("Texts of the campaign")}
    return import_page(request, found, _("Import of %(file)s") % {"file": found.file_name}, links)


def import_page(request: HttpRequest, found: FileImport, title: str, links: dict[str, str]) -> HttpResponse:
    """Render the page of an import of any kind, or for htmx only its outcome so far."""
    partial = getattr(request, "htmx", False)
    template = "compressions/partials/import_state.html" if partial else "compressions/import.html"
    addresses = [(reverse(name, args=[found.campaign.slug]), words) for name, words in links.items()]
    context = {"campaign": found.campaign, "wanted": found, "title": title, "links": addresses}
    return render(request, template, context)


@accepts_upload
@campaign_staff
@require_http_methods(["GET", "POST"])
def translations(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Count the translations by language and translator, and take in a file."""
    form = TranslationsForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        record = translation_import_request(
            campaign=campaign, file_name=file.name or "upload", content=file.read(), user=staff_user(request)
        )
        messages.success(request, _("%(file)s is being imported.") % {"file": record.file_name})
        return redirect(record)
    context = {
        "campaign": campaign,
        "form": form,
        "counts": translation_counts(campaign),
        "imports": file_imports(TranslationImport, campaign)[:50],
    }
    status = form.refusal_status if form.is_bound else 200
    return render(request, "compressions/translations.html", context, status=status)


@campaign_staff
@require_safe
def translation_import(request: HttpRequest, campaign: Campaign, import_id: int) -> HttpResponse:
    """Show the outcome of an import; htmx polls this page while the file is being read."""
    found = get_object_or_404(file_imports(TranslationImport, campaign), pk=import_id)
    links = {"compressions:translations": _("Translations and earlier imports")}
    return import_page(request, found, _("Translations from %(file)s") % {"file": found.file_name}, links)
