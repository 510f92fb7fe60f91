"""The archive of a release, what it must not hold, and that the same content gives the same bytes."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from corpus.models import Release
from corpus.services.outputs import outputs_import
from crowd.models import Campaign, Enrolment, Exclusion, Remark, Round, Worker
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, guidelines_accept, worker_enter
from crowd.services.remarks import problem_report, task_skip
from measures.quality_control.worker_filter import FilterParameters
from ratings.services.exclusions import person_exclude
from ratings.services.experts import expert_sample_draw
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    freeze,
    golden_campaign,
    judged_campaign,
    make_campaign,
    make_staff,
    open_link,
    rate_all,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

EVEN = {"train": 1, "valid": 1, "test": 1}
OUTPUT = b'{"id": "1", "text": "The bridge was repaired."}\n'


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def archive_of(release: Release) -> Path:
    return release_folder(release) / f"{release.name}.zip"


@pytest.mark.parametrize("system", ["t3", 'größe "a b" 😀'])
def test_the_archive_holds_the_files_of_the_manifest_and_the_manifest_byte_for_byte(system: str) -> None:
    campaign = judged_campaign(sources=6)
    outputs_import(campaign=campaign, system=system, file_name="outputs.jsonl", content=OUTPUT)
    assert rate_all(enrol(campaign, RATE)) == 1
    release = freeze(campaign, shares=EVEN)

    with zipfile.ZipFile(archive_of(release)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        packed = {name: archive.read(name) for name in names}

    manifest = json.loads(packed["manifest.json"])
    assert sorted(names) == sorted([*(file["name"] for file in manifest["files"]), "manifest.json"])
    assert f"_output.{system}.tsv" in "".join(names)
    on_disk = files_of(release_folder(release))
    del on_disk[archive_of(release).name]
    assert packed == on_disk


def test_the_same_content_and_seed_give_the_same_bytes() -> None:
    campaign = golden_campaign()
    outputs_import(campaign=campaign, system="t3", file_name="outputs.jsonl", content=OUTPUT)

    one, same, other = (files_of(release_folder(freeze(campaign, shares=EVEN, seed=seed))) for seed in (1, 1, 3))

    told_apart = ("manifest.json", "README.md", "croissant.json", ".html", ".zip")  # they name the version
    content = {name for name in one if not name.endswith(told_apart)}
    assert {name: one[name] for name in content} == {name: same[name] for name in content}
    assert {name for name in content if one[name] != other.get(name)} >= {"corpus.jsonl", "parquet/train.parquet"}


def test_the_archive_says_nothing_of_the_time_it_was_packed() -> None:
    release = freeze(judged_campaign())
    with zipfile.ZipFile(archive_of(release)) as archive:
        times = {info.date_time for info in archive.infolist()}

    assert times == {(1980, 1, 1, 0, 0, 0)}


NAMES = ("ann", "ben", "cleo", "dan", "eve", "fay")


def arrive(campaign: Campaign, work_round: str, name: str) -> Enrolment:
    link = campaign.links.select_related("campaign").get(round=work_round, platform_key="prolific")
    ids = PlatformIds(f"{name}-5f1c2e", f"study-{work_round}-77aa", f"session-{name}-99bb")
    enrolment = worker_enter(link=link, ids=ids)
    guidelines_accept(enrolment=enrolment)
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def skipping(enrolment: Enrolment) -> None:
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    said = f"said-{enrolment.round}-33cc"
    problem_report(enrolment=enrolment, assignment_id=assignment.pk, reason="private", text=said)
    task_skip(enrolment=enrolment, assignment_id=assignment.pk, reason="upsetting", text=said)


def watched_campaign() -> Campaign:
    """A campaign in which everybody came by a platform, two were excluded, and a rule was applied by staff."""
    owner = make_staff("owner-4711")
    campaign = make_campaign(sources=3, owner=owner, editors_per_source=2, raters_per_compression=2, gold_percent=0)
    for each in Round.values:
        open_link(campaign=campaign, work_round=each, platform_key="prolific")
    editors = [arrive(campaign, EDIT, name) for name in NAMES[:2]]
    skipping(editors[1])
    for editor in editors:
        while edit_next(editor):
            pass
    outputs_import(campaign=campaign, system="t3", file_name="outputs.jsonl", content=OUTPUT)
    raters = [arrive(campaign, RATE, name) for name in NAMES[2:5]]
    skipping(raters[2])
    for rater in raters:
        rate_all(rater, 3, 2)
    expert_sample_draw(campaign=campaign, size=2, seed=1, experts=1, user=owner)
    rate_all(arrive(campaign, Round.EXPERT, NAMES[5]), 1, 2)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.0), user=owner)
    for person in (editors[1], raters[0]):
        person_exclude(worker=person.worker, work_round=person.round, note=f"note-{person.round}-55ee", user=owner)
    return campaign


def secrets_of(campaign: Campaign) -> set[str]:
    secrets = set(Worker.objects.values_list("external_id", flat=True))
    for fields in Enrolment.objects.values_list("study_id", "session_id"):
        secrets.update(fields)
    for link in campaign.links.all():
        secrets.update([link.token, link.code_done, link.code_failed, link.code_no_work])
    secrets.update(campaign.staff.values_list("username", flat=True))
    secrets.update(Exclusion.objects.values_list("note", flat=True))
    secrets.update(Remark.objects.values_list("text", flat=True))
    return secrets


def everything_inside(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file and every member of an archive, unpacked: Parquet as its values and all that is said of them."""
    for path in folder.rglob("*"):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                archive.extractall(folder.parent / "unpacked")
            yield f"{path.name}: its own words", path.read_bytes().decode("latin-1")
            yield from everything_inside(folder.parent / "unpacked")
        elif path.suffix == ".parquet":
            table = pq.read_table(path)
            told = [table.to_pylist(), str(table.schema), str(pq.read_metadata(path).metadata)]
            yield str(path), json.dumps(told, ensure_ascii=False, default=str)
        elif path.is_file():
            yield str(path), path.read_text(encoding="utf-8")


def test_nothing_that_names_people_stands_inside_any_file_however_it_is_packed() -> None:
    campaign = watched_campaign()
    folder = release_folder(freeze(campaign, shares=EVEN))

    secrets = secrets_of(campaign)
    assert len(secrets) == 6 + 3 + 6 + 4 * campaign.links.count() + 1 + 2 + 2
    inside = list(everything_inside(folder))
    assert len(inside) == 2 * len(files_of(folder)) - 1
    assert [(name, secret) for name, text in inside for secret in secrets if secret in text] == []


def test_the_search_for_names_looks_inside_what_is_packed() -> None:
    folder = release_folder(freeze(watched_campaign(), shares={"train": 1}))

    inside = list(everything_inside(folder))

    source = "bridge number 2 before the first snow"
    found = {Path(name).name for name, text in inside if source in text}
    assert {"train.parquet", "train.tsv", "corpus.jsonl", "compressionhistory.tsv"} <= found
    assert sum(source in text for name, text in inside if name.endswith("train.parquet")) == 2
