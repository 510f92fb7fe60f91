"""The API keeps what its OpenAPI document says, whatever it is sent; Schemathesis draws that from the document.

The same examples are drawn each time, and what each of them does is taken back.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings
from schemathesis import Case, GenerationMode
from schemathesis.generation.stateful.state_machine import APIStateMachine
from schemathesis.specs.openapi.checks import negative_data_rejection

from annotation.api_document import openapi
from tests.support.api_client import api_token
from tests.support.api_schema import (
    ALL_CHECKS,
    CHECKS,
    arguments_of,
    known_case,
    known_status,
    operations,
    schema,
    strategy,
    takes_more_than_a_path,
)
from tests.support.world import World

pytestmark = pytest.mark.django_db
OPERATIONS = [pytest.param(path, method, id=name) for name, path, method in operations()]
TAKING_MORE = [each for each in OPERATIONS if takes_more_than_a_path(*map(str, each.values))]
FEW = hypothesis.settings(
    max_examples=6,
    stateful_step_count=6,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Caller:
    """Calls operations for the owner of a World's campaign; nothing that a call does stays."""

    def __init__(self, world: World) -> None:
        self.world, self.schema = world, schema()
        self.headers = {"Authorization": f"Bearer {api_token(world.owner)}", "Accept-Encoding": "identity"}

    def check(self, case: "Case[Any]", checks: Any = CHECKS) -> int:
        """Call an operation and hold the answer against the document; return its status."""
        if case.media_type == "multipart/form-data":  # whatever a form holds is text: another type cannot be told
            checks = [each for each in checks if each is not negative_data_rejection]
        with transaction.atomic():
            response = case.call_and_validate(headers=self.headers, checks=checks)
            transaction.set_rollback(True)
        return int(response.status_code)

    def there(self, path: str, method: str, mode: GenerationMode) -> Any:
        """Calls of what a World holds; the rest is drawn."""
        return strategy(self.schema, path, method, mode, path_parameters=arguments_of(self.world, path)[1])

    def anywhere(self, path: str, method: str) -> Any:
        """Calls in which the path is drawn, too, with and without a fault."""
        modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE] if "{" in path else [GenerationMode.POSITIVE]
        return st.one_of([strategy(self.schema, path, method, mode) for mode in modes])


@pytest.fixture
def caller(world: World, settings: Settings) -> Iterator[Caller]:
    settings.ALLOWED_HOSTS = ["*"]
    settings.API_CALLS_PER_MINUTE = 1_000_000
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True  # an error is shown as it is
    for signal in (request_started, request_finished):  # the connection stays, as with Django's own test client
        signal.disconnect(close_old_connections)
    yield Caller(world)
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_what_succeeds_is_as_documented_and_needs_a_token(caller: Caller, path: str, method: str) -> None:
    case = known_case(caller.schema, path, method, caller.world)
    assert caller.check(case, ALL_CHECKS) == known_status(path, method, caller.world)


@pytest.mark.parametrize(("path", "method"), TAKING_MORE)
def test_whatever_fits_the_document_is_answered_as_documented(caller: Caller, path: str, method: str) -> None:
    @FEW
    @given(case=caller.there(path, method, GenerationMode.POSITIVE))
    def check(case: "Case[Any]") -> None:
        caller.check(case)

    check()


@pytest.mark.parametrize(("path", "method"), TAKING_MORE)
def test_whatever_does_not_fit_the_document_is_refused(caller: Caller, path: str, method: str) -> None:
    @FEW
    @given(case=caller.there(path, method, GenerationMode.NEGATIVE))
    def check(case: "Case[Any]") -> None:
        caller.check(case)

    check()


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_whatever_a_path_names_is_answered_as_documented(caller: Caller, path: str, method: str) -> None:
    @FEW
    @given(case=caller.anywhere(path, method))
    def check(case: "Case[Any]") -> None:
        caller.check(case)

    check()


def test_links_lead_from_one_operation_to_the_next(caller: Caller) -> None:
    machine: Any = caller.schema.as_state_machine()

    class Walk(machine):  # type: ignore[misc]
        def setup(self) -> None:
            self.block = transaction.atomic()
            self.block.__enter__()

        def teardown(self) -> None:
            transaction.set_rollback(True)
            self.block.__exit__(None, None, None)

        def before_call(self, case: "Case[Any]") -> None:
            if "slug" in case.path_parameters:
                case.path_parameters["slug"] = caller.world.campaign.slug

        def get_call_kwargs(self, _case: "Case[Any]") -> dict[str, Any]:
            return {"headers": caller.headers}

        def validate_response(self, response: Any, case: "Case[Any]", **_: Any) -> None:
            case.validate_response(response, checks=CHECKS, headers=caller.headers)

    walk: type[APIStateMachine] = Walk
    walk.run(settings=FEW)


def test_each_operation_is_described() -> None:
    found = list(operations())
    names = [name for name, _, _ in found]
    assert len(set(names)) == len(names)
    for name, path, method in found:
        operation = openapi()["paths"][path][method]
        words = operation["summary"]
        assert words[0].isupper(), name
        assert not words.endswith("."), name
        assert {"400", "401", "404"} <= operation["responses"].keys(), name


def test_links_name_operations_that_are_there() -> None:
    names = {name for name, _, _ in operations()}
    for _, path, method in operations():
        for response in openapi()["paths"][path][method]["responses"].values():
            assert {link["operationId"] for link in response.get("links", {}).values()} <= names


def test_the_document_is_made_without_warnings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "openapi.yaml"))
    assert capsys.readouterr().err.strip() in {"", "Schema generation summary:\nWarnings: 0 (0 unique)"}


def test_the_copy_in_the_repository_is_the_document() -> None:
    kept = json.loads((Path(django_settings.BASE_DIR) / "docs" / "openapi.json").read_text())
    assert kept == json.loads(json.dumps(openapi())), "make openapi writes it again"
