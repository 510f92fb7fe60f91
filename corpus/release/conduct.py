"""How the work behind a release went: who came, tests, gold questions, unfinished work, times. Counted as it is frozen.

None of it is data of the release. Test participants and imported people are in no count.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from django.db.models import Count, Max, Min, Q

from compressions.models import Compression, Source
from corpus.models import Release
from corpus.release.provenance import Origin, Provenance, origin_of
from crowd.models import Assignment, Enrolment, Round, Stream
from ratings.models import QualificationAttempt, RaterPool, Rating

Conduct = dict[str, Any]


def conduct_of(release: Release, found: Provenance) -> Conduct:
    """Count what had happened in a campaign when a release was frozen, and the times of those whose work is in it."""
    campaign, last = release.campaign, release.last_rows
    judges = {worker for worker, _ in (*found.raters, *found.experts)}
    return {
        "task": campaign.rating_task,
        "sources": Source.objects.filter(campaign=campaign, pk__lte=last["sources"]).count(),
        "judges": len(judges),
        "rounds": {work_round.value: _round(release, work_round) for work_round in Round},
        "test": _test(release),
        "gold": _gold(release),
        "times": {
            "compressions": _times(
                Compression.objects.filter(source__campaign=campaign, pk__lte=last["compressions"])
                .values_list("worker", "active_ms")
                .iterator(),
                found,
                {worker for worker, _ in found.editors},
            ),
            "ratings": _times(
                Rating.objects.filter(worker__campaign=campaign, gold=None, pk__lte=last["ratings"])
                .filter(rater_pool=RaterPool.CROWD)
                .values_list("worker", "milliseconds")
                .iterator(),
                found,
                {worker for worker, _ in found.raters},
            ),
        },
    }


def _round(release: Release, work_round: Round) -> dict[str, int]:
    """Count people who had consented, and pieces of work handed out, gold questions aside."""
    at, real = release.created_at, {"worker__campaign": release.campaign, "worker__is_test": False}
    joined = Enrolment.objects.filter(round=work_round, consented_at__lte=at, **real).count()
    given = Assignment.objects.filter(round=work_round, link__isnull=False, leased_at__lte=at, **real).exclude(
        item__stream__in=[Stream.GOLD, Stream.TEST]
    )
    counts = given.aggregate(
        given=Count("pk"),
        submitted=Count("pk", filter=Q(submitted_at__lte=at)),
        skipped=Count("pk", filter=Q(state=Assignment.State.SKIPPED)),
    )
    unfinished = counts["given"] - counts["submitted"] - counts["skipped"]
    return {"joined": joined, **counts, "unfinished": unfinished}


def _test(release: Release) -> dict[str, Any]:
    """Count the tries at the qualification test, and how many questions one had at least and at most."""
    tries = QualificationAttempt.objects.filter(
        enrolment__worker__campaign=release.campaign,
        enrolment__worker__is_test=False,
        created_at__lte=release.created_at,
    )
    person = "enrolment__worker"
    return tries.aggregate(
        tries=Count("pk"),
        people=Count(person, distinct=True),
        passed=Count(person, distinct=True, filter=Q(passed=True)),
        least=Min("questions"),
        most=Max("questions"),
    )


def _gold(release: Release) -> dict[str, int]:
    """Count the gold questions that raters of the crowd answered, and their answers."""
    answers = Rating.objects.filter(
        gold__isnull=False,
        worker__campaign=release.campaign,
        worker__is_test=False,
        rater_pool=RaterPool.CROWD,
        pk__lte=release.last_rows["ratings"],
    )
    return answers.aggregate(answers=Count("pk"), questions=Count("gold", distinct=True))


def _times(rows: Iterable[tuple[int | None, int | None]], found: Provenance, people: set[int]) -> dict[str, Any]:
    """Return the quartiles of the known times of some people, in milliseconds; simulated people have none."""
    real = {each for each in people if origin_of(found.people[each]) == Origin.COLLECTED}
    known = [milliseconds for worker, milliseconds in rows if worker in real and milliseconds is not None]
    quartiles = [round(float(each)) for each in np.quantile(known, [0.25, 0.5, 0.75])] if known else None
    return {"known": len(known), "quartiles": quartiles}
