"""Exclude and readmit people. Excluding an editor also closes the texts that only they wrote."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction

from compressions.services.targets import texts_close
from crowd.models import Round, Worker
from crowd.services.exclusions import worker_exclude, worker_readmit
from ratings.services.quality import inclusion_withdraw


@transaction.atomic
def person_exclude(*, worker: Worker, work_round: str, note: str, user: User | None) -> None:
    """Exclude a person from a round. Texts that only excluded editors wrote are given to no more raters."""
    worker_exclude(worker=worker, work_round=work_round, note=note, user=user)
    inclusion_withdraw(worker=worker, work_round=work_round, user=user)
    if work_round == Round.EDIT:
        texts_close(campaign=worker.campaign)


def people_exclude(*, workers: Iterable[Worker], work_round: str, note: str, user: User | None) -> int:
    """Exclude some people from a round, each in a transaction of their own; return how many."""
    people = list(workers)
    for worker in people:
        person_exclude(worker=worker, work_round=work_round, note=note, user=user)
    return len(people)


@transaction.atomic
def person_leave_to_rule(*, worker: Worker, work_round: str, user: User | None) -> None:
    """Take back what was decided by hand about a person: the worker filter decides about them again."""
    person_readmit(worker=worker, work_round=work_round, user=user)
    inclusion_withdraw(worker=worker, work_round=work_round, user=user)


@transaction.atomic
def person_readmit(*, worker: Worker, work_round: str, user: User | None) -> None:
    """Readmit a person to a round; their texts are given to raters again."""
    worker_readmit(worker=worker, work_round=work_round, user=user)
    if work_round == Round.EDIT:
        texts_close(campaign=worker.campaign)
