"""Who may see and do what: every address, every role."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.http import FileResponse, HttpResponseBase
from django.test import Client
from django.urls import reverse

from crowd.access import Access
from crowd.models import AccountSession
from tests.support.addresses import (
    LOGIN,
    TABLE,
    Outcome,
    address_of,
    addresses,
    compression,
    example,
    pages,
    points_for,
)
from tests.support.factories import EDIT, RATE
from tests.support.world import OTHER_STAFF, ROLES, STAFF, STRANGER, WORKER, World

pytestmark = pytest.mark.django_db
SESSIONS = ("django_session", AccountSession._meta.db_table)
WRITES_NOTHING = re.compile(
    rf'\s*(SELECT|SAVEPOINT|RELEASE|ROLLBACK|(INSERT INTO|UPDATE|DELETE FROM) "({"|".join(SESSIONS)})")\b'
)


@pytest.fixture
def world(world: World) -> Iterator[World]:
    """One world for all tests: each takes back what it changes, in the database and in the browsers."""
    clients = [*world.workers.values(), *world.accounts.values()]
    cookies = [deepcopy(client.cookies) for client in clients]
    yield world
    for client, before in zip(clients, cookies, strict=True):
        client.cookies, client.handler.enforce_csrf_checks = before, False


def everything_stored() -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, but for the sessions of accounts."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values_list())
        for model in apps.get_models()
        if model is not AccountSession and model._meta.app_label not in {"sessions", "contenttypes"}
    }


@contextmanager
def statements_that_write() -> Iterator[list[str]]:
    """What may change rows, of all that is sent to the database; to read all tables takes long."""
    seen: list[str] = []

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if not WRITES_NOTHING.match(sql):
            seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield seen


def outcome_of(response: HttpResponseBase) -> Outcome:
    if isinstance(response, FileResponse):
        b"".join(response.streaming_content)  # type: ignore[arg-type]
    if response.status_code == 302 and response.headers["Location"].startswith(reverse("login") + "?next="):
        return LOGIN
    return response.status_code


def test_every_address_declares_who_may_see_it() -> None:
    silent_ones = [
        name for name, pattern in addresses() if not isinstance(getattr(pattern.callback, "access", None), Access)
    ]
    assert silent_ones == []


def test_every_address_has_a_row_in_the_table() -> None:
    declared = {name: pattern.callback.access for name, pattern in pages()}  # type: ignore[attr-defined]
    assert {name: row.access for name, row in TABLE.items()} == declared


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("method", ["get", "post"])
def test_every_role_sees_and_does_what_it_may_and_nothing_else(world: World, role: str, method: str) -> None:
    before = everything_stored()
    wrong: list[str] = []
    for name, row in TABLE.items():
        address = address_of(name, world)
        client = world.client(role, row.work_round)
        cookies = deepcopy(client.cookies)
        expected = row.outcome(method, role)
        form = row.form(world) if method == "post" else {}
        with transaction.atomic():
            with statements_that_write() as written:
                outcome = outcome_of(getattr(client, method)(address, form))
            if outcome != expected:
                wrong.append(f"{name}: {outcome}, not {expected}")
            refused = outcome == LOGIN or (isinstance(outcome, int) and outcome >= 400)
            if (method == "get" or refused) and written and everything_stored() != before:
                wrong.append(f"{name}: {outcome}, but something was written")
            transaction.set_rollback(True)
        client.cookies = cookies
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("role", ROLES)
def test_no_post_is_taken_without_its_token(world: World, role: str) -> None:
    client_of = {name: world.client(role, row.work_round) for name, row in TABLE.items()}
    before = everything_stored()
    taken: list[str] = []
    for name, row in TABLE.items():
        client = client_of[name]
        client.handler.enforce_csrf_checks = True
        response = client.post(address_of(name, world), dict(row.form(world)))
        if response.status_code != 403:
            taken.append(f"{name}: {response.status_code}")
    assert taken == []
    assert everything_stored() == before


# The things of others, also under one's own addresses


@pytest.mark.parametrize(
    "path",
    [
        "jobs/{world.wanted.job_id}/",
        "imports/{world.wanted.pk}/",
        "systems/imports/{world.outputs.pk}/",
        "systems/programs/runs/{world.system_run.pk}/",
        "systems/programs/models/{world.trained.pk}/",
        "sources/{world.source.source_id}/",
        "compressions/{world.compression.pk}/",
        "people/{world.person.number}/",
        "examples/{world.practice.pk}/",
        "releases/{world.release.version}/",
        "releases/{world.release.version}/files/corpus.jsonl",
        "releases/{world.release.version}/agreement/",
        "releases/{world.release.version}/agreement.csv",
    ],
)
def test_a_thing_of_another_campaign_does_not_exist_under_the_own_one(world: World, path: str) -> None:
    thing = path.format(world=world)
    own, others = (world.accounts[role] for role in (STAFF, OTHER_STAFF))
    assert outcome_of(own.get(f"/campaigns/{world.campaign.slug}/{thing}")) == 200
    assert others.get(f"/campaigns/{world.other.slug}/{thing}").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "people/{world.person.number}/exclude/rate/",
        "people/{world.person.number}/reset-test/",
        "examples/{world.practice.pk}/",
        "examples/{world.practice.pk}/delete/",
        "links/{world.signed_link.pk}/keys/",
        "browsers/{world.asking.pk}/",
        "gold/{world.gold.pk}/retire/",
    ],
)
def test_a_thing_of_another_campaign_is_not_changed_under_the_own_one(world: World, path: str) -> None:
    before = everything_stored()
    form = {**example(world), "excluded": "1", "note": "Not mine."}
    reply = world.accounts[OTHER_STAFF].post(f"/campaigns/{world.other.slug}/{path.format(world=world)}", form)
    assert reply.status_code in {302, 404}
    assert everything_stored() == before


def test_a_worker_cannot_touch_the_task_of_another(world: World) -> None:
    before = everything_stored()
    judged = world.task(WORKER, RATE).pk
    for work_round, form in ((EDIT, compression(world)), (RATE, {"tasks": judged, **points_for(judged)})):
        task = world.task(WORKER, work_round).pk
        stranger = world.workers[STRANGER, work_round]
        for address in (
            f"/work/{work_round}/{task}/",
            f"/work/tasks/{task}/renew/",
            f"/work/tasks/{task}/skip/",
            f"/work/tasks/{task}/problem/",
        ):
            assert stranger.post(address, {"reason": "other", "text": "Why?", **form}).status_code == 404
        assert stranger.put(f"/work/edit/{task}/drafts/a1/", b"{}").status_code == 404
        assert stranger.get(f"/work/{work_round}/{task}/").status_code == 404
    own = world.task(STRANGER, RATE).pk
    both = {"tasks": f"{own},{judged}", **points_for(own), **points_for(judged)}
    assert world.workers[STRANGER, RATE].post(f"/work/rate/{own}/", both).status_code == 404
    assert everything_stored() == before


def test_a_task_is_not_found_under_the_address_of_the_other_round(world: World) -> None:
    for work_round, other in ((EDIT, RATE), (RATE, EDIT)):
        task = world.task(WORKER, work_round).pk
        for each in (EDIT, RATE):
            assert world.workers[WORKER, each].get(f"/work/{other}/{task}/").status_code == 404


@pytest.mark.parametrize("number", ["0", "999999", "9" * 30])
def test_numbers_of_nothing_are_not_found(world: World, number: str) -> None:
    worker, staff = world.workers[WORKER, EDIT], world.accounts[STAFF]
    assert worker.get(f"/work/edit/{number}/").status_code == 404
    assert worker.post(f"/work/tasks/{number}/renew/").status_code == 404
    assert world.workers[WORKER, RATE].get(f"/work/rate/{number}/").status_code == 404
    releases = ("releases/{}/", "releases/{}/agreement/", "releases/{}/agreement.csv")
    for path in ("jobs/{}/", "imports/{}/", "systems/imports/{}/", "people/{}/", "examples/{}/", *releases):
        assert staff.get(f"/campaigns/{world.campaign.slug}/{path.format(number)}").status_code == 404


@pytest.mark.parametrize(
    "name", ["../manifest.json", "..%2fmanifest.json", "%2fetc%2fpasswd", "/etc/passwd", "%00", "RawData"]
)
def test_only_files_of_the_release_are_handed_out(world: World, name: str) -> None:
    address = f"/campaigns/{world.campaign.slug}/releases/{world.release.version}/files/{name}"
    assert world.accounts[STAFF].get(address).status_code == 404


def test_sources_of_no_name_are_not_found(world: World) -> None:
    address = f"/campaigns/{world.campaign.slug}/sources/"
    for name in ("%00", "no-such", "%F0%9F%8C%89"):
        assert world.accounts[STAFF].get(f"{address}{name}/").status_code == 404


def test_an_account_is_no_worker_and_a_worker_no_account(world: World) -> None:
    client: Client = world.workers[WORKER, EDIT]
    client.cookies.update(world.accounts[STAFF].cookies)
    assert client.get("/work/").status_code == 302
    client.post("/logout/")
    assert client.get("/work/").status_code == 302
    assert outcome_of(client.get("/campaigns/")) == LOGIN
