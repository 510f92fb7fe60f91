"""The pages of systems: what was trained and run, the forms, progress, and their cost."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from common.models import Job
from compressions.models import System, SystemOutput
from corpus.models import Release
from systems.models import SystemRun, TrainedSystem
from systems.programs import registry
from systems.services.runs import RunRequest, system_run, system_run_request
from systems.tests.learner import Learner
from tests.support.factories import freeze, judged_campaign, make_staff, readable, silent, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def learner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.SYSTEMS, "learner", Learner().system)


@pytest.fixture
def release() -> Release:
    return freeze(judged_campaign(sources=6, owner=make_staff()), shares={"train": 1, "valid": 1, "test": 1})


@pytest.fixture
def client(release: Release) -> Client:
    return staff_client(release.campaign.staff.get())


def address(release: Release, name: str = "systems", *more: int) -> str:
    return reverse(f"systems:{name}", args=[release.campaign.slug, *more])


def test_staff_train_a_system_and_run_it(
    release: Release, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        form = {"system": "learner", "release": release.pk, "name": "Mine", "seed": 3}
        reply = client.post(address(release, "train"), form)
    model = TrainedSystem.objects.get()
    assert reply.headers["Location"] == model.get_absolute_url()
    page = readable(client.get(model.get_absolute_url()))
    assert "How it was trained" in page
    assert "loss" in page
    assert "Pairs of release" in page
    assert 'class="fitted-steps"' in page

    with django_capture_on_commit_callbacks(execute=True):
        form = {"system": f"model-{model.pk}", "texts": "1/test", "is_for_raters": "on", "seed": 3}
        reply = client.post(address(release, "run-request"), form)
    run = SystemRun.objects.get()
    assert reply.headers["Location"] == run.get_absolute_url()
    page = readable(client.get(run.get_absolute_url()))
    assert "The system made it by all of its rules." in page
    assert f"{run.texts} outputs added" in page
    assert "It may have been trained on some of these texts." not in page
    assert SystemOutput.objects.filter(system__name="Mine").count() == run.texts
    page = readable(client.get(model.get_absolute_url()))
    assert f'href="{run.get_absolute_url()}">Mine</a>' in page
    assert "<dt>Preset</dt><dd>cpu</dd>" in page
    listed = readable(client.get(address(release)))
    assert listed.count("Mine") >= 2


def test_what_a_model_may_have_learnt_from_is_said_of_its_outputs(release: Release, client: Client) -> None:
    run = system_run(request=RunRequest(release.campaign, "first", "First", 1), progress=silent)
    assert "It may have been trained" not in readable(client.get(run.get_absolute_url()))
    model = TrainedSystem.objects.create(release=release, kind="learner", name="Mine", seed=1)
    SystemRun.objects.update(model=model)
    assert "It may have been trained on some of these texts." in readable(client.get(run.get_absolute_url()))


def test_many_fallbacks_mark_a_run_and_few_do_not(release: Release, client: Client) -> None:
    system_run(request=RunRequest(release.campaign, "first", "First", 1), progress=silent)
    run = SystemRun.objects.get()
    for fallback, is_marked in ((1, False), (2, True)):
        SystemRun.objects.update(texts=20, statuses={"made": 20 - fallback, "fallback": fallback})
        page = readable(client.get(run.get_absolute_url()))
        assert ("More than 5% of these outputs are not the system’s own work" in page) == is_marked
        assert ("over 5%" in readable(client.get(address(release)))) == is_marked


def test_a_run_under_way_shows_its_progress_and_asks_for_news(release: Release, client: Client) -> None:
    run = system_run_request(request=RunRequest(release.campaign, "first", "First", 1), user=None)
    Job.objects.update(state=Job.State.RUNNING, done=3, total=12)
    page = client.get(run.get_absolute_url()).content.decode()
    assert 'hx-trigger="every 1s"' in page
    assert 'value="3"' in page
    assert client.get(address(release, "run-outputs", run.pk)).status_code == 404


def test_outputs_are_downloaded_with_their_statuses(release: Release, client: Client) -> None:
    run = system_run(request=RunRequest(release.campaign, "first", "First", 1, is_for_raters=False), progress=silent)
    reply = client.get(address(release, "run-outputs", run.pk))
    assert reply.content.count(b'"status": "made"') == run.texts == 6
    assert "attachment" in reply.headers["Content-Disposition"]
    assert not System.objects.exists()


@pytest.mark.parametrize(
    ("name", "form", "said"),
    [
        ("run-request", {"system": "magic", "texts": "campaign", "seed": 1}, "Select a valid choice"),
        ("run-request", {"system": "first", "texts": "9/test", "seed": 1}, "Select a valid choice"),
        ("run-request", {"system": "first", "texts": "campaign", "seed": -1}, "greater than or equal to 0"),
        ("run-request", {"system": "first", "texts": "campaign", "seed": 1, "name": "a/b"}, "A system's name has"),
        ("run-request", {"system": "ilp", "texts": "campaign", "seed": 1}, "needs a spaCy pipeline with a parser"),
        ("train", {"system": "first", "seed": 1}, "Select a valid choice"),
        ("train", {"system": "ilp", "seed": 1}, "needs a spaCy pipeline with a parser"),
    ],
)
def test_what_makes_no_sense_is_said_on_the_page(
    release: Release, client: Client, name: str, form: dict[str, Any], said: str
) -> None:
    if name == "train":
        form = {**form, "release": release.pk}
    reply = client.post(address(release, name), form)
    assert reply.status_code == 422
    assert said in readable(reply).replace("’", "'")
    assert not SystemRun.objects.exists()
    assert not TrainedSystem.objects.exists()
    assert not Job.objects.filter(kind__in=["run_system", "train_system"])


def test_the_list_costs_as_many_queries_for_many_as_for_few(
    release: Release, client: Client, django_assert_max_num_queries: Any
) -> None:
    for seed in range(12):
        system_run_request(request=RunRequest(release.campaign, "first", "First", seed), user=None)
        TrainedSystem.objects.create(release=release, kind="learner", name="Mine", seed=seed, digest=str(seed))
    with django_assert_max_num_queries(18):
        client.get(address(release))
    run = system_run(request=RunRequest(release.campaign, "first", "Done", 1), progress=silent)
    with django_assert_max_num_queries(10):
        client.get(run.get_absolute_url())
