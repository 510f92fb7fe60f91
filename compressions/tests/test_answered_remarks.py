"""Staff mark what people said as answered, with a note for themselves."""

import csv
from typing import Any

import pytest
from django.test import Client

from crowd.models import Campaign, Remark, Role
from crowd.services.claims import assignment_claim
from crowd.services.members import member_set
from crowd.services.remarks import comment_set, problem_report, remark_answer
from tests.support.factories import EDIT, enrol, make_campaign, make_staff, readable, staff_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(sources=3, editors_per_source=1)


@pytest.fixture
def remark(campaign: Campaign) -> Remark:
    """What ann said about her text."""
    return says(campaign, "ann", "A word is missing.")


def says(campaign: Campaign, name: str, text: str) -> Remark:
    enrolment = enrol(campaign, EDIT, name)
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    problem_report(enrolment=enrolment, assignment_id=assignment.pk, reason="broken", text=text)
    return Remark.objects.get(assignment=assignment)


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.memberships.get(role=Role.OWNER).user)


def answer(campaign: Campaign, remark: Remark, **sent: str) -> Any:
    sent = {"answered": "1", **sent}
    return staff_of(campaign).post(f"/campaigns/{campaign.slug}/remarks/{remark.pk}/answer/?kind=problem", sent)


def page_of(campaign: Campaign, **asked: str) -> str:
    return readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/remarks/", asked))


def test_an_answered_remark_says_when_who_and_what(campaign: Campaign, remark: Remark) -> None:
    reply = answer(campaign, remark, note="Put the word back.")

    remark.refresh_from_db()
    assert reply["Location"] == f"/campaigns/{campaign.slug}/remarks/?kind=problem"
    assert (remark.answered_by, remark.answer_note) == (campaign.staff.get(), "Put the word back.")
    assert f"{remark.answered_at:%Y-%m-%d %H:%M}" in page_of(campaign)
    assert "Put the word back." in page_of(campaign)


def test_a_note_is_optional_and_an_answer_can_be_undone(campaign: Campaign, remark: Remark) -> None:
    answer(campaign, remark)
    assert Remark.objects.exclude(answered_at=None).exists()

    answer(campaign, remark, answered="0")
    remark.refresh_from_db()
    assert (remark.answered_at, remark.answered_by, remark.answer_note) == (None, None, "")


def test_a_note_that_is_too_long_is_refused_and_kept_in_its_field(campaign: Campaign, remark: Remark) -> None:
    reply = answer(campaign, remark, note="n" * 501)

    assert reply.status_code == 422
    assert "n" * 501 in readable(reply)
    remark.refresh_from_db()
    assert remark.answered_at is None


def test_open_and_answered_ones_can_be_told_apart(campaign: Campaign, remark: Remark) -> None:
    says(campaign, "ben", "It is in French.")
    answer(campaign, remark)

    assert "It is in French." in page_of(campaign, state="open")
    assert "A word is missing." not in page_of(campaign, state="open")
    assert "A word is missing." in page_of(campaign, state="answered")
    assert "No remarks match." in page_of(campaign, kind="comment")
    assert "A word is missing." in page_of(campaign, q="WORD")


@pytest.mark.parametrize("sort", ["when", "-when", "kind", "reason", "answered", "-answered"])
def test_remarks_are_shown_in_the_order_asked_for(campaign: Campaign, remark: Remark, sort: str) -> None:
    says(campaign, "ben", "It is in French.")
    answer(campaign, remark)

    page = page_of(campaign, sort=sort)

    is_first = page.index("A word is missing.") < page.index("It is in French.")
    assert is_first is (sort not in {"-when"})


def test_what_someone_says_anew_waits_for_an_answer_and_the_same_again_does_not(
    campaign: Campaign, remark: Remark
) -> None:
    enrolment = enrol(campaign, EDIT, "ann")
    remark_answer(remark=remark, note="Thanked.", user=None)

    problem_report(
        enrolment=enrolment, assignment_id=remark.assignment_id, reason="broken", text=" A word is missing. "
    )
    remark.refresh_from_db()
    assert remark.answer_note == "Thanked."

    problem_report(enrolment=enrolment, assignment_id=remark.assignment_id, reason="broken", text="Two are missing.")
    remark.refresh_from_db()
    assert (remark.text, remark.answered_at, remark.answer_note) == ("Two are missing.", None, "")


def test_a_comment_is_replaced_and_deleted(remark: Remark) -> None:
    for text, found in (("One.", ["One."]), ("Two.", ["Two."]), (" ", [])):
        comment_set(assignment_id=remark.assignment_id, text=text)
        comments = Remark.objects.filter(kind=Remark.Kind.COMMENT)
        assert list(comments.values_list("text", flat=True)) == found


def test_the_download_tells_answers(campaign: Campaign, remark: Remark) -> None:
    answer(campaign, remark, note="=1+1")

    response: Any = staff_of(campaign).get(f"/campaigns/{campaign.slug}/remarks.csv")
    (row,) = csv.DictReader(b"".join(response).decode("utf-8-sig").splitlines())

    assert (row["answered_by"], row["note"]) == (campaign.staff.get().username, "'=1+1")
    assert row["answered_at"]
    for query, found in (("?state=open", 0), ("?state=answered&page=3", 1), ("?q=nobody+said+so", 0)):
        shown: Any = staff_of(campaign).get(f"/campaigns/{campaign.slug}/remarks.csv{query}")
        assert len(b"".join(shown).decode().splitlines()) == 1 + found, query


def test_viewers_and_other_campaigns_answer_nothing(campaign: Campaign, remark: Remark) -> None:
    viewer, other = make_staff(), make_campaign()
    member_set(campaign=campaign, member=viewer, role=Role.VIEWER, user=None)
    address = f"/campaigns/{campaign.slug}/remarks/{remark.pk}/answer/"

    assert staff_client(viewer).post(address, {"answered": "1"}).status_code == 403
    assert "Mark as answered" not in readable(staff_client(viewer).get(f"/campaigns/{campaign.slug}/remarks/"))
    assert answer(other, remark).status_code == 404
    assert answer(campaign, Remark(pk=10**30)).status_code == 404
