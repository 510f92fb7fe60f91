"""Staff views of translations and of the imports of their files."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from compressions.forms import TranslationsForm
from compressions.models import TranslationImport
from compressions.selectors.sources import file_imports
from compressions.selectors.translations import translation_counts
from compressions.services.translations import translation_import_request
from crowd.access import accepts_upload, campaign_staff, staff_user
from crowd.models import Campaign


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
    partial = getattr(request, "htmx", False)
    template = "compressions/partials/import_state.html" if partial else "compressions/translation_import.html"
    return render(request, template, {"campaign": campaign, "wanted": found})
