"""People who come by several links of a round: one identity, a code and a share of texts for each link."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from common.errors import Refused
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Outcome, PastVisit, Worker
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, enrolment_finish, enrolment_leave, guidelines_accept, worker_enter
from crowd.services.links import join_link_update
from tests.support.clock import Clock
from tests.support.factories import EDIT, RATE, edit_next, judged_campaign, link_of, make_campaign, open_link, rate_next

pytestmark = pytest.mark.django_db
ID = "5f1c0ffee5f1c0ffee5f1c0f"


def study(campaign: Campaign, name: str, work_round: str = EDIT, **settings: Any) -> JoinLink:
    return open_link(campaign=campaign, work_round=work_round, platform_key="prolific", name=name, **settings)


def come(link: JoinLink, session: str = "s", worker_id: str = ID) -> Enrolment:
    entered = worker_enter(link=link, ids=PlatformIds(worker_id, f"study {link.name}", session))
    guidelines_accept(enrolment=entered)
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=entered.pk)


def do_all(enrolment: Enrolment) -> list[int]:
    """Edit until nothing is given out any more, and return the items."""
    items = []
    while compression := edit_next(enrolment):
        items.append(compression.assignment.item_id)
    enrolment_finish(enrolment=enrolment)
    enrolment.refresh_from_db()
    return items


def test_who_comes_by_another_link_gets_other_texts_and_its_code() -> None:
    campaign = make_campaign(sources=6, editor_tasks=2)
    first, second = study(campaign, "one"), study(campaign, "two")
    enrolment = come(first)
    had = do_all(enrolment)
    assert (len(had), enrolment.outcome) == (2, Outcome.DONE)
    assert enrolment.completion_code(2) == first.code_done

    again = come(second, session="s2")
    assert (again.pk, again.outcome, again.link) == (enrolment.pk, Outcome.WORKING, second)
    assert (again.study_id, again.session_id) == ("study two", "s2")
    more = do_all(again)
    assert len(more) == 2
    assert not set(had) & set(more)
    assert again.completion_code(2) == second.code_done
    assert Worker.objects.count() == Enrolment.objects.count() == 1


def test_the_first_visit_is_kept_and_comes_back_by_its_link() -> None:
    campaign = make_campaign(sources=6, editor_tasks=2)
    first, second = study(campaign, "one"), study(campaign, "two")
    do_all(come(first, session="a"))
    come(second, session="b")
    past = PastVisit.objects.get()
    assert (past.link, past.study_id, past.session_id, past.outcome) == (first, "study one", "a", Outcome.DONE)

    back = come(first)
    assert (back.link, back.session_id, back.outcome) == (first, "a", Outcome.DONE)
    assert back.completion_code(2) == first.code_done
    assert PastVisit.objects.get().link == second
    assert assignment_claim(enrolment=back) is None
    assert assignment_claim(enrolment=come(second)) is not None


def test_what_somebody_holds_goes_on_as_work_of_the_new_visit() -> None:
    campaign = make_campaign(sources=3, editor_tasks=1)
    held = assignment_claim(enrolment=come(study(campaign, "one")))
    second = study(campaign, "two")
    enrolment = come(second)
    assert assignment_claim(enrolment=enrolment) == held
    edit_next(enrolment)
    assert Assignment.objects.get(state="submitted").link == second


def test_each_link_counts_its_own_and_counts_both_people() -> None:
    campaign = make_campaign(sources=9, editor_tasks=3)
    first, second = study(campaign, "one"), study(campaign, "two")
    do_all(come(first))
    do_all(come(second))
    do_all(come(second, worker_id=ID[::-1]))
    by_link = Assignment.objects.filter(state="submitted").values_list("link__name", flat=True)
    assert sorted(by_link) == ["one"] * 3 + ["two"] * 6


def test_who_failed_the_test_has_failed_it_for_every_link() -> None:
    campaign = judged_campaign(sources=2)
    first, second = study(campaign, "one", RATE), study(campaign, "two", RATE)
    Enrolment.objects.filter(pk=come(first).pk).update(outcome=Outcome.FAILED)
    again = come(second)
    assert again.outcome == Outcome.FAILED
    assert again.completion_code(0) == second.code_failed
    assert rate_next(again) is None


def test_a_full_link_takes_nobody_more_but_lets_its_own_people_back() -> None:
    campaign = make_campaign(sources=6)
    small, other = study(campaign, "small", max_people=1), study(campaign, "other")
    come(small)
    come(other)  # the same person goes on elsewhere, and still counts here
    with pytest.raises(Refused, match="is full"), transaction.atomic():
        come(small, worker_id=ID[::-1])
    assert come(small).link == small


def test_somebody_of_another_link_does_not_come_into_a_full_one() -> None:
    campaign = make_campaign(sources=6)
    small, other = study(campaign, "small", max_people=1), study(campaign, "other")
    come(small, worker_id=ID[::-1])
    come(other)
    with pytest.raises(Refused, match="is full"), transaction.atomic():
        come(small)
    assert Enrolment.objects.get(worker__external_id=ID).link == other


def test_a_link_has_its_days(clock: Clock) -> None:
    link = study(make_campaign(sources=2), "dated")
    join_link_update(link=link, opens_at=clock.now + timedelta(hours=1), closes_at=clock.now + timedelta(hours=2))
    assert "This study opens on" in Client().get(f"/join/{link.token}/").content.decode()
    clock.advance(minutes=60)
    assert come(link).link == link
    clock.advance(minutes=60)
    with pytest.raises(Refused, match="has ended"), transaction.atomic():
        come(link, worker_id=ID[::-1])
    assert come(link).link == link


def test_people_without_an_id_are_known_by_their_browser_at_another_link() -> None:
    campaign = make_campaign(sources=4, editor_tasks=2)
    first = link_of(campaign, EDIT)
    other = open_link(campaign=campaign, work_round=EDIT, platform_key="direct", name="second")
    client = Client()
    for link in (first, other):
        assert "I agree" in client.get(f"/join/{link.token}/").content.decode()
        assert client.post(f"/join/{link.token}/").status_code == 302
        client.post("/work/guidelines/")
    assert Enrolment.objects.get().link == other
    assert PastVisit.objects.count() == Worker.objects.count() == 1


def test_another_study_asks_for_consent_of_its_own_and_the_first_one_welcomes_back() -> None:
    campaign = make_campaign(sources=4)
    first, second = study(campaign, "one"), study(campaign, "two")
    client = Client()
    client.get(f"/join/{first.token}/?PROLIFIC_PID={ID}")
    client.post(f"/join/{first.token}/")
    page = client.get(f"/join/{second.token}/?PROLIFIC_PID={ID}", follow=True).content.decode()
    assert "I agree" in page
    client.post(f"/join/{second.token}/")
    page = client.get(f"/join/{first.token}/?PROLIFIC_PID={ID}", follow=True).content.decode()
    assert "Welcome back" in page


def test_somebody_who_stopped_and_comes_by_another_link_begins_there() -> None:
    campaign = make_campaign(sources=4)
    enrolment = come(study(campaign, "one"))
    edit_next(enrolment)
    enrolment_leave(enrolment=enrolment)
    again = come(study(campaign, "two"))
    assert again.outcome == Outcome.WORKING
    assert PastVisit.objects.get().outcome == Outcome.STOPPED_EARLY


def test_a_test_link_makes_test_people_who_work_before_the_campaign_is_open() -> None:
    campaign = make_campaign(sources=2, state="draft")
    real, tried = study(campaign, "real"), study(campaign, "tried", is_test=True)
    with pytest.raises(Refused), transaction.atomic():
        come(real)
    enrolment = come(tried)
    assert enrolment.worker.is_test
    assert edit_next(enrolment) is not None
