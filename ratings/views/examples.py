"""Staff pages: qualification test and gold items."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import Refused
from crowd.access import campaign_staff
from crowd.models import Campaign
from ratings.forms import ExampleForm, QualificationItemForm, initial_of
from ratings.models import GoldItem, QualificationItem
from ratings.selectors.gold import gold_with_answers
from ratings.selectors.qualification import practice_items, qualification_items
from ratings.services.gold import gold_create, gold_retire
from ratings.services.qualification import qualification_item_delete, qualification_item_save

WHY_SHOWN_AFTER_TEST = "The raters read it after the test."
WHY_NEVER_SHOWN = "For you; the raters never see it."


@campaign_staff
@require_safe
def examples(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show the test, its practice examples, and the gold items with their accuracy."""
    context = {
        "campaign": campaign,
        "practice": practice_items(campaign),
        "items": qualification_items(campaign),
        "gold": gold_with_answers(campaign),
    }
    return render(request, "ratings/examples.html", context)


@campaign_staff
@require_http_methods(["GET", "POST"])
def item_new(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _edit_item(request, campaign, None)


@campaign_staff
@require_http_methods(["GET", "POST"])
def item_edit(request: HttpRequest, campaign: Campaign, item_id: int) -> HttpResponse:
    return _edit_item(request, campaign, get_object_or_404(QualificationItem, pk=item_id, campaign=campaign))


def _edit_item(request: HttpRequest, campaign: Campaign, item: QualificationItem | None) -> HttpResponse:
    form = QualificationItemForm(
        request.POST or None,
        initial=initial_of(item) if item else None,
        campaign=campaign,
        why_hint=WHY_SHOWN_AFTER_TEST,
    )
    if request.method == "POST" and form.is_valid():
        try:
            qualification_item_save(campaign=campaign, example=form.example, item=item)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, "The example is saved.")
            return redirect("ratings:examples", campaign.slug)
    return _example_page(request, campaign, form, "Example of the test", item)


def _example_page(
    request: HttpRequest, campaign: Campaign, form: ExampleForm, title: str, item: QualificationItem | None = None
) -> HttpResponse:
    context = {"campaign": campaign, "form": form, "title": title, "item": item}
    return render(request, "ratings/example_form.html", context, status=422 if request.method == "POST" else 200)


@campaign_staff
@require_POST
def item_delete(_request: HttpRequest, campaign: Campaign, item_id: int) -> HttpResponse:
    """Delete an example; idempotent."""
    if item := QualificationItem.objects.filter(pk=item_id, campaign=campaign).first():
        qualification_item_delete(item=item)
    return redirect("ratings:examples", campaign.slug)


@campaign_staff
@require_http_methods(["GET", "POST"])
def gold_new(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = ExampleForm(request.POST or None, campaign=campaign, why_hint=WHY_NEVER_SHOWN)
    if request.method == "POST" and form.is_valid():
        try:
            gold_create(campaign=campaign, example=form.example)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, "The gold item is among the raters' work now.")
            return redirect("ratings:examples", campaign.slug)
    return _example_page(request, campaign, form, "Gold item")


@campaign_staff
@require_POST
def gold_end(_request: HttpRequest, campaign: Campaign, gold_id: int) -> HttpResponse:
    """Retire a gold item."""
    gold_retire(gold=get_object_or_404(GoldItem, pk=gold_id, item__campaign=campaign))
    return redirect("ratings:examples", campaign.slug)
