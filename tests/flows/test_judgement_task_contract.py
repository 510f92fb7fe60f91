"""What holds of every judgement task with material of its own.

Its folder has a module `tests/examples.py`: MATERIAL, the lines of a file with practice first and two systems at least;
perhaps HIDDEN, names of systems that stand elsewhere in it;
ANSWER, a form that is taken, and PRIVATE, what of it must go when its person's data are erased; BAD_INPUT, forms that
are refused, each with what the refusal says; BAD_SETTINGS; and GOLDEN, the test that holds its numbers to published or
reckoned ones. Where it is not the default: CAMPAIGN, settings of the campaign; ANSWERS, how many three simulated people
can give; `set_up`, what follows an import; and `before_work`, what a person has done before the raters' round.
"""

import ast
import csv
import io
import json
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.urls import reverse

from common.errors import Refused
from compressions.models import FileImport
from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Worker
from dashboard.simulation.crowd import crowd_simulate
from protocols.models import Material, Response
from protocols.parameters import CampaignParameters
from protocols.selectors import AnswersState, given_answers, subject_of
from protocols.services.material import material_import
from protocols.task import AnswerRefused, StudyTask, study_task, study_tasks
from reports.downloads import report_as
from reports.kinds import report_kinds
from reports.selectors import row_blocks
from reports.services import report_complete, report_get_or_create
from tests.support.factories import RATE, make_campaign, readable, silent, staff_client, worker_client
from tests.support.figures import figures_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
every_task = pytest.mark.parametrize("key", sorted(study_tasks()))


def examples_of(key: str) -> Any:
    """The examples of a task: a task without them fails. A folder of several tasks has them by key in OF_TASK."""
    module = import_module(f"{type(study_task(key)).__module__.rpartition('.')[0]}.tests.examples")
    return module.OF_TASK[key] if hasattr(module, "OF_TASK") else module


def made_for(key: str) -> Campaign:
    return make_campaign(rating_task=key, **getattr(examples_of(key), "CAMPAIGN", {}))


def material_in(key: str, campaign: Campaign) -> FileImport:
    content = "\n".join(json.dumps(line) for line in examples_of(key).MATERIAL).encode()
    return material_import(campaign=campaign, file_name="material.jsonl", content=content)


def campaign_with(key: str) -> Campaign:
    campaign = made_for(key)
    record = material_in(key, campaign)
    assert record.problems == []
    assert record.added == len(examples_of(key).MATERIAL)
    getattr(examples_of(key), "set_up", lambda _campaign: None)(campaign)
    return campaign


def at_work(key: str) -> tuple[Campaign, Client, str]:
    """A campaign, a participant of it in the raters' round, and the address where they begin."""
    campaign = campaign_with(key)
    getattr(examples_of(key), "before_work", lambda _campaign, _name: None)(campaign, "rater")
    client = worker_client(campaign, RATE, "rater")
    return campaign, client, client.post("/work/next/").headers["Location"]


def handed_in(client: Client, address: str, answer: dict[str, str]) -> Iterator[Any]:
    """Send an answer on all pages of a task, after the least time of each; yield the pages."""
    sent = None
    while sent is None or sent.headers["Location"] == address:
        Assignment.objects.update(leased_at=F("leased_at") - timedelta(minutes=1))
        yield (page := client.get(address))
        fields = {**answer, "page": page.context["page_key"], "confirmed": "1", "version": "0", "milliseconds": "5"}
        sent = client.post(address, fields)
        assert sent.status_code == 302


def subjects(campaign: Campaign) -> list[Any]:
    material = Material.objects.filter(campaign=campaign, task=campaign.rating_task).order_by("pk")
    return [subject_of(each, each.pk) for each in material]


@every_task
def test_its_settings_have_defaults_that_read_and_wrong_ones_are_refused(key: str) -> None:
    task = study_task(key)

    assert task.settings_read(task.settings_read({})) == task.settings_read({})
    for wrong in examples_of(key).BAD_SETTINGS:
        with pytest.raises(Refused):
            task.settings_read(wrong)


@every_task
def test_the_same_file_again_changes_nothing(key: str) -> None:
    campaign = made_for(key)
    material_in(key, campaign)
    before = list(Material.objects.values())

    again = material_in(key, campaign)

    assert (again.added, list(Material.objects.values())) == (0, before)


@every_task
def test_bad_input_is_refused_in_words_and_nothing_else_happens(key: str) -> None:
    task, examples = study_task(key), examples_of(key)
    campaign = campaign_with(key)
    subject, chosen = subjects(campaign)[-1], task.settings_read(campaign.task_settings)

    assert len(examples.BAD_INPUT) >= 3
    for posted, words in examples.BAD_INPUT:
        with pytest.raises(AnswerRefused) as refusal:
            task.read({"confirmed": "1", **posted}, subject, chosen)
        assert words in str(refusal.value), posted
        assert refusal.value.problems


def answered(key: str) -> tuple[StudyTask, Response]:
    """An answer that was given on the page, practice done."""
    examples = examples_of(key)
    _campaign, client, address = at_work(key)
    while address == "/work/task/practice/":
        material = client.get(address).context["material"]
        client.post(address, {**examples.ANSWER, "confirmed": "1", "material": material.pk})
        address = client.post(address).headers["Location"]
    pages = list(handed_in(client, address, examples.ANSWER))
    assert {page.status_code for page in pages} == {200}
    return study_task(key), Response.objects.get(assignment__round=RATE)


@every_task
def test_what_is_answered_passes_its_check_when_it_is_read_again(key: str) -> None:
    task, response = answered(key)
    subject = subject_of(response.assignment.item.task_item.material, response.assignment_id)

    chosen = task.settings_read(response.assignment.item.campaign.task_settings)

    task.check(json.loads(json.dumps(response.answer)), subject, chosen)

    about, says = task.said(subject, response.answer)
    assert about.strip()
    assert says.strip()


@every_task
def test_erasure_leaves_no_words_and_no_times(key: str) -> None:
    _task, response = answered(key)

    worker_erase(worker=Worker.objects.get(pk=response.assignment.worker_id))

    response.refresh_from_db()
    rows = [(response.answer, response.milliseconds), *response.versions.values_list("answer", "milliseconds")]
    left = {json.dumps(each) for answer, _milliseconds in rows for each in _leaves(answer)}
    assert not left & {json.dumps(each) for each in examples_of(key).PRIVATE}
    assert {milliseconds for _answer, milliseconds in rows} == {None}
    assert not response.assignment.worker.enrolments.filter(practice_answers__isnull=False).exists()


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in _leaves(each)]
    if isinstance(value, list):
        return [leaf for each in value for leaf in _leaves(each)]
    return [value]


@every_task
def test_no_page_tells_a_system_or_a_condition(key: str) -> None:
    campaign, client, address = at_work(key)
    material = Material.objects.filter(campaign=campaign)
    hidden = {name for each in material for name in (each.system, each.condition) if name}
    hidden |= set(getattr(examples_of(key), "HIDDEN", ()))
    assert hidden
    pages = [client.get(address)]
    while address == "/work/task/practice/":
        shown = pages[-1].context["material"]
        pages.append(client.post(address, {**examples_of(key).ANSWER, "confirmed": "1", "material": shown.pk}))
        address = client.post(address).headers["Location"]
        pages.append(client.get(address))
    pages += handed_in(client, address, examples_of(key).ANSWER)
    pages.append(client.get("/work/task/answers/"))
    for each in pages:
        assert each.status_code == 200
        assert not [name for name in hidden if name in each.content.decode()]


@every_task
def test_simulated_people_answer_as_their_seed_says_and_their_answers_are_taken(key: str) -> None:
    campaign, task = campaign_with(key), study_task(key)

    crowd_simulate(campaign=campaign, editors=0, raters=3, seed=7, progress=silent)

    given = list(given_answers(campaign))
    work = Material.objects.filter(campaign=campaign, expected__isnull=True).count()
    assert len(given) in getattr(examples_of(key), "ANSWERS", [3 * work])
    for each in given:
        task.part(each.subject.task).check(each.answer, each.subject, task.settings_read(campaign.task_settings))


@every_task
def test_simulated_answers_become_a_report_and_its_files(key: str) -> None:
    kind = report_kinds().get(key)
    if kind is None:
        pytest.skip("this task has no report")
    campaign = campaign_with(key)
    crowd_simulate(campaign=campaign, editors=0, raters=3, seed=7, progress=silent, as_tests=True)
    assert issubclass(kind.parameters, CampaignParameters)
    parameters = kind.parameters.of({"whose": "test participants"})
    on = Campaign.objects.get(pk=campaign.pk)

    asked = report_get_or_create(kind=kind, on=on, parameters=parameters)
    report = report_complete(report=asked, progress=silent)

    files = {form: "".join(report_as(form, report)) for form in ("csv", "json", "latex")}
    assert report.checksum == AnswersState.of(given_answers(on, "test participants")).sha256
    assert all("A rehearsal" in file and report.checksum in file for file in files.values())
    rows = sum(map(len, row_blocks(report)))
    assert len(list(csv.DictReader(io.StringIO(files["csv"])))) == rows > 0
    assert len(json.loads(files["json"])["rows"]) == rows
    assert files["latex"].count("\\caption{A rehearsal") == files["latex"].count("\\begin{tabular") > 0
    terminal = io.StringIO()
    call_command("report", on.slug, key, "--whose", "test participants", "--format", "table", stdout=terminal)
    assert terminal.getvalue().startswith("A rehearsal")
    staff = staff_client(campaign.memberships.get().user)
    page = readable(staff.get(reverse(f"{kind.namespace}:report", args=[campaign.slug])))
    assert "A rehearsal" in page
    assert "No analysis was fixed beforehand" in page
    has_figures = bool(figures_of(staff, reverse(f"{kind.namespace}:report", args=[campaign.slug])))
    assert has_figures or "<figure" not in page


@every_task
def test_its_numbers_are_held_to_a_golden_value(key: str) -> None:
    path, _, name = examples_of(key).GOLDEN.partition("::")
    module = ast.parse((Path(settings.BASE_DIR) / path).read_text(encoding="utf-8"))

    assert name in {each.name for each in module.body if isinstance(each, ast.FunctionDef)}
