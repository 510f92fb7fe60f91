"""Who can read the files that the app writes: nobody but the account that it runs under."""

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from common.private_files import OTHERS, data_folder
from tests.support.processes import python, served
from tests.support.tables import tables_in

# All that comes to lie in files: a database, an import with its job, a release, scores.
WORK = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from corpus.services.outputs import outputs_import
from scoring.services.runs import score_run_get_or_create, scores_compute
from compressions.services.imports import source_import_request
from tests.support.factories import freeze, judged_campaign, silent
from tests.support.world import FEW_METRICS, World
campaign = judged_campaign(sources=1, editors_per_source=2)
World.has_system(campaign)
scores_compute(run=score_run_get_or_create(release=freeze(campaign), settings=FEW_METRICS), progress=silent)
source_import_request(campaign=campaign, file_name="a.csv", content=b"", strict=False, user=campaign.staff.get())
"""
SERVER = ("manage.py", "start", "--no-demo", "--port", "{port}", "--web-workers", "1")


def open_to_others(folder: Path) -> list[str]:
    paths = [folder, *folder.rglob("*")]
    return [f"{each} {stat.filemode(each.stat().st_mode)}" for each in paths if each.stat().st_mode & OTHERS]


def work_in(folder: Path) -> None:
    run = python(folder, "-c", WORK, DJANGO_SETTINGS_MODULE="annotation.settings")
    assert run.returncode == 0, run.stderr


def test_what_the_app_writes_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    work_in(folder)
    written = {path.name for path in folder.rglob("*")}
    assert {"precis.sqlite3", "manifest.json", "secret_key", "messages", "releases", "scores"} <= written
    assert list((folder / "queue" / "messages").iterdir())
    assert open_to_others(folder) == []


@pytest.mark.slow
def test_what_an_earlier_version_left_open_is_closed_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    tables_in(folder)
    work_in(folder)
    (folder / "notes.txt").touch()  # not the app's own
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    with served(folder, SERVER) as server:
        assert "precis.sqlite3-wal" in {path.name for path in folder.iterdir()}
        assert [name.split("/")[-1] for name in open_to_others(folder)] == ["notes.txt -rw-r--r--"]
        assert "files with data were open to other accounts of this computer. They are closed now." in server.messages()


def test_a_folder_that_all_accounts_share_is_no_data_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    run = python(tmp_path, "-c", "import annotation.settings")
    assert run.returncode != 0
    assert f"All accounts share {tmp_path}. Set PRECIS_DATA_DIR to a folder of its own." in run.stderr
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


def test_a_data_folder_that_cannot_be_closed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_yours(self: Path, _mode: int) -> None:
        raise PermissionError(1, "Operation not permitted", str(self))

    tmp_path.chmod(0o755)
    monkeypatch.setattr(Path, "chmod", not_yours)
    with pytest.raises(ImproperlyConfigured, match=f"Other accounts can open the data folder {tmp_path}"):
        data_folder(tmp_path)


def test_static_files_are_for_every_account_to_read(tmp_path: Path) -> None:
    script = (
        "import sys, django; from pathlib import Path; from django.conf import settings; "
        "settings.STATIC_ROOT = sys.argv[1]; django.setup(); "
        "from django.core.management import call_command; call_command('collectstatic', interactive=False)"
    )
    static = tmp_path / "static"
    run = python(tmp_path / "data", "-c", script, str(static), DJANGO_SETTINGS_MODULE="annotation.settings")
    assert run.returncode == 0, run.stderr
    files = [path for path in static.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".js", ".css", ".gz"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o644}
    assert {stat.S_IMODE(path.stat().st_mode) for path in static.rglob("*") if path.is_dir()} == {0o755}
