"""All systems in one table, and the best and the worst outputs of each."""

import json
import shutil
from dataclasses import replace
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from corpus.models import Release
from corpus.release.records import ReleasedOutput, ReleasedSource, ReleasedText
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.parameters import OperationsParameters
from evaluation.systems_compared import outputs_shown, systems_compared
from evaluation.tests.releases import compute_scores, mean_points, released_with, sources_with_systems
from measures.text.normalization import length
from reports.services import report_complete, report_get_or_create
from scoring.selectors import runs_of_release
from systems.models import SystemRun
from systems.services.runs import RunRequest, system_run
from tests.support.factories import import_texts, make_staff, readable, silent, staff_client
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
METRIC = "LR-2+F-1+MULT-ALL"
SOURCES = sources_with_systems(12, systems=["Alpha", "Beta"])


@pytest.fixture
def release() -> Release:
    return released_with(SOURCES, owner=make_staff())


def page(release: Release, name: str = "systems", query: str = "") -> Any:
    client = staff_client(release.campaign.staff.get())
    return client.get(reverse(f"evaluation:{name}", args=[release.campaign.slug, release.version]) + query)


def test_ratings_and_lengths_are_means_over_the_texts_of_each(release: Release) -> None:
    people, alpha, _beta = systems_compared(release).lines
    assert (people.system, people.outputs, alpha.system, alpha.outputs) == ("", 36, "Alpha", 12)
    outputs = [(source, output) for source in SOURCES for output in source.outputs if output.system == "Alpha"]
    assert alpha.ratings["meaning"] == pytest.approx(np.mean([mean_points(output) for _source, output in outputs]))
    kept = [length(output.text) / length(source.text) for source, output in outputs]
    assert alpha.characters == pytest.approx(np.mean(kept))
    assert alpha.rated == 12
    assert (alpha.metrics, alpha.operations, alpha.statuses, alpha.seconds_per_text) == ({}, {}, {}, None)


def test_metrics_and_operations_come_from_what_was_computed(release: Release) -> None:
    compute_scores(release, METRIC)
    report = report_get_or_create(kind=OPERATIONS, on=release, parameters=OperationsParameters(draws=5))
    report_complete(report=report, progress=silent)
    compared = systems_compared(release)
    assert list(compared.metrics) == [METRIC]
    assert list(compared.operations) == ["copied", "paraphrased", "inserted", "deleted"]
    (run,) = runs_of_release(release)
    assert run.summary is not None
    for each in run.summary["jackknifed"]["systems"]:
        (line,) = (line for line in compared.lines if line.system == each["system"])
        assert line.metrics[METRIC]["value"] == each["means"][METRIC]
        assert (line.metrics[METRIC]["low"], line.metrics[METRIC]["high"]) == (
            each["low"][METRIC],
            each["high"][METRIC],
        )
        assert sum(line.operations[name] for name in ("copied", "paraphrased", "inserted")) == pytest.approx(1)
    content = readable(page(release))
    assert METRIC in content
    assert "Words deleted" in content


def test_novel_unigrams_and_bigrams_are_counted_over_all_texts_of_a_system() -> None:
    cat = ReleasedSource("1", "", "The old cat sat on the mat.", 1, "", "1", "test", [], [])
    dogs = ReleasedSource("2", "", "Dogs bark.", 1, "", "2", "test", [], [])
    sources = [
        replace(
            cat,
            texts=[ReleasedText("THE OLD CAT SAT.", ("7",), ())],
            outputs=[ReleasedOutput("Alpha", "The cat sat on a mat.", ()), ReleasedOutput("Short", "Cat", ())],
        ),
        replace(
            dogs,
            texts=[ReleasedText("Dogs dogs.", ("7",), ())],
            outputs=[ReleasedOutput("Alpha", "Bark!", ())],
        ),
    ]
    release = released_with(sources, owner=make_staff())

    people, alpha, short = systems_compared(release).lines

    assert people.novel == {"unigrams": 0 / (5 + 3), "bigrams": (1 + 2) / (4 + 2)}
    assert alpha.novel == {"unigrams": (1 + 1) / (7 + 2), "bigrams": (3 + 1) / (6 + 1)}
    assert short.novel == {"unigrams": 0 / 1}
    rows = page(release, "systems-json").json()["rows"]
    assert [row.get("novel bigrams") for row in rows] == [3 / 6, 4 / 7, None]
    content = readable(page(release))
    assert all(words in content for words in ("Novel words", "Novel pairs", "57%"))


@pytest.fixture
def with_run(release: Release) -> SystemRun:
    """Sources of which a run here made outputs that came in after the release, some of them fallbacks."""
    release.campaign.sentence_min_words = 2
    release.campaign.save()
    import_texts(release.campaign, [source.text for source in SOURCES])
    release.last_rows = {"outputs": 0}
    release.save()
    run = system_run(request=RunRequest(release.campaign, "lsa", "Ours", 1), progress=silent)
    assert run.statuses == {"fallback": 12}
    return run


def test_statuses_are_shown_with_every_system_that_was_run_here(release: Release, with_run: SystemRun) -> None:
    lines = {line.system: line for line in systems_compared(release).lines}
    assert (lines["Ours"].outputs, lines["Ours"].statuses, lines["Ours"].is_marked) == (12, {"fallback": 12}, True)
    assert lines["Ours"].seconds_per_text == with_run.seconds_per_text
    assert lines["Alpha"].statuses == {}
    assert "over 5% first words only" in readable(page(release))
    shown = readable(page(release, "system", "?system=Ours"))
    assert "fallback 12 (100%)" in shown
    assert shown.count("only the first words: the system found none") == 10
    assert "nothing says which are good" in shown


def test_without_scores_the_best_and_worst_are_by_ratings(release: Release) -> None:
    shown = outputs_shown(release, "Beta")
    assert shown.by == ""
    values = [each.value or 0 for each in (*shown.best, *reversed(shown.worst))]
    assert len(values) == 10
    assert values == sorted(values, reverse=True)
    rated = [
        (mean_points(output) + mean_points(output, "grammar")) / 2
        for source in SOURCES
        for output in source.outputs
        if output.system == "Beta"
    ]
    assert max(values) == pytest.approx(max(rated))
    assert min(values) == pytest.approx(min(rated))
    assert len({each.source.source_id for each in (*shown.best, *shown.worst)}) == 10


def test_with_scores_the_best_and_worst_are_by_a_metric(release: Release) -> None:
    compute_scores(release, METRIC)
    shown = outputs_shown(release, "Beta")
    assert shown.by == METRIC
    values = [each.value or 0 for each in (*shown.best, *reversed(shown.worst))]
    assert values == sorted(values, reverse=True)
    content = readable(page(release, "system", "?system=Beta"))
    assert f"The best and the worst outputs by {METRIC}." in content
    assert all(each.text in content for each in (*shown.best, *shown.worst))
    assert all(text.text in content for text in shown.best[0].source.texts)


def test_few_rated_outputs_are_best_or_worst_and_never_both() -> None:
    few = released_with(sources_with_systems(3, systems=["Alpha"]))
    shown = outputs_shown(few, "Alpha")
    assert (len(shown.best), len(shown.worst)) == (2, 1)
    unrated = [replace(each, outputs=[replace(out, ratings=()) for out in each.outputs]) for each in SOURCES]
    shown = outputs_shown(released_with(unrated), "Alpha")
    assert (len(shown.best), len(shown.first)) == (0, 10)


def test_the_table_is_the_same_on_the_page_in_json_and_on_the_terminal(release: Release) -> None:
    compute_scores(release, METRIC)
    rows = page(release, "systems-json").json()["rows"]
    printed = StringIO()
    call_command("compare_systems", release.name, format="json", stdout=printed)
    assert json.loads(printed.getvalue())["rows"] == rows
    assert [row["system"] for row in rows] == ["people", "Alpha", "Beta"]
    table = StringIO()
    call_command("compare_systems", release.name, format="table", no_color=True, stdout=table)
    assert f"Systems in {release.name}" in table.getvalue()
    assert "Alpha" in table.getvalue()


def test_a_system_that_is_not_there_and_a_release_that_is_not_ready_have_no_page(release: Release) -> None:
    assert page(release, "system", "?system=Nobody").status_code == 404
    Release.objects.update(state=Release.State.BUILDING, finished_at=None)
    assert page(release).status_code == 404


def test_a_release_whose_files_are_lost_says_so(release: Release) -> None:
    shutil.rmtree(release_folder(release))
    for name in ("systems", "systems-json", "system"):
        assert page(release, name).status_code == 404
    with pytest.raises(CommandError, match=f"The files of {release.name} are lost"):
        call_command("compare_systems", release.name)


def test_the_table_costs_as_many_queries_for_many_systems_as_for_few(
    django_assert_max_num_queries: Any,
) -> None:
    release = released_with(sources_with_systems(3, systems=[f"S{n}" for n in range(20)]), owner=make_staff())
    client: Client = staff_client(release.campaign.staff.get())
    address = reverse("evaluation:systems", args=[release.campaign.slug, release.version])
    with django_assert_max_num_queries(16):
        assert client.get(address).status_code == 200
