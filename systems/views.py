"""Staff pages: systems that are trained and run here."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from common.errors import Refused
from crowd.access import accepts_upload, campaign_staff, role_of, staff_user
from crowd.models import Campaign, Role
from systems.curves import curve_table, curves_of
from systems.files import folder_of
from systems.forms import RunForm, TrainForm
from systems.models import CHOSEN, MODEL_JOBS, RUN_JOBS, SystemRun, TrainedSystem
from systems.selectors import (
    Made,
    is_marked,
    models_of,
    models_with_jobs,
    ready_releases,
    runs_of,
    runs_with_jobs,
    status_counts,
)
from systems.services.runs import OUTPUTS_FILE, system_run_request
from systems.services.training import learning_systems, training_request
from systems.services.training_data import TEST

UNPROCESSABLE = 422


def _page(
    request: HttpRequest, campaign: Campaign, *, form: TrainForm | RunForm | None = None, status: int = 200
) -> HttpResponse:
    """Show what was trained and run, and both forms; one of them may have been sent with mistakes."""
    is_training = isinstance(form, TrainForm)
    context: dict[str, Any] = {
        "campaign": campaign,
        "runs": [(made, is_marked(made.row)) for made in runs_with_jobs(campaign)],
        "models": models_with_jobs(campaign),
        "has_releases": ready_releases(campaign).exists(),
        "learning": learning_systems(),
        "train_form": form if is_training else TrainForm(campaign=campaign, auto_id="train_%s"),
        "run_form": RunForm(campaign=campaign, auto_id="run_%s") if is_training or form is None else form,
        "form": form,
        "may_request": role_of(request) != Role.VIEWER and not campaign.is_archived,
    }
    return render(request, "systems/systems.html", context, status=status)


@campaign_staff
@require_safe
def systems(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _page(request, campaign)


@accepts_upload
@campaign_staff
@require_POST
def train(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = TrainForm(request.POST, request.FILES, campaign=campaign, auto_id="train_%s")
    if not form.is_valid():
        return _page(request, campaign, form=form, status=form.refusal_status)
    try:
        return redirect(training_request(request=form.training, user=staff_user(request)))
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _page(request, campaign, form=form, status=UNPROCESSABLE)


@campaign_staff
@require_POST
def run_request(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = RunForm(request.POST, campaign=campaign, auto_id="run_%s")
    if not form.is_valid():
        return _page(request, campaign, form=form, status=UNPROCESSABLE)
    try:
        return redirect(system_run_request(request=form.run, user=staff_user(request)))
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _page(request, campaign, form=form, status=UNPROCESSABLE)


@campaign_staff
@require_safe
def model(request: HttpRequest, campaign: Campaign, model_id: int) -> HttpResponse:
    """Show how a model was trained; while it is, htmx asks for this page again."""
    job = MODEL_JOBS.telling(model_id)  # before the model, which is finished before its job is
    found: TrainedSystem = _one_of(models_of(campaign), model_id)
    chosen = found.parameters.get(CHOSEN, {})
    context = {
        "campaign": campaign,
        "made": found,
        "model": found,
        "job": None if found.finished_at else job,
        "curves": curves_of(found.curve, chosen),
        **curve_table(found.curve),
        "made_from": [(name.replace("_", " "), value) for name, value in found.made_from.items() if value != ""],
        "runs": [(Made(run, None), is_marked(run)) for run in runs_of(campaign).filter(model=found)],
        "chosen": chosen.items(),
    }
    return render(request, "systems/model.html", context)


@campaign_staff
@require_safe
def run(request: HttpRequest, campaign: Campaign, run_id: int) -> HttpResponse:
    """Show what came of a run; while it is under way, htmx asks for this page again."""
    job = RUN_JOBS.telling(run_id)  # before the run, which is finished before its job is
    found: SystemRun = _one_of(runs_of(campaign), run_id)
    context = {
        "campaign": campaign,
        "made": found,
        "run": found,
        "job": None if found.finished_at else job,
        "statuses": status_counts(found),
        "is_marked": is_marked(found),
        "has_learnt_them": found.model is not None and found.split != TEST,
        "releases": ready_releases(campaign)[:1],
    }
    return render(request, "systems/run.html", context)


@campaign_staff
@require_safe
def run_outputs(_request: HttpRequest, campaign: Campaign, run_id: int) -> HttpResponseBase:
    """Serve the outputs of a finished run, each with its status."""
    found: SystemRun = _one_of(runs_of(campaign), run_id)
    try:
        with folder_of(found) as folder:
            content = (folder / OUTPUTS_FILE).read_bytes()
    except FileNotFoundError as error:
        raise Http404(_("This run has no outputs.")) from error
    response = HttpResponse(content, content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="run-{found.pk}-outputs.jsonl"'
    return response


def _one_of(rows: QuerySet[Any], number: int) -> Any:
    return get_object_or_404(rows, pk=number)
