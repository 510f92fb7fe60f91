"""Staff pages: all systems of a release in one table, and the outputs of one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corpus.models import Release
from corpus.selectors import release_or_404
from crowd.access import campaign_staff
from crowd.models import Campaign
from edit_operations.page_words import LABELS
from evaluation.systems_compared import NOVEL, SystemLine, latest_runs, outputs_shown, systems_compared
from scoring.entries import system_label
from systems.selectors import status_counts

STATUS_ORDER = ["made", "relaxed", "unproved", "fallback", "external", "none"]


@campaign_staff
@require_safe
def systems(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = _ready(campaign, version)
    with _files():
        compared = systems_compared(release)
    context = {
        "campaign": campaign,
        "release": release,
        "compared": compared,
        "operations": [LABELS[name] for name in compared.operations],
        "statuses": [name for name in STATUS_ORDER if any(name in line.statuses for line in compared.lines)],
    }
    context["rows"] = [_cells(line, context) for line in compared.lines]
    return render(request, "evaluation/systems.html", context)


def _cells(line: SystemLine, context: dict[str, Any]) -> dict[str, Any]:
    compared = context["compared"]
    return {
        "line": line,
        "name": system_label(line.system),
        "novel": [line.novel.get(name) for name in NOVEL],
        "ratings": [line.ratings.get(scale.key) for scale in compared.scales],
        "metrics": [line.metrics.get(name) for name in compared.metrics],
        "operations": [line.operations.get(name) for name in compared.operations],
        "statuses": [line.statuses.get(name) if line.statuses else None for name in context["statuses"]],
    }


@campaign_staff
@require_safe
def systems_json(_request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    """Serve the same table as JSON."""
    release = _ready(campaign, version)
    with _files():
        rows = [line.row() for line in systems_compared(release).lines]
    response = JsonResponse({"release": release.name, "rows": rows})
    response["Content-Disposition"] = f'attachment; filename="{release.name}-systems.json"'
    return response


@campaign_staff
@require_safe
def system(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    """Show ten outputs of the system that the address names."""
    release = _ready(campaign, version)
    with _files():
        shown = outputs_shown(release, request.GET.get("system", ""))
    if not (shown.best or shown.first):
        raise Http404(_("This release has no outputs of such a system."))
    name = shown.system
    run = latest_runs(release).get(name)
    context = {
        "campaign": campaign,
        "release": release,
        "system": name,
        "shown": shown,
        "run": run,
        "statuses": status_counts(run) if run else [],
        "parts": [(_("Best"), shown.best), (_("Worst"), shown.worst), (_("First of the release"), shown.first)],
    }
    return render(request, "evaluation/system.html", context)


@contextmanager
def _files() -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise Http404(_("The files of this release are lost.")) from error


def _ready(campaign: Campaign, version: int) -> Release:
    release = release_or_404(campaign, version)
    if release.state != Release.State.READY:
        raise Http404(_("This release is not ready."))
    return release
