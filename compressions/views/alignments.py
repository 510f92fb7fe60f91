"""The page of one alignment: drawn, corrected by hand, and its versions."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from common.errors import Refused
from common.sql import is_possible_id
from compressions.alignment_drawing import drawing, drawing_of, legend
from compressions.alignment_words import TooLongToDraw
from compressions.forms import AlignmentForm
from compressions.models import AlignmentCorrection, Target
from compressions.selectors.alignments import ShownAlignment, alignment_of, correction_versions, targets_of_campaign
from compressions.services.alignments import MAX_VERSION, NothingChanged, alignment_correct, alignment_take_back
from crowd.access import campaign_staff, role_of, staff_user
from crowd.models import Campaign, Role


@campaign_staff
@require_http_methods(["GET", "POST"])
def alignment(request: HttpRequest, campaign: Campaign, target_id: int) -> HttpResponse:
    """Show the alignment of a text, or an earlier version of it; a form corrects it."""
    known = targets_of_campaign(campaign)
    target = get_object_or_404(known, pk=target_id if is_possible_id(target_id) else 0)
    versions = correction_versions(target)
    wanted = _version_of(request, target)
    try:
        shown = alignment_of(target, wanted)
    except TooLongToDraw as refusal:
        status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.CONFLICT
        return render(request, "compressions/alignment.html", _context(campaign, target, refusal), status=status)
    if request.method == "POST":
        return _corrected(request, campaign, shown)
    return _page(request, campaign, shown, versions=versions, wanted=wanted)


def _version_of(request: HttpRequest, target: Target) -> AlignmentCorrection | None:
    """Return the version that is asked for; None for the latest."""
    typed = request.GET.get("version", "")
    if not typed:
        return None
    if not (typed.isascii() and typed.isdigit() and len(typed) <= len(str(MAX_VERSION)) and int(typed) <= MAX_VERSION):
        raise Http404("no such version")
    return get_object_or_404(AlignmentCorrection.objects.select_related("made_by"), target=target, version=int(typed))


def _corrected(request: HttpRequest, campaign: Campaign, shown: ShownAlignment) -> HttpResponse:
    form = AlignmentForm(request.POST, words=shown.words)
    is_taken_back = "take_back" in request.POST
    if not (form.is_valid() or (is_taken_back and "based_on_version" in form.cleaned_data)):
        return _page(request, campaign, shown, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        said = _done(shown.target, form, staff_user(request), is_taken_back=is_taken_back)
    except Refused as refusal:
        form.add_error(None, ValidationError(str(refusal)))
        return _page(request, campaign, shown, form=form, status=HTTPStatus.CONFLICT)
    messages.success(request, said)
    return redirect("compressions:alignment", campaign.slug, shown.target.pk)


def _done(target: Target, form: AlignmentForm, user: User, *, is_taken_back: bool) -> str:
    """Store what was sent, and return what became of it."""
    based_on = form.cleaned_data["based_on_version"]
    if is_taken_back:
        taken = alignment_take_back(target=target, based_on_version=based_on, user=user)
        restored, unchanged = _("The aligner’s alignment is restored."), _("The aligner’s alignment is used already.")
        return restored if taken else unchanged
    sent = {name: form.cleaned_data[name] for name in ("places", "fingerprint")}
    try:
        made = alignment_correct(target=target, based_on_version=based_on, user=user, **sent)
    except NothingChanged as refusal:
        return str(refusal)
    return _("Saved as version %(number)s.") % {"number": made.version}


def _page(
    request: HttpRequest,
    campaign: Campaign,
    shown: ShownAlignment,
    *,
    form: AlignmentForm | None = None,
    versions: list[AlignmentCorrection] | None = None,
    wanted: AlignmentCorrection | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """Show a refused form again with everything that was sent, so that nothing is lost."""
    sent = form.places if form else None
    saved = drawing_of(shown)
    context = _context(campaign, shown.target) | {
        "shown": shown,
        "form": form or AlignmentForm(words=shown.words, initial={"pairs": saved.pairs}),
        "drawing": saved if sent is None else drawing(shown, sent),
        "saved_pairs": saved.pairs,
        "is_unsaved": sent is not None and tuple(sent) != tuple(shown.places),
        "versions": correction_versions(shown.target) if versions is None else versions,
        "wanted": wanted,
        "is_correctable": wanted is None and _may_correct(request, campaign),
        "legend": legend(),
    }
    return render(request, "compressions/alignment.html", context, status=status)


def _may_correct(request: HttpRequest, campaign: Campaign) -> bool:
    return role_of(request) != Role.VIEWER and not campaign.is_archived


def _context(campaign: Campaign, target: Target, too_long: Refused | None = None) -> dict[str, object]:
    return {"campaign": campaign, "target": target, "source": target.source, "too_long": too_long}
