"""How the work behind a release went: who came, tests, gold questions, unfinished work, times.

Counts are those of the freeze. None of it is data of the release. Test participants and imported people are in no
count.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from django.db.models import Count, Max, Min, Q, QuerySet

from compressions.models import Compression
from corpus.models import Release
from corpus.release.provenance import Origin, Provenance, origin_of
from crowd.models import Assignment, Campaign, Enrolment, Round, Stream
from ratings.models import QualificationAttempt, RaterPool, Rating

Conduct = dict[str, Any]


def work_counts(campaign: Campaign) -> Conduct:
    """Count what has happened in a campaign until now: later it cannot be told what had been skipped or handed out."""
    return {
        "task": campaign.rating_task,
        "sources": campaign.sources.count(),
        "rounds": {work_round.value: _round(campaign, work_round) for work_round in Round},
        "test": _test(campaign),
        "gold": _gold(campaign),
    }


def conduct_of(release: Release, found: Provenance) -> Conduct:
    """Return what was counted when a release was frozen, and the times of those whose work is in it."""
    last, of_campaign = release.last_rows, {"worker__campaign": release.campaign}
    compressions = Compression.objects.filter(source__campaign=release.campaign, pk__lte=last["compressions"])
    ratings = Rating.objects.filter(gold=None, rater_pool=RaterPool.CROWD, pk__lte=last["ratings"], **of_campaign)
    return {
        **release.conduct,
        "judges": len({worker for worker, _ in (*found.raters, *found.experts)}),
        "times": {
            "compressions": _times(compressions.values_list("worker", "active_ms"), found, found.editors),
            "ratings": _times(ratings.values_list("worker", "milliseconds"), found, found.raters),
        },
    }


def _round(campaign: Campaign, work_round: Round) -> dict[str, int]:
    """Count people who consented, and pieces of work handed out, gold questions aside."""
    real = {"worker__campaign": campaign, "worker__is_test": False}
    joined = Enrolment.objects.filter(round=work_round, consented_at__isnull=False, **real).count()
    given = Assignment.objects.filter(round=work_round, link__isnull=False, leased_at__isnull=False, **real).exclude(
        item__stream__in=[Stream.GOLD, Stream.TEST]
    )
    counts = given.aggregate(
        given=Count("pk"),
        submitted=Count("pk", filter=Q(submitted_at__isnull=False)),
        skipped=Count("pk", filter=Q(state=Assignment.State.SKIPPED)),
    )
    unfinished = counts["given"] - counts["submitted"] - counts["skipped"]
    return {"joined": joined, **counts, "unfinished": unfinished}


def _test(campaign: Campaign) -> dict[str, Any]:
    """Count the tries at the qualification test, and how many questions one had at least and at most."""
    person = "enrolment__worker"
    tries = QualificationAttempt.objects.filter(**{f"{person}__campaign": campaign, f"{person}__is_test": False})
    return tries.aggregate(
        tries=Count("pk"),
        people=Count(person, distinct=True),
        passed=Count(person, distinct=True, filter=Q(passed=True)),
        least=Min("questions"),
        most=Max("questions"),
    )


def _gold(campaign: Campaign) -> dict[str, int]:
    """Count the gold questions that raters of the crowd answered, and their answers."""
    answers = Rating.objects.filter(
        gold__isnull=False, worker__campaign=campaign, worker__is_test=False, rater_pool=RaterPool.CROWD
    )
    return answers.aggregate(answers=Count("pk"), questions=Count("gold", distinct=True))


def _times(
    rows: QuerySet[Any, tuple[int | None, int | None]], found: Provenance, readers: Iterable[tuple[int, Any]]
) -> dict[str, Any]:
    """Return the quartiles of the known times of some people, in milliseconds; simulated people have none."""
    real = {worker for worker, _ in readers if origin_of(found.people[worker]) == Origin.COLLECTED}
    known = [milliseconds for worker, milliseconds in rows.iterator() if worker in real and milliseconds is not None]
    quartiles = [round(float(each)) for each in np.quantile(known, [0.25, 0.5, 0.75])] if known else None
    return {"known": len(known), "quartiles": quartiles}
