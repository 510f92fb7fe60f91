"""Staff pages: a report tab by tab, with its settings, its files, and the reports before it; of any kind."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.safestring import mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from common.action_notices import ActionNotice
from common.errors import Refused
from corpus.page_words import newer_notice
from corpus.selectors import release_or_404
from crowd.access import accepts_upload, campaign_staff, role_of, staff_user
from crowd.models import Campaign, Role
from reports.downloads import FIGURE_TYPES, download, figure_download
from reports.figures import Figure, as_svg, size_of
from reports.kinds import ANSWER, METHOD, ReportKind, Tab
from reports.models import Basis, Report
from reports.parameters import Attachment, ReportForm, ReportParameters, shown
from reports.selectors import campaign_of, is_under_way, jobs_for, latest_report, named_reports, report_by_digest
from reports.services import IS_OPEN, report_request

FILES = (("CSV", "csv"), ("JSON", "json"), ("LaTeX", "tex"))
DIGEST = re.compile("[0-9a-f]{1,64}")
AGAIN = "again"
"""The field that names a report to be computed again, from what there is now."""
FIRST = "answer"
"""What the first tab is called where an address has to name it."""


def report_urls(kind: ReportKind) -> list[URLPattern]:
    """Return the addresses of a kind of report, below those of a release or of a campaign; its own go before them."""
    place = f"campaigns/<slug:slug>/{'' if kind.is_on_campaign else 'releases/<int:version>/'}{kind.place or kind.key}"
    about = {"kind": kind}
    requested = request_report_with_file if kind.accepts_file else request_report
    return [
        path(f"{place}/", report, about, "report"),
        path(f"{place}/reports/", requested, about, "reports"),
        path(f"{place}/<slug:tab>/", report, about, "tab"),
        path(f"{place}/figures/<slug:tab>/<slug:key>.<slug:form>", figure, about, "figure"),
        path(f"{place}.csv", report_download, {**about, "form": "csv"}, "csv"),
        path(f"{place}.json", report_download, {**about, "form": "json"}, "json"),
        path(f"{place}.tex", report_download, {**about, "form": "latex"}, "latex"),
    ]


def report_named(request: HttpRequest, on: Basis, kind: ReportKind) -> Report | None:
    """Return the report named in the URL, or by default the one requested last."""
    prefix = request.GET.get(kind.asked_by)
    if prefix is None:
        return latest_report(on, kind)
    return _by_prefix(on, kind, prefix)


def _by_prefix(on: Basis, kind: ReportKind, prefix: str) -> Report:
    found = report_by_digest(on, kind, prefix) if DIGEST.fullmatch(prefix) else None
    if found is None:
        raise Http404(_("There is no such report."))
    return found


def finished_report(request: HttpRequest, on: Basis, kind: ReportKind) -> Report:
    """Return the same report if it is computed; anything else is a 404."""
    found = report_named(request, on, kind)
    if found is None or found.rows is None:
        raise Http404(_("This report has not been computed."))
    return found


def _basis(campaign: Campaign, version: int | None, kind: ReportKind) -> Basis:
    on = campaign if version is None else release_or_404(campaign, version)
    if not kind.is_for(on):
        raise Http404(_("There is no such report."))
    return on


def _place(on: Basis) -> list[str | int]:
    """Return what an address says of the release or of the campaign."""
    return [on.slug] if isinstance(on, Campaign) else [on.campaign.slug, on.version]


@campaign_staff
@require_safe
def report(
    request: HttpRequest, campaign: Campaign, kind: ReportKind, version: int | None = None, tab: str = ANSWER.key
) -> HttpResponse:
    on = _basis(campaign, version, kind)
    chosen = next((each for each in _tabs(kind) if each.key == tab), None)
    if chosen is None:
        raise Http404(_("There is no such page of the report."))
    found = report_named(request, on, kind)
    form = kind.form_for(on, initial=found.parameters if found else None)
    return _page(request, on, kind, found, form, chosen)


def _tabs(kind: ReportKind) -> list[Tab]:
    return [ANSWER, *kind.tabs, METHOD]


def _page(
    request: HttpRequest, on: Basis, kind: ReportKind, found: Report | None, form: ReportForm, tab: Tab
) -> HttpResponse:
    campaign = campaign_of(on)
    is_finished = found is not None and found.rows is not None
    context: dict[str, Any] = {
        "campaign": campaign,
        "release": None if kind.is_on_campaign else on,
        "kind": kind,
        "report": found,
        "form": form,
        "is_finished": is_finished,
        "is_under_way": False,
        "may_request": role_of(request) != Role.VIEWER and not campaign.is_archived,
        "title": str(kind.title) % {"name": on.name},
        "address": reverse(f"{kind.namespace}:report", args=_place(on)),
        "shows_method": not is_finished or tab == METHOD,
    }
    if context["shows_method"]:
        context["reports"] = named_reports(on, kind)
    if found and is_finished:
        context |= _finished(request, kind, found, tab, context["address"])
    elif found:
        job = jobs_for(kind).telling(found.pk)
        context |= {"job": job, "is_under_way": is_under_way(found, job)}
        if kind.parts:
            context |= {"done": found.parts.exclude(IS_OPEN).count(), "parts": found.parts.count()}
    return render(request, kind.template, context, status=form.refusal_status if form.errors else 200)


def _finished(request: HttpRequest, kind: ReportKind, found: Report, tab: Tab, address: str) -> dict[str, Any]:
    """Return what a tab of a finished report shows, and how to get to the others."""
    kept = {name: request.GET[name] for name in kind.kept if name in request.GET}
    asked = urlencode({kind.asked_by: found.digest[:16]})
    query = urlencode({kind.asked_by: found.digest[:16], **kept})
    of_tab = request.GET.copy()
    of_tab[kind.asked_by] = found.digest[:16]
    links = [(each, f"{address}{each.key}{'/' if each.key else ''}?{query}") for each in _tabs(kind)]
    context = {
        "notice": _notice(found, kind, address),
        "preface": kind.preface(found),
        "tab": tab,
        "tabs": links,
        "address_of": {each.key or FIRST: link for each, link in links},
        "figures_at": f"{address}figures/{tab.key or FIRST}/",
        "figure_query": of_tab.urlencode(),
    }
    if tab == ANSWER:
        files = [(name, f"{address.rstrip('/')}.{ending}?{asked}") for name, ending in FILES]
        return context | {"files": [*files, *kind.more_files(found)], **_shown(kind, found, tab, request)}
    if tab == METHOD:
        return context | {"parameters": shown(kind.parameters, found.parameters), **kind.method(found)}
    return context | {**_shown(kind, found, tab, request)}


def _shown(kind: ReportKind, found: Report, tab: Tab, request: HttpRequest) -> Mapping[str, Any]:
    return (tab.shown or kind.page)(found, request.GET)


def _notice(report: Report, kind: ReportKind, address: str) -> ActionNotice | None:
    """Say what has come since a report was computed, or else since its release was frozen."""
    if news := kind.news(report):
        return ActionNotice(" ".join(news), kind.button, f"{address}reports/", {AGAIN: report.digest[:16]})

    if report.release is None:
        return None

    def newest_address(version: int) -> str:
        return reverse(f"{kind.namespace}:report", args=[report.of_campaign.slug, version])

    return newer_notice(report.release, newest_address)


def _request(request: HttpRequest, campaign: Campaign, kind: ReportKind, version: int | None = None) -> HttpResponse:
    on = _basis(campaign, version, kind)
    if AGAIN in request.POST:
        earlier = _by_prefix(on, kind, request.POST[AGAIN])
        return _requested(request, on, kind, kind.parameters.of(earlier.parameters), kind.attached_of(earlier))
    form = kind.form_for(on, request.POST, request.FILES)
    if not form.is_valid():
        behind = latest_report(on, kind) if kind.shows_latest_behind_errors else None
        return _page(request, on, kind, behind, form, METHOD)
    return _requested(request, on, kind, form.parameters, form.attached)


def _requested(
    request: HttpRequest, on: Basis, kind: ReportKind, parameters: ReportParameters, attached: Attachment
) -> HttpResponse:
    place = _place(on)
    address = reverse(f"{kind.namespace}:report", args=place)
    try:
        found = report_request(kind=kind, on=on, parameters=parameters, user=staff_user(request), attached=attached)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect(reverse(kind.refused_to, args=place) if kind.refused_to else address)
    return redirect(f"{address}?{kind.asked_by}={found.digest[:16]}")


request_report = campaign_staff(require_POST(_request))
request_report_with_file = accepts_upload(campaign_staff(require_POST(_request)))


@campaign_staff
@require_safe
def report_download(
    request: HttpRequest, campaign: Campaign, kind: ReportKind, form: str, version: int | None = None
) -> HttpResponseBase:
    return download(finished_report(request, _basis(campaign, version, kind), kind), form)


@campaign_staff
@require_safe
def figure(
    request: HttpRequest,
    campaign: Campaign,
    kind: ReportKind,
    tab: str,
    key: str,
    form: str,
    version: int | None = None,
) -> HttpResponseBase:
    """Return a figure of a tab as a file, or with `html` on a page whose print is as large as it is."""
    on = _basis(campaign, version, kind)
    found = finished_report(request, on, kind)
    of_tab = next((each for each in (ANSWER, *kind.tabs) if (each.key or FIRST) == tab), None)
    figures = _shown(kind, found, of_tab, request).get("drawn", ()) if of_tab else ()
    address = f"{reverse(f'{kind.namespace}:report', args=_place(on))}{'' if tab == FIRST else f'{tab}/'}"
    return figure_as(f"{key}.{form}", request, campaign, figures, found.file_name, address)


TELLING, MOST_OF_A_NAME = ("metric", "judgement", "ground", "genre", "part", "system", "source"), 40
"""What of an address tells one figure of a page from another, and so stands in the names of their files."""


def figure_as(
    asked: str,
    request: HttpRequest,
    campaign: Campaign,
    figures: Iterable[Figure | None],
    page_name: str,
    page_address: str,
) -> HttpResponse:
    """Return one of a page's figures as a file, or with `html` on a page of its own, which leads back to it."""
    key, _dot, form = asked.rpartition(".")
    chosen = next((each for each in figures if each is not None and each.key == key), None)
    if chosen is None or form not in {*FIGURE_TYPES, "html"}:
        raise Http404(_("There is no such figure."))
    if form != "html":
        told = [slugify(request.GET.get(name, ""))[:MOST_OF_A_NAME] for name in TELLING]
        return figure_download("-".join(filter(None, (page_name, *told))), chosen, form)
    return _figure_page(request, campaign, chosen, f"{page_address}?{request.GET.urlencode()}#figure-{key}")


def _figure_page(request: HttpRequest, campaign: Campaign, chosen: Figure, back: str) -> HttpResponse:
    width, height = size_of(chosen)
    style = f"@page {{ size: {width}px {height}px; margin: 0 }}"
    context = {
        "campaign": campaign,
        "figure": chosen,
        "svg": mark_safe(as_svg(chosen, is_inline=True)),  # noqa: S308 - of a template, which escapes
        "page_style": mark_safe(style),  # noqa: S308 - of two numbers
        "back": back,
    }
    response = render(request, "reports/figure_page.html", context)
    allowed = b64encode(sha256(style.encode()).digest()).decode()
    response._csp_update = {"style-src": f"'sha256-{allowed}'"}  # type: ignore[attr-defined]  # read by django-csp
    return response
