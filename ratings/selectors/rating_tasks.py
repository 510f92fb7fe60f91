"""Query the tasks and the ratings of raters."""

from dataclasses import dataclass

from django.db.models import Avg, Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from common.errors import NotYours
from common.sql import Columns, Row, Statement, is_possible_id, read_each
from compressions.models import Pair, Source, Target
from crowd.models import Assignment, Campaign, Enrolment, Exclusion, Round
from crowd.selectors.members import workers_of_tests
from crowd.selectors.work import SUBMITTED
from measures.text.normalization import display_text
from ratings.models import GoldItem, RaterPool, Rating, Score
from ratings.subjects import RELATED, Subject

COLUMNS = (
    Columns(Assignment, "a", "id item_id worker_id round state page_position leased_at lease_ends_at submitted_at"),
    Columns(GoldItem, "g", "id item_id source_text compression_text other_text"),
    Columns(Pair, "p", "id first_id second_id item_id"),
    Columns(Target, "p1", "id source_id text item_id"),
    Columns(Target, "p2", "id source_id text item_id"),
    Columns(Target, "t", "id source_id text item_id"),
    Columns(Source, "s", "id text nuggets"),
)
MINE = "o.worker_id = %(worker)s AND o.round = %(round)s"
# The tasks that a rater has open, and one of theirs in whatever state, each with its subject.
TASKS = Statement(f"""
    SELECT {", ".join(map(str, COLUMNS))}, {SUBMITTED}
    FROM (
        SELECT o.id FROM crowd_assignment o WHERE {MINE} AND o.state = 'leased'
        UNION SELECT o.id FROM crowd_assignment o WHERE {MINE} AND o.state <> 'blocked' AND o.id = %(assignment)s
    ) mine
    JOIN crowd_assignment a ON a.id = mine.id
    LEFT JOIN ratings_golditem g ON g.item_id = a.item_id
    LEFT JOIN compressions_pair p ON p.item_id = a.item_id
    LEFT JOIN compressions_target p1 ON p1.id = p.first_id
    LEFT JOIN compressions_target p2 ON p2.id = p.second_id
    LEFT JOIN compressions_target own ON own.item_id = a.item_id
    LEFT JOIN ratings_expertitem x ON x.item_id = a.item_id
    LEFT JOIN compressions_target t ON t.id = COALESCE(own.id, x.target_id)
    LEFT JOIN compressions_source s ON s.id = COALESCE(p1.source_id, t.source_id)
    ORDER BY a.page_position, a.id
""")  # noqa: S608 - of constants


@dataclass(frozen=True)
class RaterTask:
    assignment: Assignment
    subject: Subject
    submitted: int  # tasks of this rater

    @property
    def pk(self) -> int:
        return self.assignment.pk


def rater_tasks(enrolment: Enrolment, assignment_id: int) -> tuple[RaterTask, list[RaterTask]]:
    """Return a task of this rater, and the tasks on their page in page order.

    Raise NotYours for anybody else's task, and for other kinds of work.
    """
    mine = {"worker": enrolment.worker_id, "round": enrolment.round, "link": enrolment.link_id}
    rows = TASKS.rows(assignment=assignment_id, **mine) if is_possible_id(assignment_id) else []
    tasks = [_task(row) for row in rows]
    requested = next((task for task in tasks if task is not None and task.pk == assignment_id), None)
    if requested is None:
        raise NotYours(_("This text does not exist, or it is not yours."))
    leased = [task for task in tasks if task is not None and task.assignment.state == Assignment.State.LEASED]
    return requested, leased


def _task(row: Row) -> RaterTask | None:
    """Return the task in a row of TASKS; None if it is not about a text to rate."""
    assignment, gold, pair, first, second, target, source = read_each(row, *COLUMNS)
    if gold is not None:
        texts = tuple(filter(None, (gold.compression_text, gold.other_text)))
        return RaterTask(assignment, Subject(gold.source_text, texts, gold=gold), row[-1])
    if pair is not None:
        pair.first, pair.second = first, second
        texts = (first.text, second.text)
        return RaterTask(assignment, Subject(source.text, texts, pair=pair, nuggets=source.nuggets), row[-1])
    if target is None:
        return None
    return RaterTask(assignment, Subject(source.text, (target.text,), target=target, nuggets=source.nuggets), row[-1])


def nuggets_shown(enrolment: Enrolment, text: str, of_source: str | None = None) -> list[str]:
    """Return the nuggets that somebody can look up with one of their scales: those of the source.

    Questions with known answers are of no source. They are to look like the others, and have those of the source with
    the same words; in a preview, whichever it is of the campaign.
    """
    if not any(scale.shows_nuggets for scale in enrolment.shown_scales):
        return []
    if of_source is None:
        campaign = enrolment.campaign.sandbox_of_id or enrolment.campaign.pk
        having = Source.objects.filter(campaign=campaign, text=display_text(text)).exclude(nuggets="").order_by("pk")
        of_source = having.values_list("nuggets", flat=True).first() or ""
    return of_source.splitlines()


def rating_of_assignment(assignment: Assignment) -> Rating:
    return Rating.objects.prefetch_related("scores").get(assignment=assignment)


def ratings_of_worker(worker_id: int, work_round: str) -> QuerySet[Rating]:
    """Return the ratings of a worker, in the order in which they gave them, with their subjects."""
    subjects = [f"assignment__{path}" for path in RELATED]
    own = Rating.objects.filter(assignment__worker_id=worker_id, assignment__round=work_round)
    scores = Prefetch("scores", Score.objects.order_by("pk"))
    return own.select_related(*subjects).prefetch_related(scores).order_by("pk")


@dataclass(frozen=True)
class ScaleSummary:
    """The means on a scale, over texts (or pairs), each with the mean of its ratings, and over ratings; all points."""

    over_texts: float | None
    over_ratings: float | None
    counts: dict[int, int]


@dataclass(frozen=True)
class RatingSummary:
    count: int
    scales: dict[str, ScaleSummary]


def rating_summary(campaign: Campaign) -> RatingSummary:
    """Summarise the crowd's ratings of texts, without gold items, experts, excluded raters and test participants."""
    excluded = Exclusion.objects.filter(worker=OuterRef("worker"), round=Round.RATE, withdrawn_at=None)
    ratings = Rating.objects.filter(rater_pool=RaterPool.CROWD, gold=None).exclude(Exists(excluded))
    ratings = ratings.exclude(worker__in=workers_of_tests(campaign))
    ratings = ratings.filter(**{f"{campaign.task.source}__campaign": campaign})
    scores = Score.objects.filter(rating__in=ratings)
    counts: dict[str, dict[int, int]] = {}
    for scale, value, number in scores.values_list("scale", "value").annotate(Count("pk")).order_by():
        counts.setdefault(scale, {})[value] = number
    over_texts = _means_over_subjects(scores, campaign)
    return RatingSummary(
        ratings.count(),
        {
            key: ScaleSummary(over_texts[key], _mean_of_points(counts.get(key, {})), counts.get(key, {}))
            for key in over_texts
        },
    )


def _means_over_subjects(scores: QuerySet[Score], campaign: Campaign) -> dict[str, float | None]:
    """Return the mean of the subjects' means on each scale, in one query."""
    subject = f"rating__{campaign.task.subject}"
    of_subjects = scores.values("scale", subject).annotate(of_subject=Avg("value")).order_by()
    keys = [scale.key for scale in campaign.rating_scales]
    averages = {f"scale_{n}": Avg("of_subject", filter=Q(scale=key)) for n, key in enumerate(keys)}
    return dict(zip(keys, of_subjects.aggregate(**averages).values(), strict=True))


def _mean_of_points(counts: dict[int, int]) -> float | None:
    ratings = sum(counts.values())
    return sum(value * number for value, number in counts.items()) / ratings if ratings else None
