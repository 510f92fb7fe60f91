"""Staff pages of a campaign's judgement task: its settings, its material, and imports of it."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from common.errors import NotYours, Refused
from compressions.forms import UploadForm
from compressions.selectors.sources import file_imports
from compressions.views.imports import import_page
from crowd.access import accepts_upload, campaign_staff, role_of, staff_user
from crowd.models import Campaign, Role
from protocols.exports import answers_export, export_keys, export_links, file_response
from protocols.kind import release_kinds
from protocols.models import DesignRow, MaterialImport, Sound
from protocols.planned import analysis_of, analysis_to_fix, plan_fix
from protocols.quiz.sounds import sound_save
from protocols.readiness import plan_readiness, readiness_of
from protocols.selectors import material_counts
from protocols.services.material import material_import_request
from protocols.services.set_up import task_settings_save
from protocols.task import StudyTask, study_task
from reports.kinds import report_kinds
from reports.parameters import shown

SHOWN = 50


class MaterialForm(UploadForm):
    file = forms.FileField(label=gettext_lazy("File"))
    format = forms.ChoiceField(
        label=gettext_lazy("What is in it"),
        required=False,
        help_text=gettext_lazy("Answers are those that people gave elsewhere to the same task."),
    )

    def __init__(self, *args: Any, task: StudyTask, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not task.answer_forms:
            del self.fields["format"]
            return
        chosen = self.fields["format"]
        assert isinstance(chosen, forms.ChoiceField), "it is declared so above"
        chosen.choices = [("", _("material")), *task.answer_forms.items()]

    @property
    def command(self) -> str:  # type: ignore[override]  # it depends on what was chosen
        return "import_answers" if self.data.get("format") else "import_material"


class SoundForm(UploadForm):
    file = forms.FileField(
        label=gettext_lazy("Sound"),
        help_text=gettext_lazy(
            "An MP3 of a constant bit rate, such as 48 kbit/s. The audio of a text is the name of its file. The same "
            "name again replaces it."
        ),
        widget=forms.FileInput({"accept": ".mp3,audio/mpeg"}),
    )


def _task_or_404(campaign: Campaign) -> StudyTask:
    try:
        return study_task(campaign.rating_task)
    except NotYours as refusal:
        raise Http404(str(refusal)) from refusal


@accepts_upload
@campaign_staff
@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show what the task is set up with, and take in a file of material."""
    task = _task_or_404(campaign)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = MaterialForm(*sent, task=task)
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["file"]
        record = material_import_request(
            campaign=campaign,
            file_name=upload.name or "upload",
            content=upload.read(),
            user=staff_user(request),
            answers=form.cleaned_data.get("format", ""),
        )
        messages.success(request, _("%(file)s is being imported.") % {"file": record.file_name})
        return redirect(record)
    settings_form = task.settings_form(initial=task.settings_read(campaign.task_settings))
    return _page(request, campaign, task, form, settings_form, form.refusal_status if form.is_bound else 200)


@campaign_staff
@require_POST
def settings_save(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    task = _task_or_404(campaign)
    form = task.settings_form(request.POST)
    if form.is_valid():
        try:
            task_settings_save(campaign=campaign, settings=form.cleaned_data, user=staff_user(request))
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The settings of the task are saved."))
            return redirect("protocols:set-up", campaign.slug)
    return _page(request, campaign, task, MaterialForm(task=task), form, 422)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    task: StudyTask,
    form: MaterialForm,
    settings_form: forms.Form,
    status: int,
    faults: Sequence[str] = (),
    sound_form: SoundForm | None = None,
) -> HttpResponse:
    kind = report_kinds().get(task.key)
    analysis, is_newest = analysis_to_fix(campaign, kind) if kind else ({}, False)
    context: dict[str, Any] = {
        "campaign": campaign,
        "task": task,
        "form": form,
        "settings_form": settings_form,
        "counts": material_counts(campaign),
        "readiness": readiness_of(campaign),
        "may_fix": bool(analysis) and analysis != campaign.planned_analysis,
        "is_newest": is_newest,
        "report_address": reverse(f"{kind.namespace}:report", args=[campaign.slug]) if kind else "",
        "answer_files": export_links(campaign),
        "faults": faults,
        "has_pieces": DesignRow.objects.filter(campaign=campaign).exists(),
        "sounds": Sound.objects.filter(campaign=campaign).order_by("name"),
        "sound_form": sound_form or SoundForm(prefix="sound"),
        "imports": file_imports(MaterialImport, campaign)[:SHOWN],
    }
    return render(request, "protocols/set_up.html", context, status=status)


@campaign_staff
@require_POST
def analysis_fix(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Fix the analysis as the newest report has it, or with default settings."""
    task = _task_or_404(campaign)
    kind = report_kinds().get(task.key)
    if kind is None:
        raise Http404(_("This judgement task has no report."))
    analysis, _is_newest = analysis_to_fix(campaign, kind)
    plan_fix(campaign=campaign, analysis=analysis, user=staff_user(request))
    messages.success(request, _("The analysis is fixed."))
    return redirect("protocols:set-up", campaign.slug)


@campaign_staff
@require_http_methods(["GET", "POST"])
def plan(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Fix the analysis of ratings of the campaign's texts: which report on a release, and with which settings."""
    if campaign.task.has_material:
        raise Http404(_("The page of the judgement task has the analysis."))
    kinds = {each.key: each for each in release_kinds(campaign)}
    chosen = kinds.get(request.POST.get("report", ""))
    forms_of = {key: kind.form_for(campaign, auto_id=f"{key}-%s") for key, kind in kinds.items()}
    if chosen:
        form = forms_of[chosen.key] = chosen.form_for(campaign, request.POST, auto_id=f"{chosen.key}-%s")
        if form.is_valid():
            analysis = analysis_of(campaign, chosen, chosen.resolved(campaign, form.parameters))
            plan_fix(campaign=campaign, analysis=analysis, user=staff_user(request))
            messages.success(request, _("The analysis is fixed."))
            return redirect("protocols:plan", campaign.slug)
    elif request.method == "POST":
        raise Http404(_("There is no such report."))
    fixed = campaign.planned_analysis
    kind = report_kinds().get(fixed.get("report", ""))
    context = {
        "campaign": campaign,
        "standing": plan_readiness(campaign),
        "kind": kind,
        "fixed": shown(kind.parameters, fixed["parameters"]) if kind else [],
        "forms": [(kinds[key], form) for key, form in forms_of.items()],
        "may_fix": role_of(request) != Role.VIEWER and not campaign.is_archived,
    }
    return render(request, "protocols/plan.html", context, status=422 if chosen else 200)


@campaign_staff
@require_POST
def pieces_make(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Make the pieces of work of what was imported; what is wrong with it is listed."""
    task = _task_or_404(campaign)
    try:
        messages.success(
            request, task.pieces_make(campaign, fill_in="fill_in" in request.POST, user=staff_user(request))
        )
    except Refused as refusal:
        faults = getattr(refusal, "faults", [str(refusal)])
        settings_form = task.settings_form(initial=task.settings_read(campaign.task_settings))
        return _page(request, campaign, task, MaterialForm(task=task), settings_form, 409, faults)
    return redirect("protocols:set-up", campaign.slug)


@accepts_upload
@campaign_staff
@require_POST
def sounds(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Take in the sound of a text of a quiz."""
    task = _task_or_404(campaign)
    if not campaign.task.by_design:
        raise Http404(_("Only the texts of a quiz have sound."))
    form = SoundForm(request.POST, request.FILES, prefix="sound")
    if form.is_valid():
        upload = form.cleaned_data["file"]
        try:
            sound_save(campaign=campaign, file_name=upload.name or "", content=upload.read(), user=staff_user(request))
        except Refused as refusal:
            form.add_error("file", str(refusal))
        else:
            messages.success(request, _("%(file)s is there.") % {"file": upload.name})
            return redirect("protocols:set-up", campaign.slug)
    settings_form = task.settings_form(initial=task.settings_read(campaign.task_settings))
    return _page(request, campaign, task, MaterialForm(task=task), settings_form, form.refusal_status, sound_form=form)


@campaign_staff
@require_safe
def answers_file(request: HttpRequest, campaign: Campaign, form: str) -> HttpResponseBase:
    """Download the answers in a form, or say why they cannot be written in it."""
    task = _task_or_404(campaign)
    if form not in export_keys(task.key):
        raise Http404(_("There is no such format."))
    try:
        return file_response(campaign, *answers_export(campaign, form))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect(f"protocols:{task.key}:report", campaign.slug)


@campaign_staff
@require_safe
def material_import(request: HttpRequest, campaign: Campaign, import_id: int) -> HttpResponse:
    """Show the outcome of an import; htmx polls this page while the file is being read."""
    found = get_object_or_404(file_imports(MaterialImport, campaign), pk=import_id)
    links = {"protocols:set-up": _("The judgement task and its material")}
    title = _("Answers from %(file)s") if found.answers else _("Material from %(file)s")
    return import_page(request, found, title % {"file": found.file_name}, links)
