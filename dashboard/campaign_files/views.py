"""Staff pages: save a campaign as a file, and make one of a file, of a template or of another campaign."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crowd.access import campaign_staff, signed_in, staff_user, when_archived
from crowd.models import Campaign
from crowd.services.account_bounds import upload_take
from dashboard.campaign_files.forms import CampaignFileForm, NamesForm
from dashboard.campaign_files.services import campaign_clone, campaign_file_create
from dashboard.campaign_files.templates import TEMPLATES, Template
from dashboard.campaign_files.writing import campaign_file

YAML = "application/yaml"


@campaign_staff
@require_safe
def file(_request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Send a campaign as a file."""
    return _download(campaign_file(campaign), f"{campaign.slug}.yaml")


def _download(content: bytes, name: str) -> HttpResponse:
    return HttpResponse(content, content_type=YAML, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@signed_in
@require_http_methods(["GET", "POST"])
def from_file(request: HttpRequest) -> HttpResponse:
    form = CampaignFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        owner, content = staff_user(request), form.cleaned_data["file"].read()
        upload_take(owner, len(content))
        return _made_or_page(request, form, lambda: form.made(campaign_file_create, content=content, owner=owner), {})
    return _page(request, form, {})


@signed_in
@require_safe
def templates(request: HttpRequest) -> HttpResponse:
    """List what one can begin with."""
    return render(request, "dashboard/campaign_templates.html", {"templates": TEMPLATES.values()})


@signed_in
@require_http_methods(["GET", "POST"])
def from_template(request: HttpRequest, key: str) -> HttpResponse:
    template = _template(key)
    form = NamesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        owner, content = staff_user(request), template.content
        return _made_or_page(
            request,
            form,
            lambda: form.made(campaign_file_create, content=content, owner=owner),
            {"template": template},
        )
    return _page(request, form, {"template": template})


@signed_in
@require_safe
def template_file(_request: HttpRequest, key: str) -> HttpResponse:
    """Send a template, to be changed and then made a campaign of."""
    return _download(_template(key).content, f"{key}.yaml")


def _template(key: str) -> Template:
    if key not in TEMPLATES:
        raise Http404("there is no such template")
    return TEMPLATES[key]


@campaign_staff
@when_archived
@require_http_methods(["GET", "POST"])
def copy(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Make a campaign with what staff have set in this one; its texts and participants are not copied."""
    form = NamesForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        owner = staff_user(request)
        return _made_or_page(
            request,
            form,
            lambda: form.made(campaign_clone, campaign=campaign, owner=owner),
            {"campaign": campaign, "copied": campaign},
        )
    return _page(request, form, {"campaign": campaign, "copied": campaign})


def _made_or_page(
    request: HttpRequest, form: NamesForm, make: Callable[[], Campaign | None], context: dict[str, object]
) -> HttpResponse:
    """Go to the campaign that is made; show why none is."""
    made = make()
    if made is None:
        return _page(request, form, context)
    words = _("%(campaign)s is a draft. Import its texts, check its settings, then open it.")
    messages.success(request, words % {"campaign": made.name})
    return redirect("dashboard", made.slug)


def _page(request: HttpRequest, form: NamesForm, context: dict[str, object]) -> HttpResponse:
    status = form.refusal_status if request.method == "POST" else 200
    return render(request, "dashboard/campaign_from.html", {"form": form, **context}, status=status)
