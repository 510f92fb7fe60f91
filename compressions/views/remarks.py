"""Staff views of what people said beside their work, and of what staff did about it."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from common.listing import Columns, Filter, Listing, ListingState
from common.spreadsheets import csv_download
from common.sql import is_possible_id
from compressions.forms import AnswerForm
from compressions.selectors.writing import remarks_of_campaign, remarks_of_page, remarks_told, source_id_of
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign, Remark, StaffList
from crowd.services.remarks import remark_answer, remark_reopen
from crowd.views.list_views import list_context

REMARKS_PER_PAGE = 15
COLUMNS = {
    "reason": gettext_lazy("Reason"),
    "source": gettext_lazy("Text"),
    "participant": gettext_lazy("Participant"),
    "when": gettext_lazy("When (UTC)"),
    "answered": gettext_lazy("Answered"),
}
OPEN, ANSWERED = "open", "answered"
REMARKS = Listing(
    sorts={
        "when": ("created_at",),
        "kind": ("kind", "reason", "created_at"),
        "reason": ("reason", "created_at"),
        "answered": ("answered_at",),
    },
    default="-when",
    search=("text", "answer_note"),
    filters=(
        Filter("state", gettext_lazy("State"), ((OPEN, gettext_lazy("Open")), (ANSWERED, gettext_lazy("Answered")))),
        Filter(
            "kind",
            gettext_lazy("Kind"),
            [(value, capfirst(label)) for value, label in Remark.Kind.choices],
            field="kind",
        ),
    ),
)


@campaign_staff
@require_safe
def remarks(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _page(request, campaign)


def _page(request: HttpRequest, campaign: Campaign, refused: AnswerForm | None = None, pk: int = 0) -> HttpResponse:
    """List remarks; `refused` is the answer to the one of this id that could not be stored."""
    listing = REMARKS.read(request.GET)
    page = Paginator(_asked(campaign, listing), REMARKS_PER_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = list_context(request, campaign, StaffList.REMARKS, Columns(COLUMNS, request.GET)) | {
        "campaign": campaign,
        "listing": listing,
        "page": page,
        "remarks": remarks_of_page(page.object_list),
        "narrowed_by": request.GET.urlencode(),
        "form": refused,
        "refused": pk,
    }
    return render(request, "compressions/remarks.html", context, status=422 if refused else 200)


def _asked(campaign: Campaign, listing: ListingState) -> QuerySet[Remark]:
    found = listing.of_query(remarks_of_campaign(campaign))
    state = listing.values["state"]
    return found.filter(answered_at__isnull=state == OPEN) if state else found


@campaign_staff
@require_POST
def answer(request: HttpRequest, campaign: Campaign, remark_id: int) -> HttpResponse:
    """Mark a remark as answered with a note, or as open again; the form posts the target state."""
    remark = get_object_or_404(remarks_of_campaign(campaign), pk=remark_id if is_possible_id(remark_id) else 0)
    form = AnswerForm(request.POST)
    if request.POST.get("answered") == "0":
        remark_reopen(remark=remark)
        messages.success(request, _("The remark is open again."))
    elif form.is_valid():
        remark_answer(remark=remark, note=form.cleaned_data["note"], user=staff_user(request))
        messages.success(request, _("The remark is marked as answered."))
    else:
        return _page(request, campaign, form, remark.pk)
    return redirect(f"{reverse('compressions:remarks', args=[campaign.slug])}?{request.GET.urlencode()}")


@campaign_staff
@require_safe
def remarks_csv(request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """Download the remarks that the list shows, whatever page of it."""
    asked = _asked(campaign, REMARKS.read(request.GET))
    head = ("kind", "reason", "words", "source", "worker", "at", "answered_at", "answered_by", "note")
    rows = (
        (
            remark.kind,
            remark.get_reason_display(),
            remark.text,
            source_id_of(remark),
            remark.assignment.worker.public_name,
            remark.created_at,
            remark.answered_at or "",
            remark.answered_by.get_username() if remark.answered_by else "",
            remark.answer_note,
        )
        for remark in remarks_told(asked)
    )
    return csv_download(f"{campaign.slug}-remarks", head, rows)
