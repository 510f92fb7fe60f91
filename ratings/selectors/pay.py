"""How long people of a round were at work, and what that makes of their pay.

Times and pay per hour are of the visits that were finished, without tests and excluded people. Simulated people count
only where there are no others.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from django.db.models import Exists, OuterRef, Q

from compressions.models import Source
from crowd.models import Campaign, Enrolment, JoinLink, Outcome, PastVisit, Round, Worker
from crowd.models.campaign import MOST_MINUTES
from crowd.pay import RoundPay, pay_of_round
from crowd.selectors.progress import RoundProgress, links_of_round, progress_of_rounds, round_progress
from measures.quality_control.attention_flags import DEFAULT_THRESHOLDS
from measures.text.segmentation import word_count
from ratings.selectors.visits import Visit, visitors_of_round

SETTINGS = {
    Round.EDIT: ("editor_pay", "editor_pay_unit", "currency"),
    Round.RATE: ("rater_pay", "rater_pay_unit", "currency"),
}


def pay_has_changed(campaign: Campaign, work_round: Round) -> bool:
    """Tell whether some visits of a round began under other pay than is set now, tests aside."""
    if work_round not in SETTINGS:
        return False
    enrolments = Enrolment.objects.filter(worker__campaign=campaign, worker__is_test=False, round=work_round)
    past = PastVisit.objects.filter(enrolment__in=enrolments)
    versions = campaign.settings_versions.filter(
        Q(pk=campaign.settings_version_id)
        | Q(pk__in=enrolments.values("settings_version"))
        | Q(pk__in=past.values("settings_version"))
    )
    return len(set(versions.values_list(*(f"settings__{name}" for name in SETTINGS[work_round])))) > 1


FEW_PEOPLE = 5
TYPICAL_SOURCES = 200
MINUTE_MS, HOUR_MS = 60_000, 3_600_000
MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True)
class Spread:
    """The quartiles of what is known about some visits."""

    visits: int
    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float | None]) -> "Spread | None":
        """Return the quartiles of the known values; None without any.

        >>> Spread.of([4, None, 1, 3, 2, 5])
        Spread(visits=5, low=2.0, median=3.0, high=4.0)
        """
        known = [value for value in values if value is not None]
        if not known:
            return None
        low, median, high = np.quantile(known, [0.25, 0.5, 0.75])
        return cls(len(known), float(low), float(median), float(high))


@dataclass(frozen=True)
class TimeAndPay:
    """What is known about time and pay in a round.

    `finished` are the visits that times are taken from, `paid` says whose visits ended well, excluded people included,
    `too_short` are those that would be finished if a text could be read in less than `least_ms`, and `in_part` counts
    those that ended early with the code for partial pay. `failed` counts those that ended with a test not passed.
    """

    round: Round
    pay: RoundPay
    finished: list["Told"]
    too_short: list["Told"]
    least_ms: float
    paid: list[int]
    in_part: int
    failed: int
    submitted: int
    progress: RoundProgress
    pay_has_changed: bool

    @cached_property
    def are_simulated(self) -> bool:
        return any(told.is_simulated for told in self.finished)

    @property
    def are_few(self) -> bool:
        return 0 < self.people_timed < FEW_PEOPLE

    @property
    def least_seconds(self) -> float:
        return self.least_ms / 1000

    @cached_property
    def people_too_quick(self) -> int:
        return _people(self.too_short)

    @cached_property
    def people_untimed(self) -> int:
        """Of how many people the page sent no time with some texts, or less than reading takes."""
        return len({told.person for told, active in zip(self.finished, self._active, strict=True) if active is None})

    @cached_property
    def _active(self) -> list[int | None]:
        """The active time of each visit; None if it is not known, or too short to be true of a person."""
        least = 0 if self.are_simulated else self.least_ms
        known = ((told.active, told.tasks) for told in self.finished)
        return [None if active is None or active < least * tasks else active for active, tasks in known]

    @cached_property
    def people_timed(self) -> int:
        """How many people the times are from: who came by two links has two visits."""
        return _people(self.finished)

    @cached_property
    def people_paid(self) -> int:
        return len(set(self.paid))

    @cached_property
    def _pay(self) -> list[float | None]:
        pay = {each: self.pay.of_person(each) for each in {told.tasks for told in self.finished}}
        known = {each: None if whole is None else float(whole) for each, whole in pay.items()}
        return [known[told.tasks] for told in self.finished]

    @cached_property
    def elapsed(self) -> Spread | None:
        return Spread.of(told.elapsed for told in self.finished)

    @cached_property
    def before(self) -> Spread | None:
        return Spread.of(told.before for told in self.finished)

    @cached_property
    def active(self) -> Spread | None:
        return Spread.of(self._active)

    @cached_property
    def active_per_text(self) -> Spread | None:
        both = zip(self._active, self.finished, strict=True)
        return Spread.of(None if active is None else active / told.tasks for active, told in both)

    @cached_property
    def pay_per_person(self) -> Spread | None:
        return Spread.of(self._pay)

    @cached_property
    def hourly_elapsed(self) -> Spread | None:
        return Spread.of(map(_hourly, self._pay, (told.elapsed for told in self.finished)))

    @cached_property
    def hourly_active(self) -> Spread | None:
        return Spread.of(map(_hourly, self._pay, self._active))

    @property
    def is_below_minimum(self) -> bool:
        """Whether half of the people earn less per elapsed hour than staff want to pay."""
        minimum, hourly = self.pay.minimum_hourly, self.hourly_elapsed
        return minimum is not None and hourly is not None and hourly.median < minimum

    @property
    def due(self) -> Decimal | None:
        """What the work so far costs: of everybody per text, of those who finished, or earned a part, per study.

        Tests that were not passed cost what is paid for them.
        """
        whole = self.pay.of_round(texts=self.submitted, people=len(self.paid))
        if whole is None:
            return None
        tests = self.failed * (self.pay.failed or Decimal(0))
        parts = Decimal(0) if self.pay.is_per_text else self.in_part * (self.pay.partial or Decimal(0))
        return whole + parts + tests

    @property
    def texts_left(self) -> int:
        return self.progress.missing

    @property
    def people_needed(self) -> int:
        """How many more people the open places take at least if each does as much as one person may."""
        return self.progress.people_needed(self.pay.tasks)

    @property
    def expected(self) -> Decimal | None:
        """What the whole round costs."""
        left = self.pay.of_round(texts=self.texts_left, people=self.people_needed)
        return None if self.due is None or left is None else self.due + left

    @property
    def suggested_minutes(self) -> int | None:
        """What participants can be told it takes; None from too few people, or from simulated ones."""
        if self.elapsed is None or self.people_timed < FEW_PEOPLE or self.are_simulated:
            return None
        return min(MOST_MINUTES, max(1, math.ceil(self.elapsed.median / MINUTE_MS)))


class Told(NamedTuple):
    """What a finished visit says of times, in milliseconds. Simulated people do not wait: no elapsed time."""

    person: int
    tasks: int
    elapsed: int | None
    before: int | None
    active: int | None
    is_simulated: bool
    is_too_short: bool

    @classmethod
    def of(cls, visit: Visit, least: float) -> "Told":
        worker, work = visit.worker, visit.work
        if worker.is_simulated:
            return cls(worker.pk, work.submitted, None, None, work.known_active_ms, True, False)
        times = visit.elapsed_ms, visit.before_ms, work.known_active_ms
        return cls(worker.pk, work.submitted, *times, False, _is_too_short(visit, least))


def _people(visits: Iterable[Told]) -> int:
    return len({told.person for told in visits})


def _hourly(pay: float | None, milliseconds: int | None) -> float | None:
    return None if pay is None or not milliseconds else pay * HOUR_MS / milliseconds


def time_and_pay_of_rounds(campaign: Campaign) -> list[TimeAndPay]:
    """Return time and pay of all rounds in a fixed number of queries."""
    progress = progress_of_rounds([campaign.pk])
    return [time_and_pay(campaign, each, progress.get((campaign.pk, each), RoundProgress())) for each in Round]


def time_and_pay(campaign: Campaign, work_round: Round, progress: RoundProgress | None = None) -> TimeAndPay:
    """Return time and pay of a round, whose progress need not be looked up again if it is known."""
    least, in_part, failed, submitted = _least_ms(campaign), 0, 0, 0
    paid: list[int] = []
    timed: list[Told] = []
    people = (each for each in visitors_of_round(campaign, work_round) if not each.worker.is_test)
    for visit in chain.from_iterable(each.visits for each in people):
        in_part += visit.is_paid_in_part
        failed += visit.outcome == Outcome.FAILED
        submitted += visit.work.submitted
        if visit.outcome == Outcome.DONE:
            paid.append(visit.worker.pk)
            if visit.work.submitted and not visit.worker.is_excluded:
                timed.append(Told.of(visit, least))
    real = [told for told in timed if not told.is_simulated]
    return TimeAndPay(
        work_round,
        pay_of_round(campaign, work_round),
        [told for told in real if not told.is_too_short] if real else timed,
        [told for told in real if told.is_too_short],
        least,
        paid,
        in_part,
        failed,
        submitted,
        progress=progress or round_progress(campaign, work_round),
        pay_has_changed=pay_has_changed(campaign, work_round),
    )


def _least_ms(campaign: Campaign) -> float:
    """Return in how many milliseconds nobody reads a source of usual length."""
    texts = Source.objects.filter(campaign=campaign).order_by("pk").values_list("text", flat=True)[:TYPICAL_SOURCES]
    words = [word_count(text) for text in texts]
    return 1000 * sum(words) / max(len(words), 1) / DEFAULT_THRESHOLDS.fast_words_per_second


def _is_too_short(visit: Visit, least: float) -> bool:
    """Whether the server's clock, whatever pages say, leaves less time for each text than reading it takes."""
    began, ended = visit.work.claimed_at, visit.work.last_at
    return began is not None and ended is not None and (ended - began) / MILLISECOND < least * visit.work.submitted


def paid_links(campaign: Campaign, work_round: str) -> list[JoinLink]:
    """Return the links of a round but for test links, those with people first, and of these the newest first."""
    came = Exists(Enrolment.objects.filter(link=OuterRef("pk"))) | Exists(PastVisit.objects.filter(link=OuterRef("pk")))
    links = links_of_round(campaign, work_round).filter(is_test=False).annotate(has_people=came)
    return list(links.order_by("-has_people", "-pk"))


@dataclass(frozen=True)
class Owed:
    """A visit that is not marked as paid, and what the current settings pay for it; None where no pay is set."""

    visit: Visit
    amount: Decimal | None


def owed_to(worker: Worker) -> list[Owed]:
    """Return the visits to be paid: with a submission, done, or with a test that pays; but for those marked as paid."""
    return [
        Owed(visit, _amount(visit, pay))
        for work_round in Round
        for pay in [pay_of_round(worker.campaign, work_round)]
        for visitor in visitors_of_round(worker.campaign, work_round, only=[worker.pk])
        for visit in visitor.visits
        if visit.paid_at is None
        and (visit.work.submitted or visit.outcome == Outcome.DONE or _has_paid_test(visit, pay))
    ]


def _has_paid_test(visit: Visit, pay: RoundPay) -> bool:
    return visit.outcome == Outcome.FAILED and bool(pay.failed)


def _amount(visit: Visit, pay: RoundPay) -> Decimal | None:
    if _has_paid_test(visit, pay):
        return pay.failed
    return pay.of_part(visit.work.submitted) if visit.is_paid_in_part else pay.of_person(visit.work.submitted)
