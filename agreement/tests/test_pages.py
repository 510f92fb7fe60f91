"""Page, CSV and command: one question, one answer."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from agreement.kind import KIND, agreement_report
from agreement.parameters import AgreementParameters
from common.clock import database_now
from common.errors import Refused
from common.models import Job
from corpus.formats.jsonl import CORPUS_FILE
from corpus.models import Release
from crowd.models import Campaign, Worker
from measures.agreement.mean_rounding import Rounding
from reports.kinds import Found
from reports.models import Report
from reports.selectors import jobs_for, latest_of_campaign
from reports.services import report_complete, report_get_or_create, report_request
from tests.support.factories import (
    RATE,
    enrol,
    freeze,
    judged_campaign,
    make_staff,
    rate_all,
    readable,
    silent,
    staff_client,
)
from tests.support.reports import every_tab
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db(transaction=True)

# A rater who gives 2 where the two others give 3: with halves up two of three draws agree, with halves to even none.
SCORES = ((2, 3), (3, 3), (3, 1))


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def campaign(owner: User) -> Campaign:
    return judged_campaign(sources=3, editors=2, scores=SCORES, owner=owner)


@pytest.fixture
def release(campaign: Campaign) -> Release:
    return freeze(campaign)


def address(release: Release) -> str:
    return f"/campaigns/{release.campaign.slug}/releases/{release.version}/agreement"


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def counting(computed: list[object]) -> Callable[..., Found]:
    """The real report, which notes that it was computed."""

    def counted(*asked: Any) -> Found:
        computed.append(asked)
        return agreement_report(*asked)

    return counted


def test_page_csv_and_command_give_the_same_numbers(
    owner: User, release: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    client = staff_client(owner)
    page = every_tab(client, client.post(f"{address(release)}/reports/")["Location"])
    downloaded = client.get(f"{address(release)}.csv").content.decode()
    Report.objects.all().delete()

    call_command("report", release.name, "agreement")

    assert capsys.readouterr().out == downloaded
    rows = table(downloaded)
    assert {row["comparison"] for row in rows} >= {"worker versus worker", "all raters", "by genre"}
    shown = readable(page)
    for row in rows:
        assert row["undefined"] in shown
        for column in ("value", "low", "high"):
            assert not row[column] or f"{float(row[column]):.3f}" in shown


def test_the_numbers_are_those_of_the_rounding_that_is_named(owner: User, release: Release) -> None:
    agreement = {}
    for rounding in Rounding:
        asked = report_request(kind=KIND, on=release, parameters=AgreementParameters(rounding=rounding), user=owner)
        result = Report.objects.get(pk=asked.pk)
        assert result.parameters["rounding"] == rounding.value
        assert result.rows is not None
        agreement[rounding] = next(row for row in result.rows if row["scale"] == "meaning")["value"]

    assert agreement[Rounding.HALF_UP] == pytest.approx(2 / 3, abs=0.05)
    assert agreement[Rounding.HALF_EVEN] == 0


def test_every_line_of_the_csv_names_the_release_its_checksum_and_the_parameters(owner: User, release: Release) -> None:
    client = staff_client(owner)
    client.post(f"{address(release)}/reports/")

    reply = client.get(f"{address(release)}.csv")

    assert reply["Content-Type"] == "text/csv; charset=utf-8"
    assert reply["Content-Disposition"] == f'attachment; filename="{release.name}-agreement.csv"'
    for row in table(reply.content.decode()):
        assert (row["release"], row["release_sha256"]) == (release.name, release.checksum)
        asked = {
            "draws": "1000",
            "replications": "25000",
            "rounding": "half up",
            "seed": "2016",
            "weights": "quadratic",
        }
        assert {name: row[name] for name in asked} == asked


def test_what_a_platform_calls_people_stands_in_no_line_of_the_csv(owner: User, release: Release) -> None:
    client = staff_client(owner)
    client.post(f"{address(release)}/reports/")

    text = client.get(f"{address(release)}.csv").content.decode()

    names = set(Worker.objects.values_list("external_id", flat=True))
    assert len(names) == 5
    assert not any(name in text for name in names)


def test_no_column_of_the_csv_hides_another(owner: User, release: Release) -> None:
    client = staff_client(owner)
    client.post(f"{address(release)}/reports/")

    head = client.get(f"{address(release)}.csv").content.decode().splitlines()[0].split(",")

    assert len(head) == len(set(head))


def test_the_same_question_is_computed_once(owner: User, release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[object] = []

    monkeypatch.setattr("agreement.kind.agreement_report", counting(computed))
    client = staff_client(owner)

    for _ in range(3):
        client.post(f"{address(release)}/reports/")
    call_command("report", release.name, "agreement")

    assert len(computed) == 1
    assert Report.objects.count() == 1
    assert Job.objects.count() == 1


def test_the_command_waits_for_the_job_that_computes_the_same(
    owner: User, release: Release, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    report = report_request(kind=KIND, on=release, parameters=AgreementParameters(), user=owner)
    lease = database_now() + timedelta(minutes=1)
    Job.objects.update(state=Job.State.RUNNING, lease_ends_at=lease)
    waited: list[float] = []

    def the_job_ends(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            report_complete(report=report, progress=silent, job=jobs_for(KIND).of(report.pk).get())
            Job.objects.update(state=Job.State.DONE)

    monkeypatch.setattr("reports.services.time.sleep", the_job_ends)
    computed: list[object] = []
    monkeypatch.setattr("agreement.kind.agreement_report", counting(computed))

    call_command("report", release.name, "agreement")

    assert (len(waited), len(computed)) == (3, 1)
    assert table(capsys.readouterr().out)


def test_another_question_is_another_result(release: Release) -> None:
    for parameters in (AgreementParameters(draws=10), AgreementParameters(draws=20)):
        report_complete(report=report_get_or_create(kind=KIND, on=release, parameters=parameters), progress=silent)

    assert Report.objects.count() == 2
    draws = Report.objects.order_by("pk").values_list("parameters__draws", flat=True)
    assert list(draws) == [10, 20]


def test_work_after_the_release_changes_no_number(campaign: Campaign, release: Release, owner: User) -> None:
    campaign.items.update(wanted=9, open_slots=5)
    rate_all(enrol(campaign, RATE, "later"), 1, 1)

    result = report_request(kind=KIND, on=release, parameters=AgreementParameters(), user=owner)

    result.refresh_from_db()
    assert result.rows is not None
    assert {row["items"] for row in result.rows if row["items"] and not row["group"]} == {6}
    assert latest_of_campaign(campaign) == {"agreement": result}


def test_a_job_that_failed_shows_its_reason_and_can_be_asked_for_again(owner: User, release: Release) -> None:
    client = staff_client(owner)
    corpus = release_folder(release) / CORPUS_FILE
    kept = corpus.read_bytes()
    corpus.unlink()

    page = client.post(f"{address(release)}/reports/", follow=True)

    assert "No such file" in readable(page)
    assert client.get(f"{address(release)}.csv").status_code == 404
    corpus.write_bytes(kept)
    page = every_tab(client, client.post(f"{address(release)}/reports/")["Location"])
    assert release.checksum in readable(page)
    assert Report.objects.get().rows is not None


def test_before_it_is_computed_the_page_offers_it_and_there_is_no_csv(owner: User, release: Release) -> None:
    client = staff_client(owner)

    page = client.get(address(release) + "/")

    assert page.status_code == 200
    assert f'{address(release)}/reports/"' in readable(page)
    assert client.get(f"{address(release)}.csv").status_code == 404
    assert not Report.objects.exists()


def test_a_release_that_is_not_ready_has_no_agreement(owner: User, release: Release) -> None:
    Release.objects.update(state=Release.State.FAILED)
    unready = Release.objects.select_related("campaign").get()

    with pytest.raises(Refused, match="is not ready, so it has no agreement yet"):
        report_request(kind=KIND, on=unready, parameters=AgreementParameters(), user=owner)
    page = staff_client(owner).post(f"{address(unready)}/reports/", follow=True)

    assert "is not ready" in readable(page)
    assert not Report.objects.exists()


def test_where_all_give_the_same_point_page_and_csv_say_undefined(owner: User) -> None:
    release = freeze(judged_campaign(scores=((3, 3), (3, 3)), owner=owner))
    client = staff_client(owner)

    page = client.post(f"{address(release)}/reports/", follow=True)

    assert "all ratings are in one category" in readable(page)
    rows = table(client.get(f"{address(release)}.csv").content.decode())
    for row in rows:
        assert bool(row["undefined"]) != bool(row["value"])
        if row["measure"].startswith(("kappa", "Krippendorff")):
            assert row["undefined"]
        if row["measure"] == "agreement" and not row["comparison"].startswith("expert"):
            assert (row["value"], row["low"], row["undefined"]) == ("1.0", "", "")
    assert "nan" not in readable(page).lower()


def test_the_agreement_of_another_campaign_does_not_exist(release: Release) -> None:
    stranger = staff_client(make_staff())

    assert stranger.get(f"{address(release)}/").status_code == 404
    assert stranger.get(f"{address(release)}.csv").status_code == 404
    assert stranger.post(f"{address(release)}/reports/").status_code == 404
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nothing-v1"], "There is no release 'nothing-v1'. Releases: {name}."),
        (["{name}0"], "There is no release '{name}0', but there is {name}."),
        (["v1"], "There is no release 'v1'."),
        (["{name}", "--draws", "0"], "draws must be from 1 to 100,000, not 0"),
        (["{name}", "--seed=-1"], "seed must be from 0 to 2,147,483,647, not -1"),
    ],
)
def test_the_command_refuses_what_it_cannot_answer(release: Release, arguments: list[str], reason: str) -> None:
    name, *options = (argument.format(name=release.name) for argument in arguments)
    with pytest.raises(CommandError) as error:
        call_command("report", name, "agreement", *options)

    assert reason.format(name=release.name) in str(error.value)
    assert not Report.objects.exists()


def test_the_command_takes_its_parameters(release: Release, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("report", release.name, "agreement", "--draws", "7", "--seed", "3", "--rounding", "half to even")

    rows = table(capsys.readouterr().out)
    assert {(row["seed"], row["rounding"]) for row in rows} == {("3", "half to even")}
    assert Report.objects.get().parameters["draws"] == 7


def test_where_no_text_has_two_ratings_the_page_claims_nothing_of_equal_points(owner: User) -> None:
    campaign = judged_campaign(sources=3, editors=1, scores=((2, 3),), owner=owner)
    release = freeze(campaign)
    report = report_get_or_create(kind=KIND, on=release, parameters=AgreementParameters(draws=5))
    report_complete(report=report, progress=silent)
    report.refresh_from_db()

    coefficients = [row for row in report.rows or [] if row["measure"] == "Gwet's AC1"]
    assert [row["value"] for row in coefficients] == [None, None]
    page = readable(every_tab(staff_client(owner), f"{address(release)}/"))
    assert "Where texts have two ratings, they are undefined only if all of these are the same point" in page
    assert "most of them good" not in page
