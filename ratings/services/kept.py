"""Ask for a result that takes long, and keep it once a job has found it."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from common.clock import database_now
from common.computed_results import get_or_request
from common.job_attempts import Attempt
from common.jobs import job_enqueue
from common.json_values import json_digest
from crowd.models import Campaign
from ratings.models import KeptResult
from ratings.selectors.kept import Basis, changes_since

MAX_KEPT = 30
"""Questions of one kind about one campaign that are kept, those asked last; more than jobs can wait for."""


@transaction.atomic
def result_request(*, campaign: Campaign, kind: str, parameters: dict[str, Any], user: User | None) -> KeptResult:
    """Ask for a result by a job, unless one is under way or the result at hand is up to date."""
    digest = json_digest(parameters)
    kept, _ = get_or_request(campaign.kept_results, {"parameters": parameters}, kind=kind, digest=digest)
    is_current = kept.basis is not None and not changes_since(campaign, Basis(**kept.basis))
    if kept.is_under_way or is_current:
        return kept
    question = {"kept": kept.pk, "parameters": parameters}
    kept.job = job_enqueue(campaign_id=campaign.pk, kind=kind, parameters=question, user=user)
    kept.save(update_fields=["job"])
    _forget_surplus(campaign, kind)
    return kept


@transaction.atomic
def result_keep(*, kept: KeptResult, result: Any, basis: Basis, attempt: Attempt) -> None:
    """Store what a job has found; nothing if the question was forgotten meanwhile."""
    attempt.fence()
    found = {"result": result, "basis": vars(basis), "computed_at": database_now()}
    KeptResult.objects.filter(pk=kept.pk).update(**found)


def results_forget(*, campaign: Campaign) -> None:
    """Forget all results because ratings that they were computed from are deleted."""
    KeptResult.objects.filter(campaign=campaign).delete()


def _forget_surplus(campaign: Campaign, kind: str) -> None:
    latest_first = KeptResult.objects.filter(campaign=campaign, kind=kind).order_by(F("job").desc(nulls_last=True))
    surplus = list(latest_first.values_list("pk", flat=True)[MAX_KEPT:])
    KeptResult.objects.filter(pk__in=surplus).delete()
