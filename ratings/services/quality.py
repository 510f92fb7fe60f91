"""Quality control: preview the worker filter by a job; applying it stores a run with one decision per worker.

No other data change.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from common.job_attempts import Attempt
from common.jobs import Progress, job_enqueue
from common.models import Job
from crowd.models import Campaign, Round, Worker
from crowd.services.audit import audit_record
from crowd.services.exclusions import person_record
from crowd.services.write_locks import writer_stop
from measures.core.arrays import BoolArray, IntArray
from measures.quality_control.worker_filter import FILTER_VERSION, FilterParameters, Outcome, RoleOutcome, decide
from ratings.models import Inclusion, KeptResult, QualityDecision, QualityRule, QualityRun
from ratings.quality_notes import Unassessed
from ratings.selectors.judgements import Judgements, judgements_of_campaign, refusing_missing_inputs
from ratings.selectors.kept import Basis
from ratings.selectors.preview import filter_preview, number_or_none
from ratings.selectors.quality import parameters_of
from ratings.selectors.shown_preview import preview_dump, preview_question
from ratings.services.kept import result_keep, result_request

QUALITY_JOB = "apply_quality"


def quality_request(*, campaign: Campaign, parameters: FilterParameters, user: User) -> Job:
    """Enqueue a job that applies the worker filter."""
    return job_enqueue(campaign_id=campaign.pk, kind=QUALITY_JOB, parameters=asdict(parameters), user=user)


@transaction.atomic
def quality_rule_set(*, campaign: Campaign, parameters: FilterParameters, user: User | None) -> QualityRule:
    """Keep parameters of the worker filter as the campaign's rule. It decides nothing until it is applied."""
    kept = {name: getattr(value, "value", value) for name, value in asdict(parameters).items()}
    rule, _is_new = QualityRule.objects.update_or_create(
        campaign=campaign, defaults={**kept, "kept_at": database_now(), "kept_by": user}
    )
    detail = ", ".join(f"{name}: {value}" for name, value in kept.items())
    audit_record(campaign=campaign, user=user, action="quality rule kept", detail=detail)
    return rule


def quality_apply(
    *, campaign: Campaign, parameters: FilterParameters, job: Job | None = None, user: User | None = None
) -> QualityRun:
    """Apply the worker filter to a campaign and store its decisions; a job that was overtaken stores none."""
    judgements = judgements_of_campaign(campaign)
    with refusing_missing_inputs():
        outcome = decide(judgements.measurements(parameters.rater_quality), parameters)
    manual = judgements.manual
    with transaction.atomic():
        Attempt.of(job).fence()
        run = QualityRun.objects.create(
            campaign=campaign,
            rule=FILTER_VERSION,
            parameters=asdict(parameters),
            summary=_summary(judgements, outcome),
            job=job,
            requested_by=user,
        )
        QualityDecision.objects.bulk_create(
            [
                *_decisions(run, Round.RATE, judgements.rater_ids, outcome.raters, manual.raters),
                *_decisions(run, Round.EDIT, judgements.editor_ids, outcome.editors, manual.editors),
            ],
            batch_size=1000,
        )
        _record_run(run, user, "quality rule applied")
    return run


@transaction.atomic
def quality_withdraw(*, run: QualityRun, user: User | None) -> None:
    """Withdraw a run; the one before it is in force again. Its decisions stay as rows."""
    in_force = QualityRun.objects.filter(pk=run.pk, withdrawn_at=None)
    if in_force.update(withdrawn_at=database_now(), withdrawn_by=user):
        _record_run(run, user, "quality rule withdrawn")


def _record_run(run: QualityRun, user: User | None, action: str) -> None:
    removed = [run.summary[role]["removed"] for role in ("raters", "editors")]
    detail = "raters excluded: {}; editors excluded: {}".format(*removed)
    audit_record(campaign=run.campaign, user=user, action=action, subject=f"run {run.pk}", detail=detail)


@transaction.atomic
def person_include(*, worker: Worker, work_round: str, note: str, user: User | None) -> Inclusion:
    """Keep a person, whatever the worker filter decides."""
    if not note.strip():
        raise Refused(_("Say why this participant is always kept."))
    writer_stop(worker.pk)
    if worker.exclusions.filter(round=work_round, withdrawn_at=None).exists():
        raise Refused(_("This participant is excluded. Let them work again first."))
    known = Inclusion.objects.filter(worker=worker, round=work_round, withdrawn_at=None).first()
    if known is not None:
        return known
    person_record(worker=worker, work_round=work_round, user=user, action="participant kept")
    return Inclusion.objects.create(
        worker=worker, round=work_round, note=note.strip(), created_at=database_now(), created_by=user
    )


@transaction.atomic
def inclusion_withdraw(*, worker: Worker, work_round: str, user: User | None) -> None:
    in_force = Inclusion.objects.filter(worker=worker, round=work_round, withdrawn_at=None)
    if in_force.update(withdrawn_at=database_now(), withdrawn_by=user):
        person_record(worker=worker, work_round=work_round, user=user, action="participant no longer kept")


def _decisions(
    run: QualityRun, work_round: str, worker_ids: IntArray, role: RoleOutcome, manual: BoolArray
) -> Iterator[QualityDecision]:
    for index, worker_id in enumerate(worker_ids):
        if worker_id < 0:  # unknown rater of an imported release
            continue
        yield QualityDecision(
            run=run,
            worker_id=int(worker_id),
            round=work_round,
            quality=number_or_none(role.quality[index]),
            standard_error=number_or_none(role.standard_error[index]),
            gap=number_or_none(role.gap[index]),
            items=int(role.items[index]),
            removed=bool(role.removed[index]),
            is_by_hand=bool(manual[index]),
            reason=role.reasons[index],
        )


def _summary(judgements: Judgements, outcome: Outcome) -> dict[str, Any]:
    unassessed = judgements.unassessed(outcome)
    return {
        "raters": _role_summary(outcome.raters, unassessed[Round.RATE]),
        "editors": _role_summary(outcome.editors, unassessed[Round.EDIT]),
        **judgements.counts(outcome),
    }


def _role_summary(role: RoleOutcome, unassessed: Unassessed) -> dict[str, Any]:
    return {
        "workers": unassessed.all_people,
        "eligible": role.cut.eligible,
        "removed": int(role.removed.sum()),
        "unassessed": unassessed.people,
        "unassessed_work": unassessed.work,
        "threshold": role.cut.threshold,
        "cut": role.cut.cut,
        "tie": role.cut.tie,
        "convergence": [asdict(each) for each in role.convergence],
    }


def preview_request(*, campaign: Campaign, parameters: FilterParameters, user: User | None) -> KeptResult:
    """Ask for a preview; the same request again gets the same job while it runs."""
    question = preview_question(parameters)
    return result_request(campaign=campaign, kind=KeptResult.Kind.PREVIEW, parameters=question, user=user)


def preview_compute(*, kept: KeptResult, progress: Progress, attempt: Attempt) -> None:
    basis = Basis.now()
    preview = filter_preview(kept.campaign, parameters_of(kept.parameters), progress)
    result_keep(kept=kept, result=preview_dump(preview), basis=basis, attempt=attempt)
