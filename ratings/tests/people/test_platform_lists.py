"""Lists ready for the platform, and bonuses by a rule."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from compressions.flag_kinds import Flag, flag_columns
from compressions.models import Compression
from crowd.models import AuditEntry, Campaign, Enrolment, JoinLink, Outcome, Worker
from ratings.bonus import BonusRule
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
    assert ids_on(link, "working") == ["is-working"]
    assert ids_on(link, "look") == []


def test_whom_to_look_at_first_is_on_another_list_as_well(link: JoinLink) -> None:
    flagged, _ = (comes(link, name, tasks=1, outcome=Outcome.DONE) for name in ("a", "b"))
    Compression.objects.update(**flag_columns([]))
    Compression.objects.filter(worker=flagged.worker).update(**flag_columns([FLAG]))

    assert (ids_on(link, "look"), ids_on(link, "approve")) == (["a"], ["a", "b"])
    page = readable(owner_of(link.campaign).get(lists_of(link.campaign)))
    assert "No list rejects anyone" in page


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
    assert "Show the IDs: Approve" in shown
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
    client, asked = owner_of(link.campaign), {"link": link.pk, "list": "approve", "as": "csv"}

    (row,) = rows_of(client.post(lists_of(link.campaign), asked))

    assert (row["platform_id"], row["submitted"], row["code"]) == ("a", "1", link.code_done)
    entry = AuditEntry.objects.get(action="ids exported")
    assert (entry.subject, entry.detail) == (f"Approve: Pilot (link {link.pk})", "1 row")


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

    answer = owner_of(campaign).post(address, {"link": link.pk, "list": "approve", "each": "0.10", "as": "csv"})

    assert answer.status_code == 200
    assert "someone-to-pay" in answer.getvalue().decode()
    assert AuditEntry.objects.filter(campaign=campaign).latest("pk").action == "ids exported"
