"""What ends a visit holds by every link of the round, and for everybody who asks."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import Client

from common.errors import Refused
from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Outcome, PastVisit, Role, Worker
from crowd.services.entry import (
    PlatformIds,
    enrolment_finish,
    enrolment_leave,
    enrolment_reopen,
    enrolment_withdraw,
    guidelines_accept,
    worker_enter,
)
from crowd.services.exclusions import worker_exclude
from crowd.services.links import join_link_update
from crowd.services.members import member_remove, member_set
from ratings.services.rating import OtherAnswerCounts
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    judged_campaign,
    link_of,
    make_campaign,
    make_staff,
    open_link,
    rate,
    rate_next,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db
ID = "5f1c0ffee5f1c0ffee5f1c0f"


def study(campaign: Campaign, name: str, work_round: str = EDIT, **settings: Any) -> JoinLink:
    return open_link(campaign=campaign, work_round=work_round, platform_key="prolific", name=name, **settings)


def come(link: JoinLink, worker_id: str = ID, session: str = "s") -> Enrolment:
    entered = worker_enter(link=link, ids=PlatformIds(worker_id, f"study {link.name}", session))
    guidelines_accept(enrolment=entered)
    return again(entered)


def again(enrolment: Enrolment) -> Enrolment:
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def studies(work_round: str = EDIT, **settings: Any) -> tuple[JoinLink, JoinLink]:
    made = judged_campaign if work_round == RATE else make_campaign
    campaign = made(sources=6, **settings)
    return study(campaign, "one", work_round), study(campaign, "two", work_round)


def test_an_erasure_reaches_the_ids_of_past_visits() -> None:
    first, second = studies()
    come(first, session="SECRET")
    worker_erase(worker=come(second).worker)
    visit = PastVisit.objects.get()
    assert (visit.study_id, visit.session_id) == ("", "")


@pytest.mark.parametrize("ended", [Outcome.WITHDREW, Outcome.FAILED])
def test_no_way_back_leads_past_the_end(ended: Outcome) -> None:
    first, second = studies()
    come(first)
    enrolment = come(second)
    if ended == Outcome.WITHDREW:
        enrolment_withdraw(enrolment=enrolment)
    else:
        Enrolment.objects.update(outcome=ended)
    back = again(come(link=first)) if ended == Outcome.FAILED else _come_back(first)
    assert back.outcome == ended
    assert back.completion_code(0) == first.code_for(ended, 0)


def _come_back(link: JoinLink) -> Enrolment:
    """A person who withdrew is excluded, and goes back to a link by which they came before."""
    return again(worker_enter(link=link, ids=PlatformIds(ID)))


def test_a_study_that_was_finished_before_somebody_withdrew_stays_finished() -> None:
    first, second = studies(editor_tasks=1)
    edit_next(come(first))
    enrolment_finish(enrolment=come(first))
    enrolment_withdraw(enrolment=come(second))
    back = _come_back(first)
    enrolment_finish(enrolment=back)
    assert again(back).outcome == Outcome.DONE
    assert PastVisit.objects.get().outcome == Outcome.WITHDREW


def test_a_test_taken_anew_is_taken_anew_for_every_link() -> None:
    first, second = studies(RATE)
    Enrolment.objects.filter(pk=come(first).pk).update(outcome=Outcome.FAILED)
    enrolment_reopen(enrolment=come(second))
    assert come(first).outcome == Outcome.WORKING


def test_a_removed_expert_does_not_come_in_by_the_page_that_is_open() -> None:
    owner, eve = make_staff(), make_staff("eve")
    campaign = make_campaign(slug="news", owner=owner, sources=1)
    member_set(campaign=campaign, member=eve, role=Role.EXPERT, user=owner)
    client = staff_client(eve)
    consent = client.post("/campaigns/news/rate-as-expert/").headers["Location"]
    member_remove(campaign=campaign, member=eve, user=owner)
    assert client.post(consent).status_code == 409
    assert not Worker.objects.filter(platform_key="account").exists()


def test_no_click_undoes_a_withdrawal() -> None:
    first, second = studies(owner=make_staff())
    edit_next(come(first))
    enrolment = come(second)
    enrolment_withdraw(enrolment=enrolment)
    _come_back(first)  # the withdrawal is one of a past visit then
    campaign = first.campaign
    client = staff_client(campaign.staff.get())
    page = f"/campaigns/{campaign.slug}/people/{enrolment.worker.number}/"
    assert "Let this participant work again" not in readable(client.get(page))
    reply = client.post(f"{page}exclude/edit/", {"excluded": "0"}, follow=True)
    assert "withdrew their work" in readable(reply)
    assert not Assignment.objects.filter(state="submitted").exists()


def test_answers_of_an_earlier_study_are_final() -> None:
    first, second = studies(RATE, raters_per_compression=9)
    rating = rate_next(come(first), 3, 3)
    assert rating is not None
    assert rating.assignment is not None
    with pytest.raises(OtherAnswerCounts, match="can’t be changed any more"):
        rate(come(second), rating.assignment, known_version=1, meaning=1, grammar=1)


@pytest.mark.parametrize("is_test_first", [True, False])
def test_an_id_is_of_a_test_or_of_a_participant_and_never_both(is_test_first: bool) -> None:
    campaign = make_campaign(sources=6)
    links = study(campaign, "tried", is_test=True), study(campaign, "real")
    first, second = links if is_test_first else links[::-1]
    come(first)
    with pytest.raises(Refused, match="try"), transaction.atomic():
        come(second)
    assert Worker.objects.get().is_test is is_test_first
    assert come(first).link == first


def test_an_excluded_person_gets_no_code_by_ever_new_links() -> None:
    first, second = studies()
    worker_exclude(worker=come(first).worker, work_round=EDIT, note="Not a person.", user=None)
    with pytest.raises(Refused), transaction.atomic():
        come(second)
    assert not PastVisit.objects.exists()


def test_who_failed_the_test_and_withdraws_has_failed_it() -> None:
    enrolment = come(studies(RATE)[0])
    Enrolment.objects.update(outcome=Outcome.FAILED)
    enrolment_withdraw(enrolment=again(enrolment))
    assert again(enrolment).outcome == Outcome.FAILED
    assert again(enrolment).is_excluded


def test_who_found_no_work_keeps_that_code_when_they_leave() -> None:
    enrolment = come(studies()[0])
    enrolment_finish(enrolment=enrolment)
    enrolment_leave(enrolment=enrolment)
    assert again(enrolment).outcome == Outcome.NO_WORK


def test_people_without_an_id_go_back_by_a_link_that_has_closed() -> None:
    campaign = make_campaign(sources=4)
    first = link_of(campaign, EDIT)
    second = open_link(campaign=campaign, work_round=EDIT, platform_key="direct", name="second")
    client = Client()
    for link in (first, second):
        client.post(link.get_absolute_url())
    JoinLink.objects.filter(pk=first.pk).update(is_active=False)
    assert "Welcome back" in readable(client.get(first.get_absolute_url()))
    assert client.post(first.get_absolute_url()).status_code == 302
    assert Enrolment.objects.get().link == first


def test_ids_of_prolific_are_the_same_in_both_cases() -> None:
    first, _ = studies()
    for worker_id in (ID, ID.upper()):
        client = Client()
        client.get(f"{first.get_absolute_url()}?PROLIFIC_PID={worker_id}")
        client.post(first.get_absolute_url())
    assert Worker.objects.count() == 1


@pytest.mark.parametrize("worker_id", ["eve,0.10%0Abob", "a%09b", 'a"b', "a%E2%80%A8b"])
def test_no_id_forges_a_line_of_a_list(worker_id: str) -> None:
    link = link_of(make_campaign(sources=1), EDIT)
    assert Client().get(f"{link.get_absolute_url()}?participant={worker_id}").status_code == 400


def test_what_was_no_id_is_kept_only_if_it_names_nobody() -> None:
    link = study(make_campaign(sources=1), "one")
    for worker_id, example in (("alice@example.org", ""), ("{{%25PROLIFIC_PID%25}}", "{{%PROLIFIC_PID%}}")):
        Client().get(f"{link.get_absolute_url()}?PROLIFIC_PID={worker_id}")
        link.refresh_from_db()
        assert link.wrong_id_example == example
    assert link.wrong_ids == 2


@pytest.mark.parametrize("host", ["evil.example\\", "evil.example;", "evil.example%2f", "evil.example。"])
def test_no_sign_in_a_host_leads_elsewhere(host: str) -> None:
    link = open_link(campaign=make_campaign(), work_round=EDIT, platform_key="sona")
    with pytest.raises(ValidationError):
        join_link_update(link=link, completion_address=f"https://{host}.sona-systems.com/?XXXX")
