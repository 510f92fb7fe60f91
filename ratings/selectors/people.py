"""Query one person's work in a campaign, and that of the others beside it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Avg, Count, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from compressions.models import Compression
from compressions.selectors.writing import remarks_of_page
from crowd.models import Assignment, Campaign, Enrolment, Exclusion, Outcome, Remark, Round, Worker
from crowd.page_records import PageFact, PageRecord, page_facts
from crowd.selectors.members import excluded_workers
from ratings.models import QualificationAttempt, RaterPool, Rating, RatingVersion, Score
from ratings.selectors.attention import RaterRecord, rater_record
from ratings.selectors.qualification import all_attempts
from ratings.selectors.rating_tasks import ratings_of_worker
from ratings.selectors.visit_work import DONE
from ratings.selectors.visits import Visit, visitors_of_round

SUBJECTS = ("target", "pair", "gold")
Subject = tuple[str, int]


@dataclass(frozen=True)
class OthersOnScale:
    """A point that a person gave, with the mean and the number of the others' points; None if nobody else gave one."""

    scale: str
    point: int
    mean: float | None
    others: int


@dataclass(frozen=True)
class RatingBesideOthers:
    rating: Rating
    points: list[OthersOnScale]

    @property
    def has_others(self) -> bool:
        return any(each.others for each in self.points)

    @property
    def source_id(self) -> str:
        """The id of the text that was rated; empty for a gold question, which belongs to none."""
        target = self._target
        return target.source.source_id if target else ""

    @property
    def anchor(self) -> str:
        """The place of the compression on the page of its text."""
        target = self._target
        return f"text-{target.pk}" if target else ""

    @property
    def _target(self) -> Any:
        return self.rating.pair.first if self.rating.pair else self.rating.target


def beside_others(worker: Worker, ratings: Iterable[Rating]) -> list[RatingBesideOthers]:
    """Return ratings of a person, each with what the others of the same pool gave, without excluded raters.

    The ratings come with their scores and texts, as `ratings_of_worker` selects them.
    """
    listed = list(ratings)
    pool = listed[0].rater_pool if listed else RaterPool.CROWD
    means = _means_of_others(worker, listed, pool)
    return [RatingBesideOthers(each, _points(each, means.get(_subject(each), {}))) for each in listed]


def _points(rating: Rating, others: Mapping[str, tuple[float, int]]) -> list[OthersOnScale]:
    return [
        OthersOnScale(score.scale, score.value, *others.get(score.scale, (None, 0))) for score in rating.scores.all()
    ]


def _subject(rating: Rating) -> Subject:
    return next((name, pk) for name in SUBJECTS if (pk := getattr(rating, f"{name}_id")) is not None)


def _means_of_others(
    worker: Worker, ratings: Iterable[Rating], pool: str
) -> dict[Subject, dict[str, tuple[float, int]]]:
    """Return mean and number of the others' points by subject and scale, in a query per kind."""
    by_kind: dict[str, list[int]] = {name: [] for name in SUBJECTS}
    for rating in ratings:
        kind, pk = _subject(rating)
        by_kind[kind].append(pk)
    left_out = {worker.pk, *_excluded(worker.campaign, pool)}
    means: dict[Subject, dict[str, tuple[float, int]]] = defaultdict(dict)
    for kind, subjects in by_kind.items():
        scores = Score.objects.filter(**{f"rating__{kind}__in": subjects, "rating__rater_pool": pool})
        scores = scores.exclude(rating__worker__in=left_out)
        rows = scores.values_list(f"rating__{kind}", "scale").annotate(Avg("value"), Count("pk")).order_by()
        for subject, scale, mean, number in rows:
            means[kind, subject][scale] = (mean, number)
    return means


def _excluded(campaign: Campaign, pool: str) -> frozenset[int]:
    return excluded_workers(campaign, Round.EXPERT if pool == RaterPool.EXPERTS else Round.RATE)


SHOWN = 100


@dataclass(frozen=True)
class Skip:
    """A text that a person skipped: what they said, and how long after they were given it."""

    remark: Remark
    after_ms: int


def _skips(worker: Worker, work_round: Round) -> list[Skip]:
    of_skips = {"kind": Remark.Kind.SKIP, "assignment__state": Assignment.State.SKIPPED}
    own = Remark.objects.filter(assignment__worker=worker, assignment__round=work_round, **of_skips)
    found = remarks_of_page(own.order_by("-pk")[:SHOWN])
    given = [(each, each.assignment.leased_at) for each in found]
    return [Skip(each, round((each.created_at - at).total_seconds() * 1000)) for each, at in given if at is not None]


@dataclass(frozen=True)
class PersonRound:
    """One person's work in one round, as the staff page shows it.

    `enrolment` is None for people of an imported release.
    """

    round: Round
    enrolment: Enrolment | None
    is_excluded: bool
    submitted: int
    attempts: list[QualificationAttempt] = field(default_factory=list)
    record: RaterRecord | None = None
    visits: tuple[Visit, ...] = ()
    compressions: "QuerySet[Compression] | list[Compression]" = field(default_factory=list)
    ratings: list[RatingBesideOthers] = field(default_factory=list)
    page_facts: list[PageFact] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)

    @property
    def has_withdrawn(self) -> bool:
        return any(visit.outcome == Outcome.WITHDREW for visit in self.visits)


def rounds_of_worker(worker: Worker) -> list[Round]:
    """Return the rounds in which a person has enrolled or submitted work."""
    enrolled = Enrolment.objects.filter(worker=worker).values_list("round", flat=True)
    worked = Assignment.objects.filter(worker=worker, state__in=DONE).values_list("round", flat=True).distinct()
    known = {*enrolled, *worked}
    return [each for each in Round if each in known]


def workers_of_campaign(campaign: Campaign) -> QuerySet[Worker]:
    return Worker.objects.filter(campaign=campaign).select_related("campaign")


def worker_in_round(campaign: Campaign, number: int, work_round: str) -> Worker:
    """Return the person with this number, who has part in the round; raise Http404 for anyone else."""
    worker = get_object_or_404(workers_of_campaign(campaign), number=number)
    if work_round not in rounds_of_worker(worker):
        raise Http404(_("This participant has no part in that round."))
    return worker


def person_rounds(worker: Worker) -> list[PersonRound]:
    related = Enrolment.objects.select_related("worker__campaign", "link__campaign")
    enrolments = {enrolment.round: enrolment for enrolment in related.filter(worker=worker)}
    in_force = Exclusion.objects.filter(worker=worker, withdrawn_at=None)
    excluded = set(in_force.values_list("round", flat=True))
    found = [_person_round(worker, each, enrolments.get(each), each in excluded) for each in rounds_of_worker(worker)]
    return [replace(part, visits=_visits(worker, part.round), skips=_skips(worker, part.round)) for part in found]


def _visits(worker: Worker, work_round: Round) -> tuple[Visit, ...]:
    visitor = next(visitors_of_round(worker.campaign, work_round, only=[worker.pk]), None)
    return visitor.visits if visitor else ()


def _person_round(worker: Worker, work_round: Round, enrolment: Enrolment | None, is_excluded: bool) -> PersonRound:
    submitted = Assignment.objects.filter(worker=worker, round=work_round, state__in=DONE).count()
    if work_round == Round.EDIT:
        written = Compression.objects.filter(worker=worker).select_related("source").defer("edit_log")
        compressions = written.order_by("-pk")[:SHOWN]
        return PersonRound(work_round, enrolment, is_excluded, submitted, compressions=compressions)
    record = rater_record(enrolment) if enrolment and work_round == Round.RATE else None
    attempts = list(all_attempts(enrolment)) if enrolment else []
    ratings = beside_others(worker, _newest_ratings(worker, work_round))
    facts = page_facts(_newest_records(worker, work_round))
    return PersonRound(
        work_round, enrolment, is_excluded, submitted, attempts, record, ratings=ratings, page_facts=facts
    )


def _newest_records(worker: Worker, work_round: Round) -> list[PageRecord]:
    """Return what a person's last pages counted; every version of a rating came from a page of its own."""
    versions = RatingVersion.objects.filter(rating__worker=worker, rating__assignment__round=work_round)
    newest = versions.filter(page_record__isnull=False).order_by("-pk").values_list("page_record", flat=True)
    return [record for record in newest[:SHOWN] if record is not None]


def _newest_ratings(worker: Worker, work_round: Round) -> "QuerySet[Rating]":
    """Return a person's last ratings; they are chosen first, since databases join the texts to all that are sorted."""
    own = Rating.objects.filter(worker=worker, assignment__round=work_round).order_by("-pk")
    chosen = list(own.values_list("pk", flat=True)[:SHOWN])
    texts = ("target__source", "gold", "pair__first__source", "pair__second")
    return ratings_of_worker(worker.pk, work_round).filter(pk__in=chosen).select_related(*texts).reverse()
