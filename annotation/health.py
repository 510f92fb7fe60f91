"""Health checks: whether this process answers, and whether it can do its work."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.readiness import readiness
from crowd.access import public


@public
@never_cache
@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    """Answer without touching anything: a process that cannot do even this must be started again."""
    return JsonResponse({"status": "ok"})


@public
@never_cache
@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Say what works; 503 if this process should get no requests."""
    found = readiness()
    answer = {"status": found.status, "checks": found.checks, "messages": found.sentences}
    return JsonResponse(answer, status=200 if found.is_ready else 503)
