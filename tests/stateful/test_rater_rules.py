"""Whatever raters, editors, staff and the clock do, in whatever order: the rules of the rater round hold."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import pytest
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from common.errors import SlotTaken
from compressions.models import Compression, SystemOutput, Target
from compressions.selectors.sources import source_of_assignment
from compressions.services.outputs import Output, outputs_add
from compressions.services.submission import Submission, compression_submit
from crowd.models import Assignment, Campaign, Enrolment, Item, Remark, Round, Stream
from crowd.selectors.members import excluded_workers
from crowd.services.claims import assignment_claim
from crowd.services.leases import assignment_renew, leases_expire
from crowd.services.remarks import task_skip
from ratings.models import Rating, RatingVersion, Score
from ratings.selectors.judgements import crowd_ratings
from ratings.selectors.rating_tasks import rating_summary
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.gold import gold_create
from ratings.services.rating import EXTRA_RATERS, FAR_APART, FIRST_RATERS, OtherAnswerCounts
from tests.support.clock import Clock
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    enrol,
    import_texts,
    make_campaign,
    rate,
    rate_all,
    rewriting_log,
)

State = Assignment.State
HOLDING = {State.LEASED, State.SUBMITTED}
DONE = {State.SUBMITTED, State.DISCARDED}
UNDONE = {State.LEASED, State.EXPIRED}
EDITORS, RATERS = ("ada", "bob", "cem"), ("ada", "dora", "eve", "fay")
PEOPLE = [*((name, EDIT) for name in EDITORS), *((name, RATE) for name in RATERS)]
TEXTS, SOURCES = ("The committee met.", "The bridge falls."), ("1", "2")
WANTED, LEASE_MINUTES = 3, 30
SENTENCE = "The committee, which met for more than three hours on Tuesday evening, agreed to repair bridge {} at last."

editors, raters, people = st.sampled_from(EDITORS), st.sampled_from(RATERS), st.sampled_from(PEOPLE)
texts, places = st.sampled_from(TEXTS), st.integers(min_value=0, max_value=7)
points = st.sampled_from([{"meaning": meaning, "grammar": grammar} for meaning, grammar in ((3, 3), (2, 2), (1, 3))])


class RatersAndStaff(RuleBasedStateMachine):
    """Three editors, four raters, one of whom is both; two sources, a system, two gold items."""

    clock: ClassVar[Clock]
    campaign: Campaign

    def __init__(self) -> None:
        super().__init__()
        self.play = transaction.atomic()
        self.play.__enter__()
        self.said: dict[int, dict[str, int]] = {}
        self.written: set[int] = set()
        self.in_addition = Counter[int]()
        self.newcomers = 0
        self.excluded: set[tuple[str, Round]] = set()

    @initialize(
        extra_raters=st.booleans(),
        ratings_per_page=st.sampled_from([1, 2]),
        text=texts,
        scores=st.lists(points, min_size=8, max_size=8),
    )
    def begin(self, *, extra_raters: bool, ratings_per_page: int, text: str, scores: list[dict[str, int]]) -> None:
        self.campaign = make_campaign(
            editors_per_source=3,
            raters_per_compression=WANTED,
            extra_raters=extra_raters,
            ratings_per_page=ratings_per_page,
            system_percent=50,
            gold_percent=20,
            rater_tasks=99,
            lease_minutes=LEASE_MINUTES,
        )
        import_texts(self.campaign, [SENTENCE.format(number) for number in SOURCES])
        for _ in range(2):
            gold_create(campaign=self.campaign, example=EXAMPLE)
        for name, work_round in PEOPLE:
            enrol(self.campaign, work_round, name)
        for name, each in (("ada", text), ("ada", TEXTS[0]), ("bob", TEXTS[0])):
            self.write(name, each)
        for name, given in zip(RATERS * 2, scores, strict=True):
            self.judge_the_next(name, given)

    def teardown(self) -> None:
        try:
            if hasattr(self, "campaign"):
                self.fresh_raters_do_all_that_is_open()
        finally:
            transaction.set_rollback(True)
            self.play.__exit__(None, None, None)

    def enrolment(self, name: str, work_round: str) -> Enrolment:
        """As a request reads it."""
        enrolments = Enrolment.objects.select_related("worker__campaign", "link__campaign")
        return enrolments.get(worker__campaign=self.campaign, worker__external_id=name, round=work_round)

    def old_tab(self, place: int, work_round: str, states: set[State]) -> tuple[Enrolment, Assignment] | None:
        """A task that somebody was shown at some time: old tabs stay open."""
        tasks = list(shown(states).filter(round=work_round))
        if not tasks:
            return None
        task = tasks[place % len(tasks)]
        return self.enrolment(task.worker.external_id, work_round), task

    # Few rules, each of several acts: a play may do without some rules, and should still have something of all.

    @rule(act=st.sampled_from(["write", "again", "output"]), name=editors, place=places, text=texts)
    def a_text_is_made(self, act: str, name: str, place: int, text: str) -> None:
        if act == "write":
            self.write(name, text)
        elif act == "output":
            source = SOURCES[place % len(SOURCES)]
            outputs_add(campaign=self.campaign, system="one", outputs=[Output(1, source, text)])
        elif tab := self.old_tab(place, EDIT, UNDONE | DONE):
            self.submit_text(*tab, text)

    @rule(
        act=st.sampled_from(["next", "next", "again", "stale", "all", "skip"]), name=raters, place=places, scores=points
    )
    def somebody_judges(self, act: str, name: str, place: int, scores: dict[str, int]) -> None:
        if act == "next":
            self.judge_the_next(name, scores)
        elif act == "all":
            self.newcomers += 1
            while self.judge_the_next(f"new-{self.newcomers}", scores):
                pass
        elif act == "skip":
            self.say_that_one_cannot_judge(name)
        elif tab := self.old_tab(place, RATE, {*State} - {State.BLOCKED}):
            self.submit_scores(*tab, scores, is_stale=act == "stale")

    @rule(act=st.sampled_from(["claim", "claim", "renew", "run out", "reap"]), person=people)
    def time_goes_by(self, act: str, person: tuple[str, Round]) -> None:
        if act == "claim":
            self.claim(person)
        elif act == "renew":
            self.let_all_open_pages_renew_their_leases()
        else:
            self.clock.advance(minutes=LEASE_MINUTES + 1)
            if act == "reap":
                leases_expire(campaign_id=self.campaign.pk, now=self.clock())

    @rule(act=st.sampled_from(["out", "out while at work", "in"]), person=people, place=places)
    def staff_decide(self, act: str, person: tuple[str, Round], place: int) -> None:
        if act == "in":
            if self.excluded:
                self.readmit(sorted(self.excluded)[place % len(self.excluded)])
            return
        if act == "out while at work":
            self.claim(person)
        self.exclude(person)
        self.let_all_open_pages_renew_their_leases()

    # The acts

    def write(self, name: str, text: str) -> None:
        enrolment = self.enrolment(name, EDIT)
        if task := assignment_claim(enrolment=enrolment):
            self.submit_text(enrolment, task, text)

    def submit_text(self, enrolment: Enrolment, task: Assignment, text: str) -> None:
        source = source_of_assignment(task)
        submission = Submission(text, rewriting_log(source.text, text))
        try:
            compression_submit(enrolment=enrolment, assignment_id=task.pk, source=source, submission=submission)
        except SlotTaken:
            assert task.state == State.EXPIRED
        else:
            self.written.add(task.pk)

    def claim(self, person: tuple[str, Round]) -> None:
        enrolment = self.enrolment(*person)
        task = assignment_claim(enrolment=enrolment)
        if task:
            assert (task.worker_id, task.state) == (enrolment.worker_id, State.LEASED)
            assert person not in self.excluded

    def judge_the_next(self, name: str, scores: dict[str, int]) -> bool:
        """False if there is nothing left for this person."""
        enrolment = enrol(self.campaign, RATE, name)
        task = assignment_claim(enrolment=enrolment)
        if task:
            self.submit_scores(enrolment, task, scores)
        return task is not None

    def submit_scores(
        self, enrolment: Enrolment, task: Assignment, scores: dict[str, int], *, is_stale: bool = False
    ) -> None:
        before = Rating.objects.filter(assignment=task).first()
        known = before.version - is_stale if before else 0
        try:
            rating = rate(enrolment, task, known_version=known, **scores)
        except SlotTaken:
            assert task.state in {State.EXPIRED, State.SKIPPED}
        except OtherAnswerCounts:
            assert before is not None
            assert is_stale or enrolment.is_excluded
        else:
            assert before is None or rating.version == before.version + (self.said[task.pk] != scores)
            self.said[task.pk] = scores
            if before is None:
                self.check_extension(task, rating)

    def check_extension(self, task: Assignment, rating: Rating) -> None:
        """More raters were asked for before, or they are now because the first are far apart, or they are not."""
        is_extended = Item.objects.values_list("is_extended", flat=True).get(pk=task.item_id)
        asked = self.campaign.extra_raters and rating.gold_id is None and first_are_far_apart(rating)
        assert is_extended == (task.item.is_extended or asked)

    def say_that_one_cannot_judge(self, name: str) -> None:
        enrolment = self.enrolment(name, RATE)
        if task := assignment_claim(enrolment=enrolment):
            task_skip(enrolment=enrolment, assignment_id=task.pk, reason=Remark.Reason.UNCLEAR, text="")

    def let_all_open_pages_renew_their_leases(self) -> None:
        for task in shown(UNDONE):
            enrolment = self.enrolment(task.worker.external_id, task.round)
            try:
                assignment_renew(assignment_id=task.pk, enrolment=enrolment)
            except SlotTaken:
                assert task.state == State.EXPIRED

    def exclude(self, person: tuple[str, Round]) -> None:
        worker = self.enrolment(*person).worker
        person_exclude(worker=worker, work_round=person[1], note="clicks through", user=None)
        self.excluded.add(person)

    def readmit(self, person: tuple[str, Round]) -> None:
        worker = self.enrolment(*person).worker
        own = Assignment.objects.filter(worker=worker, round=person[1], state=State.DISCARDED)
        self.in_addition.update(own.filter(item__open_slots=0).values_list("item_id", flat=True))
        person_readmit(worker=worker, work_round=person[1], user=None)
        self.excluded.remove(person)

    # What holds after every step

    @invariant()
    def the_rules_hold(self) -> None:
        tables = Tables.read()
        self.every_place_is_open_or_held_by_somebody(tables)
        self.nobody_has_too_much(tables)
        self.who_is_excluded_holds_no_place(tables)
        self.what_was_acknowledged_is_stored_once_and_nothing_else(tables)
        self.every_version_is_kept_and_the_last_is_in_force(tables)
        self.gold_is_no_rating_of_a_text(tables)
        self.nobody_has_a_text_of_their_own()

    def every_place_is_open_or_held_by_somebody(self, tables: "Tables") -> None:
        held = Counter(row.item_id for row in tables.assignments if row.state in HOLDING)
        submitted = Counter(row.item_id for row in tables.assignments if row.state == State.SUBMITTED)
        for item in tables.items:
            assert item.open_slots + held[item.pk] == item.wanted
            if item.round == RATE and item.stream != Stream.GOLD:
                allowed = WANTED + EXTRA_RATERS * item.is_extended + self.in_addition[item.pk]
                assert submitted[item.pk] <= allowed

    def nobody_has_too_much(self, tables: "Tables") -> None:
        assert len({(row.item_id, row.worker_id) for row in tables.assignments}) == len(tables.assignments)
        leases = Counter((row.round, row.worker_id) for row in tables.assignments if row.state == State.LEASED)
        page = {EDIT: 1, RATE: self.campaign.ratings_per_page}
        assert all(count <= page[Round(work_round)] for (work_round, _), count in leases.items())
        judged = [(each.target_id, each.gold_id, each.worker_id) for each in tables.ratings]
        assert len(set(judged)) == len(judged)

    def who_is_excluded_holds_no_place(self, tables: "Tables") -> None:
        for row in tables.assignments:
            is_out = (row.worker.external_id, Round(row.round)) in self.excluded
            assert row.state not in (HOLDING if is_out else {State.DISCARDED})

    def what_was_acknowledged_is_stored_once_and_nothing_else(self, tables: "Tables") -> None:
        said = [(each.assignment_id, tables.scores[each.pk]) for each in tables.ratings]
        assert sorted(said, key=lambda row: row[0] or 0) == sorted(self.said.items())
        assert sorted(Compression.objects.values_list("assignment_id", flat=True)) == sorted(self.written)
        assert {row.pk for row in tables.assignments if row.state in DONE} == {*self.said, *self.written}

    def every_version_is_kept_and_the_last_is_in_force(self, tables: "Tables") -> None:
        for rating in tables.ratings:
            versions = tables.versions[rating.pk]
            assert [each.number for each in versions] == list(range(1, rating.version + 1))
            assert versions[-1].scores == tables.scores[rating.pk]

    def gold_is_no_rating_of_a_text(self, tables: "Tables") -> None:
        gold = {item.pk for item in tables.items if item.stream == Stream.GOLD}
        item_of = {row.pk: row.item_id for row in tables.assignments}
        assert all((item_of[each.assignment_id or 0] in gold) == (each.target_id is None) for each in tables.ratings)

    def nobody_has_a_text_of_their_own(self) -> None:
        own = Compression.objects.filter(target__item=OuterRef("item"), worker=OuterRef("worker"))
        assert not Assignment.objects.filter(round=RATE, state__in=HOLDING).filter(Exists(own)).exists()

    # What holds in the end

    def fresh_raters_do_all_that_is_open(self) -> None:
        self.clock.advance(minutes=LEASE_MINUTES + 1)
        known = {row.worker_id for row in Tables.read().assignments}
        while rate_all(enrol(self.campaign, RATE), 2, 2):
            pass
        tables = Tables.read()
        judged = Counter(row.item_id for row in tables.assignments if row.state == State.SUBMITTED)
        judged_now = {row.item_id for row in tables.assignments if row.worker_id not in known}
        counting = set(self.texts_that_count().values_list("item_id", flat=True))
        for item in tables.items:
            if item.round == RATE and item.stream != Stream.GOLD:
                if item.pk not in counting:
                    assert item.pk not in judged_now
                    continue
                assert item.open_slots == 0
                assert judged[item.pk] >= WANTED + EXTRA_RATERS * item.is_extended
        out = excluded_workers(self.campaign, RATE)
        counting_ratings = [each for each in tables.ratings if each.target_id and each.worker_id not in out]
        assert rating_summary(self.campaign).count == len(counting_ratings)
        assert len(crowd_ratings(self.campaign).rating) == len(counting_ratings)

    def texts_that_count(self) -> QuerySet[Target]:
        """Those by a system, or by an editor who is not excluded."""
        kept = Compression.objects.exclude(worker__in=excluded_workers(self.campaign, EDIT))
        systems = SystemOutput.objects.filter(target=OuterRef("pk"))
        return Target.objects.filter(Exists(kept.filter(target=OuterRef("pk"))) | Exists(systems))


@dataclass
class Tables:
    """What is stored at one moment."""

    items: list[Item]
    assignments: list[Assignment]
    ratings: list[Rating]
    scores: dict[int, dict[str, int]]
    versions: dict[int, list[RatingVersion]]

    @classmethod
    def read(cls) -> "Tables":
        scores: dict[int, dict[str, int]] = {}
        for rating_id, scale, value in Score.objects.values_list("rating_id", "scale", "value"):
            scores.setdefault(rating_id, {})[scale] = value
        versions: dict[int, list[RatingVersion]] = {}
        for version in RatingVersion.objects.order_by("rating", "number"):
            versions.setdefault(version.rating_id, []).append(version)
        return cls(
            list(Item.objects.all()),
            list(Assignment.objects.select_related("worker")),
            list(Rating.objects.all()),
            scores,
            versions,
        )


def shown(states: set[State]) -> QuerySet[Assignment]:
    return Assignment.objects.filter(state__in=states).select_related("item", "worker").order_by("pk")


def first_are_far_apart(rating: Rating) -> bool:
    """The first three that count: those of excluded people do not."""
    counting = Rating.objects.filter(target=rating.target, assignment__state=State.SUBMITTED)
    first = counting.order_by("pk")[:FIRST_RATERS]
    given = [dict(each.scores.values_list("scale", "value")) for each in first]
    spans = [max(each) - min(each) for each in zip(*((one["meaning"], one["grammar"]) for one in given), strict=True)]
    return len(given) == FIRST_RATERS and max(spans) >= FAR_APART


@pytest.mark.django_db
@pytest.mark.hypothesis
def test_the_rules_of_the_rater_round_hold_whatever_people_do(clock: Clock) -> None:
    RatersAndStaff.clock = clock
    plays = settings(
        max_examples=settings().max_examples // 2,  # a play has many steps, and each is checked against all rules
        stateful_step_count=50,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.reuse, Phase.generate),  # a play is short enough to be read as it is, and takes long to shrink
    )
    run_state_machine_as_test(RatersAndStaff, settings=plays)
