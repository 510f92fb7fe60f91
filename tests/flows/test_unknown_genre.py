"""A text whose file names no genre: imported, shown, frozen, measured and imported again."""

import json
from pathlib import Path

import pytest

from agreement.kind import KIND
from agreement.parameters import AgreementParameters
from compressions.models import Source
from compressions.services.imports import source_import
from corpus.models import Release
from corpus.release_import.reading import release_import, release_read
from crowd.models import Campaign
from reports.services import report_complete, report_get_or_create
from scoring.services.runs import score_run_get_or_create, scores_compute
from scoring.settings import ScoreSettings
from tests.support.factories import (
    RATE,
    SENTENCE,
    edit_all,
    enrol,
    freeze,
    make_campaign,
    rate_all,
    readable,
    silent,
    staff_client,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

TEXTS = [SENTENCE.format(number=number) for number in (1, 2)]
FILES = {
    "a.jsonl": "\n".join(json.dumps({"id": str(n), "text": text}) for n, text in enumerate(TEXTS)),
    "a.csv": "id,text\n" + "\n".join(f'{n},"{text}"' for n, text in enumerate(TEXTS)),
    "a.tsv": "id\ttext\n" + "\n".join(f"{n}\t{text}" for n, text in enumerate(TEXTS)),
}


def imported(name: str = "a.jsonl") -> Campaign:
    campaign = make_campaign(editors_per_source=2, raters_per_compression=2)
    source_import(campaign=campaign, file_name=name, content=FILES[name].encode(), strict=True, seed=1)
    return campaign


@pytest.fixture
def release() -> Release:
    """Two texts without a genre and one of letters, all of them rated twice."""
    campaign = imported()
    row = json.dumps({"id": "9", "genre": "Letters", "text": SENTENCE.format(number=9)}).encode()
    source_import(campaign=campaign, file_name="b.jsonl", content=row, strict=True, seed=1)
    edit_all(campaign, 2)
    for number in (1, 2):
        rate_all(enrol(campaign, RATE, f"rater-{number}"))
    return freeze(campaign)


@pytest.mark.parametrize("name", FILES)
def test_a_file_may_leave_the_genre_out(name: str) -> None:
    campaign = imported(name)

    assert list(Source.objects.filter(campaign=campaign).values_list("genre", flat=True)) == ["", ""]


def test_files_of_a_release_have_an_empty_genre_and_the_card_says_unknown(release: Release) -> None:
    lines = [json.loads(line) for line in (release_folder(release) / "corpus.jsonl").read_text().splitlines()]

    assert [line["genre"] for line in lines] == ["", "", "Letters"]
    assert "| unknown genre | 2 |" in (release_folder(release) / "README.md").read_text()
    assert release.summary["genres"] == {"": 2, "Letters": 1}


@pytest.mark.parametrize("raw", [False, True])
def test_such_a_release_can_be_imported_again(release: Release, tmp_path: Path, raw: bool) -> None:
    folder = release_folder(release) / "RawData" if raw else release_folder(release)
    content = release_read(folder)

    again = release_import(content=content, slug="again", name="Again", owner=None, progress=silent)

    assert content.problems == []
    genres = Source.objects.filter(campaign=again).order_by("source_id").values_list("genre", flat=True)
    assert list(genres) == ["", "", "Letters"]
    assert freeze(again).summary["genres"] == release.summary["genres"]


def test_every_page_that_groups_by_genre_names_those_texts(release: Release) -> None:
    report_complete(
        report=report_get_or_create(kind=KIND, on=release, parameters=AgreementParameters(draws=5, replications=5)),
        progress=silent,
    )
    settings = ScoreSettings(metrics=("LR-1+Recall+MULT-ALL",))
    scores_compute(run=score_run_get_or_create(release=release, settings=settings), progress=silent)
    client = staff_client(release.campaign.staff.get())
    campaign, of_release = f"/campaigns/{release.campaign.slug}", f"releases/{release.version}"

    for page in (
        "sources/",
        f"{of_release}/",
        f"{of_release}/overview/",
        f"{of_release}/agreement/parts/",
        f"{of_release}/scores/parts/",
    ):
        response = client.get(f"{campaign}/{page}")
        assert response.status_code == 200, page
        assert "unknown genre" in readable(response), page
