"""Staff pages: practice, test questions and gold questions."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import Refused
from common.words import Words
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign
from ratings.forms import ExampleForm, QualificationItemForm, initial_of
from ratings.models import GoldItem, QualificationItem
from ratings.models.examples import Example
from ratings.selectors.attention import flagged_or_excluded
from ratings.selectors.gold import gold_for_test, gold_with_answers
from ratings.selectors.qualification import (
    deleted_items,
    live_items,
    practice_items,
    qualification_items,
    starter_items,
)
from ratings.selectors.setup_warnings import setup_warnings
from ratings.services.gold import gold_create, gold_restore, gold_retire
from ratings.services.qualification import (
    qualification_item_delete,
    qualification_item_restore,
    qualification_item_save,
)
from ratings.services.starter_test import starter_test_missing

WHY_SHOWN_AFTER_TEST = gettext_lazy("Raters read it after the test.")
WHY_NEVER_SHOWN = gettext_lazy("Optional: for you; raters never see it.")
RESTORABLE = gettext_lazy("Raters will no longer be asked it. Answers already given are kept, and you can restore it.")
GOLD_RESTORABLE = gettext_lazy(
    "No other raters are given it. Answers that were given to it stay and count, and you can restore it."
)


@campaign_staff
@require_safe
def examples(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show practice, the test, and the gold questions with their accuracy."""
    context = {
        "campaign": campaign,
        "practice": practice_items(campaign),
        "items": qualification_items(campaign),
        "gold": gold_with_answers(campaign, flagged_or_excluded(campaign)),
        "deleted": deleted_items(campaign),
        "starter": len(starter_test_missing(campaign)),
        "public": len(starter_items(campaign)),
        "from_gold": len(gold_for_test(campaign)),
        "warnings": setup_warnings(campaign),
    }
    return render(request, "ratings/examples.html", context)


@campaign_staff
@require_http_methods(["GET", "POST"])
def item_new(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _edit_item(request, campaign, None)


@campaign_staff
@require_http_methods(["GET", "POST"])
def item_edit(request: HttpRequest, campaign: Campaign, item_id: int) -> HttpResponse:
    return _edit_item(request, campaign, get_object_or_404(live_items(campaign), pk=item_id))


def _edit_item(request: HttpRequest, campaign: Campaign, item: QualificationItem | None) -> HttpResponse:
    form = QualificationItemForm(
        request.POST or None,
        initial=initial_of(item) if item else None,
        campaign=campaign,
        why_hint=WHY_SHOWN_AFTER_TEST,
    )
    if request.method == "POST" and form.is_valid():
        try:
            qualification_item_save(campaign=campaign, example=form.example, item=item, user=staff_user(request))
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The question is saved."))
            return redirect("ratings:examples", campaign.slug)
    return _example_page(request, campaign, form, _("Test question"), item)


def _example_page(
    request: HttpRequest, campaign: Campaign, form: ExampleForm, title: str, item: QualificationItem | None = None
) -> HttpResponse:
    context = {"campaign": campaign, "form": form, "title": title, "item": item}
    return render(request, "ratings/example_form.html", context, status=422 if request.method == "POST" else 200)


@campaign_staff
@require_http_methods(["GET", "POST"])
def item_delete(request: HttpRequest, campaign: Campaign, item_id: int) -> HttpResponse:
    """Ask whether a question should be deleted, and delete it on POST; idempotent."""
    item = QualificationItem.objects.filter(pk=item_id, campaign=campaign).first()
    if item is None:
        return redirect("ratings:examples", campaign.slug)
    if request.method == "POST":
        qualification_item_delete(item=item, user=staff_user(request))
        messages.success(request, _("The question is deleted. You can restore it at the end of this page."))
        return redirect("ratings:examples", campaign.slug)
    return _confirmation(request, campaign, item, _("Delete this question?"), _("Delete"), RESTORABLE)


def _confirmation(
    request: HttpRequest, campaign: Campaign, example: Example, title: str, button: str, consequence: Words
) -> HttpResponse:
    context = {
        "campaign": campaign,
        "example": example,
        "title": title,
        "button": button,
        "consequence": consequence,
    }
    return render(request, "ratings/example_confirm.html", context)


@campaign_staff
@require_POST
def item_restore(request: HttpRequest, campaign: Campaign, item_id: int) -> HttpResponse:
    related = QualificationItem.objects.select_related("campaign")
    try:
        item = get_object_or_404(related, pk=item_id, campaign=campaign)
        qualification_item_restore(item=item, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The question is back, as the last one."))
    return redirect("ratings:examples", campaign.slug)


@campaign_staff
@require_http_methods(["GET", "POST"])
def gold_new(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = ExampleForm(request.POST or None, campaign=campaign, why_hint=WHY_NEVER_SHOWN, needs_why=False)
    if request.method == "POST" and form.is_valid():
        try:
            gold_create(campaign=campaign, example=form.example, user=staff_user(request))
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Raters are now given the gold question."))
            return redirect("ratings:examples", campaign.slug)
    return _example_page(request, campaign, form, _("Gold question"))


@campaign_staff
@require_http_methods(["GET", "POST"])
def gold_end(request: HttpRequest, campaign: Campaign, gold_id: int) -> HttpResponse:
    """Ask whether a gold question should be retired, and do so on POST."""
    gold = get_object_or_404(GoldItem, pk=gold_id, item__campaign=campaign)
    if request.method == "POST":
        gold_retire(gold=gold, user=staff_user(request))
        messages.success(request, _("The gold question is retired. You can restore it in the list below."))
        return redirect("ratings:examples", campaign.slug)
    return _confirmation(request, campaign, gold, _("Retire this gold question?"), _("Retire"), GOLD_RESTORABLE)


@campaign_staff
@require_POST
def gold_reopen(request: HttpRequest, campaign: Campaign, gold_id: int) -> HttpResponse:
    """Restore a retired gold question."""
    gold = get_object_or_404(GoldItem, pk=gold_id, item__campaign=campaign)
    gold_restore(gold=gold, user=staff_user(request))
    messages.success(request, _("Raters are given the gold question again."))
    return redirect("ratings:examples", campaign.slug)
