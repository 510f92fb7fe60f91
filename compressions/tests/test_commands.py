"""manage.py import_sources."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.support.factories import SENTENCE, make_campaign

pytestmark = pytest.mark.django_db


def write(path: Path, *texts: str) -> Path:
    rows = [{"id": str(number), "genre": "Letters", "text": text} for number, text in enumerate(texts, start=1)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_it_imports_and_says_what_became_of_every_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = make_campaign()
    file = write(tmp_path / "a.jsonl", SENTENCE.format(number=1), "Too short.", SENTENCE.format(number=3) + "\tEnd")

    call_command("import_sources", campaign.slug, str(file))

    out, err = capsys.readouterr()
    assert out == "2 texts added, 0 known before, 1 row refused.\n"
    assert err.splitlines() == [
        "a.jsonl, line 2: refused: too short: 2 words, a sentence needs 15 (setting “minimum words per sentence”)",
        "a.jsonl, line 3: text: a tab or line break was replaced by a space",
    ]
    assert campaign.sources.count() == 2


def test_the_second_time_it_says_that_all_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = make_campaign()
    file = write(tmp_path / "a.jsonl", SENTENCE.format(number=1))
    call_command("import_sources", campaign.slug, str(file))
    capsys.readouterr()

    call_command("import_sources", campaign.slug, str(file))

    assert capsys.readouterr().out == "0 texts added, 1 known before, 0 rows refused.\n"


def test_strict_ends_with_an_error_and_imports_nothing(tmp_path: Path) -> None:
    campaign = make_campaign()
    file = write(tmp_path / "a.jsonl", SENTENCE.format(number=1), "Too short.")

    with pytest.raises(CommandError, match=r"nothing imported, 1 rows cannot be used; the first is line 2: too short"):
        call_command("import_sources", campaign.slug, str(file), "--strict")

    assert not campaign.sources.exists()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"gone\.jsonl: No such file or directory"):
        call_command("import_sources", make_campaign().slug, str(tmp_path / "gone.jsonl"))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Is a directory"):
        call_command("import_sources", make_campaign().slug, str(tmp_path))


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"a\.txt: a file of texts ends in \.jsonl, \.csv or \.tsv\."):
        call_command("import_sources", make_campaign().slug, str(write(tmp_path / "a.txt")))


def test_an_unknown_campaign_is_refused_with_those_there_are(tmp_path: Path) -> None:
    make_campaign(slug="known-one")

    with pytest.raises(CommandError, match=r"There is no campaign 'other'\. Campaigns: .*known-one"):
        call_command("import_sources", "other", str(write(tmp_path / "a.jsonl")))
