"""What programs make of a release that know nothing of it: Hugging Face datasets, Croissant, readers of Markdown."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import datasets  # type: ignore[import-untyped]
import huggingface_hub
import mlcroissant  # type: ignore[import-untyped]
import pandas
import pyarrow.parquet as pq
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


def test_datasets_reads_each_table_that_has_rows() -> None:
    release = freeze(judged_campaign(sources=6), shares=EVEN)
    folder, default = release_folder(release), head_of(release)["configs"][0]["config_name"]

    tables = {name.removeprefix(f"{default}-") for name in datasets.get_dataset_config_names(str(folder))} - {default}

    assert tables == {"sources", "compressions", "ratings"}
    for table in tables:
        loaded = datasets.load_dataset(str(folder), f"{default}-{table}")["train"]
        assert as_json(list(loaded)) == as_json(pq.read_table(folder / f"parquet/tables/{table}.parquet").to_pylist())


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

    config = datasets.get_dataset_config_names(str(release_folder(release)))[0]

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
    shown = ("README.md", "croissant.json", "browse/")
    data = [file for file in files if not file["name"].startswith(shown)]
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
    config = head["configs"][0]
    assert config["default"] is True
    assert config["config_name"] == f"{release.name}-{digest_of_data(release_folder(release))[:12]}"
    assert {each["split"]: each["path"] for each in config["data_files"]} == {
        name: f"parquet/{split}.parquet" for split, name in HUB_NAMES.items()
    }


HEADS: list[tuple[dict[str, Any], dict[str, str], dict[str, Any]]] = [
    ({}, {}, {"license": "unknown", "source_datasets": None, "language_creators": ["crowdsourced"]}),
    ({"licence": "CC-BY-4.0"}, {}, {"license": "cc-by-4.0", "license_name": None}),
    ({"licence": "Our-own-1"}, {}, {"license": "other", "license_name": "our-own-1"}),
    (
        {},
        {"origins": "News, https://huggingface.co/datasets/lab/news.\nLetters"},
        {"source_datasets": ["lab/news"], "language_creators": ["crowdsourced", "found"]},
    ),
]


@pytest.mark.parametrize(("fields", "statement", "expected"), HEADS)
def test_the_head_has_the_words_of_the_hub(
    fields: dict[str, Any], statement: dict[str, str], expected: dict[str, Any]
) -> None:
    release = freeze(judged_campaign(sources=1, **fields), statement=statement)
    data = huggingface_hub.DatasetCard((release_folder(release) / "README.md").read_text(encoding="utf-8")).data
    assert {name: data.get(name) for name in expected} == expected
    assert (data.get("annotations_creators"), data.get("task_categories")) == (["crowdsourced"], ["summarization"])


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
    _splits, rows = dataset.metadata.record_sets
    found = [(row["corpus/id"], row["corpus/split"].decode()) for row in dataset.records(rows.id)]
    assert found == [(each["id"].encode(), each["split"]) for each in read_corpus(folder)]


@pytest.mark.parametrize("language", ["en", "no", "NO"])
def test_a_language_is_a_word_to_readers_of_yaml(language: str) -> None:
    assert head_of(freeze(judged_campaign(sources=1, language=language)))["language"] == [language]


@pytest.mark.parametrize("licence", ["cc-by-4.0", "1.0", "null", "no", "-"])
def test_a_licence_is_a_word_to_readers_of_yaml(licence: str) -> None:
    head = head_of(freeze(judged_campaign(sources=1, licence=licence)))
    assert (head["license"] if licence.startswith("cc-") else head["license_name"]) == licence


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


STATEMENT = {
    "creators": "A. Example\nB. Example",
    "publisher": "Example Lab",
    "origins": "Example news, https://example.org/news, cc-by-4.0\nLetters that were written for it",
    "keywords": "bridges",
    "uses": "To try loaders.",
    "limitations": "Bridges only.",
    "biases": "One language.",
    "sensitive": "None.",
    "impact": "None known.",
    "demographics": "Not asked.",
    "maintenance": "Mistakes to the lab.",
}


def croissant_of(release: Release) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((release_folder(release) / "croissant.json").read_text(encoding="utf-8"))
    return loaded


def croissant_rows(release: Release, name: str) -> list[Plain]:
    """The rows of a record set, by a new data set for each: one that was read gives others wrong."""
    dataset = mlcroissant.Dataset(jsonld=str(release_folder(release) / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    assert not dataset.metadata.ctx.issues.warnings
    rows = list(dataset.records(name))
    return [{key.partition("/")[2]: plain(value) for key, value in row.items()} for row in rows]


def plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    is_missing = value is None or bool(pandas.isna(value))
    return None if is_missing else value.isoformat()[:10] if hasattr(value, "isoformat") else value


@pytest.fixture
def with_outputs() -> Release:
    """Sources named by numbers with zeros, an output that an editor wrote as well, and one that was rated alone."""
    campaign = judged_campaign(sources=6, licence="cc-by-4.0", homepage="https://example.org/corpus")
    first = campaign.sources.order_by("pk").first()
    assert first is not None
    shared = first.compressions.first()
    assert shared is not None
    lines = [{"id": "1", "text": shared.text}, {"id": "2", "text": "The bridge was repaired."}]
    content = "\n".join(map(json.dumps, lines)).encode()
    outputs_import(campaign=campaign, system='my "best" system', file_name="outputs.jsonl", content=content)
    assert rate_all(enrol(campaign, RATE)) == 1
    campaign.sources.filter(pk=first.pk).update(source_id="007")
    return freeze(campaign, shares={"train": 1, "test": 1}, statement=STATEMENT)


def test_croissant_finds_the_rows_of_every_table(with_outputs: Release) -> None:
    for name in ("sources", "compressions", "outputs", "comparisons", "ratings"):
        table = pq.read_table(release_folder(with_outputs) / f"parquet/tables/{name}.parquet")
        assert croissant_rows(with_outputs, name) == as_json(table.to_pylist()), name

    corpus = read_corpus(release_folder(with_outputs))
    assert [row["id"] for row in croissant_rows(with_outputs, "sources")] == [each["id"] for each in corpus]
    assert "007" in {each["id"] for each in corpus}
    assert {row["name"] for row in croissant_rows(with_outputs, "splits")} == {"train", "test"}


def test_the_ratings_of_the_tables_are_those_of_the_nested_file_and_each_counts_once(with_outputs: Release) -> None:
    ratings = croissant_rows(with_outputs, "ratings")
    corpus = read_corpus(release_folder(with_outputs))
    nested = [
        (each["rater"], each["scores"])
        for source in corpus
        for subject in (*source["compressions"], *source.get("outputs", ()))
        for each in subject["ratings"]
    ]

    scores = [name for name in ratings[0] if name.startswith("score_")]
    flat = [(row["rater"], {name[6:]: row[name] for name in scores}) for row in ratings]

    assert flat == nested
    repeated = [row for row in ratings if row["repeats"]]
    assert {row["subject"] for row in repeated} == {"007/o1"}
    assert {row["repeats"].rpartition("/")[0] for row in repeated} <= {row["subject"] for row in ratings}
    assert len({row["id"] for row in ratings}) == len(ratings)


REQUIRED = (
    *("name", "description", "license", "url", "creator", "datePublished", "distribution", "keywords", "publisher"),
    *("citeAs", "version", "isLiveDataset", "inLanguage"),
)
WANTED_BY_NEURIPS = (
    *("rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation", "rai:dataUseCases"),
    *("rai:dataSocialImpact", "rai:hasSyntheticData", "prov:wasDerivedFrom", "prov:wasGeneratedBy"),
)


def test_croissant_says_what_is_required_of_it_and_what_the_researchers_said(with_outputs: Release) -> None:
    metadata = croissant_of(with_outputs)

    assert [name for name in (*REQUIRED, *WANTED_BY_NEURIPS) if name not in metadata] == []
    assert metadata["license"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert metadata["creator"] == [{"@type": "sc:Person", "name": f"{letter}. Example"} for letter in "AB"]
    assert metadata["publisher"] == [{"@type": "sc:Organization", "name": "Example Lab"}]
    assert metadata["keywords"][-1] == "bridges"
    assert metadata["rai:dataLimitations"] == "Bridges only."
    assert metadata["rai:hasSyntheticData"] is True
    assert [each.get("@id") for each in metadata["prov:wasDerivedFrom"]] == ["https://example.org/news", None]
    labels = [each["prov:label"] for each in metadata["prov:wasGeneratedBy"]]
    assert labels == ["Compressing: 6", "Rating compressions: 12", "Rating outputs of systems: 1"]
    assert "author = {{A. Example} and {B. Example}}" in metadata["citeAs"]


def test_mlcroissant_reads_the_values_and_not_only_the_file(with_outputs: Release) -> None:
    """Without its prefix a value is lost in silence."""
    read = mlcroissant.Dataset(jsonld=str(release_folder(with_outputs) / "croissant.json")).metadata

    assert read.data_limitations == ["Bridges only."]
    assert read.data_biases == ["One language."]
    assert read.annotations_per_item == "2 ratings per compression."
    assert read.data_social_impact == "None known."
    assert str(read.data_collection_timeframe[0]).startswith("20")
    assert "By 1 editor" in read.data_collection
    assert read.to_json()["rai:hasSyntheticData"] is True


def test_what_nobody_said_is_not_stated() -> None:
    metadata = croissant_of(freeze(judged_campaign()))

    assert metadata["license"] == {"@type": "sc:CreativeWork", "name": "Not stated."}
    assert metadata["creator"] == [{"@type": "sc:Organization", "name": "Not stated."}]
    assert metadata["rai:dataLimitations"] == "Not stated."
    assert metadata["rai:hasSyntheticData"] is False
    assert metadata["rai:dataCollectionType"] == ["Experiments", "Manual Human Curator"]
    assert metadata["prov:wasDerivedFrom"] == []


def test_what_a_program_made_up_is_not_said_to_be_by_people() -> None:
    campaign = judged_campaign()
    campaign.workers.update(is_simulated=True)

    metadata = croissant_of(freeze(campaign))

    assert metadata["rai:dataCollectionType"] == ["Others"]
    assert metadata["rai:hasSyntheticData"] is True


def test_croissant_names_every_file_with_its_checksum() -> None:
    release = freeze(judged_campaign())

    metadata = json.loads((release_folder(release) / "croissant.json").read_text(encoding="utf-8"))

    described = {each["contentUrl"]: each["sha256"] for each in metadata["distribution"]}
    later = {"croissant.json", "manifest.json", f"{release.name}.zip"}
    assert described == {each.name: each.sha256 for each in release.files.exclude(name__in=later)}
