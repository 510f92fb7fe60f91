"""What staff see of how texts were written: a compression, what to look at, remarks, a text with its compressions."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compressions.models import Compression, Source
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import Submission, compression_submit
from crowd.models import Campaign, Remark
from crowd.services.claims import assignment_claim
from crowd.services.remarks import problem_report, task_skip
from tests.support.factories import EDIT, RATE, enrol, import_texts, make_campaign, make_staff, readable, staff_client

pytestmark = pytest.mark.django_db
ATTACK = "</textarea></script><script>steal()</script>\" onfocus='steal()' "
NUMBERS = "Plain words follow here until there are enough of them, and then some more, for a whole sentence, number {}."
Log = list[list[Any]]


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def campaign(owner: User) -> Campaign:
    return make_campaign(owner=owner, editor_tasks=1_000, editors_per_source=1)


def written(campaign: Campaign, write: Callable[[str], tuple[str, Log]], name: str = "ann", **options: Any) -> Any:
    """Somebody compresses the next text, as `write` makes it from the source."""
    enrolment = enrol(campaign, EDIT, name)
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    source = source_of_assignment(assignment)
    submission = Submission(*write(source.text), **options)
    return compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)


def unhurried(source: str) -> tuple[str, Log]:
    """Delete, come back after a minute, paste a word of the source: nothing to look at."""
    half = len(source) // 2
    log: Log = [
        [0, "", "Now ", "typing", 2_000],
        [0, "Now ", "", "deletion", 4_500],
        [0, "", "", "return", 60_000],
        [half, source[half:], "", "deletion", 64_500],
        [half, "", " whole sentence", "paste", 66_000],
    ]
    return source[:half] + " whole sentence", log


def pasted(source: str) -> tuple[str, Log]:
    text = "<script>steal('everything')</script> By another hand."
    return text, [[0, source, text, "paste", 60_000]]


def page_of(campaign: Campaign, path: str) -> Any:
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/{path}")
    assert page.status_code == 200
    assert "<script>steal" not in page.content.decode()
    assert " onfocus='steal" not in page.content.decode()
    return page


def data_of(page: Any, name: str) -> str:
    match = re.search(rf'data-{name}="([^"]*)"', page.content.decode())
    assert match
    return unescape(match[1])


def facts(page: Any) -> dict[str, str]:
    found = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", readable(page), re.DOTALL)
    return {name: " ".join(value.split()) for name, value in found}


# One compression


def test_the_page_of_a_compression_holds_all_that_its_replay_needs(campaign: Campaign) -> None:
    import_texts(campaign, [NUMBERS.format(1)])
    compression = written(campaign, unhurried)

    page = page_of(campaign, f"compressions/{compression.pk}/")

    assert data_of(page, "start") == compression.source.text
    assert json.loads(data_of(page, "log")) == compression.edit_log == unhurried(compression.source.text)[1]
    assert page.content.decode().count("<g data-x=") == page.content.decode().count('<tr id="edit-') == 5
    assert "pause of 55.5 s" in readable(page)
    assert compression.text in readable(page)
    assert f"{compression.length} of {compression.allowed} characters" in readable(page)
    assert "To look at" not in readable(page)


def test_the_replay_of_what_began_in_an_empty_box_begins_there(campaign: Campaign) -> None:
    import_texts(campaign, [NUMBERS.format(1)])
    log = [[0, "", "Two ", "typing", 20_000], [4, "", "\n\U0001f469\u200d", "composition", 40_000]]
    compression = written(campaign, lambda _: ("Two \n\U0001f469\u200d", log), started_from="empty")

    page = page_of(campaign, f"compressions/{compression.pk}/")

    assert (data_of(page, "start"), json.loads(data_of(page, "log"))) == ("", log)
    assert "started from an empty box" in readable(page)


def test_the_effort_is_told_in_figures(campaign: Campaign) -> None:
    import_texts(campaign, [NUMBERS.format(1)])
    compression = written(campaign, unhurried)
    removed = len(compression.source.text) - len(compression.source.text) // 2 + len("Now ")

    assert facts(page_of(campaign, f"compressions/{compression.pk}/")) == {
        "Active time": "6.0 s",
        "Total time": "1 min 6 s",
        "Keystrokes": "3",
        "Characters inserted": str(len("Now ") + len(" whole sentence")),
        "Characters removed": str(removed),
        "Pastes": "1 (15 characters, 100% from the source)",
        "Before the first edit": "2.0 s",
        "Longest pause": "1 min 0 s",
        "Returns to the page": "1",
    }


def test_the_snapshots_are_those_of_a_release(campaign: Campaign) -> None:
    import_texts(campaign, [NUMBERS.format(1)])
    log = [[0, "", "Two ", "typing", 20_000], [4, "", "<b>\tlines", "typing", 40_000]]
    compression = written(campaign, lambda _: ("Two <b>\tlines", log), started_from="empty")

    page = page_of(campaign, f"compressions/{compression.pk}/")

    assert '<pre class="history" lang="en" dir="ltr">Two  Two &lt;b&gt; lines</pre>' in page.content.decode()


def test_what_there_is_to_look_at_stands_above_with_its_evidence(campaign: Campaign) -> None:
    import_texts(campaign, [NUMBERS.format(1)])
    compression = written(campaign, pasted)
    (name, evidence, operation), *_odd = compression.flags

    page = page_of(campaign, f"compressions/{compression.pk}/")

    assert (name, operation) == ("pasted from elsewhere", 0)
    assert "<script>steal('everything')</script>" in evidence
    assert f"<strong>Pasted from elsewhere</strong>: {evidence}" in readable(page)
    assert 'data-step="1">Show edit 1</button>' in page.content.decode()


def test_what_was_written_is_text_and_nothing_else(campaign: Campaign) -> None:
    import_texts(campaign, [ATTACK + NUMBERS.format(1)])
    compression = written(campaign, pasted)

    page = page_of(campaign, f"compressions/{compression.pk}/")

    assert data_of(page, "start") == compression.source.text == ATTACK + NUMBERS.format(1)
    assert json.loads(data_of(page, "log")) == compression.edit_log
    assert page.content.decode().count("&lt;script&gt;steal(") >= 6


# Lists


def test_only_what_there_is_to_look_at_is_listed_the_newest_first(campaign: Campaign) -> None:
    import_texts(campaign, [NUMBERS.format(number) for number in range(4)])
    first, _, _, last = (written(campaign, write) for write in (pasted, unhurried, unhurried, pasted))
    elsewhere = make_campaign(sources=1)
    written(elsewhere, pasted)

    page = page_of(campaign, "flagged/")

    assert re.findall(r'id="compression-(\d+)"', page.content.decode()) == [str(last.pk), str(first.pk)]
    for compression in (first, last):
        assert f"Source {compression.source.source_id}" in readable(page)
        assert compression.text in readable(page)
        assert compression.flags[0][1] in readable(page)


@pytest.mark.parametrize(("path", "rows"), [("flagged/", 15), ("remarks/", 15)])
def test_long_lists_come_in_pages_and_always_by_as_many_queries(campaign: Campaign, path: str, rows: int) -> None:
    import_texts(campaign, [NUMBERS.format(number) for number in range(rows + 1)])

    def queries(rows: int, address: str) -> int:
        client = staff_client(campaign.staff.get())
        with CaptureQueriesContext(connection) as captured:
            page = client.get(f"/campaigns/{campaign.slug}/{address}")
        assert len(re.findall('<th scope="row"', page.content.decode())) == rows
        return len(captured)

    for _ in range(2):
        written(campaign, pasted, comment="So?")
    few = queries(2, path)
    for _ in range(rows - 1):
        written(campaign, pasted, comment="So?")

    assert queries(rows, path) == queries(rows, f"{path}?page=none") == queries(1, f"{path}?page=2") == few
    assert "Page 2 of 2" in readable(page_of(campaign, f"{path}?page=999"))


@pytest.mark.parametrize(
    ("path", "words"), [("flagged/", "There is nothing to look at."), ("remarks/", "No remarks yet.")]
)
def test_an_empty_list_says_so(campaign: Campaign, path: str, words: str) -> None:
    assert words in readable(page_of(campaign, path))


def test_what_workers_said_is_listed_with_the_text_it_is_about(campaign: Campaign) -> None:
    elsewhere = make_campaign(sources=1)
    written(elsewhere, unhurried, comment="Of another campaign.")
    import_texts(campaign, [NUMBERS.format(number) for number in range(2)])
    ann = enrol(campaign, EDIT, "ann")
    task = assignment_claim(enrolment=ann)
    assert task is not None
    about = source_of_assignment(task)
    judged = written(campaign, unhurried, name="ben", comment="A comment.")
    problem_report(enrolment=ann, assignment_id=task.pk, reason="private", text="")
    task_skip(enrolment=ann, assignment_id=task.pk, reason="other", text=f"{ATTACK}\nin two lines")
    rater = enrol(campaign, RATE, "cem")
    to_judge = assignment_claim(enrolment=rater)
    assert to_judge is not None
    task_skip(enrolment=rater, assignment_id=to_judge.pk, reason="upsetting", text="")

    page = page_of(campaign, "remarks/")

    body = page.content.decode().split("<tbody>")[1].split("</tbody>")[0]
    cells = [
        [" ".join(unescape(cell).split()) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)[:5]]
        for row in body.split("</tr>")[:-1]
    ]
    first, second = (f"/campaigns/{campaign.slug}/sources/{each.source_id}/" for each in (about, judged.source))
    to_retire = f'{link_to(first)} <a class="nowrap" href="{first}#retire">Correct or retire</a>'
    in_two_lines = f"{ATTACK}<br>in two lines"
    assert cells == [
        ["Skipped", "I would rather not work on this content", "", link_to(second), rater.worker.public_name],
        ["Skipped", "Something else", in_two_lines, link_to(first), ann.worker.public_name],
        ["Problem with the text", "It contains private information", "", to_retire, ann.worker.public_name],
        ["Comment", "", "A comment.", link_to(second), judged.worker.public_name],
    ]


def link_to(address: str) -> str:
    return f'<a href="{address}">{address.split("/")[-2]}</a>'


def test_the_page_of_a_text_leads_to_each_of_its_compressions(owner: User) -> None:
    campaign = make_campaign(owner=owner)
    import_texts(campaign, [ATTACK + NUMBERS.format(1)])

    def queries(compressions: int) -> int:
        for number in range(Compression.objects.count(), compressions):
            written(campaign, pasted if number % 2 else unhurried, name=f"editor-{number}")
        with CaptureQueriesContext(connection) as captured:
            page = page_of(campaign, f"sources/{Source.objects.get().source_id}/")
        for compression in Compression.objects.all():
            address = f"/campaigns/{campaign.slug}/compressions/{compression.pk}/"
            assert f'href="{address}"' in readable(page)
            assert compression.text in readable(page)
        assert readable(page).count("Pasted from elsewhere") == compressions // 2
        return len(captured)

    assert queries(1) == queries(5)


def test_the_page_of_a_compression_takes_as_many_queries_for_a_long_log(campaign: Campaign) -> None:
    import_texts(campaign, [NUMBERS.format(number) for number in range(2)])

    def queries(edits: int) -> int:
        log = [[0, "", "a", "typing", 20_000 + number] for number in range(edits)]
        compression = written(campaign, lambda _: ("a" * edits, log), started_from="empty")
        with CaptureQueriesContext(connection) as captured:
            page_of(campaign, f"compressions/{compression.pk}/")
        return len(captured)

    assert queries(1) == queries(30)


def test_remarks_say_nothing_that_a_platform_calls_somebody(campaign: Campaign) -> None:
    import_texts(campaign, [NUMBERS.format(1)])
    compression = written(campaign, pasted, name="5f1c0ffee5f1c0ffee5f1c0f", comment="So?")

    pages = [page_of(campaign, path) for path in ("remarks/", "flagged/", f"compressions/{compression.pk}/")]

    assert Remark.objects.count() == 1
    assert not [page for page in pages if "5f1c0ffee" in page.content.decode()]
