"""What strangers wrote stays text, and what the browser is told to forbid."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from compressions.services.imports import source_import_request
from crowd.models import Campaign
from crowd.services.campaigns import campaign_update
from crowd.settings_tabs import TABS
from ratings.example_check import ExampleText
from ratings.models import QualificationItem
from ratings.services.qualification import qualification_items_replace
from tests.support import factories
from tests.support.addresses import TABLE, address_of
from tests.support.factories import EDIT, RATE, link_of, make_campaign, make_staff, staff_client, worker_client
from tests.support.settings import settings_page
from tests.support.world import ADMINISTRATOR, ROLES, STAFF, WORKER, World

pytestmark = pytest.mark.django_db

ATTACK = (
    "</textarea></title><script>steal()</script><img src=x onerror=steal()>"
    "\" onfocus=\"steal()\" autofocus=\"' onfocus='steal()' x='<style>@import 'x';</style>"
)
IN_MARKDOWN = f"{ATTACK}\n\n[link](javascript:steal()) ![image](javascript:steal()) <javascript:steal()>\n\n{ATTACK}"
ESCAPED = "&lt;script&gt;steal()&lt;/script&gt;"
TEXTS: dict[str, Any] = {
    "name": ATTACK[:200],
    "consent": IN_MARKDOWN,
    "editor_guidelines": IN_MARKDOWN,
    "rater_guidelines": IN_MARKDOWN,
}


class Findings(HTMLParser):
    """What a browser would run, or would take for the page's own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "script" and values.get("type") == "application/json":
            return  # data, which no browser runs
        if (tag == "script" and "src" not in values) or tag in {"style", "iframe", "object", "base"}:
            self.found.append(f"<{tag}>")
        if tag in {"img", "script"} and not (values.get("src") or "").startswith("/static/"):
            self.found.append(f"<{tag} src={values.get('src')!r}>")
        self.found += [f"{tag} {name}={value}" for name, value in attrs if name.startswith("on") or name == "style"]
        self.found += [f"{tag} {name}={value}" for name, value in attrs if (value or "").startswith("javascript:")]


def findings(page: str) -> list[str]:
    parser = Findings()
    parser.feed(page)
    parser.close()
    return parser.found


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> World:
    """A world in which everybody attacks wherever they can write."""
    monkeypatch.setattr(factories, "SENTENCE", f"{ATTACK} {factories.SENTENCE}")
    return World(**TEXTS)


def assert_harmless(response: Any) -> str:
    page: str = response.content.decode()
    assert findings(page) == [], response.request["PATH_INFO"]
    return page


SHOWING_TEXTS: dict[str, Any] = {
    "crowd:join": WORKER,
    "crowd:guidelines": WORKER,
    "compressions:task": WORKER,
    "ratings:task": WORKER,
    "ratings:answers": WORKER,
    "ratings:practice": WORKER,
    "ratings:person": STAFF,
    "ratings:examples": STAFF,
    "ratings:example-edit": STAFF,
    "dashboard": STAFF,
    "crowd:campaigns": STAFF,
    "crowd:campaign-edit": STAFF,
    "compressions:sources": STAFF,
    "compressions:source": STAFF,
}


@pytest.mark.parametrize("role", [WORKER, STAFF, ADMINISTRATOR])
def test_what_others_wrote_is_text_on_every_page(hostile: World, role: str) -> None:
    for name, row in TABLE.items():
        client = hostile.client(role, row.work_round)
        response = client.get(address_of(name, hostile))
        content = b"".join(response)
        if response.status_code == 200 and response.headers["Content-Type"].startswith("text/html"):
            page = content.decode()
            assert findings(page) == [], name
            assert ESCAPED in page or SHOWING_TEXTS.get(name) != role, name


def test_the_attack_would_be_found() -> None:
    assert len(findings(f"<p>{ATTACK}</p>")) >= 4
    assert findings('<a href="javascript:steal()" style="x">') != []
    assert findings('<p title="fine">fine</p><script src="/static/js/editor.js"></script>') == []


def test_a_text_that_is_refused_comes_back_as_text(hostile: World) -> None:
    task = hostile.task(WORKER, EDIT)
    response = hostile.workers[WORKER, EDIT].post(
        f"/work/edit/{task.pk}/",
        {"text": ATTACK, "log": f'["{ESCAPED}", "</script><script>steal()"]', "started_from": ATTACK},
    )
    assert response.status_code == 422
    assert ESCAPED in assert_harmless(response)


def test_the_qualification_shows_its_examples_as_text() -> None:
    campaign = make_campaign(**TEXTS)
    answers = {"meaning": [3], "grammar": [3]}
    example = ExampleText(source=ATTACK, compression=ATTACK, answers=answers, why=ATTACK)
    qualification_items_replace(campaign=campaign, examples=[example])
    client = worker_client(campaign, RATE)
    assert ESCAPED in assert_harmless(client.get("/work/qualification/"))
    item = QualificationItem.objects.get()
    form = {"number": "1", f"meaning-{item.pk}": "1", f"grammar-{item.pk}": "1"}
    assert ESCAPED in assert_harmless(client.post("/work/qualification/", form, follow=True))


def test_the_pages_at_the_end_of_the_way_show_names_as_text() -> None:
    campaign = make_campaign(**TEXTS)
    link = link_of(campaign, EDIT)
    assert_harmless(Client().get(f"/join/{link.token}/"))
    assert_harmless(worker_client(campaign, EDIT).get("/work/done/"))
    campaign_update(campaign=campaign, state="closed")
    assert_harmless(Client().post(f"/join/{link.token}/"))


def test_a_file_and_its_bad_rows_are_shown_as_text(django_capture_on_commit_callbacks: Any) -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    rows = f'id,genre,text\n"{ATTACK.replace(chr(34), chr(34) * 2)}",Letters,too short\n'.encode()
    with django_capture_on_commit_callbacks(execute=True):
        wanted = source_import_request(
            campaign=campaign, file_name=f"{ATTACK}.csv", content=rows, strict=False, user=owner
        )
    client = staff_client(owner)
    for address in (f"imports/{wanted.pk}/", "imports/", f"jobs/{wanted.job_id}/", ""):
        page = assert_harmless(client.get(f"/campaigns/{campaign.slug}/{address}"))
        assert ESCAPED in page or not address.startswith("imports")


def test_a_form_that_is_refused_comes_back_as_text(hostile: World) -> None:
    client = hostile.accounts[STAFF]
    for tab in TABS:
        response = client.post(settings_page(hostile.campaign, *tab.fields), dict.fromkeys(tab.fields, ATTACK * 400))
        assert response.status_code == 422
        assert ESCAPED in assert_harmless(response)
    response = client.post("/campaigns/new/", {"name": ATTACK, "slug": ATTACK})
    assert response.status_code == 422
    assert ESCAPED in assert_harmless(response)
    response = Client().post("/login/", {"username": ATTACK, "password": ATTACK})
    assert "steal()" in assert_harmless(response)


def test_the_preview_of_a_text_shows_it_as_text(hostile: World) -> None:
    client, pages = hostile.accounts[STAFF], f"/campaigns/{hostile.campaign.slug}/settings/"
    answers = [
        client.get(f"{pages}consent/"),
        client.post(f"{pages}consent/", {"consent": IN_MARKDOWN, "preview": "1"}),
        client.post(f"{pages}preview/", {"name": "consent", "text": IN_MARKDOWN}),
        client.post(f"{pages}preview/", {"name": ATTACK, "text": IN_MARKDOWN}),
    ]
    assert [response.status_code for response in answers] == [200, 200, 200, 422]
    assert all(ESCAPED in assert_harmless(response) for response in answers)


def test_addresses_of_nothing_are_answered_harmlessly() -> None:
    client = staff_client(make_staff())
    for address in ("/<script>steal()</script>/", "/campaigns/%3Cscript%3Esteal()/", "/join/%22onfocus=steal()/"):
        response = client.get(address, {"next": ATTACK, "page": ATTACK})
        assert response.status_code == 404
        assert_harmless(response)
    assert_harmless(Client().get("/login/", {"next": ATTACK}))


# What browsers are told


def directives(response: Any) -> dict[str, list[str]]:
    parts = response.headers["Content-Security-Policy"].split(";")
    return {name: values for name, *values in (part.split() for part in parts)}


def assert_guarded(response: Any) -> None:
    where = f"{response.request['REQUEST_METHOD']} {response.request['PATH_INFO']}"
    policy = directives(response)
    assert policy["default-src"] == ["'none'"], where
    assert policy["script-src"] == policy["style-src"] == ["'self'"], where
    assert policy["base-uri"] == policy["frame-ancestors"] == ["'none'"], where
    assert not [value for values in policy.values() for value in values if "unsafe" in value], where
    assert response.headers["X-Frame-Options"] == "DENY", where
    assert response.headers["X-Content-Type-Options"] == "nosniff", where
    assert response.headers["Referrer-Policy"] == "same-origin", where


@pytest.mark.parametrize("role", ROLES)
def test_every_answer_forbids_what_the_page_does_not_need(role: str, world: World) -> None:
    for name, row in TABLE.items():
        response = world.client(role, row.work_round).get(address_of(name, world))
        assert_guarded(response)
        b"".join(response)


def test_answers_to_errors_forbid_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    client = staff_client(make_staff())
    assert_guarded(client.get("/no/such/page/"))
    assert_guarded(Client(enforce_csrf_checks=True).post("/login/"))
    client.raise_request_exception = False
    monkeypatch.setattr("crowd.views.staff.campaign_rows", lambda *_: 1 / 0)
    response = client.get("/campaigns/")
    assert response.status_code == 500
    assert "ZeroDivisionError" not in response.content.decode()
    assert_guarded(response)


def test_files_of_a_release_are_downloads_and_nothing_else(world: World) -> None:
    for name in ("RawData/train.tsv", "corpus.jsonl", "manifest.json"):
        response = world.accounts[STAFF].get(f"{address_of('corpus:release', world)}files/{name}")
        assert response.headers["Content-Disposition"].startswith("attachment;")
        assert response.headers["Content-Type"] == "application/octet-stream"
        assert_guarded(response)
        b"".join(response)


def test_cookies_are_out_of_reach_of_scripts() -> None:
    make_staff("owner")
    client = worker_client(make_campaign(sources=1), EDIT)
    client.get("/login/")
    client.post("/login/", {"username": "owner", "password": "correct horse battery"})
    assert {name for name, cookie in client.cookies.items() if cookie.value and not cookie["httponly"]} == set()
    assert {"sessionid", "csrftoken", "precis_worker"} <= client.cookies.keys()


def test_the_session_of_an_account_is_a_new_one_after_login() -> None:
    make_staff("owner")
    client = Client()
    client.cookies["sessionid"] = "planted"
    client.post("/login/", {"username": "owner", "password": "correct horse battery"})
    assert client.cookies["sessionid"].value != "planted"
    assert client.get("/campaigns/").status_code == 200


@pytest.mark.parametrize("target", ["//evil.example/", "https://evil.example", "javascript:steal()", "/\\evil.example"])
def test_login_leads_to_no_other_site(target: str) -> None:
    make_staff("owner")
    response = Client().post(f"/login/?next={target}", {"username": "owner", "password": "correct horse battery"})
    assert response.headers["Location"] == "/campaigns/"


def test_a_name_that_is_not_ours_is_refused() -> None:
    assert Client().get("/login/", headers={"host": "evil.example"}).status_code == 400


def test_nothing_about_people_reaches_the_staff_of_another_campaign(world: World) -> None:
    assert Campaign.objects.count() == 3
    page = staff_client(world.other_owner).get("/campaigns/").content.decode()
    assert world.campaign.name not in page
    assert world.other.name in page


def test_the_pages_that_explain_an_error_to_developers_keep_their_style(client: Client, settings: Settings) -> None:
    """They bring styles of their own, which the policy forbids; nobody but a developer sees them."""
    settings.DEBUG = True
    assert "Content-Security-Policy" not in client.get("/no/such/page/").headers
    assert "Content-Security-Policy" in client.get("/login/").headers
