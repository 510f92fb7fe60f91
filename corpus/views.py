"""Staff: systems and their outputs, releases and their files."""

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from corpus.forms import OutputsForm
from corpus.models import Release, ReleaseFile
from corpus.selectors import releases_of_campaign
from corpus.services.outputs import outputs_import
from corpus.services.release import release_request
from crowd.access import campaign_staff, staff_user
from crowd.errors import Refused
from crowd.models import Campaign
from ratings.selectors.systems import systems_of_campaign


@campaign_staff
@require_http_methods(["GET", "POST"])
def systems(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The systems, and importing what one made. Imported again, a file changes nothing: no redirect is needed."""
    form = OutputsForm(request.POST or None, request.FILES or None)
    report = None
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            report = outputs_import(
                campaign=campaign,
                system=form.cleaned_data["system"],
                file_name=file.name or "upload",
                content=file.read(),
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
    context = {"campaign": campaign, "form": form, "report": report, "systems": systems_of_campaign(campaign)}
    status = 422 if request.method == "POST" and report is None else 200
    return render(request, "corpus/systems.html", context, status=status)


@campaign_staff
@require_safe
def releases(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    context = {"campaign": campaign, "releases": releases_of_campaign(campaign)}
    return render(request, "corpus/releases.html", context)


@campaign_staff
@require_POST
def release_freeze(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    try:
        release = release_request(campaign=campaign, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("corpus:releases", campaign.slug)
    return redirect("corpus:release", campaign.slug, release.version)


@campaign_staff
@require_safe
def release(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    found = get_object_or_404(releases_of_campaign(campaign).prefetch_related("files"), version=version)
    return render(request, "corpus/release.html", {"campaign": campaign, "release": found, "job": found.job})


@campaign_staff
@require_safe
def release_file(_request: HttpRequest, campaign: Campaign, version: int, name: str) -> HttpResponseBase:
    """A file of a release. Its name is looked up in the table, never on the disk."""
    file = get_object_or_404(
        ReleaseFile.objects.select_related("release__campaign"),
        release__campaign=campaign,
        release__version=version,
        release__state=Release.State.READY,
        name=name,
    )
    stream = (file.release.folder / file.name).open("rb")
    download_name = f"{file.release.name}-{file.name.replace('/', '-')}"
    return FileResponse(stream, as_attachment=True, filename=download_name, content_type="application/octet-stream")
