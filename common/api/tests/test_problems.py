"""Requests that fail are answered as problem details: a status, a sentence, and the fields at fault."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as ModelValidationError
from django.http import Http404
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings
from rest_framework.exceptions import ValidationError

from common.api.problems import MEDIA_TYPE, Problem, problem_answer, problem_page
from common.errors import FilesAway, NotYours, Refused, StudyOver, TooManyRequests
from common.telemetry import Trace, traced
from tests.support.api_client import Api
from tests.support.factories import make_campaign, make_staff, staff_client

SECOND_OF_A_LIST: Any = {"scales": {1: {"points": ["Two."]}}}


def answer(error: Exception) -> Any:
    found = problem_answer(error, {})
    assert found is not None
    assert found.content_type == MEDIA_TYPE
    return found


@pytest.mark.parametrize(
    ("error", "status", "detail"),
    [
        (Problem(418, "No coffee."), 418, "No coffee."),  # type: ignore[arg-type]  # whatever status
        (Refused("The file is empty."), 409, "The file is empty."),
        (
            NotYours("the text of somebody else"),
            404,
            "There is nothing here, or this token may not see it.",
        ),
        (Http404("no such row"), 404, "There is nothing here, or this token may not see it."),
        (PermissionDenied(), 403, "This token may not do this."),
        (FilesAway("The files are away."), 503, "The files are away."),
        (TooManyRequests("Wait.", retry_after=7), 429, "Wait."),
    ],
)
def test_every_refusal_has_its_status_and_its_sentence(error: Exception, status: int, detail: str) -> None:
    found = answer(error)
    assert (found.status_code, found.data["status"], found.data["detail"]) == (status, status, detail)
    assert found.data["type"] == "about:blank"


def test_whoever_is_asked_to_wait_learns_how_long() -> None:
    assert answer(TooManyRequests("Wait.", retry_after=7)).headers["Retry-After"] == "7"
    assert int(answer(FilesAway("Away.")).headers["Retry-After"]) > 0


def test_a_code_and_other_members_stand_beside_the_usual_ones_and_only_then() -> None:
    assert answer(StudyOver("Over.")).data["code"] == "study_over"
    assert "code" not in answer(Refused("No.")).data
    found = answer(Problem(409, "Confirm.", code="unconfirmed", confirm=3)).data  # type: ignore[arg-type]
    assert (found["code"], found["confirm"], found["title"]) == ("unconfirmed", 3, "Conflict")


def test_what_nobody_foresaw_is_left_to_the_server() -> None:
    assert problem_answer(ZeroDivisionError(), {}) is None


@pytest.mark.parametrize(
    ("error", "faults"),
    [
        (ValidationError({"name": ["Too long.", "Not plain."]}), [("name", "Too long."), ("name", "Not plain.")]),
        (ValidationError(SECOND_OF_A_LIST), [("scales.1.points", "Two.")]),
        (ValidationError({"scales": [{}, {"name": ["None."]}]}), [("scales.1.name", "None.")]),
        (ValidationError({"range": {"non_field_errors": ["No range."]}}), [("range", "No range.")]),
        (ValidationError(["Not a form."]), [("", "Not a form.")]),
        (ModelValidationError({"slug": ["Taken."]}), [("slug", "Taken.")]),
        (ModelValidationError({"__all__": ["Two alike."]}), [("", "Two alike.")]),
        (ModelValidationError("No."), [("", "No.")]),
    ],
)
def test_the_field_at_fault_is_named_by_its_path(error: Exception, faults: list[tuple[str, str]]) -> None:
    found = answer(error)
    assert found.status_code == 400
    assert [(each["field"], each["reason"]) for each in found.data["errors"]] == faults
    assert all(reason in found.data["detail"] for _field, reason in faults)


def leaves(detail: Any) -> Iterator[str]:
    if isinstance(detail, str):
        yield detail
    for below in detail.values() if isinstance(detail, dict) else detail if isinstance(detail, list) else ():
        yield from leaves(below)


reasons = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=9)
details = st.recursive(
    st.lists(reasons, min_size=1, max_size=3),
    lambda below: (
        st.dictionaries(st.from_regex(r"[a-z_]{1,9}", fullmatch=True), below, min_size=1, max_size=3)
        | st.lists(below, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


@given(details)
def test_no_reason_is_lost_however_deep_its_field(detail: Any) -> None:
    assert sorted(each["reason"] for each in answer(ValidationError(detail)).data["errors"]) == sorted(leaves(detail))


def test_the_id_of_the_request_is_there_to_find_it_in_the_log() -> None:
    with traced(Trace("request-7")):
        assert answer(Refused("No.")).data["request"] == "request-7"
        assert b'"request": "request-7"' in problem_page(404, "Nothing.").content


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "media_type", "status"),
    [
        ("{", "application/json", 400),
        ("[" * 50_000, "application/json", 400),
        ('{"name": NaN}', "application/json", 400),
        ("[]", "application/json", 400),
        ('"name"', "application/json", 400),
        ("null", "application/json", 400),
        ('{"name": "a\\u0000"}', "application/json", 400),
        ('{"name": "a\\ud800"}', "application/json", 400),
        ("name=New", "application/x-www-form-urlencoded", 415),
        ("name: New", "text/yaml", 415),
        ('{"name": "' + "x" * 5_000_000 + '"}', "application/json", 413),
    ],
)
def test_a_body_that_cannot_be_read_is_a_problem_too(body: str, media_type: str, status: int) -> None:
    api = Api(make_staff())
    found = api.client.post("/api/v1/campaigns/", body, media_type, headers=api.headers)
    assert (found.status_code, found.headers["Content-Type"]) == (status, MEDIA_TYPE)


@pytest.mark.django_db
def test_addresses_that_lead_nowhere_and_methods_that_are_not_there_are_problems_too() -> None:
    owner = make_staff()
    api, slug = Api(owner), make_campaign(owner=owner).slug
    nowhere, no_method = api.get("nowhere/"), api.call("delete", f"campaigns/{slug}/")
    assert (nowhere.status_code, nowhere.headers["Content-Type"]) == (404, MEDIA_TYPE)
    assert (no_method.status_code, no_method.headers["Content-Type"]) == (405, MEDIA_TYPE)
    assert no_method.json()["status"] == 405


@pytest.mark.django_db
@pytest.mark.parametrize("sent", [{"\ud800": 1}, {"name": "A", "page_language": "\ud800"}, {"name": "\ud800"}])
def test_half_a_character_is_refused_in_words_that_utf_8_can_hold(sent: dict[str, Any]) -> None:
    refused = Api(make_staff()).post("campaigns/", sent)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] in {"\\ud800", "page_language", "name"}


@pytest.mark.django_db
def test_a_form_with_too_many_fields_is_refused_as_a_problem() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    form = {f"field{number}": "1" for number in range(1200)}
    refused = Api(owner).call("post", f"campaigns/{campaign.slug}/imports/", form, is_form=True)
    assert (refused.status_code, refused.headers["Content-Type"]) == (400, MEDIA_TYPE)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "field", "reason"),
    [
        ({"stat": "open"}, "stat", "There is no such field here. Did you mean state?"),
        ({"genre": "News"}, "genre", "There is no such field here."),
        (
            {"state": "opened"},
            "state",
            '"opened" is not a valid choice. Choices: draft, open, paused, closed, archived',
        ),
    ],
)
def test_what_may_have_been_meant_is_said(asked: dict[str, str], field: str, reason: str) -> None:
    refused = Api(make_staff()).get("campaigns/", **asked)
    assert refused.json()["errors"] == [{"field": field, "reason": reason}]


@pytest.mark.django_db
def test_choices_are_named_in_lists_and_objects_too() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    refused = Api(owner).post(f"campaigns/{campaign.slug}/webhooks/", {"address": "https://a", "events": ["job.done"]})
    found = {each["field"]: each["reason"] for each in refused.json()["errors"]}
    assert "Choices: round.complete, release.ready, flag.raised, job.failed" in found["events.0"]


@pytest.mark.django_db
def test_at_most_twenty_faults_are_named() -> None:
    campaign = make_campaign()
    many = {f"u{number}": 0 for number in range(30)}
    told = Api(campaign.staff.get()).post(f"campaigns/{campaign.slug}/state/", many).json()
    assert [each["field"] for each in told["errors"]] == [*list(many)[:19], ""]
    assert told["detail"].endswith("; 11 more fields are unknown.")
    of_a_model = answer(ValidationError({f"f{number}": ["Wrong."] for number in range(25)})).data
    assert (len(of_a_model["errors"]), of_a_model["detail"][-12:]) == (20, "; and 5 more")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"state": "open", "state": "closed"}', "“state” is there twice."),
        (b"[" * 5000, "The JSON is nested too deeply."),
        (b'{"state": NaN}', "This is not JSON: NaN"),
        (b'{"state": ' + b"9" * 5000 + b"}", "This is not JSON: Exceeds the limit"),
        (b"\xff\xfe", "This is not JSON"),
        (b"[" + b"{}," * 20_001 + b"{}]", "This has too many objects."),
        (b"[" + b"[]," * 60_001 + b"[]]", "Invalid data. Expected a dictionary, but got list."),
    ],
)
def test_json_that_cannot_be_used_is_refused_in_words(body: bytes, words: str) -> None:
    campaign = make_campaign()
    api = Api(campaign.staff.get())
    address = f"/api/v1/campaigns/{campaign.slug}/state/"
    refused = api.client.post(address, body, "application/json", headers=api.headers)
    assert refused.status_code == 400
    assert words in refused.json()["detail"]


@pytest.mark.django_db
def test_answers_are_not_stored_on_the_way_and_too_many_calls_are_told_in_their_own_words(settings: Settings) -> None:
    settings.API_CALLS_PER_MINUTE = 61
    api = Api(make_staff())
    assert api.get("campaigns/")["Cache-Control"] == "no-store"
    last = [api.get("campaigns/") for _ in range(130)][-1]
    assert (last.status_code, "submitted" in last.json()["detail"]) == (429, False)
    assert int(last["Retry-After"]) > 0


@pytest.mark.django_db
def test_a_name_has_one_line() -> None:
    owner = make_staff()
    refused = Api(owner).post("campaigns/", {"name": "Letters\nBcc: all@example.org"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "name")
    page = staff_client(owner).post("/campaigns/new/from-template/headline/", {"name": "Letters\nBcc: x"})
    assert page.status_code == 422
