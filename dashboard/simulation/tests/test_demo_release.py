"""The demonstration's own release, read as the programs read it that others wrote for the public release."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from compressions.models import SystemOutput
from corpus.models import Release
from corpus.selectors import release_sources
from dashboard.simulation.crowd import crowd_simulate
from dashboard.simulation.demo import SIMULATED, SYSTEMS, demo_campaign
from tests.support.factories import freeze, make_staff, silent
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

CODES = {"6": (3, 3), "7": (3, 2), "9": (3, 1), "11": (2, 3), "12": (2, 2), "14": (2, 1), "21": (1, 3), "22": (1, 2)}
CODES["24"] = (1, 1)


@dataclass(frozen=True)
class Loaded:
    """A compression with its average judgement of meaning and grammar."""

    text: str
    judges: str
    quality: float


@pytest.fixture
def release() -> Release:
    """A crowd of a quarter of the size: it leaves some outputs without a rating, as the whole one does."""
    campaign = demo_campaign(make_staff())
    editors, raters = SIMULATED["editors"] // 4, SIMULATED["raters"] // 4
    crowd_simulate(campaign=campaign, editors=editors, raters=raters, seed=SIMULATED["seed"], progress=silent)
    return freeze(campaign)


def loaded(path: Path) -> dict[str, list[Loaded]]:
    """Split at bare bars; three fields of a source; two fields for each rating; divide by their number."""
    found = {}
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        head, *compressions = line.split("|||")
        source_id, _domain, _text = head.split("\t")
        found[source_id] = [loaded_text(each.strip().split("\t")) for each in compressions]
        assert found[source_id], f"{path.name}: nothing was made of {source_id}"
    return found


def loaded_text(fields: list[str]) -> Loaded:
    text, judges, number, *ratings = fields
    assert len(ratings) == 2 * int(number)
    points = [sum(CODES[code]) / 2 for code in ratings[::2]]
    return Loaded(text, judges, sum(points) / int(number))


def test_a_loader_that_divides_by_the_number_of_ratings_reads_every_file(release: Release) -> None:
    files = {path.name: loaded(path) for path in (release_folder(release) / "RawData").iterdir()}

    released = release_sources(release)
    of_people = [each for name in ("train.tsv", "valid.tsv", "test.tsv") for each in files.pop(name).values()]
    assert sum(map(len, of_people)) == release.summary["compressions"]
    assert len(of_people) == release.summary["sources"]
    of_systems = [(each, key) for file in files.values() for key, texts in file.items() for each in texts]
    rated = [(each.text, source.source_id) for source in released for each in source.outputs if each.ratings]
    assert sorted((each.text, key) for each, key in of_systems) == sorted(rated)
    assert {each.judges for each, _ in of_systems} <= set(SYSTEMS)
    assert all(files.values()), "no file is empty"
    assert 0 < len(rated) < SystemOutput.objects.count()
