"""What no file can hold does not come into a campaign, or leaves the files of its releases whole."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from common.errors import Refused
from compressions.models import Source
from compressions.services.submission import Submission, compression_submit
from corpus.models import Release
from corpus.services.outputs import outputs_import
from corpus.tests.support.independent_readers import SPLITS, read_arrow, read_corpus, read_rawdata
from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    rate_all,
    rewriting_log,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

UNFIT = ["\ud800", "\udfff", "\udcff", "\0", "\x1c", "\x85\0", "\ufffe"]


def sources_in_files(release: Release) -> dict[str, set[str]]:
    """The texts that each format has, by the format's name."""
    raw = [line for split in SPLITS for line in read_rawdata(release_folder(release) / f"RawData/{split}.tsv")]
    rows = [row for rows in read_arrow(release_folder(release)).values() for row in rows]
    return {
        "rawdata": {line.text for line in raw},
        "parquet": {row["text"] for row in rows},
        "jsonl": {source["text"] for source in read_corpus(release_folder(release))},
    }


def in_every_format(texts: set[str]) -> dict[str, set[str]]:
    return {"rawdata": texts, "parquet": texts, "jsonl": texts}


def texts_of(campaign: Campaign) -> set[str]:
    return set(campaign.sources.values_list("text", flat=True))


@pytest.mark.parametrize("unfit", UNFIT)
@pytest.mark.parametrize("field", ["id", "genre", "text"])
def test_a_row_with_a_character_that_no_file_can_hold_is_refused_and_the_others_are_released(
    field: str, unfit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = make_campaign(editors_per_source=1, raters_per_compression=1)
    rows = [{"id": str(number), "genre": "Letters", "text": SENTENCE.format(number=number)} for number in (1, 2)]
    rows[0][field] += unfit + rows[0][field]
    (tmp_path / "texts.jsonl").write_text("\n".join(map(json.dumps, rows)))

    call_command("import_sources", campaign.slug, tmp_path / "texts.jsonl")
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))

    assert "texts.jsonl, line 1: refused" in capsys.readouterr().err
    assert texts_of(campaign) == {rows[1]["text"]}
    assert sources_in_files(freeze(campaign)) == in_every_format({rows[1]["text"]})


@pytest.mark.parametrize("unfit", UNFIT)
def test_an_editor_cannot_submit_a_character_that_no_file_can_hold(unfit: str) -> None:
    campaign = make_campaign(sources=1)
    editor = enrol(campaign, EDIT)
    assignment = assignment_claim(enrolment=editor)
    assert assignment is not None
    source = Source.objects.get()
    text = f"They agreed {unfit} on it."
    submission = Submission(text, rewriting_log(source.text, text))

    with pytest.raises(Refused):
        compression_submit(enrolment=editor, assignment_id=assignment.pk, source=source, submission=submission)


@pytest.mark.parametrize("unfit", UNFIT)
def test_an_output_with_a_character_that_no_file_can_hold_is_refused(unfit: str) -> None:
    campaign = judged_campaign(sources=1)
    line = json.dumps({"id": "1", "text": f"They agreed {unfit} on it."}).encode()

    report = outputs_import(campaign=campaign, system="t3", file_name="outputs.jsonl", content=line)

    assert (report.added, len(report.problems)) == (0, 1)


def test_a_system_with_the_longest_name_that_is_allowed_can_be_released() -> None:
    campaign = judged_campaign(sources=1)
    line = json.dumps({"id": "1", "text": "They agreed on it."}).encode()

    with suppress(Refused):
        outputs_import(campaign=campaign, system="\U0001d49c" * 60, file_name="outputs.jsonl", content=line)

    assert freeze(campaign).state == Release.State.READY


Line = dict[str, Any]


def folder_with(folder: Path, **changed: Any) -> Path:
    """A complete release of one source, in which some fields say something else."""
    rating = {"rater": "3", "scores": {"meaning": 3, "grammar": 2}}
    line: Line = {
        "id": "1",
        "split": "train",
        "genre": "Letters",
        "sentences": 1,
        "paragraph": None,
        "text": SENTENCE.format(number=1),
        "compressions": [
            {
                "text": changed.pop("compression", "They agreed."),
                "editors": [changed.pop("editor", "7")],
                "ratings": [rating],
            }
        ],
        "outputs": [{"system": changed.pop("system", "t3"), "text": changed.pop("output", "Agreed."), "ratings": []}],
        **changed,
    }
    folder.mkdir()
    (folder / "corpus.jsonl").write_text(json.dumps(line) + "\n")
    (folder / "manifest.json").write_text("{}")
    return folder


@pytest.mark.parametrize("unfit", ["\ud800", "\0"])
@pytest.mark.parametrize("field", ["id", "genre", "text", "compression", "editor", "system", "output"])
def test_a_complete_release_with_a_character_that_no_file_can_hold_is_refused_or_released_whole(
    field: str, unfit: str, tmp_path: Path
) -> None:
    folder = folder_with(tmp_path / "other", **{field: f"A {unfit} b"})

    with suppress(CommandError):
        call_command("import_release", folder, "--campaign=copy", f"--owner={make_staff().username}")

    for campaign in Campaign.objects.all():
        assert sources_in_files(freeze(campaign)) == in_every_format(texts_of(campaign))


OUTSIDE = "x/../../../../outside"


@pytest.mark.parametrize("changed", [{"system": OUTSIDE}, {"split": "../../outside"}], ids=["system", "split"])
def test_no_name_in_a_complete_release_leads_out_of_the_folder_of_another(changed: Line, tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "other", **changed)
    with suppress(CommandError):
        call_command("import_release", folder, "--campaign=copy", f"--owner={make_staff().username}")

    releases = [freeze(campaign) for campaign in Campaign.objects.all()]

    allowed = [folder, *(release_folder(release) for release in releases)]
    outside = [
        path
        for path in tmp_path.rglob("*")
        if path.is_file() and not any(path.is_relative_to(each) for each in allowed)
    ]
    assert outside == []


def test_the_same_release_without_a_fault_comes_in(tmp_path: Path) -> None:
    call_command(
        "import_release", folder_with(tmp_path / "other"), "--campaign=copy", f"--owner={make_staff().username}"
    )

    texts = sources_in_files(freeze(Campaign.objects.get()))

    assert texts == in_every_format({SENTENCE.format(number=1)})
