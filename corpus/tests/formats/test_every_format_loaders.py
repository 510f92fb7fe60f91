"""What programs make of a release that know nothing of it: Hugging Face datasets, Croissant, readers of Markdown."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import datasets  # type: ignore[import-untyped]
import mlcroissant  # type: ignore[import-untyped]
import pytest
import yaml
from django.db import transaction
from django.db.models import F
from markdown_it import MarkdownIt

from common.extras import PARQUET
from corpus.models import Release
from corpus.services.outputs import outputs_import
from corpus.tests.support.independent_readers import SPLITS, Plain, as_json, read_arrow, read_corpus
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from tests.support.factories import (
    RATE,
    SENTENCE,
    edit_all,
    enrol,
    freeze,
    import_texts,
    judged_campaign,
    make_campaign,
    rate,
    rate_all,
)
from tests.support.lacking import lacks
from tests.support.stored import release_folder

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning"),  # in the packages that load
]

EVEN = {"train": 1, "valid": 1, "test": 1}
HUB_NAMES = {"train": "train", "valid": "validation", "test": "test"}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def rows_of(loaded: Any) -> dict[str, list[Plain]]:
    return {split: as_json(list(rows)) for split, rows in loaded.items()}


def test_datasets_reads_the_rows_of_each_parquet_file() -> None:
    folder = release_folder(freeze(judged_campaign(sources=6, editors=2), shares=EVEN))
    files = {split: str(folder / f"parquet/{split}.parquet") for split in SPLITS}

    loaded = datasets.load_dataset("parquet", data_files=files)

    assert rows_of(loaded) == read_arrow(folder)
    corpus = read_corpus(folder)
    for split, rows in rows_of(loaded).items():
        assert [{**row, "split": split} for row in rows] == [each for each in corpus if each["split"] == split]


@pytest.mark.parametrize("shares", [EVEN, {"train": 1}, {"train": 1, "test": 1}, {"valid": 1}])
def test_datasets_reads_the_folder_by_its_card_even_where_a_split_is_empty(shares: dict[str, int]) -> None:
    folder = release_folder(freeze(judged_campaign(sources=6), shares=shares))

    loaded = datasets.load_dataset(str(folder))

    assert rows_of(loaded) == {HUB_NAMES[split]: rows for split, rows in read_arrow(folder).items() if rows}


def rows_by_default(folder: Path) -> dict[str, list[Plain]]:
    """The rows of a folder, by the one cache of this test."""
    return rows_of(datasets.load_dataset(str(folder)))


def rows_in_files(folder: Path) -> dict[str, list[Plain]]:
    return {HUB_NAMES[split]: rows for split, rows in read_arrow(folder).items() if rows}


def test_one_cache_never_gives_the_rows_of_another_release(tmp_path: Path) -> None:
    """Two versions, each in its own folder and then one after the other in the same."""
    campaign = judged_campaign(sources=6, slug="bridges", rater_tasks=99, raters_per_compression=2)
    one = freeze(campaign, shares=EVEN)
    rate_everything_again(campaign)
    other = freeze(campaign, shares=EVEN)
    assert rows_in_files(release_folder(one)) != rows_in_files(release_folder(other))
    for release in (one, other, one):
        assert rows_by_default(release_folder(release)) == rows_in_files(release_folder(release))
    for release in (one, other, one):
        place = place_folder(release_folder(release), tmp_path / "corpus")
        assert rows_by_default(place) == rows_in_files(release_folder(release))


def test_a_folder_that_another_release_of_the_same_name_took_over_is_read_again(tmp_path: Path) -> None:
    place = tmp_path / "corpus"
    sizes = []
    for sources in (4, 6):
        with transaction.atomic():
            release = freeze(judged_campaign(sources=sources, slug="bridges"), shares={"train": 1})
            place_folder(release_folder(release), place)
            assert release.name == "bridges-v1"
            transaction.set_rollback(True)
        sizes.append(len(rows_by_default(place)["train"]))
    assert sizes == [4, 6]


@pytest.mark.parametrize("slug", ["1", "no", "null", "a_b-c", "UPPER", "x" * 50, "-", "2026-11-22"])
def test_any_short_name_makes_a_name_that_datasets_takes(slug: str) -> None:
    release = freeze(judged_campaign(sources=1, slug=slug), shares={"train": 1})

    (config,) = datasets.get_dataset_config_names(str(release_folder(release)))

    assert config == head_of(release)["configs"][0]["config_name"]
    assert config.startswith(f"{slug}-v1-")
    assert rows_by_default(release_folder(release)) == rows_in_files(release_folder(release))


def place_folder(folder: Path, place: Path) -> Path:
    """Put a release's files where those of another one may be."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder, place)
    return place


def rate_everything_again(campaign: Campaign) -> None:
    campaign.items.filter(round=RATE).update(wanted=F("wanted") + 1, open_slots=1)
    assert rate_all(enrol(campaign, RATE), 1, 1) == campaign.items.filter(round=RATE).count()


def digest_of_data(folder: Path) -> str:
    """As docs/formats.md says: of what the manifest lists, but for what describes it."""
    files = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    data = [file for file in files if file["name"] not in {"README.md", "croissant.json"}]
    lines = "".join(sorted(f"{file['name']} {file['sha256']}\n" for file in data))
    return hashlib.sha256(lines.encode()).hexdigest()


def head_of(release: Release) -> dict[str, Any]:
    before, head, _ = (release_folder(release) / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    assert before == ""
    loaded: dict[str, Any] = yaml.safe_load(head)
    return loaded


def test_the_head_of_the_card_says_what_the_hub_asks_for() -> None:
    release = freeze(judged_campaign(sources=6, language="pt-BR", licence="cc-by-4.0"), shares=EVEN)

    head = head_of(release)

    assert (head["language"], head["license"], head["size_categories"]) == (["pt-BR"], "cc-by-4.0", ["n<1K"])
    (config,) = head["configs"]
    assert config["config_name"] == f"{release.name}-{digest_of_data(release_folder(release))[:12]}"
    assert {each["split"]: each["path"] for each in config["data_files"]} == {
        name: f"parquet/{split}.parquet" for split, name in HUB_NAMES.items()
    }


def frozen_without_parquet(monkeypatch: pytest.MonkeyPatch) -> Release:
    with monkeypatch.context() as here:
        lacks(here, PARQUET)
        return freeze(judged_campaign(sources=6), shares=EVEN)


def test_a_card_without_parquet_names_no_parquet_file(monkeypatch: pytest.MonkeyPatch) -> None:
    release = frozen_without_parquet(monkeypatch)

    card = (release_folder(release) / "README.md").read_text(encoding="utf-8")

    assert "configs" not in head_of(release)
    assert ".parquet" not in card
    assert "One row per source, in `corpus.jsonl`:" in card
    assert "so it has no `parquet/`: all rows are in `corpus.jsonl`." in card


def test_croissant_without_parquet_finds_the_sources_and_their_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = release_folder(frozen_without_parquet(monkeypatch))

    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))

    assert not dataset.metadata.ctx.issues.errors
    (rows,) = dataset.metadata.record_sets
    found = [(row["corpus/id"], row["corpus/split"].decode()) for row in dataset.records(rows.id)]
    assert found == [(each["id"].encode(), each["split"]) for each in read_corpus(folder)]


@pytest.mark.parametrize("language", ["en", "no", "NO"])
def test_a_language_is_a_word_to_readers_of_yaml(language: str) -> None:
    assert head_of(freeze(judged_campaign(sources=1, language=language)))["language"] == [language]


@pytest.mark.parametrize("licence", ["cc-by-4.0", "1.0", "null", "no", "-"])
def test_a_licence_is_a_word_to_readers_of_yaml(licence: str) -> None:
    assert head_of(freeze(judged_campaign(sources=1, licence=licence)))["license"] == licence


NAMES = [
    '"Quoted": # [a] {b}',
    "---",
    "back\\slash\\n",
    "Größe 👩‍👧 שלום",
    "a\u2028b",
    "a\x85b",
    "a\x7fb",
    "'",
    "no",
    "- a",
]


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_campaign_breaks_neither_card_nor_metadata(name: str) -> None:
    campaign = judged_campaign(sources=1, description=f"---\n{name}\n---")
    Campaign.objects.update(name=name)  # earlier versions took any
    campaign.refresh_from_db()
    release = freeze(campaign)

    assert head_of(release)["pretty_name"] == f"{name}, version 1"
    assert json.loads((release_folder(release) / "manifest.json").read_text(encoding="utf-8"))["campaign"] == name
    metadata = json.loads((release_folder(release) / "croissant.json").read_text(encoding="utf-8"))
    assert metadata["description"] == f"---\n{name}\n---"


def judged_with_genre(genre: str) -> Campaign:
    campaign = make_campaign(editors_per_source=1, raters_per_compression=1)
    import_texts(campaign, [SENTENCE.format(number=1)], genre=genre)
    edit_all(campaign, 1)
    rate_all(enrol(campaign, RATE))
    return campaign


def table_rows(release: Release) -> list[list[str]]:
    """The rows of all tables of the card."""
    rows: list[list[str]] = []
    inside = False
    for token in (
        MarkdownIt().enable("table").parse((release_folder(release) / "README.md").read_text(encoding="utf-8"))
    ):
        if token.type in {"tr_open", "tr_close"}:
            inside = token.type == "tr_open"
            rows += [[]] if inside else []
        elif inside and token.type == "inline":
            rows[-1].append("".join(child.content for child in token.children or []))
    return rows


@pytest.mark.parametrize("genre", ["Letters", "News | sport"])
def test_a_genre_stands_in_the_card_with_its_number(genre: str) -> None:
    assert [genre, "1"] in table_rows(freeze(judged_with_genre(genre)))


@pytest.mark.parametrize("name", ["Content", "Content | all"])
def test_a_mean_stands_in_the_card_under_the_name_of_its_scale(name: str) -> None:
    scales = scales_from_text(f"{name}: How much?\n2 much\n1 little")
    campaign = make_campaign(sources=1, editors_per_source=1, raters_per_compression=1, scales=scales_dump(scales))
    edit_all(campaign, 1)
    rater = enrol(campaign, RATE)
    assignment = assignment_claim(enrolment=rater)
    assert assignment is not None
    rate(rater, assignment, **{scales[0].key: 2})

    head, whole, *_ = table_rows(freeze(campaign))

    figures = dict(zip(head, whole, strict=True))
    assert figures[f"mean {name.lower()}"] == "2.00"


def croissant_ids(release: Release, splits: set[str]) -> dict[str, list[str]]:
    dataset = mlcroissant.Dataset(jsonld=str(release_folder(release) / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    assert {each.id for each in dataset.metadata.record_sets} == splits
    return {split: [row[f"{split}/id"].decode() for row in dataset.records(split)] for split in splits}


@pytest.mark.parametrize(
    ("system", "shares"), [("t3", EVEN), ('my "best" system', {"train": 1, "test": 1})], ids=["plain", "with spaces"]
)
def test_croissant_finds_the_sources_of_each_split(system: str, shares: dict[str, int]) -> None:
    campaign = judged_campaign(sources=6)
    output = b'{"id": "1", "text": "The bridge was repaired."}\n'
    outputs_import(campaign=campaign, system=system, file_name="outputs.jsonl", content=output)
    assert rate_all(enrol(campaign, RATE)) == 1
    release = freeze(campaign, shares=shares)

    ids: dict[str, list[str]] = {split: [] for split in shares}
    for source in read_corpus(release_folder(release)):
        ids[source["split"]].append(source["id"])
    assert croissant_ids(release, set(shares)) == ids


def test_croissant_names_every_file_with_its_checksum() -> None:
    release = freeze(judged_campaign())

    metadata = json.loads((release_folder(release) / "croissant.json").read_text(encoding="utf-8"))

    described = {each["contentUrl"]: each["sha256"] for each in metadata["distribution"]}
    later = {"croissant.json", "manifest.json", f"{release.name}.zip"}
    assert described == {each.name: each.sha256 for each in release.files.exclude(name__in=later)}
