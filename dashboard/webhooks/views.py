"""Staff: the webhooks of a campaign, and what was sent to each."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import Refused
from common.typed_text import TypedTexts
from crowd.access import campaign_manager, staff_user
from crowd.models import Campaign, Webhook
from crowd.models.webhooks import FIELD_OF_KIND, MAX_ADDRESS
from dashboard.webhooks.services import (
    deliveries_of,
    delivery_again,
    delivery_of,
    hosts_are_listed,
    listed_hosts,
    webhook_create,
    webhook_delete,
    webhook_in,
    webhook_test,
    webhook_update,
    webhooks_of,
)

EVENTS = [(kind.value, kind.label) for kind in FIELD_OF_KIND]


class WebhookForm(TypedTexts, forms.Form):
    address = forms.CharField(
        label=gettext_lazy("address"),
        max_length=MAX_ADDRESS,
        help_text=gettext_lazy("What is sent goes to exactly this address. Redirects are not followed."),
        widget=forms.TextInput({"inputmode": "url", "autocomplete": "off", "spellcheck": "false", "dir": "ltr"}),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("events"), choices=EVENTS, widget=forms.CheckboxSelectMultiple
    )


PER_PAGE = 50


@campaign_manager
@never_cache
@require_http_methods(["GET", "POST"])
def webhooks(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the webhooks, and make one: its secret is shown this once."""
    form = WebhookForm(request.POST or None)
    made = _made(request, campaign, form) if request.method == "POST" else None
    context = {
        "campaign": campaign,
        "form": WebhookForm() if made else form,
        "made": made,
        "webhooks": webhooks_of(campaign),
        "hosts": listed_hosts(),
        "are_allowed": hosts_are_listed(),
    }
    return render(request, "dashboard/webhooks.html", context, status=422 if request.POST and not made else 200)


def _made(request: HttpRequest, campaign: Campaign, form: WebhookForm) -> tuple[Webhook, str] | None:
    """Return the webhook that a form asks for, with its secret; None if it is refused."""
    if not form.is_valid():
        return None
    try:
        return webhook_create(campaign=campaign, user=staff_user(request), **form.cleaned_data)
    except ValidationError as refusal:
        form.add_error(None, refusal)  # with its fields
    except Refused as refusal:
        form.add_error(None, str(refusal))
    return None


@campaign_manager
@require_safe
def webhook(request: HttpRequest, campaign: Campaign, webhook_id: int) -> HttpResponse:
    """Show a webhook and its deliveries, the newest first."""
    found = webhook_in(campaign, webhook_id)
    page = Paginator(deliveries_of(found), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "dashboard/webhook.html", {"campaign": campaign, "webhook": found, "page": page})


@campaign_manager
@require_POST
def state(request: HttpRequest, campaign: Campaign, webhook_id: int) -> HttpResponse:
    """Switch a webhook on or off; the request states which, so a second click changes nothing."""
    found, is_active = webhook_in(campaign, webhook_id), request.POST.get("active") == "1"
    webhook_update(webhook=found, is_active=is_active, user=staff_user(request))
    messages.success(request, _("The webhook is on.") if is_active else _("The webhook is off."))
    return redirect("webhook", campaign.slug, found.pk)


@campaign_manager
@require_POST
def test(request: HttpRequest, campaign: Campaign, webhook_id: int) -> HttpResponse:
    """Send a test event."""
    found = webhook_in(campaign, webhook_id)
    try:
        webhook_test(webhook=found)
    except (Refused, ValidationError) as refusal:
        messages.error(request, _words(refusal))
    else:
        messages.success(request, _("A test event will be sent within half a minute. Reload this page to see it."))
    return redirect("webhook", campaign.slug, found.pk)


@campaign_manager
@require_POST
def again(request: HttpRequest, campaign: Campaign, webhook_id: int, delivery_id: int) -> HttpResponse:
    """Send what was delivered or given up once more."""
    found = webhook_in(campaign, webhook_id)
    try:
        delivery_again(delivery=delivery_of(found, delivery_id))
    except (Refused, ValidationError) as refusal:
        messages.error(request, _words(refusal))
    else:
        messages.success(request, _("The event will be sent again within half a minute."))
    return redirect("webhook", campaign.slug, found.pk)


@campaign_manager
@require_POST
def delete(request: HttpRequest, campaign: Campaign, webhook_id: int) -> HttpResponse:
    """Delete a webhook."""
    webhook_delete(webhook=webhook_in(campaign, webhook_id), user=staff_user(request))
    messages.success(request, _("The webhook is deleted."))
    return redirect("webhooks", campaign.slug)


def _words(refusal: Refused | ValidationError) -> str:
    return str(refusal) if isinstance(refusal, Refused) else " ".join(refusal.messages)
