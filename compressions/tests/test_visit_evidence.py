"""What the page of an editor says of how their texts came to be."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.clock import database_now
from compressions.models import Compression, Decoy, Start, VisitRules
from compressions.services.comparison import compressions_compare
from compressions.visit_evidence import visit_rules_store
from crowd.models import Campaign, Enrolment, Worker
from measures.keystrokes.edit_log import Kind, Operation, dump_log
from tests.support.factories import EDIT, edit_next, enrol, import_texts, make_campaign, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
TEXTS = [
    f"The old city council of town number {number} voted late on Tuesday to close the harbor bridge, which carries "
    "many cars, after inspectors found cracks in two of its main steel supports."
    for number in range(5)
]
REWRITTEN = "City leaders want to shut the bridge at once, since its steel supports are badly cracked."


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(editors_per_source=5, editor_tasks=9)
    import_texts(campaign, TEXTS)
    return campaign


def typed(source: str, gap_ms: int) -> list[list[int | str]]:
    cleared = Operation(0, source, "", Kind.DELETION, 9_000)
    keys = [Operation(at, "", letter, Kind.TYPING, 10_000 + gap_ms * at) for at, letter in enumerate(REWRITTEN)]
    return dump_log([cleared, *keys])


def write(campaign: Campaign, name: str, *, start: str = Start.SOURCE, logged: bool = True) -> Enrolment:
    """An editor whose texts a program has typed."""
    editor = enrol(campaign, EDIT, name)
    for number in range(len(TEXTS)):
        written = edit_next(editor)
        assert written is not None
        log = typed("" if start == Start.EMPTY else written.source.text, 120)
        if start == Start.EMPTY:
            log = log[1:]
        text = f"{REWRITTEN[:-1]}, {number}."
        changed = {"text": text, "edit_log": log if logged else [], "started_from": start, "flags": []}
        Compression.objects.filter(pk=written.pk).update(**changed)
    return editor


def page_of(campaign: Campaign, editor: Enrolment) -> str:
    client = staff_client(campaign.staff.get())
    return " ".join(readable(client.get(f"/campaigns/{campaign.slug}/people/{editor.worker.number}/")).split())


def test_what_stands_out_is_said_with_its_counts_and_as_no_proof(campaign: Campaign) -> None:
    page = page_of(campaign, write(campaign, "ann"))

    assert "This is not proof. Look at the replays" in page
    assert "In 5 of 5 texts the box was emptied and the text typed from left to right without going back" in page
    assert f"with 0 pauses in {5 * len(REWRITTEN)} characters." in page
    assert "In 5 of 5 texts the time from key to key hardly varies." in page


def test_the_later_of_two_with_the_same_texts_is_told(campaign: Campaign) -> None:
    one, other = write(campaign, "ann"), write(campaign, "ben")
    said = "5 of 5 texts are nearly the same as earlier ones by others"
    assert [said in page_of(campaign, each) for each in (one, other)] == [False, True]


def test_who_hands_in_a_decoy_is_told(campaign: Campaign) -> None:
    said = "5 of 5 texts are nearly the same as earlier ones by others, or as decoys"
    editor = write(campaign, "ann")
    assert said not in page_of(campaign, editor)
    Decoy.objects.bulk_create([Decoy(source=each, system="M", text=REWRITTEN) for each in campaign.sources.all()])
    assert said in page_of(campaign, editor)


def list_of(campaign: Campaign, kind: str) -> str:
    client = staff_client(campaign.staff.get())
    return " ".join(readable(client.get(f"/campaigns/{campaign.slug}/participants/edit/?{kind}")).split())


def test_lists_say_what_was_met_when_texts_were_last_compared(campaign: Campaign) -> None:
    editor = write(campaign, "ann")
    assert "In one go" not in list_of(campaign, "flagged=1")
    compressions_compare()
    assert "In one go: 5 of 5 texts" in list_of(campaign, "flagged=1")
    assert "<span>ann</span>" not in list_of(campaign, "flagged=0")
    Compression.objects.filter(worker=editor.worker).update(edit_log=[], is_compared=False)
    compressions_compare()
    assert "In one go" not in list_of(campaign, "flagged=1")
    assert not VisitRules.objects.exists()


def test_nothing_is_kept_of_who_is_erased(campaign: Campaign) -> None:
    editor = write(campaign, "ann")
    compressions_compare()
    assert VisitRules.objects.filter(worker=editor.worker).exists()
    Worker.objects.filter(pk=editor.worker_id).update(external_id="", erased_at=database_now())
    visit_rules_store(worker=editor.worker)
    assert not VisitRules.objects.exists()


def test_who_begins_with_an_empty_box_writes_all_anew(campaign: Campaign) -> None:
    assert "the box was emptied" not in page_of(campaign, write(campaign, "ann", start=Start.EMPTY))


def test_where_nothing_stands_out_it_is_said_what_that_does_not_mean(campaign: Campaign) -> None:
    editor = enrol(campaign, EDIT, "ann")
    assert edit_next(editor) is not None
    page = page_of(campaign, editor)
    assert "Nothing stands out in 1 text. That does not mean that a person wrote them" in page


def test_without_a_log_nothing_is_said(campaign: Campaign) -> None:
    assert "How the texts came to be" not in page_of(campaign, write(campaign, "ann", logged=False))


def test_evidence_takes_as_many_queries_for_many_texts_as_for_one(campaign: Campaign) -> None:
    numbers = []
    for name in ("ann", "ben"):
        editor = write(campaign, name)
        client = staff_client(campaign.staff.get())
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/campaigns/{campaign.slug}/people/{editor.worker.number}/")
        numbers.append(len(captured))
    assert numbers[0] == numbers[1]


def test_what_the_pages_counted_stands_beside_as_facts(campaign: Campaign) -> None:
    editor = write(campaign, "ann")
    away = [Operation(0, "", "", Kind.LEAVE, 99_000), Operation(0, "", "", Kind.RETURN, 159_000)]
    for number, each in enumerate(Compression.objects.order_by("pk")):
        log = each.edit_log + dump_log(away if number < 2 else [])
        told = {"v": 1, "keys": 0 if number < 3 else 90, "soft": 0, "untrusted": 0, "webdriver": int(number == 0)}
        record = told | ({"away_n": 70, "away_ms": 4_200_000} if number == 1 else {})
        Compression.objects.filter(pk=each.pk).update(edit_log=log, page_record=record if number < 4 else None)

    page = page_of(campaign, editor)

    facts = dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page))
    assert (
        facts
        | {
            "Pages that were left": "2 of 5",
            "Times away": "71",
            "Away in all": "1 h 11 min",
            "Pages in a browser that a program drives": "1 of 5",
            "Texts that came almost without keys, as by dictation or a program": "3 of 4",
        }
        == facts
    )
    assert "Pages on which a script acted" not in facts
    assert "It is not a verdict" in page


def test_pages_that_counted_nothing_are_not_spoken_of(campaign: Campaign) -> None:
    assert "It is not a verdict" not in page_of(campaign, write(campaign, "ann"))
