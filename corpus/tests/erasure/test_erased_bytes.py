"""What an erasure leaves in the files of the database: nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import transaction

from corpus.models import ErasureToComplete
from corpus.services.erasure import erasures_complete, worker_erase
from corpus.tests.erasure.test_erasure import ID, SAID, SESSION, STUDY, TYPED, enter
from tests.support.factories import EDIT, make_campaign, readable, staff_client
from tests.support.processes import python
from tests.support.tables import tables_in

pytestmark = pytest.mark.both_databases

PERSONAL = tuple(each.encode() for each in (ID, STUDY, SESSION, SAID, TYPED))
PEOPLE = (ID, f"expert {ID}")
NOTHING: dict[bytes, list[str]] = {each: [] for each in PERSONAL}
SLUGS = ("c0", "c1", "c2")
DJANGO = {"DJANGO_SETTINGS_MODULE": "annotation.settings"}
# Zoe in the database of an earlier version, which left deleted rows as they were: her first drafts are such rows.
SETUP = """
import django
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("PRAGMA secure_delete=OFF")
from compressions.models import Draft
from corpus.tests.erasure.test_erasure import busy_campaign
for slug in SLUGS:
    busy_campaign(texts_go_on_erasure=True, slug=slug)
Draft.objects.all().delete()
"""
# What a worker does from time to time.
MAINTENANCE = """
import django
django.setup()
from common.periodic import maintain, periodic_tasks
for _, task in periodic_tasks():
    maintain(task)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The data folder of three campaigns in which Zoe has done all that one can do."""
    folder = tmp_path / "data"
    tables_in(folder)
    script = SETUP.replace("SLUGS", str(SLUGS))
    run = python(folder, "-c", script, **DJANGO)
    assert run.returncode == 0, run.stderr
    assert all(found_in(folder).values())
    return folder


def found_in(folder: Path) -> dict[bytes, list[str]]:
    """The files that hold something personal."""
    contents = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {each: [name for name, content in contents.items() if each in content] for each in PERSONAL}


def erase(folder: Path) -> str:
    """Erase all of Zoe in one process; return what it warns of."""
    calls = [f"call_command('erase_worker', {slug!r}, '--id', {name!r})" for slug in SLUGS for name in PEOPLE]
    script = "\n".join(["import django; django.setup(); from django.core.management import call_command", *calls])
    run = python(folder, "-c", script, **DJANGO)
    assert run.returncode == 0
    return run.stderr.replace("There was no such work of this participant. Their identity is erased.\n", "")


@pytest.mark.slow
def test_no_byte_of_a_person_is_left_in_any_file(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "precis.sqlite3")) as other:  # as the web server has
        other.execute("SELECT count(*) FROM crowd_worker").fetchall()
        assert erase(folder) == ""
        assert "precis.sqlite3-wal" in {path.name for path in folder.iterdir()}
        assert found_in(folder) == NOTHING


@pytest.mark.slow
def test_somebody_who_reads_meanwhile_only_delays_it(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "precis.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM crowd_worker").fetchall()
        assert "The database is busy: a worker overwrites within some minutes" in erase(folder)
        other.execute("COMMIT")
        assert any(found_in(folder).values())
        run = python(folder, "-c", MAINTENANCE, **DJANGO)
        assert (run.returncode, run.stderr) == (0, "")
        assert found_in(folder) == NOTHING


# Debian's SQLite overwrites by default, that of other systems does not.
FORGET = """
import sqlite3
import django
connect = sqlite3.dbapi2.connect
def connect_as_elsewhere(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.execute("PRAGMA secure_delete=OFF")
    return connection
sqlite3.dbapi2.connect = connect_as_elsewhere
django.setup()
from django.contrib.auth.models import User
User.objects.create(username="zoe-on-the-platform").delete()
"""


def test_what_is_deleted_without_an_erasure_is_overwritten_as_well(tmp_path: Path) -> None:
    tables_in(tmp_path / "data")
    assert python(tmp_path / "data", "-c", FORGET, **DJANGO).returncode == 0
    assert found_in(tmp_path / "data")[ID.encode()] == []


@pytest.mark.django_db(transaction=True)
def test_the_page_says_that_it_is_still_to_come() -> None:
    campaign = make_campaign(sources=1)
    worker = enter(campaign, EDIT).worker
    client = staff_client(campaign.staff.get())
    address = f"/campaigns/{campaign.slug}/people/{worker.number}/erase/"
    waiting = "may still hold traces of the deleted rows. They are overwritten"

    assert waiting in readable(client.post(address, follow=True))
    assert erasures_complete() in {True, False}  # another process of the tests may read just now
    ErasureToComplete.objects.all().delete()
    assert waiting not in readable(client.get(address))


@pytest.mark.django_db(transaction=True)
def test_an_erasure_that_is_taken_back_leaves_nothing_to_complete() -> None:
    worker = enter(make_campaign(sources=1), EDIT).worker
    with transaction.atomic():
        worker_erase(worker=worker)
        assert not erasures_complete()  # not in a transaction
        transaction.set_rollback(True)
    assert not ErasureToComplete.objects.exists()
    assert erasures_complete()


@pytest.mark.django_db(transaction=True)
def test_an_erasure_is_completed_on_this_database() -> None:
    worker_erase(worker=enter(make_campaign(sources=1), EDIT).worker)
    assert erasures_complete()
    assert not ErasureToComplete.objects.exists()
