"""A staff page of the ranking: all ranks as a file."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crowd.access import campaign_staff
from crowd.models import Campaign
from protocols.exports import answers_export, file_response
from protocols.ranking.task import TASK


@campaign_staff
@require_safe
def ranks(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    del request
    if campaign.rating_task != TASK.key:
        raise Http404(_("This campaign has another judgement task."))
    return file_response(campaign, *answers_export(campaign))
