"""From rows to sources: what is refused and why, what is changed and said, what is linked."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from common.errors import Refused
from common.jobs import job_run
from common.models import Job
from compressions.models import Source, SourceImport
from compressions.services import imports
from compressions.services.imports import source_import
from compressions.services.sources import sources_create
from crowd.models import Campaign, Item, ItemConflict
from crowd.services.claims import assignment_claim
from tests.support.factories import EDIT, SENTENCE, enrol, make_campaign, make_staff, staff_client

pytestmark = pytest.mark.django_db

GOOD = SENTENCE.format(number=1)
PARAGRAPH = f"{SENTENCE.format(number=1)} {SENTENCE.format(number=2)}"
Line = dict[str, Any] | str | bytes


def row(source_id: str, text: str = GOOD, **fields: Any) -> dict[str, Any]:
    return {"id": source_id, "genre": "Letters", "text": text, **fields}


def jsonl(*lines: Line) -> bytes:
    """A file of lines, each given as an object, as text or as bytes."""
    texts = [json.dumps(line) if isinstance(line, dict) else line for line in lines]
    return b"\n".join(text.encode() if isinstance(text, str) else text for text in texts)


def imported(campaign: Campaign, *lines: Line, name: str = "texts.jsonl", strict: bool = False) -> SourceImport:
    return source_import(campaign=campaign, file_name=name, content=jsonl(*lines), strict=strict, seed=1)


def table_of(campaign: Campaign) -> list[tuple[object, ...]]:
    columns = ("pk", "source_id", "genre", "text", "sentences", "paragraph_id", "item_id", "item__position")
    return list(Source.objects.filter(campaign=campaign).order_by("pk").values_list(*columns))


def test_a_row_that_says_the_same_again_is_known() -> None:
    record = imported(make_campaign(), row("1"), row("1"), row("2"), row("1"))

    assert (record.added, record.unchanged, record.refused) == (2, 2, 0)


def test_nuggets_are_a_list_of_json_or_the_lines_of_a_cell() -> None:
    campaign = make_campaign()
    points = ["It is\tfine.", "  It is |||| old.  ", "", "One\u2028nugget."]
    record = imported(campaign, row("1", nuggets=points), row("2", nuggets=[]), row("3", nuggets=None))
    table = f'id,text,nuggets\n4,"{GOOD}","It is fine.\n\n It is old.\n"\n5,"{GOOD}",\n'
    table += f'6,"{GOOD}","[""It is fine."", ""Two\\nlines.""]"\n7,"{GOOD}",[2] of them\n8,"{GOOD}",[2]\n'
    source_import(campaign=campaign, file_name="t.csv", content=table.encode(), seed=1)

    stored = dict(Source.objects.values_list("source_id", "nuggets"))
    assert stored == {
        "1": "It is fine.\nIt is | | | | old.\nOne nugget.",
        "2": "",
        "3": "",
        "4": "It is fine.\nIt is old.",
        "5": "",
        "6": "It is fine.\nTwo lines.",
        "7": "[2] of them",
        "8": "[2]",
    }
    assert record.warnings == [
        (1, "nuggets: a tab or line break was replaced by a space"),
        (1, "nuggets: a tab or line break was replaced by a space"),
        (1, "nuggets: ||| was replaced by | | |"),
    ]


@pytest.mark.parametrize(
    ("nuggets", "reason"),
    [
        (["One.", 2], "'nuggets' is not a list of strings"),
        ({"one": 1}, "'nuggets' is not a list of strings"),
        ("One.", "'nuggets' is not a list of strings"),
        (5, "'nuggets' is not a list of strings"),
        (["One.", "Two\nlines."], "'nuggets' has a string with a line break"),
        (["One.\x1cTwo."], "nuggets: "),
        (["a" * 2_500, "b" * 2_500], "the nuggets have 5001 characters, at most 5000 allowed"),
        (["a\x00b"], "nuggets: "),
    ],
)
def test_nuggets_that_cannot_be_stored_are_refused(nuggets: object, reason: str) -> None:
    record = imported(make_campaign(), row("1", nuggets=nuggets))

    assert record.added == 0
    assert record.problems[0][1].startswith(reason)


def test_nuggets_stay_as_they_came() -> None:
    campaign = make_campaign()
    imported(campaign, row("1", nuggets=["One."]), row("2"))

    again = imported(campaign, row("1", nuggets=["Two."]), row("2", nuggets=["Two."]))
    reason = "duplicate id '{}': the campaign has it with other nuggets, or with none"
    assert again.problems == [(1, reason.format("1")), (2, reason.format("2"))]
    same = imported(campaign, row("1", nuggets=["One."]), row("1"))
    assert (same.unchanged, same.refused) == (1, 1)  # of one file, the second line says something else
    assert imported(campaign, row("1")).unchanged == 1  # says nothing of nuggets
    assert dict(Source.objects.values_list("source_id", "nuggets")) == {"1": "One.", "2": ""}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (row("2", "Far too short."), "too short: 3 words, a sentence needs 15"),
        (row("2", "One two three four five six. " * 4), "too short: 24 words, a paragraph needs 25"),
        (row("2", GOOD, sentences=2) | {"text": " ".join(GOOD.split()[:20])}, "too short: 20 words, a paragraph"),
        (row("2", ""), "the text is empty"),
        (row("2", " \n\u00a0 "), "the text is empty"),
        ({"id": "2", "genre": "Letters"}, "the text is empty"),
        (row("2", "word " * 1001), "the text has 5004 characters, at most 5000 allowed"),
        (row("2", genre="a" * 101), "the genre is longer than 100 characters"),
        (row(""), "id '' is empty or has characters other than"),
        (row("../2"), "id '../2' is empty or has characters other than"),
        (row("2 3"), "id '2 3' is empty or has characters other than"),
        (row("9" * 101), "is empty or has characters other than"),
        (row("1", genre="News"), "duplicate id '1': it stands further up in this file"),
        (row("old", "Another text " * 8), "duplicate id 'old': the campaign has it with another text"),
        (row("2", sentences=3), "sentences is '3'; a source has 1 or 2"),
        (row("2", sentences="two"), "sentences is 'two'; a source has 1 or 2"),
        (row("2", paragraph="2"), "the text names itself as its paragraph"),
        (row("2", "Bell \a " + GOOD), "text: U+0007 control character at character 6"),
        (row("2", "Nothing \0 " + GOOD), "text: U+0000 control character at character 9"),
        (row("2", genre="a\x1b"), "genre: U+001B control character at character 2"),
        (row("2", "Half \ud83d " + GOOD), "text: U+D83D lone surrogate at character 6"),
        (b'{"id": "2", "genre": "a", "text": "caf\xe9"}', "not UTF-8 (byte 39 of the line)"),
        ("{", "not JSON ("),
        ("[]", "not a JSON object"),
    ],
)
def test_a_row_that_cannot_be_used_is_refused_by_its_line_and_the_others_come_in(bad: Line, reason: str) -> None:
    campaign = make_campaign()
    imported(campaign, row("old"))

    report = imported(campaign, row("1"), bad, row("3"))

    report.refresh_from_db()
    assert [line for line, _ in report.problems] == [2]
    assert reason in report.problems[0][1]
    assert (report.added, report.unchanged, report.refused) == (2, 0, 1)
    assert [source.source_id for source in campaign.sources.order_by("pk")] == ["old", "1", "3"]


@pytest.mark.parametrize(
    ("changed", "text", "warning"),
    [
        (row("1", f"{GOOD}\t{GOOD}"), f"{GOOD} {GOOD}", "text: a tab or line break was replaced by a space"),
        (row("1", f"{GOOD}\r\n{GOOD}"), f"{GOOD} {GOOD}", "text: a tab or line break was replaced by a space"),
        (row("1", f"{GOOD}\u2028{GOOD}"), f"{GOOD} {GOOD}", "text: a tab or line break was replaced by a space"),
        (row("1", f"{GOOD} ||| a"), f"{GOOD} | | | a", "text: ||| was replaced by | | |"),
        (row("1", f"{GOOD} ||||| a"), f"{GOOD} | | | | | a", "text: ||| was replaced by | | |"),
        (row("1", genre="Let\tters"), GOOD, "genre: a tab or line break was replaced by a space"),
        (row("1", paragraph="99"), GOOD, "its paragraph '99' is not among the texts: imported without the link"),
    ],
)
def test_what_is_changed_on_import_is_said_by_line(changed: Line, text: str, warning: str) -> None:
    campaign = make_campaign()

    report = imported(campaign, "", changed)

    report.refresh_from_db()
    assert report.warnings == [[2, warning]]
    assert report.problems == []
    assert campaign.sources.get().text == text


def test_texts_in_a_language_without_spaces_are_measured_in_characters() -> None:
    campaign = make_campaign(language="zh-Hans")
    report = imported(campaign, row("1", "委员会将于星期二再次开会讨论此事。"), row("2", "委员会将于星期二开会。"))
    assert report.added == 1
    assert report.problems == [
        (2, "too short: 11 characters, a sentence needs 15 (setting “minimum words per sentence”)")
    ]


def test_white_space_around_a_text_is_no_change_worth_a_warning() -> None:
    campaign = make_campaign()

    report = imported(campaign, row("1", f"\t {GOOD}\n"))

    assert report.warnings == []
    assert campaign.sources.get().text == GOOD


def test_texts_are_kept_in_their_composed_form_and_invisible_characters_stay() -> None:
    campaign = make_campaign()

    imported(campaign, row("1", f"Cafe\u0301 \U0001f469\u200d\U0001f467 {GOOD}"))

    assert campaign.sources.get().text == f"Café \U0001f469\u200d\U0001f467 {GOOD}"


def test_csv_with_byte_order_mark_crlf_and_quoted_lines_comes_in() -> None:
    campaign = make_campaign()
    first, second = GOOD.split(", ", 1)
    content = f'\ufeffid,genre,text\r\n1,Letters,"{first},\r\n{second}"\r\n2,Letters,"Too ""short"""\r\n'.encode()

    report = source_import(campaign=campaign, file_name="texts.csv", content=content)

    assert report.problems == [(4, "too short: 2 words, a sentence needs 15 (setting “minimum words per sentence”)")]
    assert report.warnings == [(2, "text: a tab or line break was replaced by a space")]
    assert campaign.sources.get().text == GOOD


@pytest.mark.parametrize(("name", "separator"), [("a.csv", ","), ("a.tsv", "\t")])
def test_a_table_names_its_bad_rows_by_line(name: str, separator: str) -> None:
    campaign = make_campaign()
    text = GOOD.replace(",", ";")
    rows = [["id", "genre", "text"], ["1", "a", text], ["2", "a"], ["3", "a", "caf\udce9"], ["4", "a", text]]
    content = "\n".join(map(separator.join, rows)).encode(errors="surrogateescape")

    report = source_import(campaign=campaign, file_name=name, content=content)

    assert report.problems == [(3, "2 fields, 3 wanted"), (4, "not UTF-8")]
    assert report.added == 2


def test_strict_refuses_all_and_names_the_first_bad_line() -> None:
    campaign = make_campaign()

    with pytest.raises(
        Refused, match=r"nothing imported, 2 rows cannot be used; the first is line 2: the text is empty"
    ):
        imported(campaign, row("1"), row("2", ""), row("3", "short"), strict=True)

    report = campaign.sourceimports.get()
    assert (report.added, report.unchanged, report.refused) == (0, 0, 2)
    assert not campaign.sources.exists()
    assert not campaign.items.exists()


def test_strict_takes_a_file_without_a_fault() -> None:
    assert imported(make_campaign(), row("1"), row("2"), strict=True).added == 2


def test_the_same_file_twice_changes_nothing() -> None:
    campaign = make_campaign()
    lines = [row("1_2", PARAGRAPH), row("1", paragraph="1_2"), row("2", SENTENCE.format(number=2), paragraph="1_2")]
    imported(campaign, *lines)
    before, items = table_of(campaign), Item.objects.count()

    report = imported(campaign, *lines)

    assert (report.added, report.unchanged, report.refused) == (0, 3, 0)
    assert table_of(campaign) == before
    assert Item.objects.count() == items
    assert ItemConflict.objects.count() == 4


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_sentences_find_their_paragraph_wherever_it_stands(order: tuple[int, ...]) -> None:
    campaign = make_campaign()
    lines = [row("1_2", PARAGRAPH), row("1", paragraph="1_2"), row("2", SENTENCE.format(number=2), paragraph="1_2")]

    report = imported(campaign, *(lines[index] for index in order))

    assert report.warnings == []
    families = {source.source_id: source.family for source in campaign.sources.select_related("paragraph")}
    assert families == {"1_2": "1_2", "1": "1_2", "2": "1_2"}


def test_sentences_find_a_paragraph_of_an_earlier_file() -> None:
    campaign = make_campaign()
    imported(campaign, row("1_2", PARAGRAPH))

    report = imported(campaign, row("1", paragraph="1_2"))

    assert report.warnings == []
    assert Source.objects.get(source_id="1").family == "1_2"


def test_nobody_is_given_a_paragraph_and_a_sentence_of_it() -> None:
    campaign = make_campaign()
    imported(campaign, row("1_2", PARAGRAPH), row("1", paragraph="1_2"))
    editor = enrol(campaign, EDIT)

    first = assignment_claim(enrolment=editor)

    assert first is not None
    states = dict(editor.worker.assignments.values_list("item__source__source_id", "state"))
    assert sorted(states.values()) == ["blocked", "leased"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_a_part_of_a_paragraph_is_no_paragraph_itself(order: tuple[int, ...]) -> None:
    campaign = make_campaign()
    lines = [row("a", PARAGRAPH), row("b", paragraph="a"), row("c", paragraph="b")]

    report = imported(campaign, *(lines[index] for index in order))

    assert [warning for _, warning in report.warnings] == [
        "its paragraph 'b' is itself part of another: imported without the link"
    ]
    families = {source.source_id: source.family for source in campaign.sources.select_related("paragraph")}
    assert families == {"a": "a", "b": "a", "c": "c"}


def test_a_part_of_a_paragraph_of_an_earlier_file_is_no_paragraph_itself() -> None:
    campaign = make_campaign()
    imported(campaign, row("a", PARAGRAPH), row("b", paragraph="a"))

    report = imported(campaign, row("c", paragraph="b"))

    assert "is itself part of another" in report.warnings[0][1]
    assert Source.objects.get(source_id="c").family == "c"


def test_sentences_are_counted_when_the_file_does_not_say() -> None:
    campaign = make_campaign()

    imported(campaign, row("1"), row("2", PARAGRAPH), row("3", PARAGRAPH, sentences=1), row("4", GOOD, sentences="2"))

    assert dict(campaign.sources.values_list("source_id", "sentences")) == {"1": 1, "2": 2, "3": 1, "4": 2}


def test_a_corpus_with_fields_of_its_own_comes_in_as_it_is() -> None:
    campaign = make_campaign()
    common = {"genre": "Non-fiction", "document": "written/letter.txt", "offsets": [1, 2], "score": 0.5}

    report = imported(
        campaign,
        {"id": "5949_5950", "text": PARAGRAPH, "sentences": 2, **common},
        {"id": "5949", "text": SENTENCE.format(number=1), "sentences": 1, "paragraph": "5949_5950", **common},
        {"id": 98_99, "text": SENTENCE.format(number=3), "sentences": 1, "paragraph": None, **common},
    )

    assert (report.added, report.problems, report.warnings) == (3, [], [])
    assert Source.objects.get(source_id="5949").family == "5949_5950"
    assert Source.objects.get(source_id="9899").family == "9899"


def test_the_order_of_work_is_drawn_from_the_seed() -> None:
    def positions(seed: int) -> list[int]:
        campaign = make_campaign()
        content = jsonl(*(row(str(number)) for number in range(20)))
        source_import(campaign=campaign, file_name="a.jsonl", content=content, seed=seed)
        return list(campaign.items.order_by("pk").values_list("position", flat=True))

    assert positions(1) == positions(1)
    assert positions(1) != positions(2)
    assert positions(1) != sorted(positions(1))


def test_the_number_of_queries_does_not_depend_on_the_rows() -> None:
    def queries(rows: int) -> int:
        campaign = make_campaign()
        lines = [row("p", PARAGRAPH), *(row(str(number), paragraph="p") for number in range(rows))]
        with CaptureQueriesContext(connection) as captured:
            assert imported(campaign, *lines).added == rows + 1
        return len(captured)

    assert queries(3) == queries(60)


@pytest.mark.parametrize(
    "content", ["id\tgenre\ttexte".encode("utf-16"), "id\tgenre\tté\n".encode("latin-1"), b"id\tbody\n", b""]
)
def test_an_unreadable_file_is_kept_as_a_report_with_its_reason(content: bytes) -> None:
    campaign = make_campaign()

    with pytest.raises(Refused) as refusal:
        source_import(campaign=campaign, file_name="a.tsv", content=content)

    report = campaign.sourceimports.get()
    assert report.problems == [[0, str(refusal.value)]]
    assert report.finished_at is not None
    assert bytes(report.content) == b""


def upload(client: Client, campaign: Campaign, name: str, content: bytes, **fields: str) -> Any:
    file = SimpleUploadedFile(name, content)
    return client.post(f"/campaigns/{campaign.slug}/imports/", {"file": file, **fields}, follow=True)


@pytest.mark.django_db(transaction=True)
def test_staff_upload_a_file_and_read_what_became_of_it() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)

    page = upload(staff_client(owner), campaign, "my texts.jsonl", jsonl(row("1"), row("2", "Too <b>short</b>.")))

    assert page.status_code == 200
    assert Job.objects.get().state == Job.State.DONE
    assert Job.objects.get().message == "1 text added, 0 known before, 1 row refused."
    assert campaign.sources.get().text == GOOD
    assert "my texts.jsonl" in page.content.decode()
    assert "too short: 2 words, a sentence needs 15" in page.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("name", "content", "strict", "reason"),
    [
        ("texts.docx", b"PK", "", "a file of texts ends in .jsonl, .csv or .tsv"),
        ("texts.tsv", "id\tgenre\ttext".encode("utf-16"), "", "not UTF-8"),
        ("texts.jsonl", b"{}", "on", "nothing imported"),
    ],
)
def test_an_upload_that_is_refused_says_why_on_its_page(name: str, content: bytes, strict: str, reason: str) -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)

    page = upload(staff_client(owner), campaign, name, content, **({"strict": strict} if strict else {}))

    assert Job.objects.get().state == Job.State.FAILED
    assert reason in Job.objects.get().message
    assert reason in page.content.decode()
    assert not campaign.sources.exists()


@pytest.mark.django_db(transaction=True)
def test_an_import_that_is_run_again_is_harmless() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    upload(staff_client(owner), campaign, "a.jsonl", jsonl(row("1")))
    job, before = Job.objects.get(), table_of(campaign)
    Job.objects.update(state=Job.State.QUEUED)

    job_run(job_id=job.pk)

    assert Job.objects.get().message == job.message
    assert table_of(campaign) == before


@pytest.mark.django_db(transaction=True)
def test_an_import_that_was_stopped_between_slices_knows_what_it_has_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    monkeypatch.setattr(imports, "SLICE", 2)
    owner = make_staff()
    campaign = make_campaign(owner=owner)
    upload(staff_client(owner), campaign, "a.jsonl", jsonl(*(row(str(number)) for number in range(5))))
    job_id, create = Job.objects.get().pk, sources_create

    def stopped(**arguments: Any) -> None:
        create(**arguments)
        if campaign.sources.count() == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(imports, "sources_create", stopped)
    with pytest.raises(KeyboardInterrupt):
        job_run(job_id=job_id)
    assert campaign.sources.count() == 2
    monkeypatch.setattr(imports, "sources_create", create)
    Job.objects.update(state=Job.State.QUEUED)
    job_run(job_id=job_id)

    record = SourceImport.objects.get()
    assert (record.added, record.unchanged, campaign.sources.count()) == (5, 0, 5)


def test_a_file_over_the_limit_is_refused_beside_the_field(settings: Any) -> None:
    settings.UPLOAD_MAX_BYTES = 2**20
    owner = make_staff()
    campaign = make_campaign(owner=owner)

    page = upload(staff_client(owner), campaign, "a.jsonl", b" " * (2**20 + 1))

    assert page.status_code == 413
    assert "The file is larger than 1 MiB." in page.content.decode()
    assert not SourceImport.objects.exists()


def test_an_empty_file_is_refused_beside_the_field() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)

    page = upload(staff_client(owner), campaign, "a.jsonl", b"")

    assert page.status_code == 422
    assert "The submitted file is empty." in page.content.decode()


def test_the_list_of_texts_takes_a_constant_number_of_queries() -> None:
    owner = make_staff()
    client = staff_client(owner)

    def queries(sources: int) -> int:
        campaign = make_campaign(owner=owner, sources=sources)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/campaigns/{campaign.slug}/sources/").status_code == 200
        return len(captured)

    assert queries(2) == queries(40)


def test_a_text_of_three_sentences_is_taken_for_a_paragraph_with_a_warning() -> None:
    text = f"{SENTENCE.format(number=1)} {SENTENCE.format(number=2)} {SENTENCE.format(number=3)}"
    campaign = make_campaign()
    report = source_import(
        campaign=campaign,
        file_name="texts.jsonl",
        content=json.dumps({"id": "1", "genre": "Letters", "text": text}).encode(),
    )
    assert report.warnings == [(1, "the text seems to have 3 sentences: taken for a paragraph of two")]
    assert campaign.sources.get().sentences == 2


def test_a_file_of_too_many_rows_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compressions.services.imports.MAX_ROWS", 2)
    campaign = make_campaign()
    with pytest.raises(Refused, match=r"texts\.jsonl: more than 2 rows"):
        source_import(campaign=campaign, file_name="texts.jsonl", content=b"{}\n{}\n{}\n")
    assert not campaign.sources.exists()


def test_a_sentence_is_linked_to_a_paragraph_that_stands_further_down_than_a_slice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("compressions.services.imports.SLICE", 2)
    campaign = make_campaign()
    others = [row(str(number), SENTENCE.format(number=number)) for number in range(5, 9)]

    report = imported(campaign, row("1", paragraph="1_2"), *others, row("1_2", PARAGRAPH), row("2", paragraph="1_2"))

    assert report.outcome == "7 texts added, 0 known before, 0 rows refused."
    assert report.warnings == []
    linked = campaign.sources.filter(paragraph__source_id="1_2").values_list("source_id", flat=True)
    assert set(linked) == {"1", "2"}
    assert ItemConflict.objects.count() == 4
