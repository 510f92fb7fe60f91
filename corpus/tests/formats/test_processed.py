"""ProcessedData: written where a parser is installed that knows the language, and not otherwise."""

import json
import zipfile
from pathlib import Path

import pytest
import spacy
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from compressions.alignment_words import words_of
from compressions.models import AlignmentCorrection
from compressions.selectors.alignments import targets_of_campaign
from compressions.services.alignments import alignment_correct
from corpus.models import Release
from tests.support.factories import freeze, golden_campaign, judged_campaign
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

NAMES = {f"ProcessedData/{split}.tsv" for split in ("train", "valid", "test")}


def taught() -> Language:
    """A real pipeline of spaCy, which has learnt one tree: far from good, and all that is wanted here."""
    pipeline = spacy.blank("en")
    pipeline.meta["name"] = "tiny"
    parser = pipeline.add_pipe("parser")
    words, relations = ["The", "bridge", "fell", "."], ["det", "nsubj", "ROOT", "punct"]
    annotations = {"heads": [1, 2, 2, 2], "deps": relations, "sent_starts": [1, 0, 0, 0]}
    for label in relations:
        parser.add_label(label)  # type: ignore[attr-defined]
    example = Example.from_dict(Doc(pipeline.vocab, words=words), annotations)
    pipeline.initialize(lambda: [example])
    for _ in range(10):
        pipeline.update([example])
    return pipeline


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parser")
    taught().to_disk(folder)
    return folder


def fields_of(release: Release, name: str) -> list[list[list[str]]]:
    """The parts of each line, and the fields of each part."""
    data = (release_folder(release) / name).read_bytes().decode("utf-8-sig")
    assert data == "" or data.endswith("\r\n")
    return [[part.split("\t") for part in line.split(" ||| ")] for line in data.split("\r\n")[:-1]]


def test_without_a_parser_there_is_no_processed_data() -> None:
    release = freeze(judged_campaign())

    assert not NAMES & set(release.files.values_list("name", flat=True))
    assert json.loads((release_folder(release) / "manifest.json").read_text())["parser"] is None


def test_every_line_of_the_raw_data_has_its_words_trees_and_alignment(parser: Path, settings: Settings) -> None:
    settings.SPACY_MODEL = str(parser)
    release = freeze(golden_campaign())

    for name in sorted(NAMES):
        raw, processed = fields_of(release, name.replace("Processed", "Raw")), fields_of(release, name)
        assert [line[0][0] for line in processed] == [line[0][0] for line in raw]
        for raw_line, (head, *texts) in zip(raw, processed, strict=True):
            assert len(head) == 4
            words = [word for word in head[1].split(" ") if word != "<eos>"]
            assert "".join(words) == raw_line[0][2].replace(" ", "")
            assert len(texts) == len(raw_line) - 1
            for text, (compression, *_) in zip(texts, raw_line[1:], strict=True):
                check_text(text, compression, words)


def check_text(fields: list[str], compression: str, source: list[str]) -> None:
    tokens, dependencies, constituency, alignment = fields
    words = [word for word in tokens.split(" ") if word != "<eos>"]
    assert "".join(words) == compression.replace(" ", "")
    assert constituency == ""
    relations = [each for each in dependencies.split(" ") if each != "<eos>"]
    for relation, word in zip(relations, words, strict=True):
        assert relation.rpartition("-")[0].endswith(f",{word}")
    assert dependencies.count("root(ROOT-0,") == tokens.count("<eos>") + 1
    places = [int(place) for place in alignment.split(" ")]
    assert len(places) == len(words)
    assert all(0 <= place < len(source) for place in places)  # an inserted word has its neighbour's
    assert [source[place] for place in places[:2]] == words[:2]


def test_an_alignment_is_the_one_that_staff_corrected_as_long_as_it_is_of_the_same_words(
    parser: Path, settings: Settings
) -> None:
    settings.SPACY_MODEL = str(parser)
    campaign = judged_campaign(sources=1, editors=1)
    target = targets_of_campaign(campaign).get()
    by_aligner = alignment_of_text(freeze(campaign))
    words = words_of(target)
    others = [None] * (len(words.text.words) - 2)
    made = alignment_correct(target=target, places=[4, 3, *others], based_on_version=0, user=None)

    assert alignment_of_text(freeze(campaign)) == " ".join(["4", *["3"] * (1 + len(others))])

    AlignmentCorrection.objects.filter(pk=made.pk).update(words=["…", *words.text.words[1:]])
    assert alignment_of_text(freeze(campaign)) == by_aligner


def alignment_of_text(release: Release) -> str:
    """The alignment of the only text."""
    (((_source, text),),) = [lines for name in sorted(NAMES) if (lines := fields_of(release, name))]
    return text[3]


def test_the_manifest_and_the_archive_know_the_parser_and_its_files(parser: Path, settings: Settings) -> None:
    settings.SPACY_MODEL = str(parser)
    release = freeze(judged_campaign())

    manifest = json.loads((release_folder(release) / "manifest.json").read_text())
    assert manifest["parser"] == "en_tiny 0.0.0"
    assert {file["name"] for file in manifest["files"]} >= NAMES
    with zipfile.ZipFile(release_folder(release) / f"{release.name}.zip") as archive:
        assert set(archive.namelist()) >= NAMES


def test_a_parser_of_another_language_is_not_used(parser: Path, settings: Settings) -> None:
    settings.SPACY_MODEL = str(parser)

    for language, names in (("en-GB", NAMES), ("de", set())):
        release = freeze(judged_campaign(language=language))
        assert NAMES & set(release.files.values_list("name", flat=True)) == names


@pytest.mark.parametrize(("has_parser", "reason"), [(False, "has no parser"), (None, "cannot be loaded")])
def test_a_parser_that_cannot_be_used_is_named_before_anything_is_written(
    tmp_path: Path, settings: Settings, has_parser: bool | None, reason: str
) -> None:
    folder = tmp_path / "pipeline"
    if has_parser is not None:
        spacy.blank("en").to_disk(folder)
    settings.SPACY_MODEL = str(folder)

    with pytest.raises(CommandError, match=reason):
        call_command("freeze_release", judged_campaign().slug)

    assert not release_folder(Release.objects.get()).exists()
