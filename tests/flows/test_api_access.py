"""Who may call what of the API: every address, every method, every role, every scope."""

import re
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from common.models import RateCount
from crowd.access import Access
from crowd.models import ApiToken, Scope
from tests.support.api_addresses import API_TABLE, METHODS, SAFE, api_address, api_addresses
from tests.support.api_client import Api
from tests.support.factories import make_staff
from tests.support.world import ADMINISTRATOR, OTHER_STAFF, ROLES, STAFF, World

pytestmark = pytest.mark.django_db
WRITING = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)
# Each request notes when its token was last used, and is counted.
NOTED = {ApiToken, RateCount}


def api_of(world: World, role: str, *scopes: str) -> Api:
    users = {STAFF: world.owner, OTHER_STAFF: world.other_owner}
    users |= {name: member.user for name, member in world.members.items()}
    if role == ADMINISTRATOR:
        users[ADMINISTRATOR] = make_staff(administrator=True)
    return Api(users[role], scopes or tuple(Scope.values)) if role in users else Api()


def everything_stored() -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, but for the tokens, whose last use is noted, and the counts of their calls."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values_list())
        for model in apps.get_models()
        if model not in NOTED and model._meta.app_label not in {"sessions", "contenttypes"}
    }


def _writes(asked: CaptureQueriesContext) -> bool:
    """Whether anything else was written; comparing all tables each time would take minutes."""
    written = (match[1] for query in asked.captured_queries if (match := WRITING.match(query["sql"])))
    return not {model._meta.db_table for model in NOTED}.issuperset(written)


def test_every_address_has_a_row_in_the_table() -> None:
    declared = {name: pattern.callback.access for name, pattern in api_addresses()}  # type: ignore[attr-defined]
    assert {name: row.access for name, row in API_TABLE.items()} == declared


def test_every_method_has_a_call_in_the_table() -> None:
    there = {
        name: {method for method in METHODS if hasattr(pattern.callback.cls, method)}  # type: ignore[attr-defined]
        for name, pattern in api_addresses()
    }
    assert {name: set(row.calls) for name, row in API_TABLE.items()} == there


@pytest.mark.parametrize("role", ROLES)
def test_every_role_gets_what_it_may_and_nothing_else(world: World, role: str) -> None:
    api, wrong = api_of(world, role), list[str]()
    before = everything_stored()
    for name, row in API_TABLE.items():
        for method in METHODS:
            expected = row.status(method, role)
            call = row.calls.get(method)
            with transaction.atomic():
                sent, address = call and call.sent(world), api_address(name, world)
                with CaptureQueriesContext(connection) as asked:
                    answer = api.call(method, address, sent, is_form=bool(call and call.is_form))
                if answer.status_code != expected:
                    wrong.append(f"{method} {name}: {answer.status_code}, not {expected}: {answer.content[:300]!r}")
                is_to_write_nothing = method in SAFE or answer.status_code >= 400
                if is_to_write_nothing and _writes(asked) and everything_stored() != before:
                    wrong.append(f"{method} {name}: {answer.status_code}, but something was written")
                if answer.status_code >= 400 and answer.headers["Content-Type"] != "application/problem+json":
                    wrong.append(f"{method} {name}: {answer.headers['Content-Type']}")
                b"".join(answer.streaming_content if answer.streaming else ())  # a file is closed once it is read
                transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)


def test_a_token_that_only_reads_changes_nothing(world: World) -> None:
    api, wrong = api_of(world, STAFF, Scope.READ), list[str]()
    for name, row in API_TABLE.items():
        for method in row.calls.keys() - SAFE:
            call = row.calls[method]
            answer = api.call(method, api_address(name, world), call.sent(world), is_form=call.is_form)
            if answer.status_code != 403 or answer.json()["code"] != "scope":
                wrong.append(f"{method} {name}: {answer.status_code}")
    assert not wrong, "\n".join(wrong)


def test_campaigns_of_others_are_as_if_they_were_not(world: World) -> None:
    names = [name for name, row in API_TABLE.items() if row.access is not Access.SIGNED_IN]
    api = api_of(world, OTHER_STAFF)
    missing = Api(world.other_owner).get("campaigns/no-such-campaign/")
    assert names
    for name in names:
        for method in API_TABLE[name].calls:
            answer = api.call(method, api_address(name, world))
            assert answer.json()["detail"] == missing.json()["detail"], name
