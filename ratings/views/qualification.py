"""Rater pages before the work: practice and the qualification test."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from common.errors import Refused
from common.sql import is_possible_id
from crowd.access import worker_only
from crowd.limits import Act, at_most
from crowd.models import Enrolment
from crowd.scales import Scale
from ratings.answers import posted_points
from ratings.models.examples import Example
from ratings.selectors.qualification import (
    TestStanding,
    all_attempts,
    practice_items,
    qualification_entry_check,
    test_standing,
)
from ratings.selectors.rating_tasks import nuggets_shown
from ratings.selectors.sittings import Sitting, next_asks_others, questions_of_attempt, sitting_of
from ratings.services.sittings import NoTriesLeft, attempt_known, qualification_give_up, qualification_submit

PRACTISED = "practised"
QUESTION = "question"


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
def practice(request: HttpRequest, enrolment: Enrolment, number: int) -> HttpResponse:
    """Show one practice example, with feedback after the answer. Nothing is stored: the address has the answer."""
    items = list(practice_items(enrolment.campaign))
    if not 1 <= number <= len(items):
        return redirect(f"{reverse('ratings:qualification')}?{PRACTISED}=1")
    item, scales = items[number - 1], enrolment.shown_scales
    given = posted_points(request.POST if request.method == "POST" else request.GET, scales, item.pk)
    if request.method == "POST" and len(given) == len(scales):
        points = urlencode({f"{key}-{item.pk}": point for key, point in given.items()})
        return redirect(f"{request.path}?{points}#our-ratings")
    context = {
        "enrolment": enrolment,
        "campaign": enrolment.campaign,
        "item": item,
        "number": number,
        "count": len(items),
        "scales": [(scale, given.get(scale.key, 0)) for scale in scales],
        "missing": len(scales) - len(given) if request.method == "POST" else 0,
        "results": results_of(item, given, scales) if len(given) == len(scales) else [],
        "nuggets": nuggets_shown(enrolment, item.source_text),
    }
    return render(request, "ratings/practice.html", context, status=422 if context["missing"] else 200)


def results_of(item: Example, given: Mapping[str, int], scales: tuple[Scale, ...]) -> list[dict[str, Any]]:
    """Return for each scale the given point, the accepted points, and whether they agree."""
    return [
        {
            "scale": scale,
            "given": given.get(scale.key),
            "accepted": _either(item.answers.get(scale.key, [])),
            "right": given.get(scale.key) in item.answers.get(scale.key, []),
        }
        for scale in scales
    ]


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
@at_most(Act.SUBMIT)
def qualification(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Show the qualification test question by question, and store each answer; after the last one comes the result."""
    is_new = enrolment.guidelines_are_new and request.method == "GET"  # answers that were sent are never lost
    if enrolment.guidelines_read_at is None or is_new:
        return redirect("crowd:guidelines")
    number = _number(request.POST.get("number", ""))
    if request.method == "POST" and (scored := attempt_known(enrolment, number)) is not None:
        return redirect("ratings:qualification-result", scored.number)
    if qualification_entry_check(enrolment) != "ratings:qualification":
        return redirect("crowd:work")
    return _answer(request, enrolment, number) if request.method == "POST" else _test(request, enrolment)


def _test(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Show where a rater is: at a question, at practice before the first try, or waiting for the next one."""
    standing, sitting = test_standing(enrolment), sitting_of(enrolment)
    if not sitting.has_begun:
        if standing.wait_minutes or not standing.tries_left:
            return _wait_page(request, enrolment, standing)
        if not standing.tries_made and PRACTISED not in request.GET and practice_items(enrolment.campaign).exists():
            return redirect("ratings:practice", 1)
    place = _place(request, sitting)
    chosen = sitting.answers.get(sitting.questions[place - 1].pk, {})
    return _question_page(request, enrolment, standing, sitting, place, chosen)


def _place(request: HttpRequest, sitting: Sitting) -> int:
    """Return the place that the address asks for, if it has an answer; or the first that has none."""
    place, first_open = _number(request.GET.get(QUESTION, "")), next(iter(sitting.open_places), 1)
    is_answered = 1 <= place <= len(sitting.questions) and place not in sitting.open_places
    return place if is_answered else first_open


def _answer(request: HttpRequest, enrolment: Enrolment, number: int) -> HttpResponse:
    """Store the answers of a page and go on to the next question; show the page again if one is missing."""
    sitting, scales = sitting_of(enrolment), enrolment.shown_scales
    given = {item.pk: posted_points(request.POST, scales, item.pk) for item in sitting.questions}
    marks = {item.pk: request.POST.get(f"mark-{item.pk}", item.mark) for item in sitting.questions}
    try:
        attempt = qualification_submit(enrolment=enrolment, number=number, answers=given, marks=marks)
    except NoTriesLeft:
        qualification_give_up(enrolment=enrolment)
        return redirect("crowd:done")
    except Refused as refusal:
        return _wait_page(request, enrolment, test_standing(enrolment), refusal)
    if attempt is not None:
        return redirect("ratings:qualification-result", attempt.number)
    stored = sitting_of(enrolment)
    shown = (place for place, item in enumerate(stored.questions, start=1) if f"mark-{item.pk}" in request.POST)
    place = next(shown, 0)
    chosen = given.get(stored.questions[place - 1].pk, {}) if place else {}
    if place and len(chosen) < len(scales):
        return _question_page(
            request, enrolment, test_standing(enrolment), stored, place, chosen, missing=len(scales) - len(chosen)
        )
    if not place or place in stored.open_places:
        messages.info(request, _("This question has changed. Answer it as it is now."))
    return redirect(f"{reverse('ratings:qualification')}?{PRACTISED}=1&{QUESTION}={stored.place_after(place)}")


def _question_page(
    request: HttpRequest,
    enrolment: Enrolment,
    standing: TestStanding,
    sitting: Sitting,
    place: int,
    chosen: Mapping[str, int],
    *,
    missing: int = 0,
) -> HttpResponse:
    campaign, scales = enrolment.campaign, enrolment.shown_scales
    total = len(scales) * len(sitting.questions)
    context = {
        "enrolment": enrolment,
        "campaign": campaign,
        "test": standing,
        "sitting": sitting,
        "item": sitting.questions[place - 1],
        "place": place,
        "count": len(sitting.questions),
        "is_last": sitting.open_places in ([], [place]),
        "total": total,
        "needed": -(-campaign.qualification_pass_percent * total // 100),
        "tries": standing.tries_made + max(standing.tries_left, 1),
        "scales": [(scale, chosen.get(scale.key, 0)) for scale in scales],
        "missing": missing,
        "nuggets": nuggets_shown(enrolment, sitting.questions[place - 1].source_text),
    }
    return render(request, "ratings/qualification.html", context, status=422 if missing else 200)


def _wait_page(
    request: HttpRequest, enrolment: Enrolment, standing: TestStanding, refusal: Refused | None = None
) -> HttpResponse:
    context = {"enrolment": enrolment, "campaign": enrolment.campaign, "test": standing}
    return render(request, "ratings/qualification_wait.html", context, status=422 if refusal else 200)


@worker_only
@never_cache
@require_safe
def result(request: HttpRequest, enrolment: Enrolment, number: int) -> HttpResponse:
    """Show what was right in a try and why. Accepted answers appear only once no further try could use them."""
    attempt = all_attempts(enrolment).filter(number=number).first() if is_possible_id(number) else None
    if attempt is None:
        return redirect("ratings:qualification")
    standing, scales = test_standing(enrolment), enrolment.shown_scales
    is_over = enrolment.qualified_at is not None or standing.has_passed
    may_retry = not is_over and (standing.tries_left > 0 or sitting_of(enrolment).has_begun)
    context = {
        "enrolment": enrolment,
        "campaign": enrolment.campaign,
        "attempt": attempt,
        "test": standing,
        "may_retry": may_retry,
        "other_questions": may_retry and next_asks_others(enrolment, attempt),
        "tells_answers": not may_retry,
        "results": [
            (item, results_of(item, attempt.answers.get(str(item.pk), {}), scales))
            for item in questions_of_attempt(attempt)
        ],
    }
    return render(request, "ratings/qualification_result.html", context)


def _either(points: Sequence[int]) -> str:
    """Return the accepted points in words, such as “2 or 3”."""
    words = [str(point) for point in points]
    return reduce(lambda one, other: _("%(one)s or %(other)s") % {"one": one, "other": other}, words) if words else ""


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
