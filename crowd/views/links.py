"""Staff pages of join links, the studies by which people come, and whether somebody may go on in another browser."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from common.errors import Refused
from common.typed_text import TypedTexts
from crowd.access import campaign_staff, staff_user
from crowd.models import BrowserRequest, Campaign, JoinLink, Round
from crowd.models.links import CODES
from crowd.models.setting_words import label_of
from crowd.opening import NotReady
from crowd.pay import pay_of_round
from crowd.selectors.campaigns import open_browser_requests
from crowd.selectors.link_warnings import link_warnings
from crowd.selectors.progress import link_refusal, links_of_campaign
from crowd.services.browsers import browser_request_decide
from crowd.services.links import (
    join_link_create,
    join_link_forget_wrong_ids,
    join_link_make_codes,
    join_link_set_active,
    join_link_set_keys,
    join_link_update,
    round_pause_set,
)
from crowd.settings_tabs import tab_of
from crowd.views.campaign_settings import tab_url


class JoinLinkForm(TypedTexts, forms.ModelForm):
    """A new link; everything else about it has a default."""

    class Meta:
        model = JoinLink
        fields = ("name", "round", "platform_key", "is_test")
        labels: ClassVar = {
            "name": gettext_lazy("name"),
            "round": gettext_lazy("round"),
            "is_test": gettext_lazy(
                "a test link: anyone who joins by it is marked as a test participant and never released"
            ),
        }

    @property
    def chosen(self) -> dict[str, Any]:
        return {"work_round" if name == "round" else name: value for name, value in self.cleaned_data.items()}


class LinkSettingsForm(TypedTexts, forms.ModelForm):
    """The name, codes and limits of a link, and where its people go back to."""

    class Meta:
        model = JoinLink
        fields = ("name", "max_people", "opens_at", "closes_at", *CODES, "completion_address")
        labels: ClassVar = {
            "name": gettext_lazy("name"),
            "opens_at": gettext_lazy("opens (UTC)"),
            "closes_at": gettext_lazy("closes (UTC)"),
            "completion_address": gettext_lazy("completion URL"),
        }
        help_texts: ClassVar = {
            "max_people": gettext_lazy("Leave it empty for no limit."),
            "opens_at": gettext_lazy("Leave it empty to open with the campaign."),
            "closes_at": gettext_lazy("Nobody new can join from then on. Participants who have started can finish."),
        }
        widgets: ClassVar = {
            name: forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            for name in ("opens_at", "closes_at")
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.platform.return_hosts:
            del self.fields["completion_address"]


@campaign_staff
@require_http_methods(["GET", "POST"])
def links(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the links of each round, and make new ones."""
    form = JoinLinkForm(request.POST or None, instance=JoinLink(campaign=campaign))
    if request.method == "POST" and form.is_valid():
        try:
            link = join_link_create(campaign=campaign, user=staff_user(request), **form.chosen)
        except ValidationError as error:  # the name of another link, which the form does not know
            form.add_error(None, error)
        else:
            messages.success(request, _("The link is ready. Set it up before you hand it out."))
            if not link.is_active:
                words = _("It is closed: pay, minutes or the consent text are not set yet. Open it when they are.")
                messages.warning(request, words)
            return redirect("crowd:link", campaign.slug, link.pk)
    found = [_shown(request, link) for link in links_of_campaign(campaign)]
    context = {
        "campaign": campaign,
        "form": form,
        "rounds": [
            (each, campaign.is_paused(each), [shown for shown in found if shown.link.round == each]) for each in Round
        ],
        "browser_requests": open_browser_requests(campaign),
    }
    return render(request, "crowd/links.html", context, status=422 if request.method == "POST" else 200)


@dataclass(frozen=True)
class ShownLink:
    """A link with the address to paste, what is wrong about it, and why nobody may come, if so."""

    link: JoinLink
    address: str
    warnings: list[str]
    refusal: str

    @property
    def partial_pay(self) -> Decimal | None:
        """What the code after stopping early is worth; None if that depends on the texts, or is not set."""
        pay = pay_of_round(self.link.campaign, self.link.round)
        return None if pay.is_per_text else pay.partial

    @property
    def misses_codes(self) -> bool:
        return not all(code for _name, _when, code in self.link.codes)


def _shown(request: HttpRequest, link: JoinLink) -> ShownLink:
    address = link.platform.address_to_paste(request.build_absolute_uri(link.get_absolute_url()))
    people: int = link.people  # type: ignore[attr-defined]  # an annotation of the query
    return ShownLink(link, address, list(link_warnings(link)), link_refusal(link, people))


@campaign_staff
@require_http_methods(["GET", "POST"])
def link(request: HttpRequest, campaign: Campaign, link_id: int) -> HttpResponse:
    """Show how to use a link, and change its name, codes and limits."""
    found = _link(campaign, link_id)
    form = LinkSettingsForm(request.POST or None, instance=found)
    if request.method == "POST" and form.is_valid():
        try:
            join_link_update(link=_link(campaign, link_id), user=staff_user(request), **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The link has been saved."))
            return redirect("crowd:link", campaign.slug, link_id)
    return _link_page(request, campaign, form, status=422 if request.method == "POST" else 200)


def _link(campaign: Campaign, link_id: int) -> JoinLink:
    return get_object_or_404(links_of_campaign(campaign), pk=link_id)


def _link_page(
    request: HttpRequest,
    campaign: Campaign,
    form: LinkSettingsForm,
    refused_keys: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "campaign": campaign,
        "shown": _shown(request, _link(campaign, form.instance.pk)),
        "form": form,
        "refused_keys": refused_keys,
    }
    return render(request, "crowd/link.html", context, status=status)


CONFIRMED = "confirmed"


def opening_to_confirm(request: HttpRequest, campaign: Campaign, refusal: NotReady) -> HttpResponse:
    """Ask whoever wants to open a round about each thing that it lacks; the form posts the same again."""
    sent = [(name, value) for name, value in request.POST.items() if name not in {CONFIRMED, "csrfmiddlewaretoken"}]
    missing = [(name, label_of(name), tab_url(campaign, tab_of(name))) for name in refusal.missing]
    context = {"campaign": campaign, "missing": missing, "sent": sent, "confirmed": request.POST.getlist(CONFIRMED)}
    return render(request, "crowd/opening_confirm.html", context, status=409)


@campaign_staff
@require_POST
def link_state(request: HttpRequest, campaign: Campaign, link_id: int) -> HttpResponse:
    """Open or close a link. The request states the target state, so that a second click changes nothing."""
    is_active = request.POST.get("active") == "1"
    confirmed = request.POST.getlist(CONFIRMED)
    try:
        join_link_set_active(
            link=_link(campaign, link_id), is_active=is_active, user=staff_user(request), confirmed=confirmed
        )
    except NotReady as refusal:
        return opening_to_confirm(request, campaign, refusal)
    return redirect("crowd:links", campaign.slug)


@campaign_staff
@require_POST
def link_codes(request: HttpRequest, campaign: Campaign, link_id: int) -> HttpResponse:
    """Make a code for each outcome without one."""
    join_link_make_codes(link=_link(campaign, link_id), user=staff_user(request))
    return redirect("crowd:link", campaign.slug, link_id)


@campaign_staff
@require_POST
def link_wrong_ids(_request: HttpRequest, campaign: Campaign, link_id: int) -> HttpResponse:
    """Forget the wrong ids with which people came, once the address is mended."""
    join_link_forget_wrong_ids(link=_link(campaign, link_id))
    return redirect("crowd:link", campaign.slug, link_id)


@campaign_staff
@require_POST
def link_keys(request: HttpRequest, campaign: Campaign, link_id: int) -> HttpResponse:
    """Set or remove the keys by which a platform signs the ids of a link."""
    found, text = _link(campaign, link_id), request.POST.get("keys", "")
    try:
        join_link_set_keys(link=found, text=text, user=staff_user(request))
    except (Refused, ValidationError) as refusal:
        refused = {"text": text, "reason": str(refusal)}
        return _link_page(request, campaign, LinkSettingsForm(instance=found), refused, status=422)
    if text.strip():
        messages.success(request, _("IDs are now taken from signed addresses only."))
    else:
        messages.success(request, _("IDs are now taken unsigned again."))
    return redirect("crowd:link", campaign.slug, link_id)


@campaign_staff
@require_POST
def round_pause(request: HttpRequest, campaign: Campaign, work_round: str) -> HttpResponse:
    """Pause a round or let it go on; the form posts the target state."""
    if work_round not in Round.values:
        raise Http404("no such round")
    is_paused = request.POST.get("paused") == "1"
    confirmed = request.POST.getlist(CONFIRMED)
    try:
        round_pause_set(
            campaign=campaign,
            work_round=work_round,
            is_paused=is_paused,
            user=staff_user(request),
            confirmed=confirmed,
        )
    except NotReady as refusal:
        return opening_to_confirm(request, campaign, refusal)
    return redirect("crowd:links", campaign.slug)


@campaign_staff
@require_POST
def browser_decide(request: HttpRequest, campaign: Campaign, request_id: int) -> HttpResponse:
    """Let the browser that asked continue, or refuse it. The request states which, so a second click is harmless."""
    asked = get_object_or_404(BrowserRequest, pk=request_id, enrolment__worker__campaign=campaign)
    allowed = request.POST.get("allowed") == "1"
    browser_request_decide(request=asked, allowed=allowed, user=staff_user(request))
    if allowed:
        words = _("Participant %(name)s can now continue in the other browser.")
    else:
        words = _("Participant %(name)s stays in the browser that they started with.")
    messages.success(request, words % {"name": asked.enrolment.worker.public_name})
    return redirect("crowd:links", campaign.slug)
