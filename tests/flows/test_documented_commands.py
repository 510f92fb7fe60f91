"""Every command of the documentation does what it should, or is listed here with the reason why no test runs it."""

import json
import runpy
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from corpus.models import Release
from corpus.selectors import release_sources
from crowd.models import Campaign
from dashboard.simulation.demo import FOLDER, SIMULATED, USER
from maintenance.management.commands import show_work
from maintenance.work import BrokerState
from protocols.ranking.tests.answered import set_line, twelve_sets
from tests.support.documented_commands import ROOT, Documented, documented_commands, is_only_named
from tests.support.factories import make_campaign, make_staff
from tests.support.once import BuildOnce
from tests.support.stored import release_folder, stored_in

pytestmark = pytest.mark.django_db

DEPLOYED = "scripts/deploy_as_documented.py runs it on a throw-away server"
OWN_INSTALLATION = "wants an installation of its own: tests/flows/test_backup.py"
NETWORK = "fetches from a package registry"
# By the first words of a command: why no test runs it.
NOT_RUN = {
    "manage.py start": "runs until it is stopped: annotation/tests/test_start.py",
    "manage.py beat": "runs until it is stopped: maintenance/tests/test_beat.py",
    "manage.py describe_people": "wants a platform's file of these people: corpus/tests/test_demographics.py",
    "manage.py import_answers": "wants a campaign with a judgement task: protocols/spans/tests/test_elsewhere.py",
    "manage.py report CAMPAIGN quiz": "wants a quiz study: tests/flows/test_judgement_task_contract.py",
    "manage.py report CAMPAIGN factoids": "wants three studies: protocols/content_units/tests/test_report.py",
    "python -m measures.projection": "wants files that fit each other: measures/projection/tests/test_command.py",
    "python -m systems.programs": "wants pairs, texts and a parser: systems/programs/tests/test_command.py",
    "python -m precis_measures.verify_release": "wants the package: corpus/tests/release/test_verify_release.py",
    "python -m measures.metrics projected.jsonl": "wants what that writes: measures/metrics/tests/test_command.py",
    "manage.py createsuperuser": f"asks questions; {DEPLOYED}",
    "manage.py changepassword": "asks for a password; it is Django's own",
    "manage.py train_parser": "trains for minutes: scoring/tests/test_train_parser_for_real.py",
    "manage.py collectstatic": DEPLOYED,
    "manage.py backup": OWN_INSTALLATION,
    "manage.py check_backup": OWN_INSTALLATION,
    "manage.py restore": OWN_INSTALLATION,
    "manage.py make_pieces": "wants a quiz study: tests/flows/test_quiz_rehearsed.py",
    "python -m venv": DEPLOYED,
    "python -m pip": NETWORK,
    "python -m spacy download": NETWORK,
    "python -m compileall": DEPLOYED,
    "python -m celery": "wants a worker: tests/recovery and tests/front",
}
MODULES = {"measures.metrics"}  # that tests may run; others could write anywhere
EXIT_CODE_ANSWERS = {"doctor", "upgrade_plan"}  # 1 says that there is something to do
OF_JUDGEMENT_TASKS = {"import_material", "export_answers"}
WRITES_NO_FILE = {"makemigrations": ["--check", "--dry-run"]}


def reason_not_to_run(command: Documented) -> str:
    return next((why for words, why in NOT_RUN.items() if f"{command} ".startswith(f"{words} ")), "")


# Pages whose commands build on each other: tests/flows/test_evaluation_example.py, test_judgements_example.py.
IN_ORDER = {"evaluation.md", "judgements.md"}
COMMANDS = [each for each in documented_commands() if each.page not in IN_ORDER]
RUN = [each for each in COMMANDS if not reason_not_to_run(each)]


class Prepared:
    """The demonstration with a small crowd, and files for every placeholder."""

    def __init__(self, folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patched:
            for name, number in (("editors", 8), ("raters", 6)):
                patched.setitem(SIMULATED, name, number)
            # Commands that name no campaign want that there is only one.
            patched.setattr("dashboard.management.commands.load_demo.Command._judgement_tasks", lambda *_: None)
            call_command("load_demo", stdout=StringIO())
        self.folder = folder
        self.campaign = Campaign.objects.get(slug="demo")
        source, output = next(
            (each.source_id, each.outputs[0])
            for each in release_sources(Release.objects.latest("version"))
            if each.outputs
        )
        (folder / "outputs.jsonl").write_text(json.dumps({"id": source, "text": "Short."}) + "\n")
        translated = {"kind": "source", "language": "fr", "made_by": "Ann", "translated": "Deux hommes."}
        (folder / "translations.jsonl").write_text(json.dumps({"id": source, **translated}) + "\n")
        rating = {"id": source, "system": output.system, "rater": "a-model", "meaning": 2.5}
        (folder / "ratings.jsonl").write_text(json.dumps(rating) + "\n")
        (folder / "scores.csv").write_text(
            f"source,system,metric,signature,score\n{source},{output.system},BERTScore-F1,v1,0.5\n"
        )
        for name in ("hypotheses.txt", "references.txt"):
            (folder / name).write_text("Two men went home.\n")
        (folder / "sets.jsonl").write_text(json.dumps(set_line("more", ["=good", "poor"])) + "\n")

    def words(self, command: Documented) -> list[str]:
        own = {}
        if command.name in OF_JUDGEMENT_TASKS or "TASK" in command.words:
            study = twelve_sets()
            own = {"CAMPAIGN": study.slug, "TASK": study.rating_task}
        return [own.get(each, self.word(each, command.name)) for each in command.words[1:]]

    def word(self, word: str, name: str) -> str:
        """A placeholder's value, or the word itself."""
        worker = self.campaign.workers.filter(is_test=False).exclude(external_id=None).earliest("pk")
        release = Release.objects.latest("version")
        values = {
            "CAMPAIGN": "not-simulated" if name == "simulate_crowd" else self.campaign.slug,
            "winter": "not-simulated",
            "COPY": "not-simulated",
            "CAMPAIGN-v1": release.name,
            "RELEASE": release.name,
            "SHORT-NAME": "imported",
            "SYSTEM": "other-system",
            "FILE": str(self.file_of(name)),
            "FOLDER": str(release_folder(release)),
            "USERNAME": "colleague" if name == "add_staff" else USER,
            "ROLE": "viewer",
            "ID": worker.external_id,
            "N": str(worker.number),
            "OUTPUTS": str(self.folder / "hypotheses.txt"),
            "REFERENCES...": str(self.folder / "references.txt"),
            "REFERENCES": str(self.folder / "references.txt"),
        }
        return str(values.get(word, word))

    def file_of(self, name: str) -> Path:
        files = {
            "create_campaign": ROOT / "dashboard/campaign_files/templates/headline.yaml",
            "import_sources": FOLDER / "sources.jsonl",
            "import_qualification": FOLDER / "qualification.jsonl",
            "import_gold": FOLDER / "gold.jsonl",
            "import_outputs": self.folder / "outputs.jsonl",
            "import_ratings": self.folder / "ratings.jsonl",
            "import_scores": self.folder / "scores.csv",
            "import_translations": self.folder / "translations.jsonl",
            "import_material": self.folder / "sets.jsonl",
        }
        return files.get(name, self.folder / "none")


@pytest.fixture(scope="module")
def shared(build_once: BuildOnce[Prepared], tmp_path_factory: pytest.TempPathFactory) -> tuple[Prepared, Path]:
    folder = tmp_path_factory.mktemp("documented")
    with override_settings(**stored_in(folder)):
        return build_once(lambda: Prepared(folder)), folder


@pytest.fixture
def prepared(shared: tuple[Prepared, Path], settings: Any, monkeypatch: pytest.MonkeyPatch) -> Prepared:
    made, folder = shared
    for name, value in stored_in(folder).items():
        setattr(settings, name, value)
    monkeypatch.setattr(show_work, "broker_state", BrokerState)
    return made


def run(command: Documented, prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    words = prepared.words(command)
    if command.name == "add_staff":
        make_staff("colleague")
    if command.name == "simulate_crowd":
        make_campaign(slug="not-simulated", sources=2)
    if command.name == "report" and "evaluation" in words:
        call_command("score_metrics", words[0], stdout=StringIO())
    if command.program == "python -m":
        assert command.name in MODULES, f"{command} of {command.page}: list it in NOT_RUN, or in MODULES"
        monkeypatch.setattr("sys.argv", [command.name, *words])
        monkeypatch.delitem(sys.modules, f"{command.name}.__main__", raising=False)  # a test may have imported it
        with pytest.raises(SystemExit) as ended:
            runpy.run_module(command.name, run_name="__main__")
        assert not ended.value.code
        return
    allowed = {None, 0, 1} if command.name in EXIT_CODE_ANSWERS else {None, 0}
    assert exit_code(command.name, *words, *WRITES_NO_FILE.get(command.name, [])) in allowed


def exit_code(name: str, *words: str) -> Any:
    try:
        call_command(name, *words)
    except SystemExit as ended:
        return ended.code
    return 0


@pytest.mark.parametrize("command", RUN, ids=str)
def test_a_documented_command_runs(
    command: Documented, prepared: Prepared, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(command, prepared, monkeypatch)

    assert "Traceback" not in capsys.readouterr().err


def test_the_list_of_those_that_are_not_run_names_no_others() -> None:
    for words in NOT_RUN:
        assert any(f"{each} ".startswith(f"{words} ") for each in COMMANDS), words


def test_commands_are_found_in_blocks_and_in_prose() -> None:
    found = {str(each) for each in COMMANDS}

    assert {"manage.py report CAMPAIGN-v1 agreement", "manage.py doctor --only mail --only disk"} <= found
    assert "manage.py import_scores" not in found
    assert is_only_named(Documented("manage.py", ("import_scores",), ""))
    assert not is_only_named(Documented("manage.py", ("no_such_command",), ""))


def test_a_command_that_there_is_none_of_fails(prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="Unknown command"):
        run(Documented("manage.py", ("no_such_command",), ""), prepared, monkeypatch)
