"""The card of an imported release says of each fact what its files state, or that it is unknown."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from corpus.models import ImportedFacts, Release
from corpus.release_import.reading import release_read
from corpus.release_import.stated import MAX_LENGTH
from corpus.tests.support.cards import card_of, collection_of, head_of, section, with_two_versions
from crowd.default_texts import default_texts
from crowd.models import Campaign
from measures.quality_control.worker_filter import FilterParameters
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    enrol,
    freeze,
    golden_campaign,
    judged_campaign,
    make_staff,
    rate_all,
    submit_text,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db


def imported(folder: Path, slug: str, *options: str) -> Campaign:
    call_command("import_release", folder, f"--campaign={slug}", f"--owner={make_staff().username}", *options)
    return Campaign.objects.get(slug=slug)


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """A folder with RawData alone, as the public corpus comes; one of its texts is as long as its source."""
    folder = tmp_path / "public"
    shutil.copytree(release_folder(freeze(judged_campaign(sources=2, keep_percent=99))) / "RawData", folder / "RawData")
    return folder


def test_of_the_public_format_nothing_is_known(public: Path) -> None:
    card = card_of(freeze(imported(public, "copy")))
    assert "Imported into Précis from the files of public." in card
    assert "How long a compression was allowed to be: unknown." in card
    assert "Whether a quality rule was applied before the import: unknown." in card
    assert "Whether the raters had passed a test: unknown." in card
    assert "Whether the raters knew who had written a text: unknown." in card
    for heading in ("What the editors were told", "What the raters were told", "What people agreed to"):
        assert section(card, heading) == "Unknown."
    for text in default_texts().values():
        assert text.strip().splitlines()[0] not in card
    for claim in ("No quality rule", "Collected with", "Human", "by people", "enforced", "seed", "How much of the"):
        assert claim not in card


def test_the_head_leaves_out_what_is_not_known(public: Path) -> None:
    release = freeze(imported(public, "copy"))
    head = head_of(release)
    for name in ("language", "multilinguality", "annotations_creators", "language_creators"):
        assert name not in head
    assert head["license"] == "unknown"
    croissant = json.loads((release_folder(release) / "croissant.json").read_text(encoding="utf-8"))
    assert "inLanguage" not in croissant
    assert "Human" not in croissant["description"]


def test_staff_may_know_the_language(public: Path) -> None:
    campaign = imported(public, "copy", "--language=en")
    assert (campaign.language, head_of(freeze(campaign))["language"]) == ("en", ["en"])
    assert head_of(freeze(imported(public, "other", "--language=de")))["language"] == ["de"]


def test_of_a_complete_release_the_card_repeats_what_its_files_state() -> None:
    first = freeze(with_two_versions())
    again = freeze(imported(release_folder(first), "copy"))
    card = card_of(again)
    assert section(card, "What the editors were told") == "As its files state, below."
    stated = section(card, f"As stated by the files of {first.name}")
    assert "6 compressions: at most 75%; 1 compression: at most 80%." in stated
    assert "They name no quality rule." in stated
    assert "2 editors had read this before 6 compressions in this release: > Shorten." in stated
    assert "How much of the meaning is kept?" in card
    assert head_of(again)["language"] == ["en"]


def test_what_is_stated_survives_a_second_import() -> None:
    first = freeze(with_two_versions())
    second = freeze(imported(release_folder(first), "copy"))
    third = freeze(imported(release_folder(second), "copy-of-copy"))
    for name in (first.name, second.name):
        assert f"### As stated by the files of {name}\n" in card_of(third)
    assert section(card_of(third), f"As stated by the files of {first.name}") == section(
        card_of(second), f"As stated by the files of {first.name}"
    )


def test_a_rule_is_told_as_the_files_state_it() -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.25, min_items=3))
    first = freeze(campaign)
    assert "(share 0.25, from 3 items on) was applied on " in card_of(first)
    card = card_of(freeze(imported(release_folder(first), "copy")))
    assert "(share 0.25, from 3 items on) was applied." in section(card, f"As stated by the files of {first.name}")
    assert "was applied" in card.split("As stated by")[0]
    assert "items on" not in card.split("As stated by")[0]


def test_who_was_never_assessed_is_told_as_the_files_state_it() -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(min_items=500))
    first = freeze(campaign)
    never, of_all = first.summary["not_assessed"]["raters"]
    second = freeze(imported(release_folder(first), "copy"))
    third = freeze(imported(release_folder(second), "copy-of-copy"))
    for card in map(card_of, (second, third)):
        stated = section(card, f"As stated by the files of {first.name}")
        assert f"It never assessed {never} of the {of_all} raters in this release" in stated
    assert never > 0


def test_a_release_from_before_versions_states_its_rule_only() -> None:
    first = freeze(judged_campaign())
    path = release_folder(first) / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for name in ("collection", "stated", "language", "licence", "imported_from"):
        del manifest[name]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    card = card_of(freeze(imported(release_folder(first), "copy")))
    assert section(card, "What the raters were told") == "Unknown."
    stated = section(card, f"As stated by the files of {first.name}")
    assert stated == (
        "- Raters judged one text at a time, on scales. - They name no quality rule. "
        "- They say nothing about how the work was collected."
    )


def test_work_that_comes_after_an_import_is_told_apart(public: Path) -> None:
    campaign = imported(public, "copy")
    Campaign.objects.filter(pk=campaign.pk).update(state="open")
    campaign.items.filter(round=EDIT).update(wanted=2, open_slots=1)
    submit_text(enrol(campaign, EDIT, "ann"), "The old bridge.")
    rate_all(enrol(campaign, RATE, "bob"))

    release = freeze(campaign)

    card, head = card_of(release), head_of(release)
    assert "Collected with Précis. Imported into Précis from the files of public." in card
    assert "1 compression: at most 75%; 2 compressions: unknown." in card
    ratings = {row["origin"]: row["ratings"] for row in collection_of(release)["work"]}
    assert ratings == {"collected": 1, "imported": 4}
    assert "For 1 of 5 ratings, the program showed no rater who had written a text" in card
    assert "written under their own id, as far as the authors are known." in card
    assert "Whether the raters of the imported ratings knew who had written a text: unknown." in card
    assert "0 of 1 rater had passed a test before their first rating." in card
    assert "No quality rule was applied here." in card
    assert "What the editors of 2 compressions from elsewhere were told: unknown." in card
    assert "What the people whose work was imported agreed to: unknown." in card
    assert (head["language"], head["language_creators"]) == (["en"], ["crowdsourced"])


def test_a_campaign_imported_by_an_earlier_version_names_no_files(public: Path) -> None:
    campaign = imported(public, "copy")
    ImportedFacts.objects.all().delete()
    card = card_of(freeze(campaign))
    assert "Imported into Précis." in card
    assert "How long a compression was allowed to be: unknown." in card


def test_frozen_again_an_import_has_the_same_corpus() -> None:
    first = freeze(with_two_versions())
    again = freeze(imported(release_folder(first), "copy"))
    for name in ("corpus.jsonl", *(f"RawData/{split}.tsv" for split in ("train", "valid", "test"))):
        assert (release_folder(again) / name).read_bytes() == (release_folder(first) / name).read_bytes()


# What files state is not trusted.


@pytest.fixture
def complete() -> Release:
    return freeze(with_two_versions())


def changed(release: Release, change: Any) -> list[str]:
    """Change the manifest, and return what the import says about it; what is there can be frozen in any case."""
    path = release_folder(release) / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), encoding="utf-8")
    content = release_read(release_folder(release))
    campaign = imported(release_folder(release), f"copy-{Campaign.objects.count()}")
    card_of(freeze(campaign))
    return [str(problem) for problem in content.problems]


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (("collection",), [], "collection is list"),
        (("collection", "work", 0, "settings"), 7, "version 7 is not told"),
        (("collection", "work", 0, "origin"), "stolen", "'stolen' is no origin"),
        (("collection", "work", 0, "ratings"), -1, "work[].ratings is out of range"),
        (("collection", "work", 0, "ratings"), True, "work[].ratings is bool"),
        (("collection", "longest_percent"), float("nan"), "longest_percent is out of range"),
        (("collection", "ratings_per_text", 0), [1], "a count is not a pair"),
        (("collection", "versions", 0, "settings", "consent"), "a\x00b", "cannot be stored"),
        (("collection", "versions", 0, "settings", "consent"), "\ud800", "cannot be stored"),
        (("collection", "versions", 0, "settings", "consent"), "x" * MAX_LENGTH, "longer than 1,000,000 characters"),
        (("quality",), {"rule": "r", "parameters": {}}, "parameters.share is missing"),
        (("summary", "not_assessed"), {"raters": [3, 2]}, "not_assessed is not some people of all"),
        (("summary", "not_assessed"), {"raters": [1]}, "not_assessed is not some people of all"),
        (("summary", "not_assessed"), {"raters": 1}, "not_assessed.raters is int"),
        (("stated",), "abc", "(stated is str)"),
        (("language",), ["en"], "language is list"),
    ],
)
def test_a_statement_of_another_form_is_not_kept(complete: Release, where: Any, value: Any, said: str) -> None:
    def change(manifest: Any) -> None:
        *path, last = where
        for step in path:
            manifest = manifest[step]
        manifest[last] = value

    (problem,) = changed(complete, change)
    assert "what it says about its collection is not kept" in problem
    assert said in problem


def test_a_statement_from_before_texts_were_filled_in_tells_them_all_the_same(complete: Release) -> None:
    def change(manifest: Any) -> None:
        collection = manifest["collection"]
        for rows in (collection["consent"], *collection["guidelines"].values()):
            for row in rows:
                del row["text"]

    assert changed(complete, change) == []
    card = card_of(Release.objects.latest("pk"))
    assert card_of(complete).count("> Shorten.") == card.count("> Shorten.") > 0


@pytest.mark.parametrize("name", ["a\nb", "# | `x`", "", "x" * 500, 5, None, "\u202e"])
def test_a_release_may_call_itself_anything(complete: Release, name: Any) -> None:
    changed(complete, lambda manifest: manifest.update(release=name))
    facts = ImportedFacts.objects.get()
    assert facts.name.isprintable()
    assert 0 < len(facts.name) <= 100


PATHS = st.sampled_from(
    [
        ("collection",),
        ("collection", "work"),
        ("collection", "people", "raters"),
        ("collection", "guidelines", "editors"),
        ("collection", "versions"),
        ("collection", "versions", 0),
        ("collection", "test"),
        ("stated",),
        ("quality",),
        ("licence",),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["number", "name", "x"]), inner),
    max_leaves=4,
)


@given(where=PATHS, value=JSON)
def test_no_statement_stops_an_import(where: tuple[Any, ...], value: Any) -> None:
    def change(manifest: Any) -> None:
        *path, last = where
        for step in path:
            manifest = manifest[step]
        manifest[last] = value

    changed(freeze(with_two_versions()), change)


def test_rawdata_of_another_hand_is_unknown_too(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    (folder / "RawData").mkdir(parents=True)
    line = (
        "\ufeff1\tNews\tThe old mill by the river burnt down. ||| The old mill by the river burnt down.\t3\t1\t6\tx\r\n"
    )
    (folder / "RawData" / "test.tsv").write_text(line, encoding="utf-8", newline="")
    card = card_of(freeze(imported(folder, "theirs")))
    assert "The longest compression in this release has 100% of the characters of its source." in card
