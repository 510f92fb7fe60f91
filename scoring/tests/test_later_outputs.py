"""Outputs of systems that were imported after a release was frozen are scored beside it."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compressions.models import Source
from corpus.models import Release
from corpus.release.records import ReleasedOutput
from corpus.selectors import release_sources
from corpus.services.outputs import outputs_import
from scoring.models import ScoreRun
from scoring.selectors import extremes
from scoring.services.runs import scores_compute
from scoring.tests.releases import (
    FEW,
    NAME,
    address,
    computed,
    json_lines,
    plainly,
    reread,
    started,
    stored,
    summary_of,
)
from tests.support.factories import freeze, judged_campaign, readable, silent, staff_client

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

SINCE = "Outputs of systems have been imported since"


@pytest.fixture
def release() -> Release:
    return freeze(judged_campaign(sources=3, editors=2))


def outputs_of(release: Release, system: str, **texts: str) -> None:
    """Outputs of a system for the first, second and third source."""
    sources = dict(zip(("a", "b", "c"), Source.objects.filter(campaign=release.campaign).order_by("pk"), strict=True))
    rows = [{"id": sources[key].source_id, "text": text} for key, text in texts.items()]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    report = outputs_import(campaign=release.campaign, system=system, file_name="o.jsonl", content=content)
    assert not report.problems


def with_outputs(release: Release, system: str, **texts: str) -> dict[tuple[str, str, str], dict[str, float]]:
    """The scores as they would be if the outputs were in the release."""
    sources = release_sources(release)
    by_id = {source.source_id: source for source in sources}
    for key, source in zip(("a", "b", "c"), Source.objects.filter(campaign=release.campaign), strict=True):
        if key in texts:
            by_id[source.source_id].outputs.append(ReleasedOutput(system, texts[key], ()))
    return plainly(sources, FEW)


def test_outputs_that_came_later_are_scored_beside_the_release(release: Release) -> None:
    outputs_of(release, "T3", a="Two men went home.", c="They left.")

    run = computed(release, FEW)

    assert stored(run) == with_outputs(release, "T3", a="Two men went home.", c="They left.")
    assert {each["system"]: each["outputs"] for each in summary_of(run)["systems"]} == {"": 6, "T3": 2}


def test_outputs_of_the_release_itself_are_scored_once() -> None:
    campaign = judged_campaign(sources=3, editors=2)
    outputs_of(freeze(campaign), "T3", a="Two men went home.")
    release = freeze(campaign)

    run = computed(release, FEW)

    assert run.last_output is None
    assert {each["system"]: each["outputs"] for each in summary_of(run)["systems"]} == {"": 6, "T3": 1}


def test_more_outputs_are_another_run_and_the_first_stays(release: Release) -> None:
    first = computed(release, FEW)
    outputs_of(release, "T3", a="Two men went home.")
    second = computed(release, FEW)
    outputs_of(release, "T3", b="They left.")
    third = computed(release, FEW)

    assert [run.outputs for run in (first, second, third)] == [6, 7, 8]
    assert [reread(run).outputs for run in (first, second, third)] == [6, 7, 8]


def test_a_run_holds_what_there_was_when_it_was_asked_for(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.services.runs.SOURCES_PER_PART", 1)
    outputs_of(release, "T3", a="Two men went home.")
    run = started(release, FEW)
    outputs_of(release, "T3", b="They left.")
    outputs_of(release, "Other", a="Men.")

    scores_compute(run=run, progress=silent)

    assert stored(reread(run)) == with_outputs(release, "T3", a="Two men went home.")


def test_the_page_says_that_outputs_came_since_and_scores_them(release: Release) -> None:
    client = staff_client(release.campaign.staff.get())
    client.post(f"{address(release)}/runs/")
    assert SINCE not in readable(client.get(f"{address(release)}/"))
    outputs_of(release, "T3", a="Two men went home.")
    assert SINCE in readable(client.get(f"{address(release)}/"))

    page = readable(client.post(f"{address(release)}/runs/", follow=True))

    assert SINCE not in page
    assert "T3" in page
    assert ScoreRun.objects.count() == 2


def test_outputs_that_came_later_are_among_the_best_and_worst(release: Release) -> None:
    outputs_of(release, "T3", a="Two men went home.", b="Zebras.")

    *_, of_system = extremes(computed(release, FEW), NAME)

    assert of_system.system == "T3"
    assert [each.text for each in of_system.best] == ["Two men went home.", "Zebras."]


def test_scores_of_them_are_imported_too(release: Release, tmp_path: Path) -> None:
    outputs_of(release, "T3", a="Two men went home.")
    source = Source.objects.filter(campaign=release.campaign).earliest("pk")
    path = json_lines(tmp_path / "s.jsonl", {"source": source.source_id, "system": "T3", "score": 0.5})

    call_command("import_scores", release.name, str(path), "--metric=COMET", "--signature=wmt22")

    assert stored(ScoreRun.objects.get()) == {(source.source_id, "T3", "Two men went home."): {"COMET": 0.5}}
    outputs_of(release, "T3", b="They left.")
    client = staff_client(release.campaign.staff.get())
    assert SINCE not in readable(client.get(f"{address(release)}/"))


def queries_of_computing(release: Release, systems: int) -> int:
    for number in range(systems):
        outputs_of(release, f"S{number}", a="Men.", b="Left.", c="Home.")
    run = started(release, FEW)
    with CaptureQueriesContext(connection) as queries:
        scores_compute(run=run, progress=silent)
    return len(queries)


def test_more_systems_cost_no_more_queries(release: Release) -> None:
    assert queries_of_computing(release, 1) == queries_of_computing(release, 6)
