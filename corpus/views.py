"""Staff: releases and their files."""

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from corpus.models import Release, ReleaseFile
from corpus.selectors import releases_of_campaign
from corpus.services.release import release_request
from crowd.access import campaign_staff, staff_user
from crowd.errors import Refused
from crowd.models import Campaign


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
