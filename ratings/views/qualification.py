"""Rater pages before the work: practice and the qualification test."""

import random
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from common.errors import Refused
from crowd.access import worker_only
from crowd.limits import Act, at_most
from crowd.models import Enrolment
from crowd.scales import Scale
from ratings.answers import posted_points
from ratings.models import QualificationAttempt, QualificationItem
from ratings.models.examples import Example
from ratings.selectors.qualification import (
    practice_items,
    qualification_entry_check,
    qualification_items,
    test_standing,
)
from ratings.services.qualification import qualification_submit


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
def practice(request: HttpRequest, enrolment: Enrolment, number: int) -> HttpResponse:
    """Show one practice example, with feedback after the answer. Nothing is stored."""
    items = list(practice_items(enrolment.campaign))
    if not 1 <= number <= len(items):
        return redirect("ratings:qualification")
    item, scales = items[number - 1], enrolment.campaign.shown_scales
    given = posted_points(request.POST, scales, item.pk) if request.method == "POST" else {}
    context = {
        "enrolment": enrolment,
        "item": item,
        "number": number,
        "count": len(items),
        "scales": [(scale, given.get(scale.key, 0)) for scale in scales],
        "missing": request.method == "POST" and len(given) < len(scales),
        "results": results_of(item, given, scales) if len(given) == len(scales) else [],
    }
    return render(request, "ratings/practice.html", context, status=422 if context["missing"] else 200)


def results_of(item: Example, given: Mapping[str, int], scales: tuple[Scale, ...]) -> list[dict[str, Any]]:
    """Return for each scale the given point, the accepted points, and whether they agree."""
    return [
        {
            "scale": scale,
            "given": given.get(scale.key),
            "accepted": item.answers.get(scale.key, []),
            "right": given.get(scale.key) in item.answers.get(scale.key, []),
        }
        for scale in scales
    ]


@worker_only
@never_cache
@require_http_methods(["GET", "POST"])
@at_most(Act.SUBMIT)
def qualification(request: HttpRequest, enrolment: Enrolment) -> HttpResponse:
    """Show the qualification test; score a submitted try and show its result."""
    is_new = enrolment.guidelines_are_new and request.method == "GET"  # answers that were sent are never lost
    if enrolment.guidelines_read_at is None or is_new:
        return redirect("crowd:guidelines")
    if qualification_entry_check(enrolment) != "ratings:qualification":
        return redirect("crowd:work")
    if request.method == "GET":
        return _test_page(request, enrolment)
    items = list(qualification_items(enrolment.campaign))
    number = request.POST.get("number", "")
    scales = enrolment.campaign.shown_scales
    try:
        attempt = qualification_submit(
            enrolment=enrolment,
            number=int(number) if number.isascii() and number.isdecimal() and len(number) < 4 else 0,
            answers={item.pk: posted_points(request.POST, scales, item.pk) for item in items},
        )
    except Refused as refusal:
        return _test_page(request, enrolment, refusal)
    return _result_page(request, enrolment, attempt)


def _test_page(request: HttpRequest, enrolment: Enrolment, refusal: Refused | None = None) -> HttpResponse:
    standing, scales = test_standing(enrolment), enrolment.campaign.shown_scales
    context = {
        "enrolment": enrolment,
        "test": standing,
        "tries": enrolment.campaign.qualification_tries,
        "pass_percent": enrolment.campaign.qualification_pass_percent,
        "practice": practice_items(enrolment.campaign).count() if not standing.tries_made else 0,
        "refusal": str(refusal) if refusal else "",
    }
    if standing.wait_minutes:
        return render(request, "ratings/qualification_wait.html", context, status=422 if refusal else 200)
    items = _shuffled_items(enrolment, standing.number)
    context["questions"] = [(item, _chosen_points(request, scales, item)) for item in items]
    return render(request, "ratings/qualification.html", context, status=422 if refusal else 200)


def _shuffled_items(enrolment: Enrolment, number: int) -> list[QualificationItem]:
    """Shuffle the items by person and try, so that the test and its result show the same order."""
    items = list(qualification_items(enrolment.campaign))
    random.Random(f"{enrolment.pk}:{number}").shuffle(items)
    return items


def _chosen_points(request: HttpRequest, scales: tuple[Scale, ...], item: QualificationItem) -> list[tuple[Scale, int]]:
    given = posted_points(request.POST, scales, item.pk)
    return [(scale, given.get(scale.key, 0)) for scale in scales]


def _result_page(request: HttpRequest, enrolment: Enrolment, attempt: QualificationAttempt) -> HttpResponse:
    """Show what was right and why. Accepted answers appear only once no further try could use them."""
    standing, scales = test_standing(enrolment), enrolment.campaign.shown_scales
    items = _shuffled_items(enrolment, attempt.number)
    context = {
        "enrolment": enrolment,
        "attempt": attempt,
        "test": standing,
        "tells_answers": attempt.passed or not standing.tries_left,
        "results": [(item, results_of(item, attempt.answers.get(str(item.pk), {}), scales)) for item in items],
    }
    return render(request, "ratings/qualification_result.html", context)
