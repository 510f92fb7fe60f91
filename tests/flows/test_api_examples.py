"""The OpenAPI document has an example of each operation, as it was sent and answered once.

`make openapi` records them again, with WRITE_API_EXAMPLES=1, from the calls of the table of addresses.
"""

import json
import os
import re
from typing import Any

import pytest
from django.db import transaction

from annotation.api_document import EXAMPLES, JSON
from tests.support.api_addresses import API_TABLE
from tests.support.api_client import Api
from tests.support.api_schema import arguments_of, json_bodies, operations
from tests.support.world import World

NOT_RECORDED = {
    *("getSystemComparison", "getScaleComparison", "requestScaleComparisonReport", "makePieces", "addSound"),
    *("makeWebhook", "getFixedAnalysis"),
}
"""What is refused in the world of the tests, so that nothing was answered that could be shown."""
LONGEST = 160
SECRET = re.compile(r"(?<=/join/)[\w-]{22}|(?<=/invitations/)[\w-]+|(?<=signing_key=)[\w-]+")
MADE_UP = {"token": "prc_0123456789abcdefghij", "secret": "0123456789abcdefghij"}


def example_of(world: World, path: str, method: str) -> dict[str, Any]:
    """Call an operation as the table of addresses does, and return what was sent and answered; nothing stays of it."""
    call = API_TABLE[arguments_of(world, path)[0]].calls[method]
    sent = dict(call.sent(world))
    with transaction.atomic():
        answer = Api(world.owner).call(method, path.format(**arguments_of(world, path)[1]), sent, is_form=call.is_form)
        transaction.set_rollback(True)
    assert answer.status_code == call.status
    example = {}
    if method != "get" and not call.is_form and sent:
        example["request"] = sent
    if call.status < 300 and answer.get("Content-Type", "").startswith(JSON):
        example["response"] = short(answer.json())
    return example


def short(value: Any) -> Any:
    """Return an answer with the first of each list, without long texts, and without what opens a study."""
    if isinstance(value, dict):
        return {name: MADE_UP.get(name) if name in MADE_UP and each else short(each) for name, each in value.items()}
    if isinstance(value, list):
        return [short(each) for each in value[:1]]
    if isinstance(value, str):
        value = SECRET.sub("0123456789abcdefghijkl", value.replace("http://testserver", "https://precis.example.org"))
        return value if len(value) <= LONGEST else f"{value[: LONGEST - 1]}…"
    return value


def names_in(value: Any) -> Any:
    """Return the names of an answer's fields, however deep, without their values."""
    if isinstance(value, dict):
        return {name: names_in(each) for name, each in value.items()}
    return [names_in(each) for each in value[:1]] if isinstance(value, list) else None


@pytest.mark.django_db
def test_each_operation_has_an_example_with_the_fields_that_it_takes_and_gives(world: World) -> None:
    made = {name: example_of(world, path, method) for name, path, method in operations() if json_bodies(path, method)}
    kept = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    if os.environ.get("WRITE_API_EXAMPLES"):  # of those that are still so, the times and codes stay as they were
        kept = {name: kept[name] if names_in(kept.get(name)) == names_in(made[name]) else made[name] for name in made}
        words = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True)
        EXAMPLES.write_text(f"{words}\n", encoding="utf-8")

    assert names_in(kept) == names_in(made), "make openapi records them again"


def test_the_document_shows_them_where_json_is_sent_or_answered() -> None:
    lacking = [
        name
        for name, path, method in operations()
        if name not in NOT_RECORDED and any("example" not in each for each in json_bodies(path, method))
    ]

    assert lacking == []
