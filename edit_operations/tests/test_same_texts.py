"""The page, the CSV and the API give the same texts for the same filter, in the same order."""

import csv
import io
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from edit_operations.tests.releases import computed, released_with, source_of, text_of, varied
from reports.models import Report
from tests.support.api_client import Api
from tests.support.factories import make_staff, readable, staff_client

pytestmark = pytest.mark.django_db(transaction=True)
NO_GENRE = source_of(9, text_of("The men went home.", 1, 1), text_of("Men, left.", 3, 3), genre="")
FILTERS: list[tuple[dict[str, str], int]] = [
    ({}, 16),
    ({"by": "people"}, 12),
    ({"by": "systems"}, 4),
    ({"compression": "abstractive"}, 5),
    ({"sentences": "merged"}, 1),
    ({"paraphrased": "yes"}, 2),
    ({"paraphrased": "no"}, 14),
    ({"inserted": "yes"}, 3),
    ({"reordered": "yes"}, 1),
    ({"corrected": "no"}, 16),
    ({"corrected": "yes"}, 0),
    ({"genre": "News", "split": "train"}, 7),
    ({"genre": "unknown genre"}, 2),
    ({"editor": "8"}, 3),
    ({"system": "A"}, 2),
    ({"source_sentences": "2", "by": "people"}, 3),
    ({"least": "2.5"}, 7),
    ({"least": "1.5", "most": "2", "scale": "meaning"}, 3),
    ({"most": "1"}, 2),
]


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def report(owner: User) -> Report:
    return computed(released_with([*varied(), NO_GENRE], owner=owner))


@pytest.mark.parametrize(("asked", "number"), FILTERS)
def test_the_same_filter_gives_the_same_texts(
    owner: User, report: Report, asked: dict[str, str], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edit_operations.text_views.TEXTS_PER_PAGE", 50)
    on_page, in_file, over_api = (
        _of_page(staff_client(owner), report, asked),
        _of_csv(staff_client(owner), report, asked),
        _of_api(Api(owner), report, asked),
    )

    assert on_page == over_api
    assert in_file == over_api
    assert len(over_api) == number


def test_a_range_that_holds_nothing_is_refused_alike(owner: User, report: Report) -> None:
    asked = {"least": "3", "most": "2"}

    assert staff_client(owner).get(f"{_address(report)}/texts/", asked).status_code == 422
    refused = Api(owner).get(f"{_api_address(report)}texts/", **asked)
    assert (refused.status_code, [each["field"] for each in refused.json()["errors"]]) == (400, ["most"])


Found = list[tuple[str, str, str]]


def _address(report: Report) -> str:
    return f"/campaigns/{report.of_release.campaign.slug}/releases/{report.of_release.version}/operations"


def _api_address(report: Report) -> str:
    return f"campaigns/{report.of_release.campaign.slug}/releases/{report.of_release.version}/operations/"


def _of_page(client: Client, report: Report, asked: dict[str, str]) -> Found:
    reply = client.get(f"{_address(report)}/texts/", asked)
    found = [(row.source.source_id, row.text.text, row.text.system) for row, *_more in reply.context["rows"]]
    said = re.search(r"(\d+) of \d+ texts match", readable(reply))
    assert said
    assert int(said[1]) == len(found)
    return found


def _of_csv(client: Client, report: Report, asked: dict[str, str]) -> Found:
    reply = client.get(f"{_address(report)}/texts.csv", asked)
    content = b"".join(reply.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    lines = csv.DictReader(io.StringIO(content, newline=""))
    return [(line["source_id"], line["compression"], line["system"]) for line in lines]


def _of_api(api: Api, report: Report, asked: dict[str, str]) -> Found:
    """Ask for the same as the page; yes and no are true and false there."""
    words = {"yes": "true", "no": "false", "unknown genre": ""}
    sent = {name: words.get(value, value) for name, value in asked.items()}
    found = api.get(f"{_api_address(report)}texts/", **sent).json()["results"]
    return [(each["source_id"], each["text"], each["system"]) for each in found]
