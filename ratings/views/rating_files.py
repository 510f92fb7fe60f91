"""Staff pages: files of ratings, and the models that gave some."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Refused
from compressions.selectors.sources import file_imports
from compressions.views.imports import import_page
from crowd.access import accepts_upload, campaign_staff, staff_user
from crowd.models import Campaign
from ratings.forms import RatingFileForm
from ratings.models import ImportPool, RatingImport
from ratings.selectors.imported_ratings import imported_pools, model_raters
from ratings.services.model_ratings import model_ratings_delete
from ratings.services.rating_imports import rating_import_request

SHOWN = 50


@accepts_upload
@campaign_staff
@require_http_methods(["GET", "POST"])
def import_ratings(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List what was imported, and take in a file."""
    form = RatingFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            record = _requested(request, campaign, form)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("%(file)s is being imported.") % {"file": record.file_name})
            return redirect(record)
    context = {
        "campaign": campaign,
        "form": form,
        "models": model_raters(campaign),
        "pools": imported_pools(campaign),
        "imports": file_imports(RatingImport, campaign)[:SHOWN],
    }
    status = form.refusal_status if request.method == "POST" else 200
    return render(request, "ratings/import_ratings.html", context, status=status)


def _requested(request: HttpRequest, campaign: Campaign, form: RatingFileForm) -> RatingImport:
    file = form.cleaned_data["file"]
    return rating_import_request(
        campaign=campaign,
        pool=ImportPool(form.cleaned_data["pool"]),
        file_name=file.name or "upload",
        content=file.read(),
        scales=form.cleaned_data["scales"],
        read_as=form.read_as,
        user=staff_user(request),
    )


@campaign_staff
@require_safe
def rating_import(request: HttpRequest, campaign: Campaign, import_id: int) -> HttpResponse:
    """Show the outcome of an import; htmx polls this page while the file is being read."""
    found = get_object_or_404(file_imports(RatingImport, campaign), pk=import_id)
    links = {"ratings:import-ratings": _("Models and earlier imports")}
    return import_page(request, found, _("Ratings from %(file)s") % {"file": found.file_name}, links)


@campaign_staff
@require_http_methods(["GET", "POST"])
def model_delete(request: HttpRequest, campaign: Campaign, rater_id: int) -> HttpResponse:
    """Ask whether all ratings of a model should be deleted, and do so on POST."""
    rater = get_object_or_404(model_raters(campaign), pk=rater_id)
    if request.method == "POST":
        number = model_ratings_delete(rater=rater, user=staff_user(request))
        words = ngettext("%(n)s rating by %(model)s is deleted.", "%(n)s ratings by %(model)s are deleted.", number)
        messages.success(request, words % {"n": f"{number:,}", "model": rater.name})
        return redirect("ratings:import-ratings", campaign.slug)
    return render(request, "ratings/model_delete.html", {"campaign": campaign, "rater": rater})
