"""Reports on editing operations over the API: asked for, listed, read, and their texts."""

import pytest

from edit_operations.api.rows import OperationsRowSerializer
from edit_operations.tests.releases import computed, released_with, varied, varied_ratings
from reports.models import Report
from tests.support.api_client import Api
from tests.support.factories import freeze, judged_campaign, make_staff

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def place() -> tuple[Api, str, Report]:
    owner = make_staff()
    release = released_with(varied(), owner=owner)
    report = computed(release)
    return Api(owner), f"campaigns/{release.campaign.slug}/releases/{release.version}/operations/", report


Place = tuple[Api, str, Report]


def test_a_report_has_its_rows_and_an_etag(place: Place) -> None:
    api, address, report = place

    answer = api.get(address)

    assert answer.status_code == 200
    assert answer.json()["rows"] == report.rows
    assert answer.json()["state"] == "ready"
    assert api.call("get", address, If_None_Match=answer["ETag"]).status_code == 304
    assert api.get(address, question="0000").status_code == 404


def test_the_same_question_is_the_same_report(place: Place) -> None:
    api, address, report = place

    asked = api.post(f"{address}reports/", {"draws": 50})
    other = api.post(f"{address}reports/", {"draws": 50, "word_pairs": "walked\twent\n"})

    assert (asked.status_code, asked.json()["question"]) == (202, report.digest)
    assert other.json()["question"] != report.digest
    assert "rows" not in other.json()


@pytest.mark.parametrize(
    ("sent", "status"),
    [({"draws": 0}, 400), ({"substitute": "other"}, 400), ({"word_pairs": "one"}, 409), ({"vectors": True}, 409)],
)
def test_what_makes_no_sense_is_refused(place: Place, sent: dict[str, object], status: int) -> None:
    api, address, _report = place

    assert api.post(f"{address}reports/", sent).status_code == status


def test_texts_are_listed_by_operation_a_page_at_a_time(place: Place) -> None:
    api, address, report = place

    merged = api.get(f"{address}texts/", sentences="merged").json()["results"]
    assert [each["text"] for each in merged] == ["The two old men went home while their dog stayed."]
    assert len(merged[0]["places"]) == len(merged[0]["words"])

    numbers, cursor = [], -1
    while cursor is not None:
        page = api.get(f"{address}texts/", limit=4, cursor=cursor).json()
        numbers += [each["number"] for each in page["results"]]
        cursor = page["cursor"]
    assert numbers == list(range(1, report.pinned["texts"] + 1))


def test_unknown_operations_are_refused_by_name(place: Place) -> None:
    api, address, _report = place

    answer = api.get(f"{address}texts/", sentences="split")

    assert answer.status_code == 400
    assert "sentences" in answer.content.decode()


def test_every_column_of_every_row_is_described() -> None:
    plain = computed(released_with(varied()))
    with_logs = computed(freeze(judged_campaign(sources=6, editors=4)))
    modelled = computed(released_with(varied_ratings()))
    rows = [*(plain.rows or []), *(with_logs.rows or []), *(modelled.rows or [])]

    assert {name for row in rows for name in row} == set(OperationsRowSerializer().fields)
    described = OperationsRowSerializer(data=rows, many=True)
    assert described.is_valid(), described.errors
