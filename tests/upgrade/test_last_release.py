"""The database of version 0.2.0, with data, becomes one of this version, and nothing of it is lost."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.urls import reverse
from django.utils.dateparse import parse_datetime

from compressions.flag_kinds import kinds_of
from compressions.models import Compression, Draft
from crowd.models import Assignment, AuditEntry, Campaign, Enrolment, Membership, Worker
from crowd.models.settings_version import SettingsVersion
from crowd.services.audit import audit_record
from measures.keystrokes.edit_log import parse_log
from measures.keystrokes.effort import active_time
from ratings.models import QualificationAttempt, Rating
from reports.kinds import kind_of
from reports.models import Report
from reports.selectors import jobs_for
from tests.support.addresses import pages
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    freeze,
    lease_run_out,
    rate_next,
    readable,
    staff_client,
    worker_client,
)
from tests.support.once import taken_back
from tests.support.qualification import take_test
from tests.support.stored import release_folder
from tests.support.tables import tables
from tests.upgrade.old_rows import (
    ALL_SPLITS,
    AT_0_2_0,
    COMPUTED,
    OldRow,
    old_releases,
    old_rows,
    old_targets,
    python_value,
    rows_digest,
)

pytestmark = [pytest.mark.usefixtures("upgraded"), pytest.mark.database]

# What migrations take away, and where it went.
GONE_FIELDS = {
    "crowd.campaign": {"is_open", "staff"},  # `state`, and memberships with roles
}
# Everyone logs in again, and reports are in a table of all kinds, which has a test of its own.
GONE_ROWS = {"sessions.session", "agreement.agreementresult"}
SINCE = {"common.job": 2}  # rows of the commits after that version: `late_reports_make`


@pytest.fixture(autouse=True)
def nothing_stays(upgraded: None) -> Iterator[None]:
    """What a test writes is taken back, so that their order does not matter."""
    with taken_back():
        yield


def rows_of(label: str) -> list[OldRow]:
    return [row for row in old_rows() if row.model == label]


def small() -> Campaign:
    return Campaign.objects.get(slug="small")


# Nothing is lost


def test_its_tables_are_those_of_a_new_database(new_tables: dict[str, Counter[str]]) -> None:
    upgraded = tables()
    assert upgraded.keys() == new_tables.keys()
    assert {name: (there, new_tables[name]) for name, there in upgraded.items() if there != new_tables[name]} == {}


@pytest.mark.parametrize("label", sorted({row.model for row in old_rows()} - GONE_ROWS))
def test_every_row_is_there_with_every_value_that_it_had(label: str) -> None:
    model = apps.get_model(label)
    gone = GONE_FIELDS.get(label, set())
    now = {str(row["pk"]): row for row in model._base_manager.values(*columns(model), "pk")}
    old = rows_of(label)
    assert len(now) == len(old) + SINCE.get(label, 0)
    for row in old:
        kept = {name: value for name, value in row.fields.items() if name not in gone and not is_many(model, name)}
        fields = {name: model._meta.get_field(name) for name in kept}
        then = {field.attname: python_value(field, kept[name]) for name, field in fields.items()}
        assert {name: comparable(now[str(row.pk)][name]) for name in then} == {
            name: comparable(value) for name, value in then.items()
        }


def columns(model: type[models.Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def is_many(model: type[models.Model], name: str) -> bool:
    return bool(model._meta.get_field(name).many_to_many)


def comparable(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def test_the_plan_lists_as_many_migrations_as_the_upgrade_notes(upgraded: str) -> None:
    listed = [line[:6].strip() for line in upgraded.splitlines() if re.match(r"(PAUSE|safe) ", line)]
    page = Path(__file__).resolve().parents[2] / "docs/upgrading.md"
    notes = " ".join(page.read_text(encoding="utf-8").split())
    assert f"lists {len(listed)} migrations, of which {listed.count('PAUSE')} change what version 0.2.0" in notes


def test_the_data_have_rows_of_everything_that_a_campaign_can_have() -> None:
    """Every model of version 0.2.0 has rows, so none of its tables is migrated empty."""
    state = MigrationLoader(connection).project_state(old_targets())
    rooms = {room for room, _ in AT_0_2_0}
    tables = {f"{room}.{name}" for room, name in state.models if room in rooms}
    assert tables - {row.model for row in old_rows()} == set()


def test_sessions_end() -> None:
    assert rows_of("sessions.session")
    assert apps.get_model("sessions", "Session").objects.count() == 0


# What was added to the rows that were there


def test_closed_campaigns_stay_closed_and_staff_become_owners() -> None:
    for row in rows_of("crowd.campaign"):
        campaign = Campaign.objects.get(pk=row.pk)
        assert campaign.state == ("open" if row.fields["is_open"] else "closed")
        members = Membership.objects.filter(campaign=campaign)
        assert {each.user_id: each.role for each in members} == dict.fromkeys(row.fields["staff"], "owner")
    assert {row.fields["is_open"] for row in rows_of("crowd.campaign")} == {True, False}


def test_every_campaign_has_the_first_version_of_its_settings_and_no_work_claims_it() -> None:
    for campaign in Campaign.objects.all():
        version = SettingsVersion.objects.get(campaign=campaign)
        assert (version.number, campaign.settings_version_id) == (1, version.pk)
        assert version.settings["consent"] == campaign.consent
        assert version.settings["scales"] == campaign.scales
    assert set(Compression.objects.values_list("settings_version", flat=True)) == {None}
    assert set(Rating.objects.values_list("settings_version", flat=True)) == {None}
    assert set(Enrolment.objects.values_list("settings_version", flat=True)) == {None}


def test_campaigns_that_were_there_ask_all_questions_and_speak_english() -> None:
    values = Campaign.objects.values_list("qualification_questions", "page_language", "editor_pay", "partial_after")
    assert set(values) == {(0, "en", None, 0)}
    assert set(map(tuple, QualificationAttempt.objects.values_list("asked", flat=True))) == {()}


def test_leaving_is_not_recorded_where_people_have_agreed_to_another_text() -> None:
    assert set(Campaign.objects.values_list("record_leaving", flat=True)) == {False}
    assert Campaign().record_leaving is True


def test_tasks_know_the_link_that_their_people_came_by() -> None:
    links = {(each.worker_id, each.round): each.link_id for each in Enrolment.objects.all()}
    for task in Assignment.objects.all():
        blocked = task.state == Assignment.State.BLOCKED
        assert task.link_id == (None if blocked else links[task.worker_id, task.round])


def test_people_are_simulated_or_real_as_their_ids_say() -> None:
    simulated = Worker.objects.filter(is_simulated=True)
    assert {worker.campaign.slug for worker in simulated.select_related("campaign")} == {"demo"}
    assert simulated.count() == Worker.objects.filter(external_id__startswith="simulated-").count() > 10
    assert not Worker.objects.filter(is_test=True).exists()


def test_times_at_work_come_from_the_logs() -> None:
    compressions = Compression.objects.filter(is_imported=False)
    for each in compressions:
        assert each.active_ms == (active_time(parse_log(each.edit_log)) if each.edit_log else None)
    assert compressions.exclude(active_ms=None).count() > 100


def test_flags_have_their_kinds_and_are_not_compared_again() -> None:
    for each in Compression.objects.all():
        assert each.flag_kinds == (kinds_of(each.flags) if each.is_flagged else "")
    assert set(Compression.objects.values_list("is_compared", flat=True)) == {True}
    assert Compression.objects.filter(is_flagged=True).count() >= 2


def test_drafts_weigh_what_they_did() -> None:
    assert Draft.objects.count() == 2
    assert all(each.size >= len(str(each.edit_log)) for each in Draft.objects.all())


def test_reports_of_three_rooms_are_in_one_table() -> None:
    for row in rows_of("agreement.agreementresult"):
        report = Report.objects.get(kind="agreement", release=row.fields["release"], digest=row.fields["digest"])
        assert (report.parameters, report.rows, report.figures, report.checksum, report.report_version) == (
            *(row.fields[name] for name in ("parameters", "rows", "figures", "release_checksum")),
            0,
        )
        assert report.created_at == parse_datetime(row.fields["created_at"])
    open_one, operations, evaluation = (
        Report.objects.get(digest=each) for each in ("open", "operations", "evaluation")
    )
    pinned = {"signature": "an aligner", "last_correction": 3, "last_output": None}
    assert (open_one.kind, open_one.rows, open_one.attached) == ("operations", None, "old\telderly\n")
    assert open_one.pinned == pinned | {"texts": 0}
    assert (operations.rows, operations.pinned) == (COMPUTED["rows"], pinned | {"texts": 4})
    assert list(operations.parts.values_list("content", "attempts", "stop")) == [([], 1, 1)]
    assert evaluation.pinned == {
        "score_runs": [{"id": 1, "digest": "d"}],
        "last_model_rating": 5,
        "last_translation": None,
    }
    assert list(evaluation.keyed_rows.values_list("key", "rows")) == [("LR-1", [{"other": "A-B"}])]
    assert [jobs_for(kind_of(each)).of(each.pk).count() for each in (open_one, operations, evaluation)] == [1, 1, 0]


# Constraints and triggers


def test_the_tables_are_those_of_the_models() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=0)
    with connection.cursor() as cursor:
        for model in apps.get_models():
            found = connection.introspection.get_constraints(cursor, model._meta.db_table)
            wanted = {each.name for each in (*model._meta.constraints, *model._meta.indexes)}
            assert wanted - set(found) == set(), model._meta.label
    connection.check_constraints()


def test_constraints_hold_for_old_rows() -> None:
    refused: list[tuple[type[models.Model], dict[str, Any]]] = [
        (Campaign, {"keep_percent": 0}),
        (Campaign, {"state": "ajar"}),
        (Campaign, {"page_language": "tlh"}),
        (Compression, {"is_flagged": True, "flag_kinds": ""}),
        (Assignment, {"state": "unheard-of"}),
        (Membership, {"role": "emperor"}),
        (Worker, {"number": 1}),
    ]
    for model, change in refused:
        with pytest.raises(IntegrityError), transaction.atomic():
            model._base_manager.update(**change)


def test_the_audit_log_is_append_only() -> None:
    campaign = small()
    audit_record(campaign=campaign, user=None, action="upgraded")
    for change in (lambda: AuditEntry.objects.update(action="other"), lambda: AuditEntry.objects.all().delete()):
        with pytest.raises(DatabaseError, match="append only"), transaction.atomic():
            change()
    assert AuditEntry.objects.get(campaign=campaign).action == "upgraded"


# The product works on it


def test_every_page_of_staff_opens() -> None:
    """All addresses that take GET and name nothing that the old database does not have."""
    client = staff_client(User.objects.get(username="demo"))
    opened = 0
    for slug in ("small", "demo", "pairs"):
        for name, arguments in addresses_of(Campaign.objects.get(slug=slug)):
            response = client.get(reverse(name, kwargs=arguments))
            assert response.status_code in {200, 302, 403, 404, 405}, (name, response.status_code)
            opened += response.status_code == 200
    assert opened > 120


def addresses_of(campaign: Campaign) -> Iterator[tuple[str, dict[str, Any]]]:
    source = campaign.sources.order_by("pk").first()
    known = {
        "slug": campaign.slug,
        "version": 1,
        "work_round": "rate",
        "tab": "pay",
        "link_id": campaign.links.order_by("pk")[0].pk,
        "number": campaign.workers.order_by("pk")[0].number,
        "source_id": source.source_id if source else "",
        "compression_id": Compression.objects.filter(source=source).order_by("pk")[0].pk,
        "job_id": next(iter(campaign.jobs.values_list("pk", flat=True)), 0),
        "member_id": campaign.memberships.order_by("pk")[0].pk,
    }
    for name, pattern in pages():
        wanted = pattern.pattern.converters
        if wanted.keys() <= known.keys():
            yield name, {each: known[each] for each in wanted}


def test_an_editor_joins_and_submits_and_a_draft_is_still_there() -> None:
    campaign = small()
    client = worker_client(campaign, EDIT, "writing")  # who was at work before the upgrade
    task = Assignment.objects.get(worker__external_id="writing", worker__campaign=campaign, state="leased")
    page = client.get(f"/work/edit/{task.pk}/")
    assert json.dumps("not yet “done”")[1:-1] in readable(page)
    newcomer = enrol(campaign, EDIT, "after-the-upgrade")
    done = edit_next(newcomer)
    assert done is not None
    assert done.settings_version_id == campaign.settings_version_id
    assert done.assignment.link_id == newcomer.link_id


def test_a_rater_passes_the_old_test_and_rates() -> None:
    campaign = small()
    client = worker_client(campaign, RATE, "rates-after-the-upgrade")
    take_test(client, meaning=3, grammar=3)
    enrolment = Enrolment.objects.get(worker__external_id="rates-after-the-upgrade", worker__campaign=campaign)
    assert enrolment.qualified_at is not None
    rating = rate_next(Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk), 3, 2)
    assert rating is not None
    assert rating.settings_version_id == campaign.settings_version_id


def test_a_lease_that_has_run_out_is_given_to_the_next() -> None:
    held = Assignment.objects.filter(worker__campaign=small(), round=RATE, state="leased")
    assert held
    lease_run_out(held[0])
    assert rate_next(passing(small()), 2, 2) is not None


def passing(campaign: Campaign) -> Enrolment:
    client = worker_client(campaign, RATE, "next-in-line")
    take_test(client, meaning=3, grammar=3)
    found = Enrolment.objects.select_related("worker", "link__campaign")
    return found.get(worker__external_id="next-in-line", worker__campaign=campaign)


def test_the_same_release_is_frozen_to_the_same_bytes() -> None:
    """All data are the same; descriptions say more than they did."""
    folder, then = release_folder(freeze(small())), old_releases()["small-v2"]
    names = then.keys() - {ALL_SPLITS, "small-v2.zip"}
    now = {name: sha256((folder / name).read_bytes()).hexdigest() for name in names}
    assert {name for name in now if then[name] != now[name]} == {"README.md", "manifest.json", "croissant.json"}
    assert {"RawData/train.tsv", "corpus.jsonl", "edit_logs.jsonl", "parquet/train.parquet"} <= names


def test_where_sources_have_no_rated_compression_the_rows_are_the_same_and_only_the_splits_are_drawn_again() -> None:
    """Sources without a kept compression are in no file since then, so the draw is among fewer."""
    folder, then = release_folder(freeze(Campaign.objects.get(slug="demo"))), old_releases()["demo-v1"]
    assert rows_digest(folder) == then[ALL_SPLITS]
    assert sha256((folder / "compressionhistory.tsv").read_bytes()).hexdigest() == then["compressionhistory.tsv"]
