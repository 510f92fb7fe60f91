"""Quality control: applying a rule writes a run with a decision for each worker; nothing upstream changes."""

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from crowd.models import Campaign, Job, Round
from crowd.services.jobs import job_enqueue
from measures.arrays import IntArray
from measures.quality import RULE_VERSION, Outcome, RoleOutcome, RuleParameters, apply_rule
from ratings.models import QualityDecision, QualityRun
from ratings.selectors.judgements import Judgements, judgements_of_campaign

QUALITY_JOB = "apply_quality"


def quality_request(*, campaign: Campaign, user: User) -> Job:
    """Ask for the rule with its defaults to be applied."""
    return job_enqueue(campaign=campaign, kind=QUALITY_JOB, parameters=asdict(RuleParameters()), user=user)


def quality_apply(
    *, campaign: Campaign, parameters: RuleParameters, job: Job | None = None, user: User | None = None
) -> QualityRun:
    """Judge all workers of a campaign by the rule and write the decisions down."""
    judgements = judgements_of_campaign(campaign)
    outcome = apply_rule(
        judgements.ratings,
        judgements.authorship,
        rater_ids=judgements.rater_ids,
        editor_ids=judgements.editor_ids,
        n_texts=len(judgements.target_ids),
        parameters=parameters,
        unknown_raters=judgements.rater_ids < 0,
    )
    with transaction.atomic():
        run = QualityRun.objects.create(
            campaign=campaign,
            rule=RULE_VERSION,
            parameters=asdict(parameters),
            summary=_summary(judgements, outcome),
            job=job,
            requested_by=user,
        )
        QualityDecision.objects.bulk_create(
            [
                *_decisions(run, Round.RATE, judgements.rater_ids, outcome.raters),
                *_decisions(run, Round.EDIT, judgements.editor_ids, outcome.editors),
            ],
            batch_size=1000,
        )
    return run


def _decisions(run: QualityRun, work_round: str, worker_ids: IntArray, role: RoleOutcome) -> Iterator[QualityDecision]:
    for index, worker_id in enumerate(worker_ids):
        if worker_id < 0:  # somebody whom another release did not name
            continue
        quality = float(role.quality[index])
        yield QualityDecision(
            run=run,
            worker_id=int(worker_id),
            round=work_round,
            quality=None if math.isnan(quality) else quality,
            items=int(role.items[index]),
            removed=bool(role.removed[index]),
            reason=role.reasons[index],
        )


def _summary(judgements: Judgements, outcome: Outcome) -> dict[str, Any]:
    return {
        "raters": _role_summary(outcome.raters, int((judgements.rater_ids >= 0).sum())),
        "editors": _role_summary(outcome.editors, len(judgements.editor_ids)),
        "ratings": len(outcome.kept_rating),
        "ratings_kept": int(outcome.kept_rating.sum()),
        "texts": len(judgements.target_ids),
        "texts_kept": int(outcome.kept_text.sum()),
    }


def _role_summary(role: RoleOutcome, workers: int) -> dict[str, Any]:
    return {
        "workers": workers,
        "eligible": role.cut.eligible,
        "removed": int(role.removed.sum()),
        "threshold": role.cut.threshold,
        "tie": role.cut.tie,
    }
