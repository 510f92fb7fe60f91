"""Staff views of compressions, and of paragraphs next to their sentences."""

import json

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from compressions.alignment_drawing import drawing_of, legend
from compressions.alignment_words import TooLongToDraw
from compressions.feature_places import places_of
from compressions.forms import DivisionForm
from compressions.models import Compression
from compressions.replay import replay_of, shares_of
from compressions.selectors.alignments import ShownAlignment, alignment_of
from compressions.selectors.writing import (
    compressions_of_campaign,
    paragraphs_with_sentences,
    undivided_paragraphs,
    why_none_is_suitable,
)
from compressions.services.paragraphs import paragraphs_divide
from compressions.visit_evidence import features_of_compression
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign

PARAGRAPHS_PER_PAGE = 10


@campaign_staff
@require_safe
def compression(request: HttpRequest, campaign: Campaign, compression_id: int) -> HttpResponse:
    """Show how a compression was written: replay, effort and flags."""
    compressions = compressions_of_campaign(campaign).select_related("target__source__campaign")
    found = get_object_or_404(compressions, pk=compression_id)
    replay = replay_of(found)
    shown, too_long = drawn_alignment(found)
    context = {
        "campaign": campaign,
        "compression": found,
        "replay": replay,
        "shares": shares_of(found) if campaign.fuses else [],
        "log": json.dumps(found.edit_log),
        "drawing": drawing_of(shown) if shown else None,
        "corrected": shown.corrected if shown else None,
        "too_long": too_long,
        "legend": legend(),
        "places": places_of(found.worker, features_of_compression(found, campaign.language)),
    }
    return render(request, "compressions/compression.html", context)


def drawn_alignment(found: Compression) -> tuple[ShownAlignment | None, str]:
    """Return the alignment of a compression, or why it is not drawn."""
    try:
        return alignment_of(found.target), ""
    except TooLongToDraw as refusal:
        return None, str(refusal)


@campaign_staff
@require_http_methods(["GET", "POST"])
def paragraphs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Compare paragraphs compressed as a whole and sentence by sentence; a form divides more of them."""
    form = DivisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        division = paragraphs_divide(campaign=campaign, user=staff_user(request), **form.cleaned_data)
        divided = {"divided": division.divided, "suitable": division.suitable}
        messages.success(request, _("%(divided)s of %(suitable)s suitable paragraphs were divided.") % divided)
        for sentence in why_none_is_suitable(campaign) if not division.divided else ():
            messages.info(request, sentence)
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
