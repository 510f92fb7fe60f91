"""A text is retired while participants claim and submit it."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest
from django.db import connection, transaction

from common.errors import SlotTaken
from compressions.models import Compression, Source, Target
from compressions.services.retirement import source_retire
from crowd.models import Assignment, Enrolment, Item
from crowd.selectors.work import WITHDRAWN
from crowd.services import items
from crowd.services.claims import assignment_claim
from tests.support.factories import EDIT, RATE, edit_all, enrol, make_campaign, rate, submit_edit
from tests.support.together import PATIENCE_SECONDS, after_somebody_waits, together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
State = Assignment.State
PEOPLE, ROUNDS = 6, 5


def retiring(source: Source) -> Callable[[], str]:
    def act() -> str:
        source_retire(source=source, note="Broken.", work_is_kept=True, user=None)
        return "retired"

    return act


def at_work(enrolment: Enrolment, work_round: str) -> Callable[[], str]:
    """Claim what there is and submit it; says what came of it."""

    def act() -> str:
        assignment = assignment_claim(enrolment=enrolment)
        if assignment is None:
            return "nothing left"
        try:
            if work_round == EDIT:
                submit_edit(enrolment, assignment)
            else:
                rate(enrolment, assignment, meaning=3, grammar=3)
        except SlotTaken as refusal:
            return str(refusal)
        return "submitted"

    return act


def open_slots_hold() -> None:
    """Slots that are neither open nor held by work are lost; none may be."""
    for item in Item.objects.all():
        held = item.assignments.filter(state__in=[State.LEASED, State.SUBMITTED]).count()
        assert item.open_slots + held == item.wanted, item


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_whoever_is_at_work_is_told_or_was_quicker_and_nobody_has_the_text_afterwards(work_round: str) -> None:
    for number in range(ROUNDS):
        campaign = make_campaign(
            sources=1, editors_per_source=PEOPLE + 1, raters_per_compression=PEOPLE, extra_raters=True
        )
        if work_round == RATE:
            edit_all(campaign, 1)
        people = [enrol(campaign, work_round, f"{work_round}-{number}-{each}") for each in range(PEOPLE)]
        source = Source.objects.get(campaign=campaign)
        acts = [at_work(each, work_round) for each in people]

        results = together([*acts[:3], retiring(source), *acts[3:]])

        assert set(results) <= {"retired", "nothing left", WITHDRAWN, "submitted"}
        assert not Assignment.objects.filter(state=State.LEASED, item__campaign=campaign).exists()
        assert all(Item.objects.filter(campaign=campaign).values_list("is_closed", flat=True))
        assert Compression.objects.filter(source=source).count() >= Target.objects.filter(source=source).count()
        open_slots_hold()
        assert assignment_claim(enrolment=enrol(campaign, work_round, f"late-{number}")) is None


def test_what_is_claimed_and_submitted_while_leases_end_leaves_nothing_open_to_raters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between the two times that leases are ended, somebody claims the text and has all but stored a compression."""
    campaign = make_campaign(sources=1, editors_per_source=2)
    enrolment = enrol(campaign, EDIT, "quick")
    submitted, stored = Event(), after_somebody_waits(lambda: None, Event())
    leases_end = items._leases_end

    def submit() -> None:
        assignment = assignment_claim(enrolment=enrolment)
        assert assignment is not None
        try:
            with transaction.atomic():
                submit_edit(enrolment, assignment)
                submitted.set()
                stored()
        finally:
            connection.close()

    editor = Thread(target=submit)

    def submitted_meanwhile(*of: Any, **how: Any) -> int:
        ended = leases_end(*of, **how)
        if editor.ident is None:
            editor.start()
            assert submitted.wait(PATIENCE_SECONDS)
        return ended

    monkeypatch.setattr(items, "_leases_end", submitted_meanwhile)
    source_retire(source=Source.objects.get(), note="Broken.", work_is_kept=True, user=None)
    editor.join(PATIENCE_SECONDS)

    assert Compression.objects.count() == 1
    assert list(Item.objects.filter(is_closed=False)) == []
    open_slots_hold()
