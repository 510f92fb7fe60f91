"""Flags on compressions: what they are stored as, how staff find them, and what they mark as looked at."""

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compressions.flag_kinds import KINDS, LOG_TOO_LONG, kinds_of
from compressions.models import Compression, Source
from compressions.selectors.sources import source_of_assignment
from compressions.services.comparison import _repetitions, compressions_compare
from compressions.services.submission import Submission, compression_submit
from corpus.services.erasure import worker_erase
from crowd.models import Assignment, Campaign, Enrolment, Role
from crowd.services.claims import assignment_claim
from crowd.services.leases import assignment_renew
from crowd.services.members import member_set
from tests.support.factories import (
    EDIT,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    import_texts,
    lease_run_out,
    make_campaign,
    make_staff,
    readable,
    staff_client,
    submit_text,
)

pytestmark = pytest.mark.django_db
PLAIN = "The {} committee will meet again on Tuesday to discuss the budget of the town with everyone who comes."


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def campaign(owner: User) -> Campaign:
    campaign = make_campaign(owner=owner, editor_tasks=1_000, editors_per_source=2)
    import_texts(campaign, [PLAIN.format(name) for name in ("first", "second", "third", "fourth")])
    return campaign


def claimed(campaign: Campaign, name: str) -> tuple[Enrolment, Assignment]:
    enrolment = enrol(campaign, EDIT, name)
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    return enrolment, assignment


def send(campaign: Campaign, text: str, at_ms: int = 12_000, minutes: float = 1, name: str = "ann") -> Compression:
    """Somebody writes a text over the source, and sends it so many minutes after it was given out."""
    enrolment, assignment = claimed(campaign, name)
    source = source_of_assignment(assignment)
    assert assignment.leased_at is not None
    return compression_submit(
        enrolment=enrolment,
        assignment_id=assignment.pk,
        source=source,
        submission=Submission(text, [[0, source.text, text, "composition", at_ms]]),
        leased_at=assignment.leased_at - timedelta(minutes=minutes),
    )


def kinds(compression: Compression) -> list[str]:
    compression.refresh_from_db()
    assert kinds_of(compression.flags) == compression.flag_kinds
    assert compression.is_flagged == bool(compression.flags)
    return compression.flag_kinds.split()


def is_seen(compression: Compression) -> bool:
    compression.refresh_from_db()
    return compression.flags_seen_at is not None or compression.flags_seen_by is not None


# At submission


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The committee will meet on Tuesday to discuss the budget.", []),
        ("On Tuesday.", ["short"]),
        ("Please send money quickly before winter arrives around here", ["unlike"]),
        ("The committeewill meetagain onTuesday.", ["squeezed"]),
        ("The committee will meet again on Tuesday to discuss the", ["ending"]),
        ("Das Komitee trifft sich und spricht auch nicht von dem Geld für die Stadt", ["unlike", "language"]),
    ],
)
def test_a_text_is_flagged_for_what_is_odd_about_it_and_never_refused(
    campaign: Campaign, text: str, found: list[str]
) -> None:
    assert kinds(send(campaign, text)) == found


@pytest.mark.parametrize(("at_ms", "minutes", "found"), [(600_000, 1, ["clock"]), (600_000, 10, []), (70_000, 1, [])])
def test_a_log_that_lasts_longer_than_the_editor_had_the_text(
    campaign: Campaign, at_ms: int, minutes: float, found: list[str]
) -> None:
    compression = send(campaign, "The committee will meet on Tuesday to discuss the budget.", at_ms, minutes)
    assert kinds(compression) == found


def test_a_renewed_lease_and_one_taken_again_begin_when_the_text_was_first_given_out(campaign: Campaign) -> None:
    client, task = editor_at_work(campaign)
    Assignment.objects.filter(pk=task.pk).update(leased_at=F("leased_at") - timedelta(hours=1))
    lease_run_out(task)
    assignment_renew(assignment_id=task.pk, enrolment=enrol(campaign, EDIT, "ann"))
    text = "The committee will meet on Tuesday to discuss the budget."
    log = [[0, task.item.source.text, text, "autocorrect", 3_000_000]]
    assert client.post(f"/work/edit/{task.pk}/", fields_of(Submission(text, log))).status_code == 302
    assert Compression.objects.get().flags == []


def test_where_it_is_not_known_when_a_text_was_given_out_nothing_is_said(campaign: Campaign) -> None:
    compression = submit_text(enrol(campaign, EDIT), "The committee will meet on Tuesday to discuss the budget.")
    assert LOG_TOO_LONG not in {name for name, *_ in compression.flags}


# Beside the editor's other texts


@pytest.mark.both_databases
def test_the_same_text_for_different_sources_is_found_by_the_worker(campaign: Campaign) -> None:
    same = [send(campaign, text) for text in ("The committee will meet.", "the committee, will meet")]
    other = send(campaign, "The committee will meet on Tuesday to discuss the budget.")
    of_another = send(campaign, "The committee will meet.", name="bob")
    assert not any(each.is_flagged for each in same)

    assert compressions_compare() == 2
    assert compressions_compare() == 0

    assert [kinds(each) for each in (*same, other, of_another)] == [["repeated"], ["repeated"], [], []]
    assert same[0].flags[0][1] == f"also submitted for 1 other source: {same[1].source.source_id}"


def test_the_same_text_for_equal_sources_is_no_wonder(owner: User) -> None:
    campaign = make_campaign(owner=owner, editor_tasks=9)
    import_texts(campaign, [PLAIN.format("same"), PLAIN.format("same").replace("again on", "again, on")])
    texts = [send(campaign, "The committee will meet on Tuesday.") for _ in range(2)]
    compressions_compare()
    assert [kinds(each) for each in texts] == [[], []]


def test_the_same_text_for_a_hundred_sources_names_three_and_takes_linear_time(owner: User) -> None:
    campaign = make_campaign(owner=owner, editor_tasks=100)
    import_texts(campaign, [PLAIN.format(f"{name}th") for name in range(100)])
    texts = [send(campaign, "The committee will meet on Tuesday.") for _ in range(30)]
    rows = list(Compression.objects.select_related("source").order_by("pk"))
    looked: list[int] = []

    class Counting(list[Compression]):
        def __iter__(self) -> Iterator[Compression]:
            for each in super().__iter__():
                looked.append(each.pk)
                yield each

    found = dict(_repetitions(Counting(rows)))
    names = [each.source.source_id for each in rows]
    assert found[texts[0].pk] == f"also submitted for 29 other sources: {', '.join(names[1:4])} …"
    assert found[texts[29].pk] == f"also submitted for 29 other sources: {', '.join(names[:3])} …"
    assert len(looked) <= 8 * len(rows)


def test_a_text_for_a_paragraph_and_its_sentence_is_counted_for_others_only(owner: User) -> None:
    campaign = make_campaign(owner=owner, editor_tasks=9)
    import_texts(campaign, [PLAIN.format(name) for name in ("first", "second", "third")])
    for _ in range(3):
        send(campaign, "The committee will meet on Tuesday.")
    paragraph, sentence, other = Compression.objects.select_related("source").order_by("pk")
    Source.objects.filter(pk=sentence.source_id).update(paragraph=paragraph.source_id)
    compressions_compare()
    for each, named in ((paragraph, [other]), (sentence, [other]), (other, [paragraph, sentence])):
        each.refresh_from_db()
        ((_, evidence, _),) = each.flags
        assert evidence.endswith(": " + ", ".join(text.source.source_id for text in named))


def beginning_of(campaign: Campaign, words: int, name: str = "ann") -> Compression:
    _, task = claimed(campaign, name)
    return send(campaign, " ".join(source_of_assignment(task).text.split()[:words]) + ".", name=name)


def test_one_piece_cut_out_is_found_from_three_texts_on_and_forgotten_with_others(campaign: Campaign) -> None:
    texts = [beginning_of(campaign, 8), beginning_of(campaign, 9)]
    compressions_compare()
    assert [kinds(each) for each in texts] == [[], []]

    texts.append(beginning_of(campaign, 12))
    compressions_compare()
    assert [kinds(each) for each in texts] == [["cut"]] * 3
    assert texts[0].flags[0][1] == "3 of 3 texts of this editor so far are their source with one piece cut out"

    texts.append(send(campaign, "Everyone will discuss the budget on Tuesday."))
    compressions_compare()
    assert [kinds(each) for each in texts] == [[]] * 4


def test_one_piece_cut_out_is_nothing_where_others_do_so_as_often(campaign: Campaign) -> None:
    for words in (8, 9, 10, 11):
        beginning_of(campaign, words, "ben")
    texts = [beginning_of(campaign, words) for words in (8, 9, 10)]
    compressions_compare()
    assert [kinds(each) for each in texts] == [[]] * 3


def test_a_new_flag_is_to_be_looked_at_though_older_ones_have_been(campaign: Campaign, owner: User) -> None:
    first = send(campaign, "On Tuesday.")
    mark(owner, campaign, first)
    compressions_compare()
    first.refresh_from_db()
    assert first.flags_seen_at is not None
    send(campaign, "On Tuesday!")
    compressions_compare()
    first.refresh_from_db()
    assert kinds(first) == ["short", "repeated"]
    assert not is_seen(first)


def test_nothing_is_found_about_someone_who_has_been_erased(campaign: Campaign) -> None:
    same = [send(campaign, "On Tuesday.") for _ in range(2)]
    mark(campaign.staff.get(), campaign, same[0])
    worker_erase(worker=same[0].worker)
    compressions_compare()
    for each in Compression.objects.filter(pk__in=[each.pk for each in same]):
        assert (each.flags, each.flag_kinds, each.flags_seen_at, each.flags_seen_by) == ([], "", None, None)


def test_comparing_takes_a_fixed_number_of_queries_for_an_editor(campaign: Campaign) -> None:
    def queries(texts: int) -> int:
        for _ in range(texts):
            send(campaign, f"The committee will meet, {Compression.objects.count()}, on Tuesday to discuss the budget.")
        with CaptureQueriesContext(connection) as captured:
            compressions_compare()
        return len(captured)

    assert queries(1) == queries(3)


# The list


def listed(client: Client, campaign: Campaign, query: str = "") -> list[int]:
    page = client.get(f"/campaigns/{campaign.slug}/flagged/{query}")
    assert page.status_code == 200
    return [int(pk) for pk in re.findall(r'id="compression-(\d+)"', page.content.decode())]


def mark(user: User, campaign: Campaign, compression: Compression, seen: str = "1", query: str = "") -> Any:
    address = f"/campaigns/{campaign.slug}/compressions/{compression.pk}/looked-at/{query}"
    return staff_client(user).post(address, {"seen": seen})


@pytest.fixture
def three(campaign: Campaign) -> list[Compression]:
    """A short text, one without an end, and one that is both too quick and short; of two editors."""
    return [
        send(campaign, "On Tuesday."),
        send(campaign, "The committee will meet again on Tuesday to discuss the", name="bob"),
        send(campaign, "Tuesday.", at_ms=1_000),
    ]


def test_the_list_is_narrowed_by_kind_state_and_person(
    campaign: Campaign, owner: User, three: list[Compression]
) -> None:
    short, ending, quick = (each.pk for each in three)
    client = staff_client(owner)
    mark(owner, campaign, three[0])

    assert listed(client, campaign) == [quick, ending, short]
    assert listed(client, campaign, "?kind=short") == [quick, short]
    assert listed(client, campaign, "?kind=seconds") == [quick]
    assert listed(client, campaign, "?kind=clock") == []
    assert listed(client, campaign, "?kind=sho") == listed(client, campaign)  # unknown: as if not given
    assert listed(client, campaign, "?state=new") == [quick, ending]
    assert listed(client, campaign, "?state=seen&kind=short") == [short]
    assert listed(client, campaign, f"?person={three[1].worker.number}") == [ending]
    for person in (10**9, 2**31, 2**63, 10**400):
        assert listed(client, campaign, f"?person={person}") in ([], [quick, ending, short])
    for unknown in ("-1", "x", "%00", "٣"):
        assert listed(client, campaign, f"?person={unknown}") == [quick, ending, short]


def test_kinds_are_explained_and_the_dashboard_and_the_person_lead_here(
    campaign: Campaign, owner: User, three: list[Compression]
) -> None:
    client, base = staff_client(owner), f"/campaigns/{campaign.slug}/"
    page = readable(client.get(f"{base}flagged/"))
    for kind in KINDS:
        assert str(kind.label) in page
        assert str(kind.meaning) in page
    assert "3 flagged compressions not looked at yet" in " ".join(readable(client.get(base)).split())
    mark(owner, campaign, three[0])
    mark(owner, campaign, three[1])
    assert "1 flagged compression not looked at yet" in " ".join(readable(client.get(base)).split())
    number = three[0].worker.number
    assert f'{base}flagged/?person={number}"' in client.get(f"{base}people/{number}/").content.decode()


def test_who_looked_at_it_and_when_is_kept_and_can_be_taken_back(
    campaign: Campaign, owner: User, three: list[Compression]
) -> None:
    reply = mark(owner, campaign, three[0], query="?kind=short&page=1")
    assert reply.headers["Location"].endswith("/flagged/?kind=short&page=1")
    first = Compression.objects.get(pk=three[0].pk)
    assert first.flags_seen_by == owner

    manager = make_staff()
    member_set(campaign=campaign, member=manager, role=Role.MANAGER, user=owner)
    mark(manager, campaign, first)  # the first one counts
    seen_at = first.flags_seen_at
    first.refresh_from_db()
    assert (first.flags_seen_by, first.flags_seen_at) == (owner, seen_at)
    page = staff_client(owner).get(f"/campaigns/{campaign.slug}/flagged/")
    assert f"Looked at by {owner.get_username()}" in readable(page)

    mark(owner, campaign, first, seen="0")
    assert not is_seen(first)


def test_a_viewer_cannot_mark_and_is_offered_no_button(
    campaign: Campaign, owner: User, three: list[Compression]
) -> None:
    viewer = make_staff()
    member_set(campaign=campaign, member=viewer, role=Role.VIEWER, user=owner)
    assert mark(viewer, campaign, three[0]).status_code == 403
    assert b"looked-at" not in staff_client(viewer).get(f"/campaigns/{campaign.slug}/flagged/").content


def test_what_has_no_flags_cannot_be_marked(campaign: Campaign, owner: User) -> None:
    plain = send(campaign, "The committee will meet on Tuesday to discuss the budget.")
    assert mark(owner, campaign, plain).status_code == 302
    plain.refresh_from_db()
    assert plain.flags_seen_at is None
    assert mark(owner, make_campaign(owner=owner), plain).status_code == 404


def rows_of_file(owner: User, campaign: Campaign, query: str = "") -> list[dict[str, str]]:
    reply: Any = staff_client(owner).get(f"/campaigns/{campaign.slug}/flagged.csv{query}")
    return list(csv.DictReader(io.StringIO(b"".join(reply.streaming_content).decode("utf-8-sig"))))


def test_the_file_says_the_kinds_and_who_looked(campaign: Campaign, owner: User, three: list[Compression]) -> None:
    mark(owner, campaign, three[2])
    rows = rows_of_file(owner, campaign)
    assert [(row["compression"], row["kind"]) for row in rows] == [
        (str(three[2].pk), "seconds"),
        (str(three[2].pk), "short"),
        (str(three[1].pk), "ending"),
        (str(three[0].pk), "short"),
    ]
    assert [row["looked_at_by"] for row in rows] == [owner.get_username()] * 2 + ["", ""]


def test_the_file_holds_what_the_list_shows(campaign: Campaign, owner: User, three: list[Compression]) -> None:
    mark(owner, campaign, three[2])
    for query, shown in (
        ("?kind=ending", [three[1]]),
        ("?state=new&page=7", [three[1], three[0]]),
        ("?state=seen", [three[2], three[2]]),
        (f"?person={three[0].worker.number + 100}", []),
    ):
        found = [row["compression"] for row in rows_of_file(owner, campaign, query)]
        assert found == [str(each.pk) for each in shown], query
    page = readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/flagged/?state=new"))
    assert "/flagged.csv?state=new" in page


def test_the_file_reads_a_few_texts_at_a_time(
    campaign: Campaign, owner: User, three: list[Compression], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = staff_client(owner)
    whole: Any = b"".join(client.get(f"/campaigns/{campaign.slug}/flagged.csv").streaming_content)  # type: ignore[attr-defined]
    monkeypatch.setattr("compressions.selectors.flags.AT_ONCE", 2)
    with CaptureQueriesContext(connection) as captured:
        reply: Any = client.get(f"/campaigns/{campaign.slug}/flagged.csv")
        sliced = b"".join(reply.streaming_content)
    reading = [each["sql"] for each in captured if '"compressions_compression"."text"' in each["sql"]]
    assert sliced == whole
    assert [sql.rpartition(" IN (")[2].count(",") + 1 for sql in reading] == [2, 1]


def test_counting_and_narrowing_reads_no_text_of_a_compression(campaign: Campaign, three: list[Compression]) -> None:
    with CaptureQueriesContext(connection) as captured:
        listed(staff_client(campaign.staff.get()), campaign, "?kind=short&state=new")
    over_all = [each["sql"] for each in captured if "flag_kinds" in each["sql"] and "edit_log" not in each["sql"]]
    narrowing = [sql for sql in over_all if "LIKE" in sql]
    assert len(narrowing) == 2  # one counts, one finds the ids of a page
    assert not any('compressions_compression"."text' in sql for sql in narrowing)


# In the database


@pytest.mark.parametrize(
    "columns",
    [
        {"is_flagged": True},
        {"flag_kinds": " short "},
        {"flags_seen_at": "2026-01-01T00:00Z"},
        {"flags_seen_by": 1},
    ],
)
def test_the_database_holds_what_belongs_together(campaign: Campaign, columns: dict[str, Any]) -> None:
    compression = send(campaign, "The committee will meet on Tuesday to discuss the budget.")
    if "flags_seen_by" in columns:
        columns = {"flags_seen_by": campaign.staff.get()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Compression.objects.filter(pk=compression.pk).update(**columns)


def test_an_account_that_goes_leaves_the_mark(campaign: Campaign, owner: User, three: list[Compression]) -> None:
    manager = make_staff()
    member_set(campaign=campaign, member=manager, role=Role.MANAGER, user=owner)
    mark(manager, campaign, three[0])
    manager.delete()
    first = Compression.objects.get(pk=three[0].pk)
    assert (first.flags_seen_by, first.flags_seen_at is None) == (None, False)


def test_the_migration_knows_the_names_of_before() -> None:
    migration = import_module("compressions.migrations.0002_since_0_2_0")
    known = {kind.stored: kind.key for kind in KINDS}
    for name, key in migration.KINDS.items():
        assert known[name] == key
        assert migration.kinds_of([[name, "Seen.", None]]) == kinds_of([[name, "Seen.", None]])
    assert migration.kinds_of([["unheard of", "Seen.", 1]]) == kinds_of([["unheard of", "Seen.", 1]]) == " other "


def test_all_kinds_together_have_room() -> None:
    every = kinds_of([[kind.stored, "", None] for kind in KINDS])
    assert len(every) + len("other ") <= (Compression._meta.get_field("flag_kinds").max_length or 0)
    assert len({kind.key for kind in KINDS}) == len({kind.stored for kind in KINDS}) == len(KINDS)
    assert json.loads(json.dumps(every)) == every


def test_an_ordinary_text_is_not_flagged_and_needs_no_comparison_twice(campaign: Campaign) -> None:
    assert edit_next(enrol(campaign, EDIT)) is not None
    compressions_compare()
    assert not Compression.objects.filter(is_compared=False).exists()
