"""How staff keep somebody in: on the person's page, for a reason, and by staff of the campaign alone."""

import pytest
from django.test import Client

from crowd.models import Enrolment, Exclusion
from ratings.models import Inclusion
from ratings.tests.quality.test_manual_decisions import (
    GRIM,
    STAYS,
    WHY,
    Case,
    both_rounds,
    keep_in,
    keep_no_longer,
    page_of,
    person_of,
    staff_of,
)
from tests.support.factories import EDIT, RATE, golden_campaign, make_staff, readable, staff_client

pytestmark = pytest.mark.django_db


@both_rounds
def test_staff_read_whom_they_decided_on_and_why(case: Case) -> None:
    campaign = golden_campaign()
    worker = person_of(campaign, case)
    keep_in(campaign, case)

    page = readable(staff_of(worker).get(f"/campaigns/{campaign.slug}/quality/"))

    row = page.split('aria-label="By hand"')[1].split("<tbody>")[1].split("</table>")[0]
    assert row.count("<tr>") == 1
    for words in (page_of(worker), "kept", WHY, campaign.staff.get().username):
        assert words in row
    keep_no_longer(campaign, case)
    assert "By hand" not in readable(staff_of(worker).get(f"/campaigns/{campaign.slug}/quality/"))


@pytest.mark.parametrize("note", ["", "   ", "x" * 501, "ill\x00"])
def test_who_is_kept_in_is_so_for_a_reason_that_can_be_kept_whole(note: str) -> None:
    campaign = golden_campaign()

    assert STAYS not in keep_in(campaign, GRIM, note)

    assert not Inclusion.objects.exists()


def test_without_a_reason_staff_are_told_so() -> None:
    assert "Say why this participant is always kept." in keep_in(golden_campaign(), GRIM, " ")


def test_keeping_in_twice_is_one_decision() -> None:
    campaign = golden_campaign()

    for note in (WHY, "once more"):
        keep_in(campaign, GRIM, note)

    assert Inclusion.objects.get().note == WHY


def test_withdrawing_twice_changes_nothing_more() -> None:
    campaign = golden_campaign()
    keep_in(campaign, GRIM)
    keep_no_longer(campaign, GRIM)
    first = Inclusion.objects.values().get()

    keep_no_longer(campaign, GRIM)

    assert first["withdrawn_at"] is not None
    assert first["withdrawn_by_id"] == campaign.staff.get().pk
    assert Inclusion.objects.values().get() == first


@both_rounds
def test_a_decision_on_one_round_says_nothing_of_the_other(case: Case) -> None:
    campaign = golden_campaign()
    other = EDIT if case.round == RATE else RATE
    worker = person_of(campaign, case)
    enrolment = Enrolment.objects.get(worker=worker)

    reply = staff_of(worker).post(f"{page_of(worker)}include/{other}/", {"note": WHY})

    assert reply.status_code == 404
    assert enrolment.round == case.round
    assert not Inclusion.objects.exists()


@pytest.mark.parametrize("path", ["include/rate", "exclude/rate"])
def test_only_staff_of_the_campaign_decide(path: str) -> None:
    worker = person_of(golden_campaign(), GRIM)
    address = f"{page_of(worker)}{path}/"

    assert staff_client(make_staff()).post(address, {"note": WHY}).status_code == 404
    assert Client().post(address, {"note": WHY})["Location"].startswith("/login/")
    assert staff_of(worker).get(address).status_code == 405
    assert not Inclusion.objects.exists()
    assert not Exclusion.objects.exists()
