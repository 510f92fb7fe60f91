"""A backup holds the same installation: it comes back on either database, or not at all."""

import hashlib
import json
import shutil
import stat
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from threading import Event

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import connection

from common.clock import database_now
from compressions.models import SourceImport
from corpus.models import Release
from crowd.models import Assignment, AuditEntry, Campaign, Worker
from maintenance.backups.making import backup_make
from maintenance.backups.manifest import MANIFEST, MANIFEST_SHA256
from tests.support.backups import Place, new_place, this_place, what_it_says
from tests.support.factories import (
    EDIT,
    edit_next,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    staff_client,
)
from tests.support.stored import release_folder

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

# What the restored installation does, in a process of its own: it freezes its corpus, and takes people in.
GOES_ON = """
from django.db import DatabaseError, connection
from crowd.models import AuditEntry, Campaign
from tests.support.factories import EDIT, enrol, freeze
from tests.support.stored import release_folder
campaign = Campaign.objects.get(slug="backed-up")
print(release_folder(freeze(campaign)))
print(enrol(campaign, EDIT, "comes-after-the-restore").worker_id)
for act in (AuditEntry.objects.all().delete, lambda: AuditEntry.objects.update(action="other")):
    try:
        act()
    except DatabaseError as error:
        print("append only" in str(error))
connection.check_constraints()
"""


def data_of(folder: Path) -> dict[str, str]:
    """The checksum of every file of a release, but for those that say when it was frozen."""
    dated = {"README.md", "manifest.json", "croissant.json"}
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in dated and path.suffix != ".zip"]
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def assert_as_its_manifest_says(folder: Path, checksum: str) -> None:
    manifest = (folder / "manifest.json").read_bytes()
    assert sha256(manifest).hexdigest() == checksum
    for file in json.loads(manifest)["files"]:
        assert sha256((folder / file["name"]).read_bytes()).hexdigest() == file["sha256"]


@pytest.fixture
def campaign() -> Campaign:
    """A campaign with a release, and with values of all kinds."""
    campaign = judged_campaign(
        sources=3, editors=2, slug="backed-up", name='Backed up «日本» \\ " 😀', description="Two\u2028lines"
    )
    Campaign.objects.update(editor_pay=Decimal("1.10"), sandbox_of=campaign)  # refers to itself
    SourceImport.objects.create(campaign=campaign, file_name="a.csv", content=bytes(range(256)), strict=True)
    AuditEntry.objects.create(action="tried", created_at=database_now())
    storages["models"].save("english/config.cfg", ContentFile(b"[nlp]\n"))
    return campaign


@pytest.fixture
def here(tmp_path: Path) -> Place:
    return this_place(tmp_path)


@pytest.fixture
def archive(campaign: Campaign, here: Place) -> Path:
    return here.backup()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Place]:
    with new_place("sqlite", tmp_path / "elsewhere") as place:
        yield place


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_what_is_restored_goes_on_with_the_same_corpus(
    campaign: Campaign, here: Place, tmp_path: Path, vendor: str
) -> None:
    first = freeze(campaign)
    last_person = Worker.objects.create(campaign=campaign, number=999).pk
    Worker.objects.filter(pk=last_person).delete()
    archive = here.backup()
    enrol(campaign, EDIT, "comes-after-the-backup")

    with new_place(vendor, tmp_path / "elsewhere") as place:
        said = place.manage("restore", str(archive))
        again = place.backup()
        lines = place.manage("shell", "--verbosity", "0", "-c", GOES_ON).splitlines()

    assert "crowd_assignment: " in said
    assert f"releases/{first.folder}/manifest.json" in said
    assert what_it_says(again) == what_it_says(archive)
    assert_as_its_manifest_says(place.folder / "releases" / first.folder, first.checksum)
    second = Path(lines[0])
    assert second.name.startswith("v2-")
    assert data_of(second) == data_of(release_folder(freeze(Campaign.objects.get())))
    assert len(data_of(second)) > 5
    assert int(lines[1]) > last_person  # no number is given twice
    assert lines[2:] == ["True", "True"]
    assert Release.objects.count() == 2


def test_only_this_account_reads_a_backup_and_no_secret_is_in_it(campaign: Campaign, here: Place) -> None:
    secret = "qD7-k2_Zr9vXw4TnYb8mLc3sGh6jPf1aQe5uKo0iVxHyWzEt-NRSJU"
    mail = {"PRECIS_EMAIL_URL": "smtps://ann:hidden-word@mail.example.org", "PRECIS_EMAIL_FROM": "p@example.org"}
    archive = here.backup(SECRET_KEY=secret, **mail)
    unpacked = subprocess.run(["gzip", "-dc", archive], capture_output=True, check=True).stdout
    folder = here.folder / "unpacked"
    folder.mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)  # any tar reads it
    settings = json.loads((folder / "settings.json").read_text())

    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert secret.encode() not in unpacked
    assert b"hidden-word" not in unpacked
    assert (settings["SECRET_KEY"], settings["PRECIS_EMAIL_URL"]) == ("set", "set")
    assert (settings["DATABASE_URL"], settings["CELERY_BROKER_URL"]) == ("set", "not set")
    assert (settings["PRECIS_EMAIL_FROM"], settings["PRECIS_JOINS_PER_HOUR"]) == ("p@example.org", "")
    assert (folder / "files/models/english/config.cfg").read_bytes() == b"[nlp]\n"
    assert hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest() in (folder / MANIFEST_SHA256).read_text()


def test_people_go_on_working_and_the_backup_is_of_one_moment(campaign: Campaign, tmp_path: Path) -> None:
    editing = make_campaign(sources=40, editor_tasks=40, editors_per_source=4)
    people = [enrol(editing, EDIT, f"person-{number}") for number in range(2)]
    before = Assignment.objects.count(), database_now()

    def work(_text: str) -> None:
        edit_next(people[0])
        freeze(campaign)

    made = backup_make(tmp_path, work)

    assert Assignment.objects.count() > before[0]
    assert made.manifest.tables["crowd_assignment"].rows == before[0]
    assert not [name for storage, name in made.manifest.files if storage == "releases"]  # none is in the rows
    with new_place("sqlite", tmp_path / "elsewhere") as place:
        place.manage("restore", str(made.path))


@pytest.mark.postgresql
@pytest.mark.skipif(connection.vendor != "postgresql", reason="in SQLite, one writes at a time")
def test_many_people_work_meanwhile(campaign: Campaign, tmp_path: Path) -> None:
    freeze(campaign)
    editing = make_campaign(sources=60, editor_tasks=60, editors_per_source=4)
    people, is_over = [enrol(editing, EDIT, f"person-{number}") for number in range(4)], Event()

    def works(number: int) -> int:
        done = 0
        try:
            while not is_over.is_set() and edit_next(people[number]):
                done += 1
        finally:
            connection.close()
        return done

    with ThreadPoolExecutor(4) as pool:
        working = [pool.submit(works, number) for number in range(4)]
        try:
            made = backup_make(tmp_path, lambda _text: None)
        finally:
            is_over.set()
        assert all(each.result(60) for each in working)

    with new_place("sqlite", tmp_path / "elsewhere") as place:
        place.manage("restore", str(made.path))
        lines = place.manage("shell", "--verbosity", "0", "-c", GOES_ON).splitlines()
    assert data_of(Path(lines[0])) == data_of(release_folder(freeze(campaign)))


def test_a_campaign_that_is_deleted_meanwhile_begins_the_backup_again(campaign: Campaign, tmp_path: Path) -> None:
    folder = release_folder(freeze(campaign))
    said: list[str] = []

    def delete(text: str) -> None:
        said.append(text)
        if text.startswith("scoring_scorerun") and folder.exists():
            Release.objects.all().delete()
            shutil.rmtree(folder)

    made = backup_make(tmp_path, delete)

    assert any("starting again" in text for text in said)
    assert made.manifest.problems == ()
    assert made.manifest.tables["corpus_release"].rows == 0


def test_a_damaged_release_is_backed_up_and_said(
    campaign: Campaign, here: Place, elsewhere: Place, tmp_path: Path
) -> None:
    release = freeze(campaign)
    (release_folder(release) / "README.md").write_bytes(b"bit rot")
    (release_folder(release) / "croissant.json").unlink()

    done = here.try_to_manage("backup", str(tmp_path / "b.tar.gz"))
    restored = elsewhere.try_to_manage("restore", str(tmp_path / "b.tar.gz"))

    for run in (done, restored):
        assert run.returncode == 0
        assert "README.md is not what was released" in run.stderr
        assert "croissant.json is missing" in run.stderr


def test_an_unfinished_release_leaves_no_files(campaign: Campaign, tmp_path: Path) -> None:
    storages["releases"].save(f"campaign-{campaign.pk}/v1.attempt-1/half.tsv", ContentFile(b"x"))
    storages["scores"].save("run-77/part-00000.parquet", ContentFile(b"x"))

    made = backup_make(tmp_path, lambda _text: None)

    assert list(made.manifest.files) == [("models", "english/config.cfg")]


def test_staff_log_in_again_after_a_restore(campaign: Campaign, elsewhere: Place, here: Place) -> None:
    staff_client(make_staff("ann"))
    elsewhere.manage("restore", str(here.backup()))

    count = "from crowd.models import AccountSession; print(AccountSession.objects.count())"
    assert elsewhere.manage("shell", "--verbosity", "0", "-c", count).strip() == "0"
