"""Releases: what they hold, what they leave out, and that they never change."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from common.errors import Refused
from common.extras import PARQUET
from common.jobs import job_run
from common.models import Job
from compressions.services.imports import source_import
from corpus.formats import jsonl
from corpus.models import Release, ReleaseFile
from corpus.selectors import release_sources
from corpus.services.building import release_build
from corpus.services.release import release_create
from crowd.models import Campaign, Worker
from crowd.services.campaigns import campaign_update
from crowd.services.claims import assignment_claim
from measures.quality_control.worker_filter import FilterParameters
from ratings.services.exclusions import person_exclude
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    RELEASE_FORM,
    SENTENCE,
    edit_all,
    edit_next,
    enrol,
    freeze,
    golden_campaign,
    judged_campaign,
    make_campaign,
    make_staff,
    rate_all,
    rate_next,
    readable,
    silent,
    staff_client,
    submit_text,
)
from tests.support.lacking import lacks
from tests.support.reports import printed
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

FILES = {
    "README.md",
    "RawData/test.tsv",
    "RawData/train.tsv",
    "RawData/valid.tsv",
    "browse/browse.css",
    "browse/browse.js",
    "browse/index.html",
    "browse/texts-1.html",
    "browse/texts.js",
    "compressionhistory.tsv",
    "corpus.jsonl",
    "croissant.json",
    "edit_logs.jsonl",
    "manifest.json",
    "parquet/tables/comparisons.parquet",
    "parquet/tables/compressions.parquet",
    "parquet/tables/outputs.parquet",
    "parquet/tables/ratings.parquet",
    "parquet/tables/sources.parquet",
    "parquet/test.parquet",
    "parquet/train.parquet",
    "parquet/valid.parquet",
}
HALF = FilterParameters(share=0.5)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def name_of(name: str) -> str:
    """What releases call a person whom the platform calls by another name."""
    return Worker.objects.get(external_id=name).public_name


def test_versions_count_up_in_each_campaign() -> None:
    one, other = judged_campaign(), judged_campaign()

    names = [freeze(campaign).name for campaign in (one, other, one)]

    assert names == [f"{one.slug}-v1", f"{other.slug}-v1", f"{one.slug}-v2"]


def test_a_release_holds_every_judged_text_with_its_editors_and_ratings() -> None:
    campaign = judged_campaign(sources=3, editors=2, scores=((3, 3), (2, 1)))

    sources = release_sources(freeze(campaign))

    assert {source.source_id for source in sources} == {"1", "2", "3"}
    assert {source.text for source in sources} == set(campaign.sources.values_list("text", flat=True))
    for source in sources:
        assert {text.editors for text in source.texts} == {(name_of("editor-1"),), (name_of("editor-2"),)}
        for text in source.texts:
            given = {(rating.rater, rating.scores["meaning"], rating.scores["grammar"]) for rating in text.ratings}
            assert given == {(name_of("rater-1"), 3, 3), (name_of("rater-2"), 2, 1)}


def test_without_a_quality_run_nobody_is_left_out() -> None:
    release = freeze(golden_campaign())

    assert release.quality_run is None
    assert release.summary["compressions"] == 10
    assert release.summary["ratings"] == 30
    assert set(release.summary["left_out"].values()) == {0}


def test_texts_of_removed_editors_and_judgements_of_removed_raters_are_left_out_and_counted() -> None:
    campaign = golden_campaign()
    run = quality_apply(campaign=campaign, parameters=HALF)

    release = freeze(campaign)

    assert release.quality_run == run
    assert release.summary["left_out"] == {
        "removed_raters": 1,
        "removed_editors": 1,
        "ratings_of_removed_raters": 10,
        "texts_of_removed_editors": 5,
        "texts_without_rating": 0,
        "texts_with_too_few_ratings": 0,
        "comparisons_with_too_few_ratings": 0,
        "sources_without_text": 0,
        "sources_with_outputs_only": 0,
        "sources_with_too_few_compressions": 0,
        "outputs_of_left_out_sources": 0,
    }
    texts = [text for source in release_sources(release) for text in source.texts]
    assert {editor for text in texts for editor in text.editors} == {name_of("editor-1")}
    assert {rating.rater for text in texts for rating in text.ratings} == {name_of("fair"), name_of("fair too")}
    assert (release.summary["compressions"], release.summary["ratings"]) == (5, 10)
    assert release.summary["mean_over_compressions"] == {"meaning": 3.0, "grammar": 3.0}
    croissant = json.loads((release_folder(release) / "croissant.json").read_text())
    said = "Left out: editors left out by the quality rule or by hand (1); compressions that only they wrote (5);"
    assert said in croissant["rai:dataCollectionMissingData"]


def test_the_manifest_names_the_rule_and_whom_it_left_out_and_why() -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=HALF)

    manifest = json.loads((release_folder(freeze(campaign)) / "manifest.json").read_text())

    assert manifest["quality"]["parameters"]["share"] == 0.5
    assert manifest["left_out_workers"] == [
        {
            "worker": name_of("editor-2"),
            "round": "edit",
            "reason": "quality 2.00 over 5 texts is among the lowest 1 of 2",
        },
        {
            "worker": name_of("grim"),
            "round": "rate",
            "reason": "deviation 1.50 over 10 ratings is among the highest 1 of 3",
        },
    ]


def test_a_text_without_judgements_and_a_source_without_texts_are_left_out_and_counted() -> None:
    campaign = make_campaign(sources=3, raters_per_compression=1)
    edit_next(enrol(campaign, EDIT, "ann"))
    rate_next(enrol(campaign, RATE))
    submit_text(enrol(campaign, EDIT, "ben"), "A text that nobody judges.")

    release = freeze(campaign)

    assert (release.summary["sources"], release.summary["compressions"]) == (1, 1)
    assert release.summary["left_out"]["texts_without_rating"] == 1
    assert release.summary["left_out"]["sources_without_text"] == 2


def test_a_text_that_only_a_removed_rater_judged_has_no_rating() -> None:
    campaign = golden_campaign()
    campaign_update(campaign=campaign, editors_per_source=3)
    campaign.items.filter(round=EDIT).update(wanted=3, open_slots=1)
    submit_text(enrol(campaign, EDIT, "late"), "Only the grim one judges this.")
    rate_next(enrol(campaign, RATE, "grim"))
    quality_apply(campaign=campaign, parameters=HALF)

    assert freeze(campaign).summary["left_out"]["texts_without_rating"] == 1


def test_a_text_that_a_kept_editor_wrote_too_stays_with_that_editor_alone() -> None:
    campaign = golden_campaign()
    campaign.items.filter(round=EDIT).update(wanted=3, open_slots=1)
    twin = enrol(campaign, EDIT, "twin")
    assignment = assignment_claim(enrolment=twin)
    assert assignment is not None
    shared = assignment.item.source.targets.get(text__endswith="version 2.")
    submit_text(twin, shared.text)
    quality_apply(campaign=campaign, parameters=HALF)

    sources = {source.source_id: source.texts for source in release_sources(freeze(campaign))}

    editors = {text.text: text.editors for text in sources.pop(shared.source.source_id)}
    assert editors[shared.text] == (name_of("twin"),)
    assert len(editors) == 2
    assert {text.editors for texts in sources.values() for text in texts} == {(name_of("editor-1"),)}


def test_how_a_removed_editor_wrote_a_text_is_left_out_though_a_kept_editor_wrote_it_too() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2, raters_per_compression=1)
    for name in ("ann", "ben"):
        submit_text(enrol(campaign, EDIT, name), "The committee agreed.")
    rate_all(enrol(campaign, RATE))
    person_exclude(worker=Worker.objects.get(external_id="ann"), work_round=EDIT, note="A bot.", user=None)

    release = freeze(campaign)

    logs = (release_folder(release) / "edit_logs.jsonl").read_text().splitlines()
    assert [json.loads(line)["editor"] for line in logs] == [name_of("ben")]


def test_the_last_quality_run_before_the_release_counts() -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=HALF)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.0))
    release = freeze(campaign)
    quality_apply(campaign=campaign, parameters=HALF)

    release.refresh_from_db()
    assert release.summary["compressions"] == 10
    assert release.quality_run
    assert release.quality_run.parameters["share"] == 0.0


def family(number: int, **second: object) -> list[dict[str, object]]:
    """Rows of a paragraph and its two sentences; `second` says how the second one differs."""
    one, two = SENTENCE.format(number=number), SENTENCE.format(number=number + 1000)
    pair = f"{number}a_{number}b"
    return [
        {"id": pair, "genre": "Letters", "text": f"{one} {two}"},
        {"id": f"{number}a", "genre": "Letters", "text": one, "paragraph": pair},
        {"id": f"{number}b", "genre": "Letters", "text": two, "paragraph": pair, **second},
    ]


def campaign_of(rows: list[dict[str, object]], *, without: str = "") -> Campaign:
    """All texts compressed and judged, but for one that nobody may have."""
    campaign = make_campaign(editors_per_source=1, raters_per_compression=1, editor_tasks=99, rater_tasks=99)
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True, seed=1)
    campaign.items.filter(source__source_id=without).update(open_slots=0)
    edit_all(campaign, 2)
    rate_all(enrol(campaign, RATE))
    return campaign


def test_a_paragraph_and_its_sentences_stand_in_one_split() -> None:
    campaign = campaign_of([row for number in range(12) for row in family(number)])

    sources = release_sources(freeze(campaign, shares={"train": 1, "valid": 1, "test": 1}))

    splits: dict[str, set[str]] = {}
    for source in sources:
        splits.setdefault(source.family, set()).add(source.split)
    assert (len(sources), len(splits)) == (36, 12)
    assert all(len(split) == 1 for split in splits.values())
    assert set.union(*splits.values()) == {"train", "valid", "test"}


@pytest.mark.parametrize("difference", [{"sentences": "2"}, {"genre": "Newswire"}])
def test_sentences_of_a_paragraph_that_is_not_released_may_differ_in_kind(difference: dict[str, str]) -> None:
    rows = family(1, **difference)
    rows[2]["text"] = f"{rows[2]['text']} And so they did, all of them together."
    rows[2].setdefault("sentences", "1")

    release = freeze(campaign_of(rows, without="1a_1b"))

    assert release.summary["sources"] == 2
    assert len(release.summary["splits"]) == 1


def splits_of(release: Release) -> dict[str, str]:
    return {source.source_id: source.split for source in release_sources(release)}


def test_the_splits_depend_on_the_seed_alone() -> None:
    campaign = judged_campaign(sources=30)
    shares = {"train": 2, "valid": 1, "test": 1}

    one, same, other = (freeze(campaign, seed=seed, shares=shares) for seed in (1, 1, 2))

    assert splits_of(one) == splits_of(same)
    assert splits_of(one) != splits_of(other)
    assert one.summary["splits"] == other.summary["splits"] == {"test": 7, "train": 15, "valid": 8}


def test_the_manifest_and_the_files_tell_the_same_splits() -> None:
    release = freeze(judged_campaign(sources=12), shares={"train": 1, "valid": 1, "test": 1})

    manifest = json.loads((release_folder(release) / "manifest.json").read_text())
    in_files = {
        line.split("\t")[0]: name
        for name in ("train", "valid", "test")
        for line in (release_folder(release) / f"RawData/{name}.tsv").read_text(encoding="utf-8-sig").splitlines()
    }

    assert manifest["splits"] == in_files == splits_of(release)
    assert manifest["options"] == release.options


def test_the_files_have_the_sizes_and_checksums_that_the_manifest_says() -> None:
    release = freeze(judged_campaign())

    files = contents(release_folder(release))
    manifest = json.loads(files["manifest.json"])
    assert set(files) == {*FILES, f"{release.name}.zip"}
    assert {file["name"]: (file["size"], file["sha256"]) for file in manifest["files"]} == {
        name: (len(data), hashlib.sha256(data).hexdigest())
        for name, data in files.items()
        if name in FILES - {"manifest.json"}
    }
    assert {file.name: (file.size, file.sha256) for file in release.files.all()} == {
        name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in files.items()
    }
    assert release.checksum == hashlib.sha256(files["manifest.json"]).hexdigest()


def test_later_work_never_changes_a_release() -> None:
    campaign = judged_campaign()
    campaign.items.update(wanted=9, open_slots=5)
    release = freeze(campaign)
    row, files = Release.objects.values().get(), contents(release_folder(release))

    edit_all(campaign, 3)
    rate_all(enrol(campaign, RATE, "later"), 1, 1)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=1.0, min_items=1))
    release_build(release=release, progress=silent)

    assert Release.objects.values().get() == row
    assert contents(release_folder(release)) == files


def test_a_campaign_with_a_new_short_name_keeps_its_releases() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    release = freeze(campaign)
    files = contents(release_folder(release))
    old_slug = campaign.slug
    campaign_update(campaign=campaign, slug="renamed")
    freeze(judged_campaign(slug=old_slug))

    reply = staff_client(owner).get("/campaigns/renamed/releases/1/files/corpus.jsonl")

    assert reply.status_code == 200
    assert b"".join(reply.streaming_content) == files["corpus.jsonl"]  # type: ignore[attr-defined]
    assert contents(release_folder(Release.objects.get(pk=release.pk))) == files


def fail(*_: object, **__: object) -> None:
    raise OSError("No space left on device")


def test_a_release_whose_files_cannot_be_written_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    release = release_create(campaign=judged_campaign())
    monkeypatch.setattr(jsonl, "jsonl_line", fail)

    with pytest.raises(OSError, match="No space left"):
        release_build(release=release, progress=silent)

    release.refresh_from_db()
    assert release.state == Release.State.FAILED
    assert not release_folder(release).exists()
    assert not ReleaseFile.objects.exists()


def test_a_release_that_was_cut_off_is_completed_at_the_next_try(monkeypatch: pytest.MonkeyPatch) -> None:
    release = release_create(campaign=judged_campaign())
    with monkeypatch.context() as patch:
        patch.setattr(jsonl, "jsonl_line", fail)
        with pytest.raises(OSError, match="No space left"):
            release_build(release=release, progress=silent)

    release_build(release=release, progress=silent)

    assert release.state == Release.State.READY
    assert set(contents(release_folder(release))) == {*FILES, f"{release.name}.zip"}
    assert [path.name for path in release_folder(release).parent.iterdir()] == [release_folder(release).name]


def test_a_release_whose_row_was_not_finished_is_completed_at_the_next_try() -> None:
    release = freeze(judged_campaign())
    Release.objects.update(state=Release.State.BUILDING, checksum="", finished_at=None)
    (release_folder(release) / "stray").touch()

    again = Release.objects.get()
    release_build(release=again, progress=silent)

    assert again.state == Release.State.READY
    assert set(contents(release_folder(again))) == {*FILES, f"{again.name}.zip"}


def test_with_nothing_judged_there_is_nothing_to_release() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))

    with pytest.raises(Refused, match="no compression has been rated"):
        release_create(campaign=campaign)

    assert not Release.objects.exists()


def test_a_release_that_would_be_empty_fails_with_its_reason() -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(share=1.0))
    release = release_create(campaign=campaign)

    with pytest.raises(Refused, match="the quality decisions leave no rated compression"):
        release_build(release=release, progress=silent)

    assert Release.objects.get().state == Release.State.FAILED
    assert not release_folder(release).exists()


def test_the_database_itself_wants_a_checksum_of_what_is_ready() -> None:
    release_create(campaign=judged_campaign())

    with pytest.raises(IntegrityError, match="release_ready_has_checksum"), transaction.atomic():
        Release.objects.update(state=Release.State.READY)


def test_the_content_is_read_in_the_same_number_of_queries_whatever_its_size() -> None:
    def queries(campaign: Campaign) -> int:
        quality_apply(campaign=campaign, parameters=FilterParameters())
        release = release_create(campaign=campaign)
        with CaptureQueriesContext(connection) as captured:
            release_build(release=release, progress=silent)
        return len(captured)

    assert queries(judged_campaign(sources=1)) == queries(golden_campaign()) <= 36


def test_the_command_freezes_and_names_the_folder(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = judged_campaign()

    call_command("freeze_release", campaign.slug, "--seed", "5")

    release = Release.objects.get()
    assert capsys.readouterr().out == (
        f"{campaign.slug}-v1: 2 sources, 2 compressions, 4 ratings.\n"
        f"{release_folder(release)}\n"
        f"SHA-256 of its manifest: {release.checksum}\n"
    )
    assert release.options["seed"] == 5


def test_the_command_refuses_what_cannot_be_frozen() -> None:
    with pytest.raises(CommandError, match="nothing to release yet"):
        call_command("freeze_release", make_campaign().slug)


@pytest.mark.django_db(transaction=True)
def test_staff_freeze_a_release_and_download_its_files() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    client = staff_client(owner)

    page = client.post(f"/campaigns/{campaign.slug}/releases/freeze/", RELEASE_FORM, follow=True)

    release = Release.objects.get()
    address = f"/campaigns/{campaign.slug}/releases/1/"
    assert page.redirect_chain[-1][0] == address
    assert release.checksum in readable(page)
    for name, data in contents(release_folder(release)).items():
        assert name.startswith("browse/") or f"{address}files/{name}" in readable(page)
        file = client.get(f"{address}files/{name}")
        assert b"".join(file.streaming_content) == data  # type: ignore[attr-defined]
        whole_name = name if name.startswith(release.name) else f"{release.name}-{name}"
        download_name = whole_name.replace("/", "-")
        assert file["Content-Disposition"] == f'attachment; filename="{download_name}"'
    assert f"{campaign.slug}-v1" in readable(client.get(f"/campaigns/{campaign.slug}/releases/"))


NOT_WRITTEN = (
    "Not written, since Précis was installed without the extra parquet (pip install '.[parquet]'): "
    "parquet/train.parquet, parquet/valid.parquet, parquet/test.parquet, parquet/tables/sources.parquet, "
    "parquet/tables/compressions.parquet, parquet/tables/outputs.parquet, parquet/tables/comparisons.parquet, "
    "parquet/tables/ratings.parquet."
)


def test_without_parquet_a_release_has_all_other_files_and_says_so(
    by_page: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = judged_campaign()
    lacks(monkeypatch, PARQUET)

    page = by_page(campaign)
    said = printed("freeze_release", campaign.slug)

    assert NOT_WRITTEN in readable(page)
    assert NOT_WRITTEN in said
    for release in Release.objects.all():
        files = contents(release_folder(release))
        written = {name for name in FILES if not name.startswith("parquet/")}
        assert set(files) == written | {f"{release.name}.zip"}
        assert set(release.files.values_list("name", flat=True)) == set(files)
        manifest = json.loads(files["manifest.json"])
        assert {each["name"] for each in manifest["files"]} == written - {"manifest.json"}
        assert {name for name in FILES if name not in written} == set(manifest["summary"]["files_not_written"])
    assert NOT_WRITTEN in Job.objects.get(kind="freeze_release").message


def test_with_parquet_a_release_lacks_nothing() -> None:
    owner = make_staff()
    release = freeze(judged_campaign(owner=owner))

    page = readable(staff_client(owner).get(f"/campaigns/{release.campaign.slug}/releases/1/"))

    assert "Not written" not in page
    assert "files_not_written" not in release.summary


def test_a_release_without_parquet_is_imported_and_frozen_again_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as here:
        lacks(here, PARQUET)
        lacking = freeze(judged_campaign())
        folder = release_folder(lacking)
        call_command("import_release", folder, "--campaign=copy", f"--owner={make_staff().username}")

    again = freeze(Campaign.objects.get(slug="copy"))

    assert {name for name in contents(release_folder(again)) if name.startswith("parquet/")}
    for name in ("corpus.jsonl", "RawData/train.tsv"):
        assert (release_folder(again) / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        "../v1/manifest.json",
        "RawData/../manifest.json",
        "./manifest.json",
        "//manifest.json",
        "%2e%2e/v1/manifest.json",
        "..%2fv1%2fmanifest.json",
        "/etc/passwd",
        "RawData",
        "RawData/",
        "MANIFEST.JSON",
        "manifest.json\0",
        "stray",
    ],
)
def test_only_the_names_of_the_release_are_files(name: str) -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    (release_folder(freeze(campaign)) / "stray").touch()

    reply = staff_client(owner).get(f"/campaigns/{campaign.slug}/releases/1/files/{name}")

    assert reply.status_code in {400, 404}


def test_a_release_of_another_campaign_is_not_reached_through_one_s_own() -> None:
    owner = make_staff()
    own, other = judged_campaign(owner=owner), judged_campaign()
    freeze(other)
    client = staff_client(owner)

    for slug, code in ((own.slug, 404), (other.slug, 404)):
        for path in ("", "files/manifest.json"):
            assert client.get(f"/campaigns/{slug}/releases/1/{path}").status_code == code


def test_files_of_a_release_that_is_not_ready_do_not_exist() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    freeze(campaign)
    Release.objects.update(state=Release.State.BUILDING)

    reply = staff_client(owner).get(f"/campaigns/{campaign.slug}/releases/1/files/manifest.json")

    assert reply.status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_run_again_changes_nothing() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    campaign.items.update(wanted=9, open_slots=5)
    staff_client(owner).post(f"/campaigns/{campaign.slug}/releases/freeze/", RELEASE_FORM)
    release, job = Release.objects.get(), Job.objects.get()
    files = contents(release_folder(release))
    rate_all(enrol(campaign, RATE, "later"), 1, 1)
    Job.objects.update(state=Job.State.QUEUED)

    job_run(job_id=job.pk)

    assert Job.objects.get().message == job.message
    assert contents(release_folder(release)) == files


@pytest.mark.django_db(transaction=True)
def test_a_release_that_failed_says_why_on_its_page() -> None:
    owner = make_staff()
    campaign = golden_campaign()
    campaign.staff.add(owner)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=1.0))

    page = staff_client(owner).post(f"/campaigns/{campaign.slug}/releases/freeze/", RELEASE_FORM, follow=True)

    assert "the quality decisions leave no rated compression" in readable(page)


@pytest.mark.django_db(transaction=True)
def test_a_release_whose_files_could_not_be_written_says_why_on_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner)
    monkeypatch.setattr(jsonl, "jsonl_line", fail)

    page = staff_client(owner).post(f"/campaigns/{campaign.slug}/releases/freeze/", RELEASE_FORM, follow=True)

    assert page.status_code == 200
    assert "No space left on device" in readable(page)


def test_freezing_too_early_is_refused_with_a_message() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)

    page = staff_client(owner).post(f"/campaigns/{campaign.slug}/releases/freeze/", RELEASE_FORM, follow=True)

    assert "There is nothing to release yet" in readable(page)
    assert not Release.objects.exists()


@pytest.mark.parametrize("seed", ["-1", "99999999999999999999"])
def test_the_command_refuses_a_seed_that_cannot_be_kept(seed: str) -> None:
    with pytest.raises(CommandError, match="--seed must lie between 0 and 2147483647"):
        call_command("freeze_release", judged_campaign().slug, f"--seed={seed}")
