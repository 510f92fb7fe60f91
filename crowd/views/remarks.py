"""How participants say why they skip a text, or what is wrong with it."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from common.errors import AlreadySubmitted
from common.typed_text import TypedTexts
from crowd.access import worker_only
from crowd.limits import Act, at_most
from crowd.models import Enrolment, Remark, Round
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.services.remarks import problem_report, task_skip
from crowd.sessions import redirect_or_json, wants_json
from crowd.views.worker import next_task


class RemarkForm(TypedTexts, forms.Form):
    """A reason for a remark and an optional explanation."""

    reason = forms.ChoiceField(error_messages={"required": gettext_lazy("Choose a reason.")})
    text = forms.CharField(required=False, max_length=MAX_REMARK_LENGTH)

    def __init__(self, *args: Any, reasons: Sequence[Remark.Reason], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["reason"]).choices = [(reason.value, reason.label) for reason in reasons]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("reason") == Remark.Reason.OTHER and cleaned.get("text") == "":
            raise forms.ValidationError(gettext_lazy("Say in a few words what it is."))
        return cleaned


@worker_only
@require_POST
@at_most(Act.SKIP)
def skip(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Skip a task with a reason and continue with the next one."""
    reasons = Remark.SKIP_REASONS if enrolment.round == Round.EDIT else Remark.CANNOT_RATE_REASONS
    form = RemarkForm(request.POST, reasons=reasons)
    if not form.is_valid():
        return _invalid(request, form)
    try:
        task_skip(enrolment=enrolment, assignment_id=assignment_id, **form.cleaned_data)
    except AlreadySubmitted as refusal:
        messages.info(request, str(refusal))
    return redirect_or_json(request, enrolment, next_task(enrolment))


@worker_only
@require_POST
@at_most(Act.REMARK)
def problem(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    """Report a problem with a text and stay on the task."""
    form = RemarkForm(request.POST, reasons=Remark.PROBLEM_REASONS)
    if not form.is_valid():
        return _invalid(request, form)
    problem_report(enrolment=enrolment, assignment_id=assignment_id, **form.cleaned_data)
    thanks = _("Thanks, we’ll look at it.")
    if wants_json(request):
        return JsonResponse({"message": thanks})
    messages.success(request, thanks)
    return redirect("crowd:work")


def _invalid(request: HttpRequest, form: RemarkForm) -> HttpResponse:
    error = " ".join(str(message) for errors in form.errors.values() for message in errors)
    if wants_json(request):
        return JsonResponse({"error": error}, status=422)
    return render(request, "crowd/refused.html", {"reason": error}, status=422)
