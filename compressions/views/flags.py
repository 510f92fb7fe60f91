"""Staff views of flagged compressions. A flag says what was seen; none is a reason to reject a text by itself."""

from collections.abc import Iterator

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from common.chosen import chosen_numbers
from common.listing import Columns, Filter, Listing, ListingState
from common.spreadsheets import csv_download
from common.sql import is_possible_id
from compressions.flag_kinds import KIND_OF_NAME, KINDS, UNKNOWN
from compressions.models import Compression
from compressions.selectors.flags import compressions_listed, compressions_told, flagged_compressions, flagged_like
from compressions.selectors.writing import compressions_of_campaign
from compressions.services.flags import flags_mark
from crowd.access import campaign_staff, role_of, staff_user
from crowd.models import Campaign, Role, StaffList
from crowd.views.list_views import list_context

FLAGGED_PER_PAGE = 15
MAX_NUMBER = 2**31 - 1
NEW, SEEN = "new", "seen"
FLAGS = Listing(
    sorts={"when": "pk"},
    default="-when",
    filters=(
        Filter("kind", gettext_lazy("Kind"), [(kind.key, kind.label) for kind in KINDS]),
        Filter(
            "state",
            gettext_lazy("State"),
            ((NEW, gettext_lazy("Not looked at yet")), (SEEN, gettext_lazy("Looked at"))),
        ),
    ),
)


@campaign_staff
@require_safe
def flagged(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List flagged compressions, the newest first."""
    listing, person = FLAGS.read(request.GET), _person(request)
    page = Paginator(_asked(campaign, listing, person), FLAGGED_PER_PAGE).get_page(request.GET.get("page"))
    columns = Columns({"flags": _("Flags"), "editor": _("Editor"), "state": _("State")}, request.GET)
    context = list_context(request, campaign, StaffList.FLAGS, columns) | {
        "campaign": campaign,
        "listing": listing,
        "person": person,
        "page": page,
        "compressions": compressions_listed(page.object_list),
        "kinds": KINDS,
        "narrowed_by": request.GET.urlencode(),
        "may_change": role_of(request) != Role.VIEWER and not campaign.is_archived,
    }
    return render(request, "compressions/flagged.html", context)


def _asked(campaign: Campaign, listing: ListingState, person: int | None) -> QuerySet[Compression, int]:
    state = listing.values["state"]
    is_seen = state == SEEN if state else None
    return flagged_like(campaign, kind=listing.values["kind"], is_seen=is_seen, person=person)


def _person(request: HttpRequest) -> int | None:
    """Return the number of the person whose texts are asked for; None for everyone's."""
    typed = request.GET.get("person", "")
    is_number = typed.isascii() and typed.isdigit() and len(typed) <= len(str(MAX_NUMBER))
    return min(int(typed), MAX_NUMBER) if is_number else None


@campaign_staff
@require_POST
def seen(request: HttpRequest, campaign: Campaign, compression_id: int) -> HttpResponse:
    """Mark the flags of a compression as looked at, or take that back; the form posts the target state."""
    known = compressions_of_campaign(campaign).filter(pk=compression_id if is_possible_id(compression_id) else 0)
    get_object_or_404(known.defer("edit_log"))
    is_seen = request.POST.get("seen") != "0"
    flags_mark(compressions=known, seen=is_seen, user=staff_user(request))
    if not is_seen:
        messages.success(request, _("The flags are to be looked at again."))
    elif known.filter(is_flagged=True).exists():
        messages.success(request, _("The flags are marked as looked at."))
    else:
        messages.warning(request, _("This compression has no flags any more."))
    return _back(request, campaign)


def _back(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return redirect(f"{reverse('compressions:flagged', args=[campaign.slug])}?{request.GET.urlencode()}")


@campaign_staff
@require_POST
def seen_many(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Mark the flags of the compressions that were chosen as looked at, or take that back."""
    chosen = flagged_compressions(campaign).filter(pk__in=chosen_numbers(request.POST))
    is_seen = request.POST.get("seen") != "0"
    number = flags_mark(compressions=chosen, seen=is_seen, user=staff_user(request))
    if is_seen:
        words = ngettext(
            "The flags of %(n)s compression are marked as looked at.",
            "The flags of %(n)s compressions are marked as looked at.",
            number,
        )
    else:
        words = ngettext(
            "The flags of %(n)s compression are to be looked at again.",
            "The flags of %(n)s compressions are to be looked at again.",
            number,
        )
    messages.success(request, words % {"n": f"{number:,}"})
    return _back(request, campaign)


@campaign_staff
@require_safe
def flagged_csv(request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """Download the flags of the compressions that the list shows, whatever page of it."""
    asked = _asked(campaign, FLAGS.read(request.GET), _person(request))
    head = ("compression", "source", "worker", "kind", "flag", "evidence", "text", "looked_at", "looked_at_by")
    rows = (row for found in compressions_told(asked) for row in _rows(found))
    return csv_download(f"{campaign.slug}-flags", head, rows)


def _rows(found: Compression) -> Iterator[tuple[object, ...]]:
    by = found.flags_seen_by.get_username() if found.flags_seen_by else ""
    for name, evidence, _operation in found.flags:
        kind = KIND_OF_NAME[name].key if name in KIND_OF_NAME else UNKNOWN
        who = (found.pk, found.source.source_id, found.worker.public_name)
        yield (*who, kind, name, evidence, found.text, found.flags_seen_at or "", by)
