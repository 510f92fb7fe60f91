"""Runs: what they keep, that they go on where they were stopped, and that nothing is added that is not wanted."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from common.errors import Refused
from common.models import Job
from compressions.models import SystemOutput
from corpus.models import OutputImport, Release
from crowd.models import Campaign
from systems.files import folder_of, unfinished_folder
from systems.models import RUN_JOBS, SystemRun
from systems.programs import baselines
from systems.programs.texts import Output, Range, Source
from systems.services.runs import OUTPUTS_FILE, RunRequest, outputs_in, system_run, system_run_request
from tests.support.factories import freeze, judged_campaign, make_campaign, make_staff, silent

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def asked(campaign: Campaign, **changes: Any) -> RunRequest:
    return RunRequest(**{"campaign": campaign, "kind": "first", "name": "First", "seed": 1, **changes})


@contextmanager
def stopped_after(monkeypatch: pytest.MonkeyPatch, number: int) -> Iterator[list[str]]:
    """Let a system be stopped after some texts; yield the ids of those that it was given."""
    seen: list[str] = []

    def compress(source: Source, range_: Range, seed: int) -> Output | Any:
        if len(seen) == number:
            raise KeyboardInterrupt
        seen.append(source.id)
        return baselines.first(source, range_, seed)

    with monkeypatch.context() as patched:
        patched.setattr("systems.programs.registry.first", compress)
        yield seen


def lines_of(run: SystemRun) -> list[dict[str, Any]]:
    with folder_of(run) as folder:
        return list(outputs_in(folder / OUTPUTS_FILE))


def test_a_job_runs_a_system_and_its_outputs_await_raters(django_capture_on_commit_callbacks: Any) -> None:
    campaign, user = make_campaign(sources=3), make_staff()
    with django_capture_on_commit_callbacks(execute=True):
        run = system_run_request(request=asked(campaign), user=user)
    run.refresh_from_db()
    assert run.finished_at is not None
    assert (run.texts, run.statuses) == (3, {"made": 3})
    assert run.seconds_per_text is not None
    outputs = SystemOutput.objects.filter(system__name="First").select_related("target__item")
    assert [each.target.item.is_closed for each in outputs] == [False] * 3
    assert run.outputs is not None
    assert run.outputs.added == 3
    assert Job.objects.get().message == "First: 3 outputs added, 0 known before, 0 refused."
    assert not list(unfinished_folder(campaign.pk, run).iterdir())


def test_a_run_that_was_stopped_goes_on_with_the_texts_that_it_had_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(sources=4)
    with stopped_after(monkeypatch, 2) as before, pytest.raises(KeyboardInterrupt):
        system_run(request=asked(campaign), progress=silent)
    kept = unfinished_folder(campaign.pk, SystemRun.objects.get()) / OUTPUTS_FILE
    kept.write_text(kept.read_text(encoding="utf-8") + '{"id": "3", "te', encoding="utf-8")
    assert not SystemOutput.objects.exists()
    with stopped_after(monkeypatch, 99) as after:
        run = system_run(request=asked(campaign), progress=silent)
    assert (before, after) == (["1", "2"], ["3", "4"])
    whole = system_run(request=asked(campaign, name="Whole"), progress=silent)
    assert [(line["id"], line["text"]) for line in lines_of(run)] == [
        (line["id"], line["text"]) for line in lines_of(whole)
    ]
    assert SystemRun.objects.count() == 2


def test_the_same_run_is_not_begun_twice_while_it_is_under_way() -> None:
    campaign = make_campaign(sources=2)
    first, second = (system_run_request(request=asked(campaign), user=None) for _ in range(2))
    assert first == second
    assert RUN_JOBS.of(first.pk).count() == 1
    assert system_run_request(request=asked(campaign, seed=2), user=None) != first


def test_outputs_that_are_not_for_raters_stay_with_the_run() -> None:
    campaign = make_campaign(sources=2)
    run = system_run(request=asked(campaign, is_for_raters=False), progress=silent)
    assert run.finished_at is not None
    assert len(lines_of(run)) == 2
    assert not SystemOutput.objects.exists()
    assert not OutputImport.objects.exists()


@pytest.fixture
def release() -> Release:
    return freeze(judged_campaign(sources=6), shares={"train": 1, "valid": 1, "test": 1})


def test_a_run_on_a_release_is_of_one_split_and_pins_its_checksum(release: Release, capsys: Any) -> None:
    call_command("run_system", "first", release=release.name)
    run = SystemRun.objects.get()
    assert (run.release, run.release_checksum, run.split) == (release, release.checksum, "test")
    assert run.texts == release.summary["splits"]["test"]
    call_command("run_system", "first", release=release.name, split="all", name="all", no_import=True)
    assert SystemRun.objects.get(name="all").texts == 6
    capsys.readouterr()
    with pytest.raises(CommandError, match="There are no texts to run a system on"):
        call_command("run_system", "first", release=release.name, split="other")


def test_a_release_that_is_not_ready_and_an_impossible_name_are_refused(release: Release) -> None:
    release.state = Release.State.BUILDING
    with pytest.raises(Refused, match="is not ready"):
        system_run(request=asked(release.campaign, release=release), progress=silent)
    with pytest.raises(Refused, match="system's name"):
        system_run(request=asked(release.campaign, name="a/b"), progress=silent)
    assert not SystemRun.objects.exists()


def test_a_run_takes_no_impossible_row() -> None:
    run = system_run(request=asked(make_campaign(sources=1)), progress=silent)
    for wrong in ({"folder": ""}, {"split": "test"}, {"seconds_per_text": -1}, {"name": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            SystemRun.objects.filter(pk=run.pk).update(**wrong)
