"""A POST with an Idempotency-Key is carried out once; whoever repeats it gets the same answer."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from common.api.idempotency import LONGEST_KEY, _digest, kept_answers_forget_old
from common.models import KeptAnswer
from common.periodic import periodic_tasks
from compressions.models import SourceImport
from crowd.models import Campaign
from tests.support.api_client import Api
from tests.support.clock import Clock
from tests.support.factories import make_campaign, make_staff

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
NEW = {"name": "New", "slug": "new-campaign"}


def send(api: Api, sent: Any = None, key: str = "first", address: str = "campaigns/") -> Any:
    return api.post(address, NEW if sent is None else sent, Idempotency_Key=key)


def test_the_same_request_gets_the_same_answer_and_does_nothing_again() -> None:
    api = Api(make_staff())
    first, second = send(api), send(api)
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json() == first.json()
    assert second.headers["Content-Type"] == first.headers["Content-Type"]
    assert ("Idempotency-Replayed" in first.headers, second.headers["Idempotency-Replayed"]) == (False, "true")
    assert Campaign.objects.count() == 1


def test_the_order_of_the_fields_makes_no_other_request() -> None:
    api = Api(make_staff())
    send(api)
    assert send(api, dict(reversed(NEW.items()))).status_code == 201


@pytest.mark.parametrize("sent", [NEW | {"name": "Other"}, NEW | {"keep_percent": 50}])
def test_another_body_needs_another_key(sent: dict[str, Any]) -> None:
    api = Api(make_staff())
    send(api)
    answer = send(api, sent)
    assert (answer.status_code, answer.json()["code"]) == (422, "key_used")
    assert Campaign.objects.count() == 1


def test_another_address_needs_another_key() -> None:
    owner = make_staff()
    api = Api(owner)
    first, second = make_campaign(owner=owner), make_campaign(owner=owner)
    assert send(api, {"state": "paused"}, address=f"campaigns/{first.slug}/state/").status_code == 200
    assert send(api, {"state": "paused"}, address=f"campaigns/{second.slug}/state/").status_code == 422
    assert Campaign.objects.get(pk=second.pk).state == "open"


def test_a_refused_answer_is_not_kept_and_nothing_is_done() -> None:
    api = Api(make_staff())
    taken = make_campaign(slug=NEW["slug"])
    assert send(api).status_code == 400
    assert not KeptAnswer.objects.exists()
    assert Campaign.objects.count() == 1
    Campaign.objects.filter(pk=taken.pk).update(slug="another")
    assert send(api).status_code == 201


def test_the_keys_of_two_accounts_do_not_meet() -> None:
    first, second = Api(make_staff()), Api(make_staff())
    assert send(first).json()["slug"] == NEW["slug"]
    other = NEW | {"slug": "of-another"}
    assert send(second, other).json()["slug"] == "of-another"


def test_without_a_key_nothing_is_kept() -> None:
    api = Api(make_staff())
    assert [api.post("campaigns/", {"name": "New"}).status_code for _ in range(2)] == [201, 201]
    assert not KeptAnswer.objects.exists()


def test_a_key_is_forgotten_after_a_day(clock: Clock) -> None:
    api = Api(make_staff())
    send(api, {"name": "Twice"})
    clock.advance(minutes=24 * 60 - 1)
    assert kept_answers_forget_old() == 0
    clock.advance(minutes=2)
    assert kept_answers_forget_old() == 1
    assert send(Api(Campaign.objects.get().staff.get()), {"name": "Twice"}).json()["slug"] == "twice-2"
    assert kept_answers_forget_old in [task for _seconds, task in periodic_tasks()]


@pytest.mark.parametrize("key", ["", "x" * (LONGEST_KEY + 1), "tab\there", "grüße"])
def test_a_key_that_cannot_be_is_refused(key: str) -> None:
    answer = send(Api(make_staff()), key=key)
    assert (answer.status_code, Campaign.objects.count()) == (400, 0)


def test_the_longest_key_is_taken() -> None:
    assert send(Api(make_staff()), key="~" * LONGEST_KEY).status_code == 201


# Forms


def digest_of(form: dict[str, Any], address: str = "/api/v1/campaigns/a/imports/") -> str:
    return _digest(Request(RequestFactory().post(address, form), parsers=[MultiPartParser()]))


def file(name: str = "a.csv", content: bytes = b"id,text") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def test_a_form_is_told_by_its_fields_and_its_file_and_not_by_how_it_is_wrapped() -> None:
    first = digest_of({"strict": "true", "file": file()})
    assert digest_of({"file": file(), "strict": "true"}) == first
    others: list[dict[str, Any]] = [
        {"strict": "false", "file": file()},
        {"file": file()},
        {"strict": "true", "file": file("b.csv")},
        {"strict": "true", "file": file(content=b"id,text\n")},
        {"strict": ["false", "true"], "file": file()},
        {"strict": "true", "file": file(), "more": ""},
    ]
    assert first not in {digest_of(form) for form in others}
    assert digest_of({"strict": "true", "file": file()}, "/api/v1/campaigns/b/imports/") != first


names = st.from_regex(r"[a-z]{1,3}", fullmatch=True)
forms = st.dictionaries(names, st.lists(st.sampled_from(["", "a", "b", "a\0b", '"'])), max_size=3)


@given(forms, forms)
def test_two_forms_are_the_same_only_if_all_their_values_are(first: dict[str, Any], second: dict[str, Any]) -> None:
    sent = [{name: values for name, values in form.items() if values} for form in (first, second)]
    assert (digest_of(first) == digest_of(second)) == (sent[0] == sent[1])


def test_a_file_that_is_sent_twice_is_imported_once() -> None:
    owner = make_staff()
    campaign, api = make_campaign(owner=owner), Api(owner)
    answers = [
        api.call("post", f"campaigns/{campaign.slug}/imports/", {"file": file()}, is_form=True, Idempotency_Key="one")
        for _ in range(2)
    ]
    assert answers[0].status_code < 300, answers[0].content
    assert answers[0].json() == answers[1].json()
    assert SourceImport.objects.filter(campaign=campaign).count() == 1
    other = {"file": file(content=b"id,text\n1,x")}
    answer = api.call("post", f"campaigns/{campaign.slug}/imports/", other, is_form=True, Idempotency_Key="one")
    assert answer.status_code == 422
