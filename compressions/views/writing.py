"""Staff views of compressions, and of paragraphs next to their sentences."""

import json

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from compressions.forms import DivisionForm
from compressions.replay import replay_of
from compressions.selectors.writing import (
    compressions_of_campaign,
    paragraphs_with_sentences,
    undivided_paragraphs,
)
from compressions.services.paragraphs import paragraphs_divide
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign

PARAGRAPHS_PER_PAGE = 10


@campaign_staff
@require_safe
def compression(request: HttpRequest, campaign: Campaign, compression_id: int) -> HttpResponse:
    """Show how a compression was written: replay, effort and flags."""
    found = get_object_or_404(compressions_of_campaign(campaign), pk=compression_id)
    replay = replay_of(found)
    context = {
        "campaign": campaign,
        "compression": found,
        "replay": replay,
        "log": json.dumps(found.edit_log),
    }
    return render(request, "compressions/compression.html", context)


@campaign_staff
@require_http_methods(["GET", "POST"])
def paragraphs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Compare paragraphs compressed as a whole and sentence by sentence; a form divides more of them."""
    form = DivisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        division = paragraphs_divide(campaign=campaign, user=staff_user(request), **form.cleaned_data)
        divided = {"divided": division.divided, "suitable": division.suitable}
        messages.success(request, _("%(divided)s of %(suitable)s suitable paragraphs were divided.") % divided)
        return redirect("compressions:paragraphs", campaign.slug)
    page = Paginator(paragraphs_with_sentences(campaign), PARAGRAPHS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "page": page,
        "form": form,
        "undivided": undivided_paragraphs(campaign).count(),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "compressions/paragraphs.html", context, status=status)
