"""Outputs of systems: taken in by line, judged among people's texts without a trace, released in files of their own."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db.models import Count
from django.test import Client, TestCase

from common.errors import Refused
from common.models import Job
from compressions.models import Source, System, SystemOutput, Target
from compressions.services.imports import source_import
from corpus.models import OutputImport
from corpus.services.outputs import outputs_import
from crowd.models import Assignment, Campaign, Item, Stream, Worker
from crowd.services.claims import assignment_claim
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import Rating
from ratings.services.exclusions import person_exclude
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    rate_all,
    rate_next,
    readable,
    shortened,
    staff_client,
    submit_text,
    worker_client,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

SYSTEM = "t3-Large.v2"
MARK = b"\xef\xbb\xbf"
WORDS = {"6": "Most important meaning Flawless language", "24": "Little or none meaning Disfluent or incomprehensible"}
Pairs = list[tuple[str, str]]

OUTPUTS: Pairs = [("1", "The committee agreed."), ("2", "They repair a bridge, “at last”."), ("3", "Snow falls.")]


def as_jsonl(pairs: Pairs) -> bytes:
    return "\n".join(json.dumps({"id": source_id, "text": text}) for source_id, text in pairs).encode()


def as_csv(pairs: Pairs) -> bytes:
    return "\r\n".join(["text,id", *(f'"{text}",{source_id}' for source_id, text in pairs)]).encode()


def as_tsv(pairs: Pairs) -> bytes:
    return "\n".join(["id\ttext", *(f"{source_id}\t{text}" for source_id, text in pairs)]).encode()


def as_rawdata(pairs: Pairs, rest: str = "") -> bytes:
    """Lines of the public format; `rest` stands after each text."""
    return "\r\n".join(f"{source_id}\tLetters\tThe text. ||| {text}{rest}" for source_id, text in pairs).encode()


RATED = f"\t{SYSTEM}\t2\t6\t{WORDS['6']}\t24\t{WORDS['24']}"
# A source whose output is rated is called so nowhere else.
FILES = {
    "outputs.jsonl": as_jsonl(OUTPUTS),
    "outputs.csv": as_csv(OUTPUTS),
    "marked.csv": MARK + as_csv(OUTPUTS),
    "outputs.tsv": as_tsv(OUTPUTS),
    "marked.tsv": MARK + as_tsv(OUTPUTS).replace(b"\n", b"\r\n"),
    "raw.tsv": as_rawdata(OUTPUTS),
    "raw-with-judge.tsv": MARK + as_rawdata(OUTPUTS, f"\t{SYSTEM}\t0") + b"\r\n",
    "raw-with-ratings.tsv": as_rawdata(OUTPUTS, RATED),
    "raw-of-others.tsv": as_rawdata(OUTPUTS, RATED).replace(b"\r\n", b"\n").replace(b"\t", b" \t  "),
}


def imported(campaign: Campaign, content: bytes, *, system: str = SYSTEM, name: str = "a.jsonl") -> OutputImport:
    return outputs_import(campaign=campaign, system=system, file_name=name, content=content)


def outputs_of(campaign: Campaign, system: str = SYSTEM) -> Pairs:
    found = SystemOutput.objects.filter(system__campaign=campaign, system__name=system).order_by("source__source_id")
    return list(found.values_list("source__source_id", "target__text"))


def everything() -> list[object]:
    """What an import could have changed."""
    tables = (System, SystemOutput, Target, Item, Rating)
    return [list(table._default_manager.order_by("pk").values()) for table in tables]


# Taking in.


@pytest.mark.parametrize("name", FILES)
def test_staff_upload_a_file_of_any_kind_and_read_what_became_of_it(name: str) -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=3)

    page = uploaded(staff_client(owner), campaign, FILES[name], name=name)

    assert page.status_code == 200
    assert figures(page) == {"added": 3, "unchanged": 0, "refused": 0}
    assert Job.objects.get().message == "3 outputs added, 0 known before, 0 refused."
    listed = readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/systems/"))
    assert re.search(rf"{SYSTEM}</th>\s*<td class=\"num\">3</td>", listed)
    assert name in listed
    assert outputs_of(campaign) == OUTPUTS


def uploaded(client: Client, campaign: Campaign, content: bytes, *, system: str = SYSTEM, name: str = "a.jsonl") -> Any:
    """Upload a file, let its job run, and return the page that says what became of it."""
    fields = {"system": system, "file": SimpleUploadedFile(name, content)}
    with TestCase.captureOnCommitCallbacks(execute=True):
        reply = client.post(f"/campaigns/{campaign.slug}/systems/", fields)
    return client.get(reply["Location"]) if reply.status_code == 302 else reply


def figures(page: Any) -> dict[str, int]:
    found = re.findall(r"<dt>(\w+)</dt>\s*<dd>\s*(\d+)\s*</dd>", readable(page))
    return {name: int(number) for name, number in found}


@pytest.mark.parametrize("name", FILES)
def test_the_command_takes_in_a_file_of_any_kind(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = make_campaign(sources=3)
    (tmp_path / name).write_bytes(FILES[name])

    call_command("import_outputs", SYSTEM, tmp_path / name)

    assert capsys.readouterr().out == "3 outputs added, 0 known before, 0 refused.\n"
    assert outputs_of(campaign) == OUTPUTS


@pytest.mark.parametrize("name", FILES)
def test_a_file_once_more_changes_nothing(name: str) -> None:
    campaign = make_campaign(sources=3)
    imported(campaign, FILES[name], name=name)
    before = everything()

    report = imported(campaign, FILES[name], name=name)

    assert report.outcome == "0 outputs added, 3 known before, 0 refused."
    assert everything() == before


GOOD = {"id": "1", "text": "The committee agreed."}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"id": "9", "text": "Nobody knows it."}, "the campaign has no source '9'"),
        ({"id": "", "text": "Nobody knows it."}, "the campaign has no source ''"),
        ({"id": "1", "text": "The committee agreed!"}, "the system has another output for source '1'"),
        ({"id": "2", "text": ""}, "the output is empty"),
        ({"id": "2", "text": " \u00a0\n"}, "the output is empty"),
        ({"id": "2"}, "the output is empty"),
        ({"id": "2", "text": "Bell \a rings."}, "U+0007 control character at character 6 of the output"),
        ({"id": "2", "text": "Nothing \0 here."}, "U+0000 control character at character 9 of the output"),
        ({"id": "2", "text": "word " * 1001}, "the output has 5004 characters, at most 5000 allowed"),
        ({"id": "2", "text": ["a"]}, "'text' is not a string"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_the_others_come_in(bad: dict[str, object], reason: str) -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=3)
    lines = [GOOD, bad, {"id": "3", "text": "Snow falls."}]

    page = uploaded(staff_client(owner), campaign, "\n".join(map(json.dumps, lines)).encode())

    assert page.status_code == 200
    assert figures(page) == {"added": 2, "unchanged": 0, "refused": 1}
    assert re.search(rf">2</td>\s*<td>{re.escape(reason)}</td>", readable(page))
    assert outputs_of(campaign) == [("1", GOOD["text"]), ("3", "Snow falls.")]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("9\tLetters\tText. ||| Nobody knows it.", "the campaign has no source '9'"),
        ("2\tLetters\tText. ||| One.\tt3 ||| Two.\tt3", "2 outputs for the source, not 1"),
        ("2\tLetters\tText.", "0 outputs for the source, not 1"),
        ("2\tLetters\tText. ||| \tt3", "compression 1: the text is empty"),
        ("2\tLetters\tText. ||| Bell \a rings.", "U+0007 control character at character 6 of the output"),
        ("2\tLetters ||| One.", "2 fields before the first |||, not the three fields id, domain and text"),
        ("2\tLetters\tText. ||| One.\tt3\t2\t6", "compression 1: the number of ratings is 2"),
        ("2\tLetters\tText. ||| One.\tt3\t1\t99", "compression 1: '99' is no rating on the scales meaning, grammar"),
    ],
)
def test_a_line_of_rawdata_that_cannot_be_used_is_named(
    bad: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = make_campaign(sources=3)
    good = as_rawdata([("1", "The committee agreed."), ("3", "Snow falls.")]).decode().split("\r\n")
    file = tmp_path / "test_output.t3.tsv"
    file.write_bytes("\r\n".join([good[0], bad, good[1]]).encode())

    call_command("import_outputs", "t3", file)

    output = capsys.readouterr()
    assert output.out == "2 outputs added, 0 known before, 1 refused.\n"
    assert output.err.startswith(f"test_output.t3.tsv, line 2: refused: {reason}")
    assert outputs_of(campaign, "t3") == [("1", "The committee agreed."), ("3", "Snow falls.")]


def test_two_systems_may_have_outputs_for_the_same_source() -> None:
    campaign = make_campaign(sources=3)

    reports = [imported(campaign, as_jsonl([("1", f"{name} agreed.")]), system=name) for name in ("t3", "T3")]

    assert [report.added for report in reports] == [1, 1]
    assert outputs_of(campaign, "t3") != outputs_of(campaign, "T3")


def test_later_outputs_of_a_system_are_added_to_its_earlier_ones() -> None:
    campaign = make_campaign(sources=3)
    imported(campaign, as_jsonl(OUTPUTS[:1]))

    report = imported(campaign, as_jsonl([("1", "The committee agreed on it."), *OUTPUTS]))

    assert report.outcome == "2 outputs added, 1 known before, 1 refused."
    assert report.problems == [(1, "the system has another output for source '1'")]
    assert outputs_of(campaign) == OUTPUTS


BAD_NAMES = ("a/b", "../a", "a;b", "a|b", "", "   ", "x" * 61, "bell\a", "nothing\0", "two\nlines", "a\ttab")


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_system_whose_name_cannot_stand_in_the_name_of_a_file_is_refused_by_the_command(
    name: str, tmp_path: Path
) -> None:
    make_campaign(sources=3)
    (tmp_path / "a.jsonl").write_bytes(as_jsonl(OUTPUTS))

    with pytest.raises(CommandError, match="A system's name has 1 to 60 characters"):
        call_command("import_outputs", name, tmp_path / "a.jsonl")

    assert not System.objects.exists()


@pytest.mark.parametrize("name", [name for name in BAD_NAMES if name.strip()])
def test_a_system_whose_name_cannot_stand_in_the_name_of_a_file_is_refused_on_the_page(name: str) -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=3)

    page = uploaded(staff_client(owner), campaign, as_jsonl(OUTPUTS), system=name)

    assert page.status_code == 422
    assert not System.objects.exists()


def test_a_slash_in_the_name_of_a_system_is_explained_on_the_page() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=3)

    page = uploaded(staff_client(owner), campaign, as_jsonl(OUTPUTS), system="a/b")

    assert re.search(r"A system's name has 1 to 60 characters, .*/.*: 'a/b'\.", readable(page))


def test_a_file_of_an_unknown_kind_is_refused_whole() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=3)

    page = uploaded(staff_client(owner), campaign, as_jsonl(OUTPUTS), name="a.docx")

    assert Job.objects.get().state == Job.State.FAILED
    assert "a file of texts ends in .jsonl, .csv or .tsv" in readable(page)
    assert not System.objects.exists()


@pytest.mark.parametrize("head", ["id,words", "name,text"])
def test_a_table_without_id_or_text_is_refused_whole(head: str) -> None:
    with pytest.raises(Refused, match="no column named"):
        imported(make_campaign(sources=3), f"{head}\n1,A b.".encode(), name="a.csv")


def test_with_several_campaigns_the_command_wants_to_know_which(tmp_path: Path) -> None:
    one, other = make_campaign(sources=3), make_campaign(sources=3)
    (tmp_path / "a.jsonl").write_bytes(as_jsonl(OUTPUTS))

    with pytest.raises(CommandError, match="Name the campaign with --campaign"):
        call_command("import_outputs", SYSTEM, tmp_path / "a.jsonl")
    with pytest.raises(CommandError, match="There is no campaign 'nowhere'"):
        call_command("import_outputs", SYSTEM, tmp_path / "a.jsonl", "--campaign=nowhere")
    call_command("import_outputs", SYSTEM, tmp_path / "a.jsonl", f"--campaign={other.slug}")

    assert (outputs_of(one), outputs_of(other)) == ([], OUTPUTS)


@pytest.mark.parametrize("place", range(3))
def test_the_campaign_may_be_named_anywhere(place: int, tmp_path: Path) -> None:
    campaign = make_campaign(sources=3)
    (tmp_path / "a.jsonl").write_bytes(as_jsonl(OUTPUTS))
    arguments = [SYSTEM, str(tmp_path / "a.jsonl")]
    arguments[place:place] = ["--campaign", campaign.slug]

    call_command("import_outputs", *arguments)

    assert outputs_of(campaign) == OUTPUTS


def test_the_command_says_that_a_file_is_not_there(tmp_path: Path) -> None:
    make_campaign(sources=3)

    with pytest.raises(CommandError, match=r"nowhere\.jsonl: No such file"):
        call_command("import_outputs", SYSTEM, tmp_path / "nowhere.jsonl")


# Being judged.


def test_an_output_is_work_of_its_own_stream_for_as_many_raters_as_a_text_of_a_person() -> None:
    campaign = make_campaign(sources=3, raters_per_compression=2)

    imported(campaign, as_jsonl(OUTPUTS))

    items = Item.objects.filter(target__outputs__system__name=SYSTEM)
    assert list(items.values_list("round", "stream", "wanted", "open_slots")) == [(RATE, Stream.SYSTEM, 2, 2)] * 3
    raters = [enrol(campaign, RATE) for _ in range(3)]
    assert [rate_all(rater) for rater in raters] == [3, 3, 0]


def test_an_output_that_a_person_wrote_too_is_judged_once_for_both() -> None:
    campaign = judged_campaign(sources=2, scores=((3, 2), (2, 1)))
    written = Target.objects.get(source__source_id="1")
    before = list(Item.objects.values_list("pk", "stream").order_by("pk"))

    report = imported(campaign, as_jsonl([("1", f"  {written.text} ")]))

    assert report.added == 1
    assert SystemOutput.objects.get().target == written
    assert list(Item.objects.values_list("pk", "stream").order_by("pk")) == before
    assert rate_all(enrol(campaign, RATE)) == 0
    freeze(campaign, shares={"test": 1})
    human, other = read_file(campaign, "test.tsv")
    (output,) = read_file(campaign, f"test_output.{SYSTEM}.tsv")
    assert (human.source_id, other.source_id, output.source_id) == ("1", "2", "1")
    ((text, _, codes),) = human.parts
    assert output.parts == [(text, [SYSTEM], codes)] == [(written.text, [SYSTEM], ["7", "14"])]


def test_a_person_who_writes_what_a_system_wrote_shares_its_judgements() -> None:
    campaign = make_campaign(sources=1, editors_per_source=1, raters_per_compression=2)
    imported(campaign, as_jsonl([("1", "The committee agreed.")]))
    rate_next(enrol(campaign, RATE, "early"), 3, 1)

    editor = enrol(campaign, EDIT, "ann")
    submit_text(editor, "The committee agreed.")

    target = Target.objects.annotate(n=Count("compressions")).get()
    assert target.n == 1
    assert rate_all(enrol(campaign, RATE, "ann")) == 0
    assert rate_all(enrol(campaign, RATE, "late")) == 1
    assert target.ratings.count() == 2


def test_an_output_that_only_an_excluded_editor_wrote_too_is_work_for_raters() -> None:
    campaign = make_campaign(sources=1, raters_per_compression=2)
    text = submit_text(enrol(campaign, EDIT, "bot"), "The committee agreed.").text
    person_exclude(worker=Worker.objects.get(external_id="bot"), work_round=EDIT, note="A bot.", user=None)

    imported(campaign, as_jsonl([("1", text)]))

    assert rate_all(enrol(campaign, RATE)) == 1


def test_an_output_with_ratings_is_judged_and_given_to_nobody() -> None:
    campaign = make_campaign(sources=3)

    imported(campaign, as_rawdata(OUTPUTS[:1], RATED) + b"\n" + as_rawdata(OUTPUTS[1:]), name="a.tsv")

    rater = enrol(campaign, RATE)
    given = []
    while assignment := assignment_claim(enrolment=rater):
        given.append(assignment.item.target.text)
        Assignment.objects.filter(pk=assignment.pk).update(state=Assignment.State.SKIPPED)
    assert sorted(given) == sorted(text for _, text in OUTPUTS[1:])
    scores = (
        Rating.objects.filter(worker=None).order_by("pk", "scores__pk").values_list("scores__scale", "scores__value")
    )
    assert list(scores) == [("meaning", 3), ("grammar", 3), ("meaning", 1), ("grammar", 1)]


def test_ratings_that_come_after_the_output_close_it() -> None:
    campaign = make_campaign(sources=3)
    imported(campaign, as_jsonl(OUTPUTS))

    report = imported(campaign, as_rawdata(OUTPUTS, RATED), name="a.tsv")

    assert report.outcome == "0 outputs added, 3 known before, 0 refused."
    assert Rating.objects.count() == 6
    assert assignment_claim(enrolment=enrol(campaign, RATE)) is None


def test_a_text_that_is_judged_keeps_its_ratings_when_a_file_brings_others() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 2), (2, 1)))
    text = Target.objects.get().text
    before = list(Rating.objects.values())

    imported(campaign, as_rawdata([("1", text)], RATED), name="a.tsv")

    assert list(Rating.objects.values()) == before


def test_a_campaign_that_compares_side_by_side_takes_no_points_of_single_texts() -> None:
    campaign = make_campaign(sources=3, rating_task="pair")

    imported(campaign, as_rawdata(OUTPUTS, RATED), name="a.tsv")

    assert not Rating.objects.exists()


def test_the_page_counts_outputs_and_those_with_ratings() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, sources=3)
    imported(campaign, as_jsonl(OUTPUTS))
    imported(campaign, as_rawdata([("1", "Agreed."), ("2", "Repaired.")], RATED), system="u4", name="a.tsv")
    campaign.items.filter(target__outputs__system__name="u4").update(open_slots=0)
    rate_next(enrol(campaign, RATE))

    page = readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/systems/"))

    rows = re.findall(r'<th scope="row">(.*?)</th>\s*<td class="num">(\d+)</td>\s*<td class="num">(\d+)</td>', page)
    assert rows == [(SYSTEM, "3", "1"), ("u4", "2", "2")]


def task_page(campaign: Campaign, rater: str) -> tuple[str, bytes, str]:
    """The stream of a rater's first task, its page, and that page without what differs from task to task."""
    client = worker_client(campaign, RATE, rater)
    assignment = Assignment.objects.get(worker__external_id=rater, worker__campaign=campaign, state="leased")
    page = client.get(f"/work/rate/{assignment.pk}/")
    assert page.status_code == 200
    target = assignment.item.target
    bare = page.content.decode().replace(target.source.text, "SOURCE").replace(target.text, "TEXT")
    bare = re.sub(r'(name="csrfmiddlewaretoken" value|data-resume-token)=".*?"', "", bare)
    return assignment.item.stream, page.content, bare.replace(str(assignment.pk), "PK")


def test_nothing_in_the_bytes_of_a_page_tells_the_text_of_a_system_from_that_of_a_person() -> None:
    of_system = make_campaign(sources=1, system_percent=100, editors_per_source=1, rater_guidelines="Judge.")
    of_people = make_campaign(sources=1, system_percent=0, editors_per_source=1, rater_guidelines="Judge.")
    for campaign in (of_system, of_people):
        edit_all(campaign, 1)
        source = Source.objects.get(campaign=campaign)
        imported(campaign, as_jsonl([("1", shortened(source.text, 40))]))

    systems, people = task_page(of_system, "ann"), task_page(of_people, "ann")

    assert (systems[0], people[0]) == (Stream.SYSTEM, Stream.WORK)
    assert systems[2] == people[2]
    for page in (systems[1], people[1]):
        assert SYSTEM.encode() not in page
        assert b"system" not in page.lower()


def test_a_rater_s_answers_do_not_tell_what_systems_wrote() -> None:
    campaign = make_campaign(sources=3, rater_tasks=9)
    imported(campaign, as_jsonl(OUTPUTS))
    client = worker_client(campaign, RATE, "ann")
    rate_all(enrol(campaign, RATE, "ann"))

    page = client.get("/work/answers/").content

    assert all(text.encode() in page for text in ("The committee agreed.", "Snow falls."))
    assert SYSTEM.encode() not in page
    assert b"system" not in page.lower()


# Being released.


@dataclass(frozen=True)
class Line:
    """A line of RawData as the description of the format says, read without the app."""

    source_id: str
    genre: str
    text: str
    parts: list[tuple[str, list[str], list[str]]]


def read_file(campaign: Campaign, name: str) -> list[Line]:
    """A file of the campaign's first release, which is frozen here if it is not yet."""
    release = campaign.releases.first() or freeze(campaign)
    data = (release_folder(release) / "RawData" / name).read_bytes()
    assert data.startswith(MARK)
    text = data.removeprefix(MARK).decode()
    assert text == "" or text.endswith("\r\n")
    return [read_line(line) for line in text.split("\r\n")[:-1]]


def read_line(line: str) -> Line:
    head, *parts = line.split(" ||| ")
    source_id, genre, text = head.split("\t")
    return Line(source_id, genre, text, [read_part(part.split("\t")) for part in parts])


def read_part(fields: list[str]) -> tuple[str, list[str], list[str]]:
    """The text, the judge ids, and the codes of the ratings."""
    text, judges, count, *rest = fields
    assert len(rest) == 2 * int(count)
    assert all(rest[1::2])
    return text, judges.split(";"), rest[::2]


def test_a_release_has_the_outputs_of_each_system_in_files_of_their_own() -> None:
    campaign = judged_campaign(sources=3, scores=((3, 3), (2, 1)), rater_tasks=99)
    texts = dict(Source.objects.filter(campaign=campaign).values_list("source_id", "text"))
    imported(campaign, as_jsonl(OUTPUTS))
    imported(campaign, as_rawdata(OUTPUTS[1:2], RATED), system="u4", name="a.tsv")
    campaign.items.filter(target__source__source_id="3").update(open_slots=0)
    assert rate_all(enrol(campaign, RATE, "rater-1"), 2, 2) == 1

    release = freeze(campaign)

    raw = release_folder(release) / "RawData"
    written = {path.name for path in raw.glob("*_output.*")}
    splits = {source["id"]: source["split"] for source in map(json.loads, corpus_lines(release_folder(release)))}
    assert written == {f"{splits['1']}_output.{SYSTEM}.tsv", f"{splits['2']}_output.u4.tsv"}
    (found,) = read_file(campaign, f"{splits['1']}_output.{SYSTEM}.tsv")
    assert (found.source_id, found.genre, found.text) == ("1", "Letters", texts["1"])
    assert found.parts == [("The committee agreed.", [SYSTEM], ["12"])]
    # Both systems wrote this text, but the ratings that came with it are those of one.
    (other,) = read_file(campaign, f"{splits['2']}_output.u4.tsv")
    assert other.parts == [("They repair a bridge, “at last”.", ["u4"], ["6", "24"])]


def corpus_lines(folder: Path) -> list[str]:
    return (folder / "corpus.jsonl").read_text().splitlines()


def test_the_files_of_people_s_texts_are_what_they_were_without_the_outputs() -> None:
    campaign = judged_campaign(sources=3)
    before = human_files(campaign)

    imported(campaign, as_jsonl([*OUTPUTS[:2], ("3", Target.objects.get(source__source_id="3").text)]))
    rate_all(enrol(campaign, RATE), 1, 1)

    assert human_files(campaign) == before


def human_files(campaign: Campaign) -> dict[str, bytes]:
    raw = release_folder(freeze(campaign)) / "RawData"
    return {name: (raw / name).read_bytes() for name in ("train.tsv", "valid.tsv", "test.tsv")}


def test_outputs_that_nobody_rated_are_in_the_complete_formats_alone() -> None:
    campaign = judged_campaign(sources=3)
    imported(campaign, as_jsonl(OUTPUTS))

    release = freeze(campaign)

    assert not list((release_folder(release) / "RawData").glob("*_output.*"))
    assert "_output" not in (release_folder(release) / "README.md").read_text(encoding="utf-8")
    assert "RawData" in (release_folder(release) / "README.md").read_text(encoding="utf-8")
    sources = map(json.loads, corpus_lines(release_folder(release)))
    assert [each["text"] for source in sources for each in source["outputs"]] == [text for _, text in OUTPUTS]
    assert release.summary["systems"] == {SYSTEM: 3}


def test_the_card_names_the_files_of_outputs_where_one_was_rated() -> None:
    campaign = judged_campaign(sources=3)
    imported(campaign, as_rawdata(OUTPUTS[:1], RATED), name="a.tsv")

    card = (release_folder(freeze(campaign)) / "README.md").read_text(encoding="utf-8")

    assert "`RawData/SPLIT_output.SYSTEM.tsv` has the outputs of each automatic system that were rated." in card


def test_a_source_with_outputs_alone_is_in_no_file() -> None:
    campaign = judged_campaign(sources=2)
    content = json.dumps({"id": "3", "genre": "News", "text": Source.objects.get(source_id="1").text}).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True)
    imported(campaign, as_rawdata(OUTPUTS[2:], RATED), name="a.tsv")

    release = freeze(campaign, shares={"test": 1})

    assert {line.source_id for line in read_file(campaign, "test.tsv")} == {"1", "2"}
    assert not (release_folder(release) / f"RawData/test_output.{SYSTEM}.tsv").exists()
    assert [json.loads(line)["id"] for line in corpus_lines(release_folder(release))] == ["1", "2"]
    assert (release.summary["sources"], release.summary["systems"]) == (2, {})
    assert release.summary["left_out"]["sources_with_outputs_only"] == 1
    assert release.summary["left_out"]["outputs_of_left_out_sources"] == 1


def test_the_figures_and_decisions_about_people_do_not_count_the_outputs() -> None:
    campaign = judged_campaign(sources=5, editors=2, scores=((3, 3), (2, 3), (1, 1)))
    before, figures = decisions(campaign), freeze(campaign).summary

    imported(campaign, as_rawdata(OUTPUTS, RATED), name="a.tsv")

    assert freeze(campaign).summary == figures | {"systems": {SYSTEM: 3}, "rated_outputs": {SYSTEM: 3}}
    assert decisions(campaign) == before


def decisions(campaign: Campaign) -> list[tuple[object, ...]]:
    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.3))
    return list(run.decisions.order_by("pk").values_list("worker", "round", "quality", "items", "removed", "reason"))
