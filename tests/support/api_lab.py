"""A campaign with a release, and a program that calls the API for its owner."""

import json
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from compressions.models import Source
from corpus.services.outputs import outputs_import
from tests.support.api_client import Api
from tests.support.factories import freeze, judged_campaign, make_staff


class Lab:
    """A campaign with a release, and a program of its owner."""

    def __init__(self) -> None:
        self.owner = make_staff()
        self.campaign = judged_campaign(owner=self.owner, sources=3, editors=2)
        self.has_system("Echo")
        self.release = freeze(self.campaign)
        self.api = Api(self.owner)

    def has_system(self, name: str) -> None:
        source = Source.objects.filter(campaign=self.campaign).earliest("pk")
        row = json.dumps({"id": source.source_id, "text": f"{name} is short."}).encode()
        outputs_import(campaign=self.campaign, system=name, file_name=f"{name}.jsonl", content=row)

    def get(self, address: str, asked: Any = None, **headers: Any) -> Any:
        return self.api.call("get", f"campaigns/{self.campaign.slug}/{address}", asked, **headers)

    def post(self, address: str, sent: Any = None, **more: Any) -> Any:
        return self.api.call("post", f"campaigns/{self.campaign.slug}/{address}", sent, **more)


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def fields_at_fault(response: Any) -> list[str]:
    assert response.status_code == 400
    return [each["field"] for each in response.json()["errors"]]


def number_of_queries(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert call().status_code == 200
    return len(queries)
