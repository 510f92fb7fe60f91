"""Texts as files for programs that run elsewhere."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from compressions.models import SystemOutput
from crowd.models import Campaign
from tests.support.factories import SENTENCE, import_texts, make_campaign
from tests.support.world import World

pytestmark = pytest.mark.django_db
TEXTS = [SENTENCE.format(number=number) for number in (1, 2)]


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign()
    import_texts(campaign, TEXTS)
    return campaign


def lines_of(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def test_texts_are_written_with_the_length_rule_or_alone(campaign: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "inputs.jsonl"
    call_command("export_inputs", file)
    first = json.loads(lines_of(file)[0])
    most = len(TEXTS[0]) * campaign.keep_percent // 100
    assert first == {
        "id": "1",
        "text": TEXTS[0],
        "sentences": [TEXTS[0]],
        "minimum": -(-len(TEXTS[0]) // 2),
        "allowed": most,
    }
    call_command("export_inputs", tmp_path / "inputs.txt", format="txt")
    assert lines_of(tmp_path / "inputs.txt") == TEXTS
    with pytest.raises(CommandError, match=r"inputs\.jsonl: File exists"):
        call_command("export_inputs", file)


def test_a_batch_goes_out_and_its_answers_come_in(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, prompt, answers = (tmp_path / name for name in ("batch.jsonl", "prompt.txt", "answers.jsonl"))
    prompt.write_text("In {allowed} characters: {text}\n---\nShorter!\n", encoding="utf-8")
    call_command("export_inputs", file, format="batch", model="org/m", prompt=prompt, temperature=0.5)
    requests = [json.loads(line) for line in lines_of(file)]
    most = len(TEXTS[0]) * campaign.keep_percent // 100
    assert requests[0] == {
        "custom_id": "1",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": "org/m",
            "messages": [{"role": "user", "content": f"In {most} characters: {TEXTS[0]}"}],
            "temperature": 0.5,
        },
    }
    body = {"choices": [{"message": {"content": "A short text."}}]}
    said = [{"custom_id": each["custom_id"], "response": {"status_code": 200, "body": body}} for each in requests]
    answers.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    command = capsys.readouterr().out.split("import_outputs ")[1].split()
    assert command[0] == "org-m"
    assert "temperature=0.5" in command
    call_command("import_outputs", "org-m", str(answers))
    assert SystemOutput.objects.filter(system__name="org-m").count() == 2


def test_a_split_of_a_release_is_written(tmp_path: Path) -> None:
    release = World().release
    call_command("export_inputs", tmp_path / "all.jsonl", release=release.name, split="all")
    written = {json.loads(line)["id"] for line in lines_of(tmp_path / "all.jsonl")}
    of_split = {split: number for split, number in release.summary["splits"].items() if number}
    for split, number in of_split.items():
        call_command("export_inputs", tmp_path / f"{split}.jsonl", release=release.name, split=split)
        found = {json.loads(line)["id"] for line in lines_of(tmp_path / f"{split}.jsonl")}
        assert len(found) == number
        assert found <= written
    assert sum(of_split.values()) == len(written)
    with pytest.raises(CommandError, match="There are no texts to write"):
        call_command("export_inputs", tmp_path / "none.jsonl", release=release.name, split="nowhere")


def test_a_batch_needs_a_model_and_a_prompt(campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Give --model and --prompt"):
        call_command("export_inputs", tmp_path / "batch.jsonl", format="batch")
    assert not (tmp_path / "batch.jsonl").exists()
