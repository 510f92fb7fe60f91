"""Staff pages: systems and their outputs, releases and their files, erasure."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Refused
from common.spreadsheets import csv_download
from compressions.selectors.sources import file_imports
from compressions.views.imports import import_page
from corpus.browse.found import TEXTS_PER_PAGE, logs_found, sources_found
from corpus.browse.shown import Showing
from corpus.downloads import file_of_token, file_response, link_token
from corpus.formats.browse import BROWSE
from corpus.forms import BrowseForm, ErasureForm, OutputsForm, ReleaseForm
from corpus.models import OutputImport, Release, ReleaseFile
from corpus.page_words import decoy_words, left_out_words, newer_notice, not_assessed_words, not_written_words
from corpus.release.options import splits_in_order
from corpus.selectors import (
    erasures_wait,
    release_file_or_404,
    release_or_404,
    releases_of_campaign,
    releases_with,
    statement_of_last,
)
from corpus.services.erasure import worker_erase
from corpus.services.outputs import Taken, output_import_request
from corpus.services.release import release_request
from corpus.statistics.means import named_means
from corpus.statistics.tables import latex_tables, overview_parts, overview_rows
from crowd.access import accepts_upload, campaign_owner, campaign_staff, public, staff_user
from crowd.models import Campaign, Worker
from ratings.forms import late_work_notice
from ratings.selectors.pay import owed_to
from ratings.selectors.ratings import systems_of_campaign


@accepts_upload
@campaign_staff
@require_http_methods(["GET", "POST"])
def systems(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the systems and the imports of their outputs, and take in a file."""
    form = OutputsForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        record = output_import_request(
            campaign=campaign,
            system=form.cleaned_data["system"] or None,
            taken=Taken(as_decoys=form.cleaned_data["is_decoy"], as_is=form.cleaned_data["is_as_is"]),
            file_name=file.name or "upload",
            content=file.read(),
            user=staff_user(request),
            read_as=form.read_as,
        )
        messages.success(request, _("%(file)s is being imported.") % {"file": record.file_name})
        return redirect(record)
    context = {
        "campaign": campaign,
        "form": form,
        "systems": systems_of_campaign(campaign),
        "decoys": decoy_words(campaign),
        "imports": file_imports(OutputImport, campaign)[:50],
    }
    return render(request, "corpus/systems.html", context, status=form.refusal_status if form.is_bound else 200)


@campaign_staff
@require_safe
def output_import(request: HttpRequest, campaign: Campaign, import_id: int) -> HttpResponse:
    """Show the outcome of an import; htmx polls this page while the file is being read."""
    found = get_object_or_404(file_imports(OutputImport, campaign), pk=import_id)
    title = _("Outputs of %(system)s from %(file)s") if found.system else _("Outputs of systems from %(file)s")
    if found.is_decoy:
        title = _("Decoys from %(file)s")
    words = title % {"system": found.system, "file": found.file_name}
    return import_page(request, found, words, {"corpus:systems": _("Systems and earlier imports")})


@campaign_staff
@require_safe
def releases(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    context = {"campaign": campaign, "releases": releases_of_campaign(campaign)}
    return render(request, "corpus/releases.html", context)


@campaign_staff
@require_http_methods(["GET", "POST"])
def release_freeze(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the options of the next release, and freeze it."""
    form = ReleaseForm(request.POST or None, statement=statement_of_last(campaign))
    if request.method == "POST" and form.is_valid():
        try:
            release = release_request(
                campaign=campaign, user=staff_user(request), options=form.options, statement=form.statement
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("corpus:release", campaign.slug, release.version)
    context = {"campaign": campaign, "form": form, "notice": late_work_notice(campaign)}
    return render(request, "corpus/freeze.html", context, status=422 if request.method == "POST" else 200)


@campaign_staff
@require_safe
def release(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    found = release_or_404(campaign, version, "files")
    all_files = found.files.all()
    pages = [file for file in all_files if file.name.startswith(BROWSE)]
    others = [file for file in all_files if not file.name.startswith(BROWSE)]
    in_order = sorted(others, key=lambda file: (not file.name.endswith(".zip"), file.pk))  # the archive first
    archive = next((file.name for file in in_order if file.name.endswith(".zip")), "")
    files = [(file, request.build_absolute_uri(shared_address(file))) for file in in_order]
    splits = {name: found.summary["splits"][name] for name in splits_in_order(found.summary.get("splits", ()))}
    context: dict[str, Any] = {
        "campaign": campaign,
        "release": found,
        "job": found.job,
        "files": files,
        "archive": archive,
        "pages": {"files": len(pages), "size": sum(file.size for file in pages)},
        "left_out": left_out_words(found),
        "not_assessed": not_assessed_words(found),
        "not_written": not_written_words(found),
        "splits": splits,
        "means": named_means(found.summary, found.rating_scales),
    }
    if found.state == Release.State.READY:
        context["notice"] = newer_notice(found, lambda newest: reverse("corpus:release", args=[campaign.slug, newest]))
    return render(request, "corpus/release.html", context)


def shared_address(file: ReleaseFile) -> str:
    return reverse("corpus:shared-file", args=[link_token(file)])


@campaign_staff
@require_safe
def release_file(request: HttpRequest, campaign: Campaign, version: int, name: str) -> HttpResponseBase:
    """Serve a file of a release."""
    return file_response(request, release_file_or_404(campaign, version, name))


@public
@require_safe
def shared_file(request: HttpRequest, token: str) -> HttpResponseBase:
    """Serve a file of a release by signed link, which staff hand out and which expires after a week."""
    file = file_of_token(token)
    if file is None:
        raise Http404(_("This link is no longer valid."))
    return file_response(request, file)


@campaign_staff
@require_safe
def browse(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    """Show the texts of a release that are looked for; an invalid filter is refused, and the others apply."""
    release = release_or_404(campaign, version)
    if release.state != Release.State.READY:
        raise Http404(_("This release is not ready."))
    form = BrowseForm(request.GET, summary=release.summary)
    form.is_valid()
    begin = form.cleaned_data.get("after") or 0
    try:
        found = sources_found(release, form.wanted, begin)
        logs = logs_found(release, found.sources)
    except FileNotFoundError as error:
        raise Http404(_("A file of this release no longer exists.")) from error
    showing = Showing(release.rating_scales)
    context = {
        "campaign": campaign,
        "release": release,
        "form": form,
        "sources": [
            showing.of(number, source, logs.get(source.source_id, ()), TEXTS_PER_PAGE)
            for number, source in found.sources
        ],
        "begin": begin,
        "stop": found.stop,
        "total": release.summary["sources"],
        "query": urlencode(form.asked),
    }
    return render(request, "corpus/browse.html", context, status=422 if form.errors else 200)


@campaign_staff
@require_safe
def overview(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    """Show Tables 2 and 3 of Toutanova et al. (2016) for a release and each of its splits, with plots."""
    found = release_or_404(campaign, version, "files")
    parts = overview_parts(found, found.rating_scales)
    context = {"campaign": campaign, "release": found, "parts": parts, "scales": found.rating_scales}
    return render(request, "corpus/overview.html", context)


@campaign_staff
@require_safe
def overview_csv(_request: HttpRequest, campaign: Campaign, version: int) -> HttpResponseBase:
    found = release_or_404(campaign, version, "files")
    return csv_download(f"{found.name}-overview", *overview_rows(found, found.rating_scales))


@campaign_staff
@require_safe
def overview_latex(_request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    found = release_or_404(campaign, version, "files")
    if "overview" not in found.summary:
        raise Http404(_("This release has no figures."))
    response = HttpResponse(latex_tables(found, found.rating_scales), content_type="application/x-tex; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.name}-overview.tex"'
    return response


@campaign_owner
@require_http_methods(["GET", "POST"])
def erase(request: HttpRequest, campaign: Campaign, number: int) -> HttpResponse:
    """Show what erasing a person's data deletes and which releases hold some of it; erase on POST."""
    worker = get_object_or_404(Worker.objects.select_related("campaign"), campaign=campaign, number=number)
    owed = owed_to(worker)
    form = ErasureForm(request.POST if request.method == "POST" else None)
    form.fields["is_settled"].required = bool(owed)
    if request.method == "POST" and form.is_valid():
        worker_erase(worker=worker, user=staff_user(request))
        messages.success(request, _("The participant’s data has been erased."))
        return redirect("corpus:erase", campaign.slug, number)
    context = {
        "campaign": campaign,
        "worker": worker,
        "releases": releases_with(worker),
        "is_left_in_files": erasures_wait(),
        "owed": owed,
        "form": form,
    }
    return render(request, "corpus/erase.html", context, status=422 if form.errors else 200)
