"""The audit log of a campaign, as a page and as a table."""

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from common.spreadsheets import csv_download
from crowd.access import campaign_staff
from crowd.models import AuditEntry, Campaign
from crowd.selectors.audit import COMMAND, audit_actions, audit_names, audit_of_campaign, audit_rows
from crowd.services.audit import PARTICIPANT_WITHDREW

ENTRIES_PER_PAGE = 50
MAX_NAME_LENGTH = 150


@campaign_staff
@require_safe
def log(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show who did what and when, the newest first."""
    asked = _asked(request)
    context = {
        "campaign": campaign,
        "page": Paginator(_entries(campaign, asked), ENTRIES_PER_PAGE).get_page(request.GET.get("page")),
        "people": [(name or COMMAND, name or _("No account")) for name in audit_names(campaign)],
        "actions": audit_actions(campaign),
        "by_participant": PARTICIPANT_WITHDREW,
        "asked": asked,
        "query": urlencode(asked),
    }
    return render(request, "crowd/audit.html", context)


@campaign_staff
@require_safe
def log_csv(request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    header = ("time", "account", "action", "subject", "detail")
    return csv_download(f"{campaign.slug}-audit", header, audit_rows(_entries(campaign, _asked(request))))


def _asked(request: HttpRequest) -> dict[str, str]:
    """Return by what to filter; a NUL is in no name, and not every database can be asked for one."""
    asked = {name: request.GET.get(name, "")[:MAX_NAME_LENGTH] for name in ("person", "action")}
    return {name: value for name, value in asked.items() if value and "\x00" not in value}


def _entries(campaign: Campaign, asked: dict[str, str]) -> QuerySet[AuditEntry]:
    return audit_of_campaign(campaign, username=asked.get("person", ""), action=asked.get("action", ""))
