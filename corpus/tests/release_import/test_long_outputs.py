"""Outputs that are longer than editors could write: refused by line, or taken as they are and marked everywhere."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from compressions.models import SystemOutput
from corpus.models import OutputImport
from corpus.selectors import add_outputs_since, release_stream, youngest_output_since
from corpus.services.outputs import Taken, outputs_import
from crowd.models import AuditEntry, Campaign
from tests.support.factories import SENTENCE, import_texts, make_campaign, make_staff
from tests.support.world import World

pytestmark = pytest.mark.django_db
TEXT = SENTENCE.format(number=1)
LONG, SHORT = TEXT[:-1] + "!", "A short text."
Said = pytest.CaptureFixture[str]


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign()
    import_texts(campaign, [TEXT, SENTENCE.format(number=2)])
    return campaign


def file_of(*lines: object) -> bytes:
    return "\n".join(map(json.dumps, lines)).encode()


BOTH = file_of({"id": "1", "text": LONG}, {"id": "2", "text": SHORT})


def outputs() -> dict[str, str]:
    return dict(SystemOutput.objects.values_list("source__source_id", "target__text"))


def test_outputs_that_are_too_long_are_refused_by_line(campaign: Campaign) -> None:
    most = len(TEXT) * campaign.keep_percent // 100
    record = outputs_import(campaign=campaign, system="M", file_name="m.jsonl", content=BOTH)
    reason = f"the output has {len(LONG)} characters, at most {most} are allowed for source '1'"
    assert record.problems == [(1, reason)]
    assert outputs() == {"2": SHORT}
    fits = file_of({"id": "1", "text": "a" * most})
    assert outputs_import(campaign=campaign, system="N", file_name="n.jsonl", content=fits).added == 1


def test_as_they_are_they_are_taken(campaign: Campaign) -> None:
    record = outputs_import(campaign=campaign, system="M", file_name="m.jsonl", content=BOTH, taken=Taken(as_is=True))
    assert (record.added, record.problems, record.is_as_is) == (2, [], True)
    assert outputs() == {"1": LONG, "2": SHORT}


def test_an_output_that_comes_with_ratings_was_taken_elsewhere(campaign: Campaign) -> None:
    rated = f"1\tLetters\t{TEXT} ||| {LONG}\tM\t1\t6\tMost important meaning Flawless language\n".encode()
    record = outputs_import(campaign=campaign, system="M", file_name="m.tsv", content=rated)
    assert (record.added, record.problems) == (1, [])


def test_the_command_takes_them_with_notes_that_are_kept_and_shown(
    campaign: Campaign, tmp_path: Path, client: Client, capsys: Said
) -> None:
    file = tmp_path / "m.jsonl"
    file.write_bytes(BOTH)
    call_command("import_outputs", "M", str(file))
    assert "line 1: refused: the output has" in capsys.readouterr().err
    call_command("import_outputs", "M", str(file), as_is=True, note=["date=2026-03-01", "prompt = a=b <i>"])
    record = OutputImport.objects.get(is_as_is=True)
    assert record.notes == {"date": "2026-03-01", "prompt": "a=b <i>"}
    assert outputs() == {"1": LONG, "2": SHORT}
    client.force_login(make_staff(administrator=True))
    page = client.get(record.get_absolute_url()).content.decode()
    assert re.search(r"<dt>prompt</dt>\s*<dd>\s*a=b &lt;i&gt;\s*</dd>", page)
    assert "date: 2026-03-01; prompt: a=b <i>" in AuditEntry.objects.filter(subject="m.jsonl").latest("pk").detail


@pytest.mark.parametrize("note", ["", "=x", "a" * 101 + "=x", "a=" + "x" * 501, "a=x\ny"])
def test_notes_that_cannot_be_kept_are_refused(campaign: Campaign, tmp_path: Path, note: str) -> None:
    file = tmp_path / "m.jsonl"
    file.write_bytes(BOTH)
    with pytest.raises(CommandError, match="A note is a name"):
        call_command("import_outputs", "M", str(file), note=[note])
    with pytest.raises(CommandError, match="at most 20"):
        call_command("import_outputs", "M", str(file), note=[f"name{number}=x" for number in range(21)])
    assert not OutputImport.objects.exists()


def test_releases_scores_and_the_card_mark_them() -> None:
    world = World()
    campaign, source = world.campaign, world.campaign.sources.earliest("pk")
    long = file_of({"id": source.source_id, "text": source.text})
    outputs_import(campaign=campaign, system="Long", file_name="l.jsonl", content=long, taken=Taken(as_is=True))
    sources = list(release_stream(world.release))
    last = youngest_output_since(world.release)
    assert last is not None
    add_outputs_since(world.release, sources, last)
    since = {output.system: output.is_over_length for each in sources for output in each.outputs}
    assert since["Long"]
    call_command("freeze_release", campaign.slug)
    release = campaign.releases.latest("version")
    assert release.summary["over_length"] == {"Long": 1}
    marked = [output.system for each in release_stream(release) for output in each.outputs if output.is_over_length]
    assert marked == ["Long"]


def answer(source_id: str, text: str | None, **more: object) -> dict[str, object]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", **more}
    response = {"status_code": 200, "body": {"choices": [choice, {"message": {"content": "another"}}]}}
    return {"id": "batch_1", "custom_id": source_id, "response": response, "error": None}


def test_answers_of_a_batch_are_outputs(campaign: Campaign) -> None:
    failed = {"custom_id": "2", "response": {"status_code": 429, "body": {"error": {}}}, "error": None}
    lines = (
        answer("1", SHORT),
        failed,
        answer("2", None),
        answer("2", SHORT, finish_reason="length"),
        {"custom_id": 7},
    )
    content = file_of(*lines) + b"\nnonsense\n\xff\n"
    record = outputs_import(campaign=campaign, system="M", file_name="answers.jsonl", content=content)
    assert outputs() == {"1": SHORT}
    assert record.problems == [
        (2, "no answer with a text (status 429)"),
        (3, "no answer with a text (status 200)"),
        (4, "the answer was cut off at the limit of tokens"),
        (5, "no 'custom_id'"),
        (6, "not JSON (Expecting value)"),
        (7, "not UTF-8 (byte 1 of the line)"),
    ]


def test_answers_of_a_batch_need_the_name_of_their_system(campaign: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(file_of(answer("1", SHORT)))
    with pytest.raises(CommandError, match="Give the name of the system"):
        call_command("import_outputs", str(file))


def test_long_answers_to_questions_are_taken_with_a_warning() -> None:
    campaign = make_campaign(rating_task="answer")
    import_texts(campaign, [TEXT, SENTENCE.format(number=2)])
    lines = file_of(
        {"id": "1", "text": "word " * 251}, {"id": "2", "text": "word " * 250}, {"id": "nowhere", "text": "word " * 251}
    )

    record = outputs_import(campaign=campaign, system="M", file_name="m.jsonl", content=lines, taken=Taken(as_is=True))

    assert (record.added, record.refused) == (2, 1)
    warning = "taken as it is, with 251 words, where studies like this one have at most 250"
    assert [tuple(each) for each in record.warnings] == [(1, warning)]
