"""Staff pages of marks of errors: the texts with all marks, and the answers in the formats of other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from common.errors import Refused
from crowd.access import campaign_staff
from crowd.models import Campaign
from measures.spans import Preset, annotation_points
from protocols.exports import file_response
from protocols.models import Material
from protocols.spans.annotations import MarkedText
from protocols.spans.exports import FORMS, answers_export
from protocols.spans.task import TASK, preset_of
from protocols.spans.text_marks import marked_material, text_marks, wanted_of

TEXTS_PER_PAGE = 50


@dataclass(frozen=True)
class TextLine:
    """A line of material with the number of answers to it and their mean points, with the sign of WMT."""

    material: Material
    answers: int
    points: float | None


@campaign_staff
@require_safe
def texts(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the texts with their numbers of answers and mean points."""
    preset = _preset_or_404(campaign)
    material = Material.objects.filter(campaign=campaign, expected__isnull=True).order_by("pk")
    page = Paginator(material, TEXTS_PER_PAGE).get_page(request.GET.get("page"))
    marked = marked_material(campaign, page.object_list)
    lines = [_line(each, marked[each.pk], preset) for each in page.object_list]
    return render(request, "protocols/spans/texts.html", {"campaign": campaign, "page": page, "lines": lines})


def _line(material: Material, answers: Sequence[MarkedText], preset: Preset) -> TextLine:
    if not answers or not preset.weights:
        return TextLine(material, len(answers), None)
    points = fmean(annotation_points(each.annotation, preset.weights) for each in answers)
    return TextLine(material, len(answers), -points + 0.0)


@campaign_staff
@require_safe
def text(request: HttpRequest, campaign: Campaign, material_id: int) -> HttpResponse:
    """Show all marks of all people over a text."""
    preset = _preset_or_404(campaign)
    material = get_object_or_404(Material, campaign=campaign, expected__isnull=True, pk=material_id)
    answers, wanted = marked_material(campaign, [material])[material.pk], wanted_of(request.GET)
    context = {
        "campaign": campaign,
        "material": material,
        "wanted": wanted,
        "preset": preset,
        "marks": text_marks(answers, preset, wanted, campaign.language),
    }
    return render(request, "protocols/spans/text.html", context)


@campaign_staff
@require_safe
def answers(request: HttpRequest, campaign: Campaign, form: str) -> HttpResponseBase:
    """Download the answers in a format, or say why they cannot be written in it."""
    _preset_or_404(campaign)
    if form not in FORMS:
        raise Http404(_("There is no such format."))
    try:
        found = answers_export(campaign, form)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("protocols:spans:report", campaign.slug)
    return file_response(campaign, FORMS[form], found)


def _preset_or_404(campaign: Campaign) -> Preset:
    if campaign.rating_task != TASK.key:
        raise Http404(_("This campaign has another judgement task."))
    return preset_of(TASK.settings_read(campaign.task_settings))
