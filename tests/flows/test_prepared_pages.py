"""A prepared page is the page that its template gives, whoever was there first."""

import re
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.test import Client

from common import prepared_pages
from crowd.models import Campaign, Round
from tests.support.factories import EDIT, RATE, edit_all, import_texts, link_of, make_campaign, worker_client
from tests.support.settings import settings_change

pytestmark = pytest.mark.django_db

# They differ from request to request.
TOKENS = re.compile(r'(name="csrfmiddlewaretoken" value|data-resume-token|data-lease-seconds)="[^"]*"')
HOSTILE = (
    "<b onclick='x'>Tom & \"Jerry\"</b> {{ csrf_token }} &lt; \ue000 went to the old mill by the river again {number}."
)


def by_template(request: HttpRequest, template: str, context: dict[str, Any], **_prepared_page: Any) -> HttpResponse:
    return render(request, template, context)


def shown(client: Client) -> str:
    """The page of the task that somebody holds, without what differs from request to request."""
    reply = client.get("/work/", follow=True)
    assert reply.status_code == 200
    return TOKENS.sub(r'\1="…"', reply.content.decode())


def campaign_of(work_round: Round, **settings: Any) -> Campaign:
    limits: dict[str, Any] = {
        "editors_per_source": 3,
        "raters_per_compression": 9,
        "editor_tasks": 99,
        "rater_tasks": 99,
    }
    campaign = make_campaign(**(limits | {"gold_percent": 0, "editor_guidelines": "*Short* & sweet.", **settings}))
    import_texts(campaign, [HOSTILE.replace("NUMBER", str(number)) for number in range(4)])
    if work_round == RATE:
        edit_all(campaign, 3)
    return campaign


KINDS = [
    pytest.param(EDIT, {}, id="edit"),
    pytest.param(EDIT, {"editor_start": "empty"}, id="edit from nothing"),
    pytest.param(EDIT, {"editor_start": "choice"}, id="edit with a choice"),
    pytest.param(RATE, {}, id="rate"),
    pytest.param(RATE, {"ratings_per_page": 3}, id="rate three on a page"),
    pytest.param(RATE, {"rating_task": "pair"}, id="rate side by side"),
]


@pytest.mark.parametrize(("work_round", "options"), KINDS)
def test_a_prepared_page_is_the_page_of_its_template(
    work_round: Round, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = campaign_of(work_round, **options)
    clients = [worker_client(campaign, work_round, name) for name in ("ada", "bob", "cem")]
    made = {shown(client) for client in clients}  # the first makes the prepared page
    again = [shown(client) for client in clients]
    assert len(prepared_pages._prepared_pages) == 1
    assert set(again) == made

    for views in ("compressions.views.editor", "ratings.views.rater"):
        monkeypatch.setattr(f"{views}.render_filled", by_template)
    assert again == [shown(client) for client in clients]
    assert "&lt;b onclick=&#x27;x&#x27;&gt;Tom &amp; &quot;Jerry&quot;&lt;/b&gt; {{ csrf_token }}" in again[0]


def test_every_page_has_its_own_tokens() -> None:
    campaign = campaign_of(EDIT)
    pages = [worker_client(campaign, EDIT, name).get("/work/", follow=True).content.decode() for name in ("ada", "bob")]
    for name in ("csrfmiddlewaretoken", "data-resume-token"):
        one, other = (re.findall(rf'{name}"?(?: value)?="([^"]+)"', page) for page in pages)
        assert one
        assert not set(one) & set(other)


def test_changed_guidelines_are_on_the_next_page() -> None:
    campaign = campaign_of(EDIT)
    client = worker_client(campaign, EDIT, "ada")
    assert "<em>Short</em> &amp; sweet." in shown(client)
    settings_change(campaign, editor_guidelines="Be *brief*.")
    assert "Be <em>brief</em>." in shown(client)


def test_a_message_is_shown_once_and_goes_into_no_prepared_page() -> None:
    campaign = campaign_of(EDIT)
    client = worker_client(campaign, EDIT, "ada")
    address = client.get("/work/").headers["Location"]
    task = address.rstrip("/").rsplit("/", 1)[1]
    client.post(f"/work/tasks/{task}/skip/", {"reason": "unclear", "text": ""})
    assert client.get(address).status_code == 302  # says that the text was skipped
    assert "You skipped this text." in client.get("/work/", follow=True).content.decode()
    assert "You skipped this text." not in client.get("/work/", follow=True).content.decode()


def test_no_more_prepared_pages_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared_pages, "MOST_PREPARED", 2)
    for _ in range(4):
        campaign = campaign_of(EDIT)
        assert link_of(campaign, EDIT)
        shown(worker_client(campaign, EDIT))
        assert len(prepared_pages._prepared_pages) <= 2
