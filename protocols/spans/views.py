"""Staff pages of marks of errors: the texts with all marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crowd.access import campaign_staff
from crowd.models import Campaign
from measures.spans import Preset, annotation_points
from protocols.models import Material
from protocols.spans.task import TASK, preset_of
from protocols.spans.text_marks import MarkedText, marked_material, text_marks, wanted_of

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


def _preset_or_404(campaign: Campaign) -> Preset:
    if campaign.rating_task != TASK.key:
        raise Http404(_("This campaign has another judgement task."))
    return preset_of(TASK.settings_read(campaign.task_settings))


PAGES = [
    path("campaigns/<slug:slug>/task/texts/", texts, name="texts"),
    path("campaigns/<slug:slug>/task/texts/<int:material_id>/", text, name="text"),
]
