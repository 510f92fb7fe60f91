"""Editor views: the editing page, its drafts and its submission."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from common.errors import AskedOnce, Refused, SlotTaken, TooManyRequests
from common.prepared_pages import Holes, render_filled
from common.telemetry import refusal_counted, submission_counted
from common.typed_text import TextRefused
from compressions.fusions import fusion_rule_words, fusion_verdict, pair_of, percent_allowed
from compressions.labelled import labelled_task
from compressions.models import MAX_PAGE_NAME_LENGTH, Start
from compressions.selectors.sources import EditorTask, editor_task
from compressions.selectors.writing import compression_of_assignment, draft_of_page, drafts_for_page
from compressions.services.drafts import DraftSave, draft_save
from compressions.services.submission import (
    LOG_WORDS,
    MAX_LOG_BYTES,
    LogRefused,
    RuleBroken,
    Submission,
    compression_submit,
    decode_json,
)
from crowd.access import worker_only
from crowd.limits import Act, at_most
from crowd.models import Assignment, EditorStart, Enrolment, Remark
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.page_records import page_record_read
from crowd.selectors.work import WITHDRAWN, is_withdrawn, standing
from crowd.services.claims import TaskAhead
from crowd.sessions import redirect_or_json, refused_json, resume_token, wants_json
from crowd.views.worker import next_task
from measures.text.length_rule import Verdict, check_compression

WHOLE = 100


@dataclass(frozen=True)
class LengthBar:
    """The length of a text as percentages of the original's: within the limit, beyond it, and the limit itself."""

    fill: str
    over: str
    limit: str


def rule_words(verdict: Verdict, keep_percent: int) -> str:
    """Say the length rule of a text in its own numbers."""
    words = ngettext(
        "Make it at least %(percent)s%% shorter: %(n)s character or fewer. The original has %(original)s.",
        "Make it at least %(percent)s%% shorter: %(n)s characters or fewer. The original has %(original)s.",
        verdict.allowed,
    )
    return words % {"percent": WHOLE - keep_percent, "n": verdict.allowed, "original": verdict.source_length}


def counter_words(verdict: Verdict) -> str:
    if not verdict.length:
        return _("Write some text.")
    if verdict.excess:
        words = ngettext("%(n)s character too long", "%(n)s characters too long", verdict.excess)
        return words % {"n": verdict.excess}
    if not verdict.spare:
        return _("Short enough: right at the limit")
    words = ngettext("Short enough: %(n)s character to spare", "Short enough: %(n)s characters to spare", verdict.spare)
    return words % {"n": verdict.spare}


def length_bar(verdict: Verdict) -> LengthBar:
    whole = max(1, verdict.source_length)
    limit = WHOLE * verdict.allowed / whole
    length = min(WHOLE, WHOLE * verdict.length / whole)
    return LengthBar(fill=f"{min(limit, length):.1f}", over=f"{max(0, length - limit):.1f}", limit=f"{limit:.1f}")


State = Assignment.State
# What differs from text to text while nothing is out of the ordinary.
HOLES: Holes = {
    "assignment.pk": int,
    "kept_under": str,
    "resume_token": str,
    "standing.number": str,
    "standing.total": str,
    "standing.latest": str,
    "standing.steps_done": str,
    "standing.steps_left": str,
    "standing.lease_seconds": str,
    "source.text": str,
    "draft.text": str,
    "rule_words": str,
    "counter_words": str,
    "bar.fill": str,
    "bar.over": str,
    "bar.limit": str,
}


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
@at_most(Act.SUBMIT)
def task(request: HttpRequest, enrolment: Enrolment, assignment_id: int) -> HttpResponse:
    task = editor_task(enrolment, assignment_id)
    assignment, source = task.assignment, task.source
    if request.method == "POST":
        return _submit(request, enrolment, task)
    if assignment.state == State.SUBMITTED:
        context = {"enrolment": enrolment, "source": source, "compression": compression_of_assignment(assignment)}
        return render(request, "compressions/submitted.html", context)
    if assignment.state == State.SKIPPED:
        messages.info(request, _("You skipped this text."))
        return redirect("crowd:work")
    if is_withdrawn(assignment):
        messages.info(request, WITHDRAWN)
        return redirect("crowd:work")
    empty = enrolment.campaign.editor_start == EditorStart.EMPTY
    draft = Submission("", [], Start.EMPTY) if empty else Submission(source.text, [], Start.SOURCE)
    return _page(request, enrolment, task, draft)


def _submit(request: HttpRequest, enrolment: Enrolment, task: EditorTask) -> HttpResponse:
    submission, assignment = _submission(request, enrolment), task.assignment
    ahead = TaskAhead(enrolment, assignment)
    try:
        if assignment.state == State.SUBMITTED:  # a repeated request: answer it without repeating the work
            stored = compression_of_assignment(assignment)
        else:
            stored = compression_submit(
                enrolment=enrolment,
                assignment_id=assignment.pk,
                source=task.source,
                submission=submission,
                leased_at=assignment.leased_at,
                ahead=ahead,
            )
            submission_counted(enrolment.round)
    except (AskedOnce, SlotTaken, RuleBroken, LogRefused, TextRefused) as refusal:
        status = 409 if isinstance(refusal, SlotTaken) else 422
        if wants_json(request):
            return refused_json(refusal, status)
        refusal_counted(refusal)
        return _page(request, enrolment, task, submission, refusal, status)
    if stored.text != submission.text:
        messages.warning(request, _("You had already submitted this text. Your first version counts."))
    return redirect_or_json(request, enrolment, next_task(enrolment, ahead=ahead))


@worker_only
@never_cache
@require_http_methods(["GET", "PUT"])
@at_most(Act.DRAFT)
def draft(request: HttpRequest, enrolment: Enrolment, assignment_id: int, page: str) -> HttpResponse:
    """Save the draft of an open page, or read one that the editing page has left out. Idempotent."""
    task = editor_task(enrolment, assignment_id)
    assignment = task.assignment
    if request.method == "GET":
        return JsonResponse(_draft_for_page(draft_of_page(assignment, page)))
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_LOG_BYTES:
        return JsonResponse({"error": _("The record of your edits is too large for us to save.")}, status=413)
    try:
        save = _draft_save(page, decode_json(request.body))
        with_leaving = enrolment.campaign.record_leaving
        draft_save(assignment=assignment, source=task.source, save=save, with_leaving=with_leaving)
    except LogRefused as refusal:
        return refused_json(refusal, 422)
    except TooManyRequests:
        raise  # answered as everywhere, with when to try again
    except Refused as refusal:
        return refused_json(refusal, 409, state=assignment.state)
    return JsonResponse({"sequence": save.sequence})


def _draft_save(page: str, sent: object) -> DraftSave:
    match sent:
        case {"sequence": number, "started_from": str(start), "log": log, "comment": str(comment), **more}:
            # Not isinstance, which accepts booleans as int.
            if type(number) is int and 0 <= number < 2**31 and len(page) <= MAX_PAGE_NAME_LENGTH:
                after, leaving = str(more.get("after", "")), more.get("leaving") is True
                return DraftSave(page, number, start, log, _storable(comment), after, leaving)
    raise LogRefused(LOG_WORDS)


def _submission(request: HttpRequest, enrolment: Enrolment) -> Submission:
    # Browsers submit line breaks in forms as CR LF.
    text = request.POST.get("text", "").replace("\r\n", "\n")
    log = decode_json(request.POST.get("log", ""))
    start, comment = request.POST.get("started_from", ""), _storable(request.POST.get("comment", ""))
    record = page_record_read(request.POST.get("page_record", ""), with_leaving=enrolment.campaign.record_leaving)
    return Submission(text, log, start, comment, record, confirmed=request.POST.get("confirmed") == "1")


def _storable(comment: str) -> str:
    """Return a comment, cut to the length and characters that the database can store."""
    return comment.encode(errors="ignore").decode().replace("\x00", "")[:MAX_REMARK_LENGTH]


def _page(
    request: HttpRequest,
    enrolment: Enrolment,
    task: EditorTask,
    draft: Submission,
    refusal: Exception | None = None,
    status: int = 200,
) -> HttpResponse:
    campaign, assignment, source = enrolment.campaign, task.assignment, task.source
    drafts = list(drafts_for_page(assignment)) if task.has_drafts else []
    verdict = check_compression(source.text, draft.text, keep_percent=campaign.keep_percent)
    if campaign.fuses:
        verdict = fusion_verdict(campaign, source.text, draft.text).rule
    progress = standing(enrolment, assignment, task.submitted)
    labelled = labelled_task(enrolment, source)
    context = {
        "enrolment": enrolment,
        "campaign": campaign,
        "assignment": assignment,
        "source": source,
        "labelled": labelled,
        "draft": draft,
        "log": json.dumps(draft.raw_log if isinstance(draft.raw_log, list) else []),
        "drafts": json.dumps([_draft_for_page(stored) for stored in drafts if stored.log is not None]),
        "older_drafts": json.dumps([stored.page for stored in drafts if stored.log is None]),
        "may_choose_start": campaign.editor_start == EditorStart.CHOICE,
        "kept_under": f"{assignment.pk}-{int(assignment.leased_at.timestamp())}" if assignment.leased_at else "",
        "verdict": verdict,
        "counter_words": counter_words(verdict),
        "rule_words": fusion_rule_words(verdict) if campaign.fuses else rule_words(verdict, campaign.keep_percent),
        "keep_percent": percent_allowed(verdict) if campaign.fuses else campaign.keep_percent,
        "fused": "\n".join(pair_of(source.text)) if campaign.fuses else "",
        "bar": length_bar(verdict),
        "standing": progress,
        "resume_token": resume_token(enrolment),
        "skip_reasons": Remark.SKIP_REASONS,
        "problem_reasons": Remark.PROBLEM_REASONS,
        "longest_remark": MAX_REMARK_LENGTH,
        "refusal": str(refusal) if refusal else "",
        "lost": isinstance(refusal, SlotTaken),
    }
    if refusal or drafts or labelled or campaign.fuses or campaign.settings_version_id is None:
        return render(request, "compressions/task.html", context, status=status)
    of_campaign = (campaign.settings_version_id, campaign.language)
    of_progress = (progress.has_steps, progress.submitted > 0)
    of_text = (source.sentences > 1, draft.started_from, verdict.accepted)
    same = (*of_campaign, enrolment.outcome, *of_progress, *of_text)
    return render_filled(request, "compressions/task.html", context, same=same, holes=HOLES)


def _draft_for_page(stored: Any) -> dict[str, Any]:
    return {
        "page": stored.page,
        "startedFrom": stored.started_from,
        "log": stored.log,
        "comment": stored.comment,
        "savedAt": round(stored.saved_at.timestamp() * 1000),
    }
