"""The demonstration: loaded once, found again, and never on a public server."""

import re
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from agreement.sections.paper_table import TABLE_FOUR
from compressions.models import Compression, Source, SystemOutput
from corpus.models import Release
from crowd.models import Campaign, Enrolment, Item, PaidVisit
from dashboard.simulation.demo import FOLDER, SIMULATED
from dashboard.simulation.demo_tasks import ANSWERS, TASKS
from protocols.models import Material, Response
from ratings.models import GoldItem, QualificationAttempt, QualificationItem, QualityRun, Rating, Score
from ratings.selectors.qualification import gold_items, practice_items, qualification_items
from reports.kinds import report_kinds
from reports.models import Report
from tests.support.factories import EDIT, readable
from tests.support.reports import every_tab
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

WORK = (Source, Compression, SystemOutput, Rating, Score, Item, Enrolment, QualityRun, Release)
TABLES = (*WORK, Material, Response, QualificationItem, QualificationAttempt, GoldItem)


@pytest.fixture(autouse=True)
def small_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIMULATED, "editors", 10)
    monkeypatch.setitem(SIMULATED, "raters", 6)


@pytest.fixture(autouse=True)
def var(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_it_says_how_to_get_in_and_the_login_works(var: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_demo", "--no-crowd", "--base-url", "https://precis.example.org/")

    out = capsys.readouterr().out
    campaign = Campaign.objects.get()
    password = (var / "demo_password").read_text().strip()
    for link in campaign.links.all():
        assert f"https://precis.example.org/join/{link.token}/" in out
    assert "https://precis.example.org/campaigns/demo/" in out
    assert f"user demo, password {password}" in out
    client = Client()
    client.post("/login/", {"username": "demo", "password": password})
    assert "Demonstration" in readable(client.get("/campaigns/"))


def assert_the_tour_leads_somewhere(client: Client) -> None:
    for path in ("/campaigns/", "/campaigns/demo/"):
        tour = client.get(path).content.decode().partition('id="tour"')[2].partition("</section>")[0]
        stops = re.findall(r'href="([^"]+)"', tour)
        assert [client.get(stop).status_code for stop in stops] == [200] * 5
        assert all("/releases/3/" in stop for stop in stops[:4])


def statuses_of_links(greeting: str) -> list[int]:
    links = re.findall(r"https?://[^/]+(/join/\S+)", greeting)
    return [Client().get(f"{link}?participant=visitor", follow=True).status_code for link in links]


def test_the_password_is_kept_in_a_file_for_its_owner_alone(var: Path) -> None:
    call_command("load_demo", "--no-crowd")

    assert stat.S_IMODE((var / "demo_password").stat().st_mode) == 0o600
    assert len((var / "demo_password").read_text().strip()) >= 12


def test_without_a_crowd_all_work_is_left() -> None:
    call_command("load_demo", "--no-crowd")

    campaign = Campaign.objects.get()
    assert campaign.sources.count() == len((FOLDER / "sources.jsonl").read_bytes().splitlines())
    assert (qualification_items(campaign).count(), practice_items(campaign).count()) == (12, 3)
    assert gold_items(campaign).count() == 6
    assert not campaign.workers.exists()
    assert all(item.open_slots == item.wanted for item in campaign.items.all())
    assert set(campaign.items.filter(round=EDIT).values_list("wanted", flat=True)) == {5}


def test_it_is_loaded_once_with_everything_a_visitor_wants_to_see(
    var: Path, capsys: pytest.CaptureFixture[str], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # in tests, jobs run at once
        call_command("load_demo", "--reports-later")
        assert not Report.objects.exclude(finished_at=None).exists()
    first = [list(table.objects.order_by("pk").values()) for table in TABLES]
    password = (var / "demo_password").read_text()
    greeting = capsys.readouterr().out.split("\n\n", 1)[1]

    call_command("load_demo")

    assert [list(table.objects.order_by("pk").values()) for table in TABLES] == first
    assert (var / "demo_password").read_text() == password
    assert capsys.readouterr().out.strip() == greeting.strip()
    demo = Campaign.objects.get(slug="demo")
    assert Compression.objects.count() == SIMULATED["editors"] * demo.editor_tasks
    assert Rating.objects.count() > 50
    releases = list(demo.releases.order_by("version"))
    assert {release.state for release in releases} == {Release.State.READY}
    pilot, whole, last = (release.summary["compressions"] for release in releases)
    assert pilot < last <= whole
    assert [each["source"] for each in releases[-1].retired_sources] == ["119"]
    assert {link.name for link in demo.links.filter(is_active=False)} == {"Pilot, editor round", "Pilot, rater round"}
    assert PaidVisit.objects.filter(link__is_active=False).exists()
    for kind in ("agreement", "operations", "evaluation"):
        assert releases[-1].reports.get(kind=kind).rows
    rows = Report.objects.get(kind="agreement").rows or []
    table = {row["comparison"]: row for row in rows if row["measure"] == "kappa" and not row["group"]}
    for comparison in TABLE_FOUR:
        assert table[comparison]["value"] is not None, comparison
    evaluated = Report.objects.get(kind="evaluation").rows or []
    systems = {row["other"] for row in evaluated if row["table"] == "table 8" and row["judgement"]}
    assert systems == {"first", "mmr", "ilp", "seq2seq"}
    assert statuses_of_links(greeting) == [200] * 3
    client = Client()
    client.post("/login/", {"username": "demo", "password": password.strip()})
    assert_the_tour_leads_somewhere(client)
    page = readable(every_tab(client, "/campaigns/demo-errors/spans/"))
    assert "180 of 180 answers are of simulated people, and say nothing of the texts." in page
    assert "Of 4 systems" in page
    quiz = readable(client.get("/campaigns/demo-quiz/quiz/"))
    assert re.search(r"(\d+) of \1 answers are of simulated people, and say nothing of the texts\.", quiz)
    for task in TASKS:
        campaign = Campaign.objects.get(slug=task.slug)
        namespace = report_kinds()[campaign.rating_task].namespace
        page = readable(client.get(reverse(f"{namespace}:report", args=[task.slug])))
        assert re.search(r"(\d+) of \1 answers are of simulated people, and say nothing of the texts\.", page), task.key
        assert "Made-up data" in campaign.description
    page = readable(client.get(f"/campaigns/{ANSWERS.slug}/releases/1/comparison/"))
    assert "A rehearsal: simulated people gave ratings of this release" in page
    assert "Made-up data" in Campaign.objects.get(slug=ANSWERS.slug).description
    assert all(each.is_final for each in Campaign.objects.exclude(slug="demo"))
    answers = Response.objects.values_list("assignment__item__campaign__slug", "assignment__round")
    assert Counter(answers.exclude(assignment__round="expert")) == {
        ("demo-errors", "rate"): 180,
        ("demo-ranking", "rate"): 30,
        ("demo-points", "rate"): 60,
        ("demo-links", "rate"): 9,
        ("demo-facts", "rate"): 40,
        ("demo-units", "rate"): 40,
        ("demo-quiz", "edit"): 18,
        ("demo-quiz", "rate"): 18,
    }
    assert "simulated" in (release_folder(releases[-1]) / "README.md").read_text()


def test_a_lost_password_is_replaced(var: Path) -> None:
    call_command("load_demo", "--no-crowd")
    (var / "demo_password").unlink()

    call_command("load_demo", "--no-crowd")

    password = (var / "demo_password").read_text().strip()
    assert Client().login(username="demo", password=password)


def test_it_is_refused_on_a_public_server(settings: Any, var: Path) -> None:
    settings.PUBLIC = True

    with pytest.raises(CommandError, match="The demonstration is for a local installation"):
        call_command("load_demo")

    assert not Campaign.objects.exists()
    assert not (var / "demo_password").exists()
