"""What is not backed up or not restored, why, and that nothing half done is left."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import call_command

from crowd.models import Campaign
from maintenance.backups import BackupRefusal
from maintenance.backups.files import Changed
from maintenance.backups.loading import archive_restore, what_is_here
from maintenance.backups.making import backup_make
from maintenance.backups.manifest import HEAD, MANIFEST, json_bytes
from tests.support.backups import Place, consistent, contents_of, new_place, rewritten, this_place
from tests.support.factories import freeze, judged_campaign
from tests.support.processes import ROOT, environment_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def silent(_text: str) -> None:
    pass


@pytest.fixture
def campaign() -> Campaign:
    storages["models"].save("english/config.cfg", ContentFile(b"[nlp]\n"))
    return judged_campaign(slug="backed-up")


@pytest.fixture
def here(tmp_path: Path) -> Place:
    return this_place(tmp_path)


@pytest.fixture
def archive(campaign: Campaign, tmp_path: Path) -> Path:
    return backup_make(tmp_path, silent).path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Place]:
    with new_place("sqlite", tmp_path / "elsewhere") as place:
        yield place


def test_it_is_restored_into_an_empty_place_only(archive: Path, here: Place, elsewhere: Place) -> None:
    before = Campaign.objects.get().name

    message = here.refused("restore", str(archive))
    (elsewhere.folder / "scores").mkdir()
    (elsewhere.folder / "scores" / "left.parquet").write_bytes(b"x")

    assert "A backup can only be restored into an empty place. Here, " in message
    assert "Nothing has been changed." in message
    assert Campaign.objects.get().name == before
    assert "scores has files (left.parquet)" in elsewhere.refused("restore", str(archive))


def test_a_dry_run_reads_everything_and_changes_nothing(archive: Path, elsewhere: Place) -> None:
    before = (elsewhere.folder / "precis.sqlite3").read_bytes()

    said = elsewhere.manage("restore", "--dry-run", str(archive))

    assert "It can be restored here. Nothing has been changed." in said
    assert (elsewhere.folder / "precis.sqlite3").read_bytes() == before
    assert not (elsewhere.folder / "models").exists()


@pytest.mark.slow
def test_a_check_touches_nothing_of_the_installation(archive: Path, here: Place) -> None:
    files = {path: path.read_bytes() for path in here.folder.glob("models/**/*") if path.is_file()}

    said = here.manage("check_backup", str(archive))

    assert "Restored and compared: the backup of " in said
    assert not list(here.folder.glob("backup-check-*"))
    assert {path: path.read_bytes() for path in here.folder.glob("models/**/*") if path.is_file()} == files
    assert Campaign.objects.count() == 1


def emptied() -> None:
    call_command("flush", interactive=False, verbosity=0)
    for name in ("releases", "models", "scores"):
        shutil.rmtree(storages[name].location, ignore_errors=True)  # type: ignore[attr-defined]
    assert what_is_here() == []


def test_nothing_is_left_of_a_restore_that_finds_a_wrong_row_or_file(campaign: Campaign, tmp_path: Path) -> None:
    freeze(campaign)
    archive = backup_make(tmp_path, silent).path
    emptied()

    def other_row(name: str, content: bytes) -> tuple[str, bytes]:
        return name, content.replace(b"crowd", b"crowc") if name.startswith("tables/django_content") else content

    def other_file(name: str, content: bytes) -> tuple[str, bytes]:
        return name, content[:-1] + b"?" if name.startswith("files/") else content

    def broken_reference(name: str, content: bytes) -> tuple[str, bytes] | None:
        return None if name.startswith("tables/crowd_item/") else (name, content)

    for change in (other_row, other_file, broken_reference):
        wrong = rewritten(archive, tmp_path / "wrong.tar.gz", change)
        with pytest.raises(BackupRefusal):
            archive_restore(lambda wrong=wrong: wrong.open("rb"), silent)  # type: ignore[misc]
        assert what_is_here() == []
        assert not list((tmp_path / "releases").rglob("*"))

    archive_restore(lambda: archive.open("rb"), silent)
    assert Campaign.objects.get().slug == "backed-up"


def headed(archive: Path, to: Path, **changes: object) -> Path:
    def change(name: str, content: bytes) -> tuple[str, bytes]:
        return name, json_bytes({**json.loads(content), **changes}) if name == HEAD else content

    return rewritten(archive, to, change)


INTO_REPORTS = (
    *(("reports", "0001_initial"), ("reports", "0002_from_three_rooms"), ("agreement", "0003_into_reports")),
    *(("edit_operations", "0002_into_reports"), ("evaluation", "0002_into_reports"), ("reports", "0003_packed_rows")),
    ("reports", "0004_on_campaigns"),
)


def without(archive: Path, to: Path, migrations: Sequence[tuple[str, str]], tables: set[str]) -> Path:
    """The archive as the version before these migrations, which made these tables, would have made it."""
    contents = contents_of(archive)
    head, manifest = json.loads(contents[HEAD]), json.loads(contents[MANIFEST])
    head["migrations"] = [each for each in head["migrations"] if tuple(each) not in migrations]
    head["tables"] = [table for table in head["tables"] if table["name"] not in tables]
    for table in tables:
        del manifest["tables"][table]
    manifest[HEAD] = sha256(json_bytes(head)).hexdigest()
    return consistent(archive, to, head=json_bytes(head), manifest=json_bytes(manifest))


def test_a_key_that_is_no_column_does_not_get_into_a_statement(archive: Path, tmp_path: Path) -> None:
    tables = json.loads(contents_of(archive)[HEAD])["tables"]
    tables[0]["key"] = 'id", (SELECT 1) --'
    changed = headed(archive, tmp_path / "a", tables=tables)
    emptied()

    with pytest.raises(BackupRefusal, match=f"table {tables[0]['name']} has different columns"):
        archive_restore(lambda: changed.open("rb"), silent)


def test_newer_versions_are_refused_by_name(archive: Path, tmp_path: Path) -> None:
    emptied()
    future = ("crowd", "9999_from_the_future")
    archives = {
        r"The backup has format 2, made by Précis 9\.9;": headed(
            archive, tmp_path / "a", format_version=2, product="9.9"
        ),
        r"newer or another version of Précis \(9\.9\).* crowd 9999": headed(
            archive, tmp_path / "b", migrations=[future], product="9.9"
        ),
    }

    for reason, wrong in archives.items():
        with pytest.raises(BackupRefusal, match=reason):
            archive_restore(lambda wrong=wrong: wrong.open("rb"), silent)  # type: ignore[misc]


@pytest.mark.slow
def test_an_earlier_version_is_brought_up_to_date(archive: Path, tmp_path: Path) -> None:
    """Reports got a table late: a backup from before it has none of it."""
    made = {"reports_report", "reports_reportpart", "reports_reportrows"}
    earlier = without(archive, tmp_path / "earlier.tar.gz", INTO_REPORTS, made)
    folder = tmp_path / "new"
    folder.mkdir()
    new = Place(folder, f"sqlite:///{folder / 'precis.sqlite3'}")

    with new_place("sqlite", tmp_path / "elsewhere") as migrated:
        refusal = migrated.refused("restore", str(earlier))
    new.manage("restore", str(earlier))

    assert "made by an earlier version of Précis" in refusal
    assert "Restore it into a database without tables" in refusal
    assert "[X] 0001_initial" in new.manage("showmigrations", "reports")
    count = "from crowd.models import Campaign; print(Campaign.objects.get().slug)"
    assert new.manage("shell", "--verbosity", "0", "-c", count).strip() == "backed-up"


def test_a_killed_backup_leaves_no_file_of_its_name(campaign: Campaign, here: Place, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    script = """
import sys, time, django
django.setup()
from django.core.management import call_command
from maintenance.backups import making
def slow(write, tell, is_last_try):
    write(b"x" * 100_000)
    print("writing", flush=True)
    time.sleep(60)
making.archive_write = slow
call_command("backup", sys.argv[1])
"""
    for number, left in ((signal.SIGTERM, 0), (signal.SIGKILL, 1)):
        variables = environment_of(tmp_path, DATABASE_URL=here.url, DJANGO_SETTINGS_MODULE="annotation.settings")
        with subprocess.Popen(
            [sys.executable, "-c", script, str(folder)], cwd=ROOT, env=variables, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"writing\n"
            process.send_signal(number)
            process.wait(30)
        assert len(list(folder.iterdir())) == left
        assert not list(folder.glob("precis-*"))

    made = backup_make(folder, silent)

    assert list(folder.iterdir()) == [made.path]


def test_a_failed_backup_leaves_nothing(campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()

    def changing(*_: object, **__: object) -> None:
        raise Changed("models/x was written meanwhile")

    monkeypatch.setattr("maintenance.backups.writing._file_write", changing)
    with pytest.raises(BackupRefusal, match="at every attempt"):
        backup_make(folder, silent)

    monkeypatch.setattr("maintenance.backups.making.shutil.disk_usage", lambda _path: SimpleNamespace(free=0))
    with pytest.raises(BackupRefusal, match="0 MB of free space"):
        backup_make(folder, silent)

    assert list(folder.iterdir()) == []
