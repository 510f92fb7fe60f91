"""Lists ready for the platform, and bonuses by a rule."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from common.clock import database_now
from compressions.flag_kinds import Flag, flag_columns
from compressions.models import Compression, LabelledSessions, TextFeatures, VisitRules
from crowd.models import Assignment, AuditEntry, Campaign, Enrolment, JoinLink, Outcome, PaidVisit, Remark, Worker
from crowd.services.claims import assignment_claim
from crowd.services.remarks import task_skip
from measures.quality_control.provenance.calibration import LEARNT, LabelledText, calibrate
from ratings.bonus import BonusRule
from ratings.platform_lists import KINDS
from ratings.services.exclusions import person_exclude
from ratings.tests.people.support import comes, comes_again, named_link, owner_of, rows_of, viewer_of
from tests.support.factories import EDIT, RATE, edit_all, make_campaign, make_staff, readable

FLAG: Flag = ["done in a few seconds", "the last change came 4.1 s after the page was shown", None]
pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(sources=8, editor_tasks=8, gold_percent=0)


@pytest.fixture
def link(campaign: Campaign) -> JoinLink:
    return named_link(campaign, EDIT, "Pilot")


def lists_of(campaign: Campaign, work_round: str = EDIT) -> str:
    return f"/campaigns/{campaign.slug}/participants/{work_round}/lists/"


def ids_on(link: JoinLink, key: str) -> list[str]:
    """The ids to paste."""
    response: Any = owner_of(link.campaign).post(lists_of(link.campaign), {"link": link.pk, "list": key, "as": "text"})
    assert response.status_code == 200
    return str(response.context["text"]).splitlines()


def test_each_outcome_has_its_list(link: JoinLink) -> None:
    for outcome in Outcome:
        comes(link, f"is-{outcome}", outcome=outcome)

    assert ids_on(link, "approve") == ["is-done"]
    assert ids_on(link, "no-work") == ["is-no_work"]
    assert ids_on(link, "partial") == []
    assert ids_on(link, "stopped") == ["is-stopped"]
    assert ids_on(link, "withdrew") == ["is-withdrew"]
    assert ids_on(link, "failed") == ["is-failed"]
    assert ids_on(link, "skipped") == ["is-skipped"]
    assert ids_on(link, "working") == ["is-working"]
    assert ids_on(link, "look") == []


def test_who_is_done_is_on_one_of_two_lists_by_whether_something_is_flagged(link: JoinLink) -> None:
    flagged, _ = (comes(link, name, tasks=1, outcome=Outcome.DONE) for name in ("a", "b"))
    at_work = comes(link, "c", tasks=1)
    Compression.objects.update(**flag_columns([]))
    Compression.objects.filter(worker__in=[flagged.worker, at_work.worker]).update(**flag_columns([FLAG]))

    assert (ids_on(link, "look"), ids_on(link, "approve"), ids_on(link, "working")) == (["a"], ["b"], ["c"])
    page = words_of(link.campaign)
    assert "No list rejects anyone" in page
    assert "They have not finished yet. Flagged: 1 of them." in page


def test_everyone_is_on_one_list(link: JoinLink) -> None:
    for outcome in Outcome:
        for name in ("plain", "flagged"):
            comes(link, f"{name}-{outcome}", tasks=name == "flagged", outcome=outcome)
    Compression.objects.update(**flag_columns([FLAG]))

    listed = [each for kind in KINDS for each in ids_on(link, kind.key)]

    assert sorted(listed) == sorted(f"{name}-{outcome}" for outcome in Outcome for name in ("plain", "flagged"))


# Who has been paid


def paid_at(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.slug}/participants/edit/paid/"


def mark(link: JoinLink, *people: Enrolment, paid: bool = True, **more: str) -> Any:
    numbers = " ".join(str(each.worker.number) for each in people)
    sent = {"link": str(link.pk), "people": numbers, "paid": str(int(paid)), **more}
    return owner_of(link.campaign).post(paid_at(link.campaign), sent, follow=True)


def field_of(page: str, name: str) -> str:
    (value,) = re.findall(rf'name="{name}"\s+value="([^"]*)"', page)
    return str(value)


def test_a_list_remembers_who_has_been_paid_and_gives_the_others_out(link: JoinLink) -> None:
    for name in ("a", "b"):
        comes(link, name, outcome=Outcome.DONE)
    client = owner_of(link.campaign)
    shown = readable(client.post(lists_of(link.campaign), {"link": link.pk, "list": "approve", "as": "text"}))
    assert "I have paid these 2 participants" in " ".join(shown.split())
    comes(link, "c", outcome=Outcome.DONE)  # while staff pay those that they see

    page = client.post(
        paid_at(link.campaign), {"link": link.pk, "people": field_of(shown, "people"), "paid": "1"}, follow=True
    )

    assert "2 visits are marked as paid." in words(page)
    assert ids_on(link, "approve") == ["c"]
    (row,) = rows_of(client.post(lists_of(link.campaign), {"link": link.pk, "list": "approve", "as": "csv"}))
    assert (row["platform_id"], row["paid"]) == ("c", "")
    everyone = rows_of(client.post(f"/campaigns/{link.campaign.slug}/participants/edit.csv"))
    assert [bool(each["paid"]) for each in everyone] == [True, True, False]


def test_a_mark_is_undone_batch_by_batch(link: JoinLink) -> None:
    a, b, c = (comes(link, name, outcome=Outcome.DONE) for name in "abc")
    mark(link, a)
    page = readable(mark(link, b, c))

    client = owner_of(link.campaign)
    undone = client.post(
        paid_at(link.campaign), {"link": link.pk, "people": field_of(page, "people"), "paid": "0"}, follow=True
    )

    assert "2 visits are no longer marked as paid." in words(undone)
    assert ids_on(link, "approve") == ["b", "c"]
    actions = AuditEntry.objects.filter(campaign=link.campaign, action__contains="marked as paid").order_by("pk")
    assert [(each.action, each.subject, each.detail) for each in actions] == [
        ("visits marked as paid", f"Pilot (link {link.pk})", "1 participant"),
        ("visits marked as paid", f"Pilot (link {link.pk})", "2 participants"),
        ("visits no longer marked as paid", f"Pilot (link {link.pk})", "2 participants"),
    ]


def test_a_mark_made_twice_is_one(link: JoinLink) -> None:
    a = comes(link, "a", outcome=Outcome.DONE)
    mark(link, a)
    assert "0 visits are marked as paid." in words(mark(link, a))
    assert PaidVisit.objects.count() == 1


def test_only_people_who_came_by_the_link_are_marked(campaign: Campaign, link: JoinLink) -> None:
    other = named_link(campaign, EDIT, "Main study")
    a, b = comes(link, "a", outcome=Outcome.DONE), comes(other, "b", outcome=Outcome.DONE)
    comes_again(a, other)

    mark(link, a, b)

    assert list(PaidVisit.objects.values_list("worker", "link")) == [(a.worker_id, link.pk)]
    assert (ids_on(link, "approve"), ids_on(other, "approve"), ids_on(other, "working")) == ([], ["b"], ["a"])


@pytest.mark.parametrize("people", ["", "x", "-1 0", "9" * 12, "1;2", "\x00"])
def test_what_names_nobody_marks_nobody(link: JoinLink, people: str) -> None:
    comes(link, "a", outcome=Outcome.DONE)
    sent = {"link": link.pk, "people": people, "paid": "1"}
    assert owner_of(link.campaign).post(paid_at(link.campaign), sent).status_code == 302
    assert not PaidVisit.objects.exists()


def test_one_person_is_marked_on_their_page_and_viewers_mark_nobody(link: JoinLink) -> None:
    a = comes(link, "a", tasks=1, outcome=Outcome.DONE)
    address = f"/campaigns/{link.campaign.slug}/people/{a.worker.number}/"
    assert "Mark as paid" in words(owner_of(link.campaign).get(address))

    page = mark(link, a, back="person")

    assert page.redirect_chain == [(address, 302)]
    assert "Not paid after all" in words(page)
    viewer = viewer_of(link.campaign)
    assert viewer.post(paid_at(link.campaign), {"link": link.pk, "people": "1", "paid": "0"}).status_code == 403
    assert "Not paid after all" not in words(viewer.get(address))
    assert PaidVisit.objects.exists()


def test_a_paid_visit_changes_nothing_else(link: JoinLink) -> None:
    a = comes(link, "a", tasks=1, outcome=Outcome.DONE)
    before = list(Enrolment.objects.values())
    mark(link, a)
    assert list(Enrolment.objects.values()) == before


def test_where_nobody_has_an_id_all_can_be_marked(link: JoinLink) -> None:
    for name in ("a", "b"):
        comes(link, name, outcome=Outcome.DONE)
    asked = {"link": link.pk, "list": "approve", "as": "text"}
    Worker.objects.filter(external_id="b").update(external_id="")
    page = readable(owner_of(link.campaign).post(lists_of(link.campaign), asked))
    assert len(field_of(page, "people").split()) == 1
    Worker.objects.update(external_id="")
    page = readable(owner_of(link.campaign).post(lists_of(link.campaign), asked))
    assert len(field_of(page, "people").split()) == 2


# Skipped texts


def test_skipped_texts_stand_on_the_person_s_page_with_the_reason_and_the_time(link: JoinLink) -> None:
    enrolment = comes(link, "a")
    task = assignment_claim(enrolment=enrolment)
    assert task is not None
    task_skip(enrolment=enrolment, assignment_id=task.pk, reason="not_shorter", text="It is one word.")
    given = Assignment.objects.get(pk=task.pk).leased_at
    assert given is not None
    Remark.objects.update(created_at=given + timedelta(milliseconds=300))

    page = words(owner_of(link.campaign).get(f"/campaigns/{link.campaign.slug}/people/{enrolment.worker.number}/"))

    assert "It can’t be shortened that much It is one word. 0.3 s" in page
    assert "Skipped through this link 1" in page
    (row,) = rows_of(owner_of(link.campaign).post(f"/campaigns/{link.campaign.slug}/participants/edit.csv"))
    assert (row["submitted"], row["skipped"]) == ("0", "1")


def test_lists_go_by_link(campaign: Campaign, link: JoinLink) -> None:
    other = named_link(campaign, EDIT, "Main study")
    comes_again(comes(link, "a", outcome=Outcome.DONE), other, outcome=Outcome.STOPPED_EARLY)

    assert (ids_on(link, "approve"), ids_on(other, "approve"), ids_on(other, "stopped")) == (["a"], [], ["a"])


def words_of(campaign: Campaign, **asked: Any) -> str:
    """The page of lists in words, or one list as it is shown."""
    client, address = owner_of(campaign), lists_of(campaign)
    return words(client.post(address, asked) if asked else client.get(address))


def words(response: Any) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", readable(response)).split())


def test_who_stopped_with_the_partial_code_is_apart_from_who_got_none() -> None:
    campaign = make_campaign(sources=8, editor_tasks=8, gold_percent=0, partial_after=2)
    link = named_link(campaign, EDIT, "Pilot")
    for name, tasks in (("one", 1), ("two", 2)):
        comes(link, name, tasks=tasks, outcome=Outcome.STOPPED_EARLY)

    assert (ids_on(link, "partial"), ids_on(link, "stopped")) == (["two"], ["one"])
    JoinLink.objects.update(code_partial="")
    assert (ids_on(link, "partial"), ids_on(link, "stopped")) == ([], ["one", "two"])


def test_the_list_to_approve_says_how_many_did_fewer_than_they_might(link: JoinLink) -> None:
    comes(link, "all", tasks=8, outcome=Outcome.DONE)
    assert "did fewer" not in words_of(link.campaign)
    comes(link, "some", tasks=1, outcome=Outcome.DONE)
    assert "A flag is no reason to reject. 1 of them did fewer than 8." in words_of(link.campaign)
    Compression.objects.update(**flag_columns([]))
    assert "or there were no more for them. 1 of them did fewer than 8." in words_of(link.campaign)


def test_who_still_works_when_the_campaign_closes_may_have_no_code(link: JoinLink) -> None:
    comes(link, "a")
    closing = "The campaign closed before they finished; they may have no code."
    assert closing not in words_of(link.campaign)
    Campaign.objects.update(state="closed")
    assert closing in words_of(link.campaign)


def test_a_test_link_has_no_list(link: JoinLink) -> None:
    comes(link, "a", outcome=Outcome.DONE)
    JoinLink.objects.update(is_test=True)

    sent = {"link": link.pk, "list": "approve", "as": "text"}
    assert owner_of(link.campaign).post(lists_of(link.campaign), sent).status_code == 404


def test_a_list_says_who_gave_it_out_last(link: JoinLink) -> None:
    comes(link, "a", outcome=Outcome.DONE)
    assert "Last given out" not in words_of(link.campaign)

    shown = words_of(link.campaign, link=link.pk, list="approve")

    entry = AuditEntry.objects.get(action="ids exported")
    assert "1 ID, one per line" in shown
    assert "Show the IDs: Failed the test" not in shown  # nobody is on it
    assert "Show the IDs: Approve: nothing flagged" in shown
    assert shown.count(f"Last given out on {entry.created_at:%Y-%m-%d %H:%M} by {entry.username}.") == 1


def test_lists_take_as_many_queries_for_many_links_and_people(link: JoinLink) -> None:
    client = owner_of(link.campaign)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(lists_of(link.campaign))
            client.get(bonus_of(link.campaign), {"link": str(link.pk), "each": "0.10"})
        return len(captured)

    comes(link, "a", outcome=Outcome.STOPPED_EARLY)
    before = queries()
    for name in ("b", "c"):
        comes(named_link(link.campaign, EDIT, f"Link {name}"), name, outcome=Outcome.STOPPED_EARLY)
        ids_on(link, "stopped")
    assert queries() == before


def test_test_participants_are_on_no_list_and_people_without_an_id_are_counted(link: JoinLink) -> None:
    for name in ("real", "test", "erased"):
        comes(link, name, outcome=Outcome.DONE)
    Worker.objects.filter(external_id="test").update(is_test=True)
    Worker.objects.filter(external_id="erased").update(external_id="")

    assert ids_on(link, "approve") == ["real"]
    page = readable(owner_of(link.campaign).get(lists_of(link.campaign)))
    assert "1 test participant not listed." in page
    assert "1 without a platform ID." in page


def test_a_list_is_downloaded_as_csv_and_each_export_is_logged(link: JoinLink) -> None:
    comes(link, "a", tasks=1, outcome=Outcome.DONE)
    client, asked = owner_of(link.campaign), {"link": link.pk, "list": "look", "as": "csv"}

    (row,) = rows_of(client.post(lists_of(link.campaign), asked))

    assert (row["platform_id"], row["submitted"], row["code"]) == ("a", "1", link.code_done)
    entry = AuditEntry.objects.get(action="ids exported")
    assert (entry.subject, entry.detail) == (f"Approve: look at first: Pilot (link {link.pk})", "1 row")


def test_the_page_itself_holds_no_ids_and_viewers_get_none(link: JoinLink) -> None:
    comes(link, "secret-id", outcome=Outcome.DONE)
    address = lists_of(link.campaign)

    assert "secret-id" not in readable(owner_of(link.campaign).get(address))
    viewer = viewer_of(link.campaign)
    assert '<button type="submit" class="quiet" name="as"' not in readable(viewer.get(address))
    assert viewer.post(address, {"link": link.pk, "list": "approve"}).status_code == 403
    assert not AuditEntry.objects.filter(action="ids exported").exists()


@pytest.mark.parametrize("asked", [{}, {"list": "approve"}, {"link": "1" * 30, "list": "approve"}, {"list": "reject"}])
def test_other_lists_are_not_found(link: JoinLink, asked: dict[str, str]) -> None:
    comes(link, "a")
    sent = {"link": str(link.pk), **asked} if "list" in asked and asked["list"] == "reject" else asked

    assert owner_of(link.campaign).post(lists_of(link.campaign), sent).status_code == 404


# Bonuses


def bonus_of(campaign: Campaign, work_round: str = EDIT) -> str:
    return f"/campaigns/{campaign.slug}/participants/{work_round}/bonus/"


def lines_of(link: JoinLink, each: str, most: str = "") -> list[str]:
    sent = {"link": str(link.pk), "each": each, "most": most, "as": "text"}
    response: Any = owner_of(link.campaign).post(bonus_of(link.campaign, link.round), sent)
    assert response.status_code == 200
    return str(response.context["text"]).splitlines()


def test_everyone_gets_so_much_for_each_kept_compression_up_to_so_much(link: JoinLink) -> None:
    for name, tasks in (("a", 1), ("b", 3), ("c", 0)):
        comes(link, name, tasks=tasks)

    assert lines_of(link, "0.10") == ["a,0.10", "b,0.30"]
    assert lines_of(link, "0.10", "0.25") == ["a,0.10", "b,0.25"]
    assert lines_of(link, "0") == []


def test_raters_get_so_much_for_each_rating(campaign: Campaign) -> None:
    edit_all(campaign, 1)
    link = named_link(campaign, RATE, "Raters")
    comes(link, "a", tasks=2)

    assert lines_of(link, "0.05") == ["a,0.10"]


def test_work_that_releases_leave_out_earns_nothing(link: JoinLink) -> None:
    _, excluded, test = (comes(link, name, tasks=1) for name in ("a", "b", "c"))
    person_exclude(worker=excluded.worker, work_round=EDIT, user=make_staff(), note="A program.")
    Worker.objects.filter(pk=test.worker_id).update(is_test=True)

    assert lines_of(link, "0.10") == ["a,0.10"]
    page = readable(owner_of(link.campaign).get(bonus_of(link.campaign), {"link": str(link.pk), "each": "0.10"}))
    assert "Excluded, with their work: 1 participant." in page
    assert "<strong>£0.10</strong> in all" in page


def test_who_still_works_can_earn_more(link: JoinLink) -> None:
    comes(link, "a", tasks=1)
    comes(link, "b", tasks=1, outcome=Outcome.DONE)
    client, asked = owner_of(link.campaign), {"link": str(link.pk), "each": "0.10"}

    shown = words(client.get(bonus_of(link.campaign), asked))

    assert "1 is still working and can earn more." in shown
    assert "Working 1 £0.10" in shown
    assert "Done 1 £0.10" in shown
    assert "Last given out" not in shown
    lines_of(link, "0.10")
    assert "Last given out" in words(client.get(bonus_of(link.campaign), asked))


def test_bonuses_are_offered_first_for_the_newest_link_that_has_people_and_not_for_tests(campaign: Campaign) -> None:
    first, second, _empty, test = (named_link(campaign, EDIT, name) for name in ("First", "Second", "Empty", "Test"))
    for link in (first, second, test):
        comes(link, f"of-{link.pk}")
    JoinLink.objects.filter(pk=test.pk).update(is_test=True)

    choices = owner_of(campaign).get(bonus_of(campaign)).context["form"].fields["link"].choices

    names = [name for _, name in choices]
    assert names[:3] == ["Second", "First", "Empty"]
    assert "Test" not in names


def test_only_work_by_the_link_counts(campaign: Campaign, link: JoinLink) -> None:
    other = named_link(campaign, EDIT, "Main study")
    comes_again(comes(link, "a", tasks=1), other, tasks=3)

    assert (lines_of(link, "1"), lines_of(other, "1")) == (["a,1.00"], ["a,3.00"])


def test_bonuses_are_downloaded_as_id_and_amount_and_that_is_logged(link: JoinLink) -> None:
    comes(link, "a", tasks=2)
    sent = {"link": link.pk, "each": "0.10", "as": "csv"}

    response: Any = owner_of(link.campaign).post(bonus_of(link.campaign), sent)

    assert b"".join(response).decode("utf-8-sig").split() == ["id,amount", "a,0.20"]
    assert AuditEntry.objects.get(action="ids exported").subject == f"Bonuses: Pilot (link {link.pk})"
    assert viewer_of(link.campaign).post(bonus_of(link.campaign), sent).status_code == 403


def test_the_preview_gives_no_ids(link: JoinLink) -> None:
    comes(link, "secret-id", tasks=2)

    response = owner_of(link.campaign).get(bonus_of(link.campaign), {"link": str(link.pk), "each": "0.10"})

    assert "secret-id" not in readable(response)
    assert response.context["bonuses"].total == Decimal("0.20")


@pytest.mark.parametrize("each", ["", "-1", "1000000", "0.001", "much", "NaN"])
def test_amounts_that_are_none_are_refused_beside_the_field(link: JoinLink, each: str) -> None:
    response = owner_of(link.campaign).post(bonus_of(link.campaign), {"link": link.pk, "each": each, "as": "csv"})

    assert response.status_code == 422
    assert response.context["form"].errors["each"]
    assert not AuditEntry.objects.filter(action="ids exported").exists()


def test_a_link_of_another_round_or_campaign_is_refused(campaign: Campaign, link: JoinLink) -> None:
    for other in (named_link(campaign, RATE, "Raters"), named_link(make_campaign(), EDIT, "Elsewhere")):
        response = owner_of(campaign).post(bonus_of(campaign), {"link": other.pk, "each": "1", "as": "csv"})
        assert response.status_code == 422
    assert link.pk


AMOUNTS = st.decimals(0, Decimal("999999.99"), places=2)


@given(each=AMOUNTS, most=st.none() | AMOUNTS, tasks=st.integers(0, 30_000))
def test_a_bonus_is_exact_never_above_the_most_and_grows_with_the_work(
    each: Decimal, most: Decimal | None, tasks: int
) -> None:
    rule = BonusRule(each, most)
    amount = rule.amount(tasks)
    assert amount == (each * tasks if most is None else min(each * tasks, most))
    assert amount == amount.quantize(Decimal("0.01"))
    assert rule.amount(tasks + 1) >= amount


def test_no_list_changes_anything(link: JoinLink) -> None:
    comes(link, "a", tasks=1, outcome=Outcome.STOPPED_EARLY)
    before = list(Enrolment.objects.values())

    ids_on(link, "stopped")
    lines_of(link, "1")

    assert list(Enrolment.objects.values()) == before


# Archived campaigns


@pytest.mark.parametrize("path", ["edit.csv", "edit/lists/", "edit/bonus/", ""])
def test_people_of_an_archived_campaign_can_still_be_paid(link: JoinLink, path: str) -> None:
    comes(link, "someone-to-pay", tasks=1, outcome=Outcome.DONE)
    campaign = link.campaign
    Campaign.objects.filter(pk=campaign.pk).update(state="archived")
    address = f"/campaigns/{campaign.slug}/participants{f'/{path}' if path else '.csv'}"

    answer = owner_of(campaign).post(address, {"link": link.pk, "list": "look", "each": "0.10", "as": "csv"})

    assert answer.status_code == 200
    assert "someone-to-pay" in answer.getvalue().decode()
    assert AuditEntry.objects.filter(campaign=campaign).latest("pk").action == "ids exported"


def looked_at(link: JoinLink) -> str:
    response: Any = owner_of(link.campaign).post(
        lists_of(link.campaign), {"link": link.pk, "list": "look", "as": "text"}
    )
    assert response.status_code == 200
    return " ".join(readable(response).split())


def three_to_look_at(link: JoinLink) -> list[int]:
    """Two who meet rules of one group, and one who meets rules of both; all have three texts."""
    people = [comes(link, name, 3, outcome=Outcome.DONE).worker_id for name in ("a", "b", "c")]
    for place, worker in enumerate(people):
        met = [["in one go", 3, 3], *([["one cut", 3, 3]] if place == 2 else [])]
        VisitRules.objects.create(worker_id=worker, met=met)
        TextFeatures.objects.bulk_create(
            TextFeatures(compression=each, values={"pauses100": [3.0, -3.0, 3.0][place]})
            for each in Compression.objects.filter(worker=worker)
        )
    return people


def test_without_labelled_sessions_the_list_has_evidence_and_no_score(link: JoinLink) -> None:
    three_to_look_at(link)

    page = looked_at(link)

    assert ids_on(link, "look") == ["c", "a", "b"]
    assert "In one go: 3 of 3 texts" in page
    assert "Score" not in page


def learnt_in(campaign: Campaign, distance: float) -> None:
    """What sessions show in which copies have fewer pauses."""
    rng = np.random.default_rng(3)
    texts = [
        LabelledText(person, 2 * person + is_copy, bool(is_copy), {"pauses100": float(rng.normal(-distance * is_copy))})
        for person in range(40)
        for is_copy in (0, 1)
        for _text in range(3)
    ]
    found = calibrate(texts)
    assert found is not None
    stored = found.as_stored() | {"features": list(LEARNT)}
    sandbox = make_campaign(sandbox_of=campaign, owner=None)
    LabelledSessions.objects.create(
        campaign=campaign, sandbox=sandbox, result=stored, fitted_on="a" * 64, fitted_at=database_now()
    )


def test_with_labelled_sessions_scores_order_those_who_meet_as_many_groups(link: JoinLink) -> None:
    three_to_look_at(link)
    learnt_in(link.campaign, distance=3.0)

    page = looked_at(link)

    assert ids_on(link, "look") == ["c", "b", "a"]
    assert "is not the probability that someone copied" in page
    scores = [float(score) for score in re.findall(r'<td class="num">(0\.[0-9]+|1\.00)</td>', page)]
    assert scores[1] > 0.9
    assert scores[0] == scores[2] < 0.1
    listed = owner_of(link.campaign).post(lists_of(link.campaign), {"link": link.pk, "list": "look", "as": "csv"})
    rows = rows_of(listed)
    assert [row["platform_id"] for row in rows] == ["c", "b", "a"]
    assert PaidVisit.objects.count() == 0
    assert {each.outcome for each in Enrolment.objects.all()} == {Outcome.DONE}


@pytest.mark.parametrize("why", ["no better than chance", "of other features"])
def test_a_result_that_says_nothing_here_gives_no_score(link: JoinLink, why: str) -> None:
    three_to_look_at(link)
    learnt_in(link.campaign, distance=0.0 if why == "no better than chance" else 3.0)
    if why == "of other features":
        stored: Any = LabelledSessions.objects.get().result
        LabelledSessions.objects.update(result=stored | {"features": ["fresh"]})

    assert "Score" not in looked_at(link)
    assert ids_on(link, "look") == ["c", "a", "b"]


def test_scores_are_looked_up_for_the_list_alone_and_at_once(link: JoinLink) -> None:
    three_to_look_at(link)
    learnt_in(link.campaign, distance=3.0)
    client, address = owner_of(link.campaign), lists_of(link.campaign)

    asked = {}
    for key in ("approve", "look"):
        with CaptureQueriesContext(connection) as captured:
            client.post(address, {"link": link.pk, "list": key, "as": "text"})
        asked[key] = sum("compressions_textfeatures" in each["sql"] for each in captured)

    assert asked == {"approve": 0, "look": 1}
