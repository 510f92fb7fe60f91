"""Whatever a small crowd does, in whatever order: the promises of the mechanism hold after every step."""

from typing import ClassVar

import pytest
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from common.errors import SlotTaken
from compressions.models import Compression
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import Submission, compression_submit
from crowd.models import Assignment, Enrolment, Item, Round
from crowd.services.claims import assignment_claim
from crowd.services.leases import assignment_renew, leases_expire
from ratings.models import Rating
from tests.support.clock import Clock
from tests.support.factories import EDIT, RATE, enrol, make_campaign, rate

State = Assignment.State
PEOPLE = ("ada", "bob", "cem", "dora")
TEXTS = ("The committee met.", "The bridge falls.")
ROUNDS = (EDIT, RATE)

people = st.sampled_from(PEOPLE)
rounds = st.sampled_from(ROUNDS)
places = st.integers(min_value=0, max_value=9)


class SmallCrowd(RuleBasedStateMachine):
    """Four people, three texts that want two editors each, compressions that want two raters each."""

    clock: ClassVar[Clock]

    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()
        self.campaign = make_campaign(sources=3, editors_per_source=2, raters_per_compression=2, lease_minutes=30)
        self.enrolments = {(name, each): enrol(self.campaign, each, name) for name in PEOPLE for each in ROUNDS}
        self.acknowledged: set[int] = set()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)

    def task(self, enrolment: Enrolment, place: int) -> Assignment | None:
        """Any task that a person was ever shown: old tabs stay open."""
        shown = Assignment.objects.filter(worker=enrolment.worker, round=enrolment.round).exclude(state=State.BLOCKED)
        tasks = list(shown.order_by("pk"))
        return tasks[place % len(tasks)] if tasks else None

    @rule(name=people, work_round=rounds)
    def claim(self, name: str, work_round: Round) -> None:
        enrolment = self.enrolments[name, work_round]
        assignment = assignment_claim(enrolment=enrolment)
        assert assignment is None or (assignment.worker_id, assignment.state) == (enrolment.worker_id, State.LEASED)

    @rule(name=people, work_round=rounds, place=places, text=st.sampled_from(TEXTS))
    def submit(self, name: str, work_round: Round, place: int, text: str) -> None:
        enrolment = self.enrolments[name, work_round]
        task = self.task(enrolment, place)
        if task is None:
            return
        try:
            write(enrolment, task, text) if work_round == EDIT else rate(enrolment, task, meaning=2, grammar=3)
        except SlotTaken:
            assert task.state == State.EXPIRED
        else:
            self.acknowledged.add(task.pk)

    @rule(name=people, work_round=rounds, place=places)
    def renew(self, name: str, work_round: Round, place: int) -> None:
        enrolment = self.enrolments[name, work_round]
        task = self.task(enrolment, place)
        if task is None:
            return
        try:
            assignment_renew(assignment_id=task.pk, enrolment=enrolment)
        except SlotTaken:
            assert task.state == State.EXPIRED

    @rule(minutes=st.integers(min_value=1, max_value=40))
    def stall(self, minutes: int) -> None:
        self.clock.advance(minutes=minutes)

    @rule()
    def reap(self) -> None:
        leases_expire(campaign_id=self.campaign.pk, now=self.clock())

    @invariant()
    def every_place_is_open_or_held_by_somebody(self) -> None:
        held = Count("assignments", filter=Q(assignments__state__in=[State.LEASED, State.SUBMITTED]))
        assert not Item.objects.annotate(held=held).exclude(wanted=F("held") + F("open_slots")).exists()

    @invariant()
    def nobody_has_an_item_twice_or_two_leases_at_once(self) -> None:
        rows = Assignment.objects.order_by()
        assert not rows.values("item", "worker").annotate(n=Count("pk")).filter(n__gt=1).exists()
        leases = rows.filter(state=State.LEASED)
        assert not leases.values("worker", "round", "page_position").annotate(n=Count("pk")).filter(n__gt=1).exists()

    @invariant()
    def what_was_acknowledged_is_stored_once_and_nothing_else(self) -> None:
        submitted = set(Assignment.objects.filter(state=State.SUBMITTED).values_list("pk", flat=True))
        written = [*Compression.objects.values_list("assignment_id", flat=True)]
        judged = [*Rating.objects.values_list("assignment_id", flat=True)]
        assert submitted == self.acknowledged
        assert sorted(submitted) == sorted(written + judged)

    @invariant()
    def nobody_judges_their_own_text(self) -> None:
        own = Compression.objects.filter(target=OuterRef("target"), worker=OuterRef("worker"))
        assert not Rating.objects.filter(Exists(own)).exists()

    @invariant()
    def nobody_who_may_still_write_has_seen_how_others_wrote(self) -> None:
        open_rows = Assignment.objects.filter(round=Round.EDIT, state__in=[State.LEASED, State.EXPIRED])
        seen = Assignment.objects.filter(round=Round.RATE, worker=OuterRef("worker")).exclude(state=State.BLOCKED)
        assert not open_rows.filter(Exists(seen.filter(item__target__source__item=OuterRef("item")))).exists()


def write(enrolment: Enrolment, task: Assignment, text: str) -> None:
    source = source_of_assignment(task)
    submission = Submission(text, [[0, source.text, text, "paste", 1000]])
    compression_submit(enrolment=enrolment, assignment_id=task.pk, source=source, submission=submission)


@pytest.mark.django_db
@pytest.mark.hypothesis
def test_the_promises_hold_whatever_a_crowd_does(clock: Clock) -> None:
    SmallCrowd.clock = clock
    plays = settings(stateful_step_count=30, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(SmallCrowd, settings=plays)
