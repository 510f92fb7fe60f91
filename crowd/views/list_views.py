"""Views of lists: an account keeps the order, the filters and the columns of a list under a name."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from common.errors import Refused
from common.listing import Columns
from common.typed_text import TypedTexts
from crowd.access import campaign_looker, staff_user
from crowd.models import Campaign, ListView, StaffList
from crowd.models.list_views import MAX_QUERY_LENGTH
from crowd.services.list_views import list_view_keep, list_view_remove

NOT_KEPT = ("q", "page", "person")
"""What is looked for once: it may be the ID of a participant, who may ask for erasure."""
PAGES = {
    StaffList.TEXTS: "compressions:sources",
    StaffList.FLAGS: "compressions:flagged",
    StaffList.REMARKS: "compressions:remarks",
}


class ListViewForm(TypedTexts, forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = ListView
        fields = ("name",)
        error_messages = {"name": {"required": _("Enter a name for the view.")}}


def list_context(request: HttpRequest, campaign: Campaign, staff_list: str, columns: Columns) -> dict[str, Any]:
    """Return what the template `crowd/partials/list_views.html` wants to know of a list as it is asked for."""
    kept = ListView.objects.filter(campaign=campaign, user=staff_user(request), staff_list=staff_list)
    query = _query(request.GET)
    return {
        "columns": columns,
        "staff_list": staff_list,
        "list_address": _address(campaign, staff_list),
        "list_query": query,
        "list_views": [(each, each.query == query) for each in kept.order_by("name")],
        "list_form": ListViewForm(label_suffix="", auto_id="view-%s"),
    }


@campaign_looker
@require_POST
def list_view(request: HttpRequest, campaign: Campaign, staff_list: str) -> HttpResponse:
    """Keep the list of the address under a name, or remove the view that has it."""
    if staff_list not in StaffList.values:
        raise Http404(_("There is no such list."))
    query = _query(request.GET)
    form = ListViewForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for error in form.errors.get("name", ())))
    elif "remove" in request.POST:
        list_view_remove(campaign=campaign, user=staff_user(request), staff_list=staff_list, **form.cleaned_data)
        messages.success(request, _("The view is removed."))
    else:
        _keep(request, campaign, staff_list, form.cleaned_data["name"], query)
    return redirect(f"{_address(campaign, staff_list)}?{query}")


def _keep(request: HttpRequest, campaign: Campaign, staff_list: str, name: str, query: str) -> None:
    if len(query) > MAX_QUERY_LENGTH:
        messages.error(request, _("This view is too long to be kept. Choose fewer filters or columns."))
        return
    try:
        list_view_keep(campaign=campaign, user=staff_user(request), staff_list=staff_list, name=name, query=query)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The view “%(name)s” is kept.") % {"name": name})


def _address(campaign: Campaign, staff_list: str) -> str:
    if page := PAGES.get(StaffList(staff_list)):
        return reverse(page, args=[campaign.slug])
    return reverse("ratings:participants", args=[campaign.slug, staff_list])


def _query(asked: QueryDict) -> str:
    kept = asked.copy()
    for name in NOT_KEPT:
        kept.pop(name, None)
    for name in [name for name, values in kept.lists() if not any(values)]:
        del kept[name]
    return kept.urlencode()
