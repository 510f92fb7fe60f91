"""Staff pages: questions from files, from gold questions, and the starter test."""

import json
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from common.errors import Refused
from crowd.access import accepts_upload, campaign_staff, staff_user
from crowd.models import Campaign
from crowd.services.account_bounds import upload_take
from ratings.example_check import MOST_QUESTIONS, ExampleText
from ratings.example_files import MAX_FILE_BYTES, FileRefused, Kind, examples_read
from ratings.forms import ExampleFileForm
from ratings.services.gold import gold_add, gold_to_test
from ratings.services.qualification import qualification_items_add, qualification_items_replace
from ratings.services.starter_test import starter_test_add

SOURCE = "The old mill, which nobody had used for years, burnt down last night."
COMPRESSION, OTHER = "The old mill burnt down last night.", "The mill burnt down."
WHY = "Only the aside is gone."


@dataclass(frozen=True)
class Samples:
    """The same question in each format, and the column of each scale with its points."""

    jsonl: str
    table: str
    columns: list[tuple[str, str, str]]


def samples(campaign: Campaign, kind: Kind) -> Samples:
    scales = campaign.rating_scales
    texts = {"source": SOURCE, "compression": COMPRESSION}
    if campaign.task.texts == 2:
        texts["other"] = OTHER
    why = {"why": WHY} if kind == Kind.TEST else {}
    points = {scale.key: [scale.values[-1]] for scale in scales}
    jsonl = json.dumps({**texts, "answers": points, **why}, ensure_ascii=False)
    row = {**texts, **{key: str(each[0]) for key, each in points.items()}, **why}
    table = "\n".join([",".join(row), ",".join(f'"{cell}"' if "," in cell else cell for cell in row.values())])
    columns = [(scale.key, str(scale.values[0]), str(scale.values[-1])) for scale in scales]
    return Samples(jsonl, table, columns)


TITLES = {Kind.TEST: gettext_lazy("Test questions from a file"), Kind.GOLD: gettext_lazy("Gold questions from a file")}


@accepts_upload
@campaign_staff
@require_http_methods(["GET", "POST"])
def import_test(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _import(request, campaign, Kind.TEST)


@accepts_upload
@campaign_staff
@require_http_methods(["GET", "POST"])
def import_gold(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _import(request, campaign, Kind.GOLD)


def _import(request: HttpRequest, campaign: Campaign, kind: Kind) -> HttpResponse:
    """Store the questions of a file; if any line is wrong, store nothing and show what is wrong with each."""
    form = ExampleFileForm(request.POST or None, request.FILES or None, kind=kind)
    refusal: FileRefused | None = None
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data["file"]
        upload_take(staff_user(request), upload.size)
        try:
            found = examples_read(upload.name or "upload", upload.read(), campaign, kind)
            replaces = form.cleaned_data.get("replace", False)
            said = _store(campaign, kind, found, staff_user(request), replace=replaces)
        except FileRefused as error:
            refusal = error
        except Refused as error:
            form.add_error("file", str(error))
        else:
            messages.success(request, said)
            return redirect("ratings:examples", campaign.slug)
    context = {
        "campaign": campaign,
        "form": form,
        "title": TITLES[kind],
        "kind": kind.value,
        "refusal": refusal,
        "samples": samples(campaign, kind),
        "max_questions": MOST_QUESTIONS,
        "max_mib": MAX_FILE_BYTES // 2**20,
    }
    status = 200 if request.method != "POST" else 422 if refusal else form.refusal_status
    return render(request, "ratings/example_import.html", context, status=status)


def _store(campaign: Campaign, kind: Kind, found: list[ExampleText], user: User, *, replace: bool) -> str:
    """Store questions and return what is to be said of it."""
    if kind == Kind.GOLD:
        added = gold_add(campaign=campaign, examples=found, user=user)
        return _gold_words(added, known=len(found) - added)
    if replace:
        qualification_items_replace(campaign=campaign, examples=found, user=user)
        words = ngettext(
            "The test now has the %(n)s question of the file.",
            "The test now has the %(n)s questions of the file.",
            len(found),
        )
    else:
        qualification_items_add(campaign=campaign, examples=found, user=user)
        words = ngettext("%(n)s question added.", "%(n)s questions added.", len(found))
    return words % {"n": len(found)}


def _gold_words(added: int, *, known: int) -> str:
    words = ngettext("%(n)s gold question added.", "%(n)s gold questions added.", added) % {"n": added}
    if not known:
        return words
    before = ngettext("%(n)s was already there.", "%(n)s were already there.", known) % {"n": known}
    return f"{words} {before}"


@campaign_staff
@require_POST
def starter(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    try:
        added = starter_test_add(campaign=campaign, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        words = ngettext(
            "%(n)s question added. Read it, and edit what does not fit.",
            "%(n)s questions added. Read them, and edit what does not fit.",
            added,
        )
        messages.success(request, words % {"n": added})
    return redirect("ratings:examples", campaign.slug)


@campaign_staff
@require_POST
def from_gold(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    try:
        drawn = gold_to_test(campaign=campaign, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        words = ngettext(
            "%(n)s gold question is now a test question. Raters are not given it among the work any more.",
            "%(n)s gold questions are now test questions. Raters are not given them among the work any more.",
            drawn,
        )
        messages.success(request, words % {"n": drawn})
    return redirect("ratings:examples", campaign.slug)
