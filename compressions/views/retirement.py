"""Staff retire a text, take that back, or put a corrected one in its place."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from common.errors import Refused
from compressions.forms import CorrectionForm, RetireForm
from compressions.selectors.source_page import sources_with_relations
from compressions.services.retirement import source_correct, source_reinstate, source_retire
from compressions.views.sources import source_page
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign


@campaign_staff
@require_POST
def retire(request: HttpRequest, campaign: Campaign, source_id: str) -> HttpResponse:
    """Retire a text; a text that is retired already stays as it is."""
    source = get_object_or_404(sources_with_relations(campaign), source_id=source_id)
    form = RetireForm(request.POST, auto_id="retire-%s")
    if not form.is_valid():
        return source_page(request, campaign, source, retire_form=form)
    ended = source_retire(source=source, user=staff_user(request), **form.decision)
    said = [_("The text is retired: nobody is given it any more.")]
    if ended:
        words = ngettext(
            "%(n)s participant working on it will be told.", "%(n)s participants working on it will be told.", ended
        )
        said.append(words % {"n": ended})
    messages.success(request, " ".join(said))
    return redirect("compressions:source", campaign.slug, source_id)


@campaign_staff
@require_POST
def reinstate(request: HttpRequest, campaign: Campaign, source_id: str) -> HttpResponse:
    source = get_object_or_404(sources_with_relations(campaign), source_id=source_id)
    try:
        source_reinstate(source=source, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The text is back: its open places are given to participants again."))
    return redirect("compressions:source", campaign.slug, source_id)


@campaign_staff
@require_POST
def correct(request: HttpRequest, campaign: Campaign, source_id: str) -> HttpResponse:
    source = get_object_or_404(sources_with_relations(campaign), source_id=source_id)
    form = CorrectionForm(request.POST, source=source, auto_id="correct-%s")
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            new = source_correct(source=source, text=text, user=staff_user(request), **form.decision)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            words = _("Text %(new)s replaces %(old)s, which is retired.")
            messages.success(request, words % {"new": new.source_id, "old": source_id})
            return redirect("compressions:source", campaign.slug, new.source_id)
    return source_page(request, campaign, source, correction_form=form)
