"""What a release pins when it is made, however late and in however many parts its files are written."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.scratch import scratch_folder
from compressions.models import Target
from compressions.services.outputs import Output, outputs_add
from corpus.models import Release, ReleaseFile
from corpus.release import table_readers
from corpus.release.folder import ReleaseFolder
from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText
from corpus.release_import.reading import ReadRelease, release_import
from corpus.selectors import release_sources
from corpus.services import building
from corpus.services.building import release_build
from corpus.services.release import release_create
from crowd.models import Campaign, Worker
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import QualityRun
from ratings.services.exclusions import person_exclude, person_readmit
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    edit_all,
    enrol,
    freeze,
    golden_campaign,
    import_texts,
    judged_campaign,
    make_campaign,
    rate,
    rate_all,
    silent,
    submit_text,
)
from tests.support.stored import release_folder, stored_paths

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

Contents = dict[str, str]


def contents(folder: Path) -> Contents:
    """The SHA-256 of each file."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def written_again(release: Release) -> Contents:
    """The files of a release that is written once more from what it pins."""
    Release.objects.filter(pk=release.pk).update(state=Release.State.BUILDING, checksum="", finished_at=None)
    again = Release.objects.get(pk=release.pk)
    release_build(release=again, progress=silent)
    return contents(release_folder(again))


def worker(name: str) -> Worker:
    return Worker.objects.get(external_id=name)


# What happens between


def texts_are_written(campaign: Campaign) -> None:
    campaign.items.filter(round=EDIT).update(wanted=9, open_slots=5)
    edit_all(campaign, 3)


def a_text_is_written_again(campaign: Campaign) -> None:
    campaign.items.filter(round=EDIT).update(wanted=9, open_slots=5)
    editor = enrol(campaign, EDIT, "late")
    assignment = assignment_claim(enrolment=editor)
    assert assignment is not None
    submit_text(editor, Target.objects.filter(source__item=assignment.item)[0].text)


def texts_are_judged(campaign: Campaign) -> None:
    campaign.items.filter(round=RATE).update(wanted=9, open_slots=5)
    rate_all(enrol(campaign, RATE, "late"), 1, 1)


def new_texts_are_judged(campaign: Campaign) -> None:
    texts_are_written(campaign)
    texts_are_judged(campaign)


def systems_make_outputs(campaign: Campaign) -> None:
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, "1", "The committee agreed.")])


def a_system_makes_what_a_person_wrote(campaign: Campaign) -> None:
    known = release_sources(Release.objects.get())[0]
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, known.source_id, known.texts[0].text)])


def people_are_excluded(campaign: Campaign) -> None:
    person_exclude(worker=worker("editor-1"), work_round=EDIT, note="A bot.", user=None)
    person_exclude(worker=worker("rater-1"), work_round=RATE, note="A bot.", user=None)


def somebody_is_readmitted(campaign: Campaign) -> None:
    person_readmit(worker=worker("rater-3"), work_round=RATE, user=None)


def a_rule_is_applied(campaign: Campaign) -> None:
    quality_apply(campaign=campaign, parameters=FilterParameters(share=1.0, min_items=1))


def another_campaign_goes_on(campaign: Campaign) -> None:
    judged_campaign(sources=2)


def sources_are_imported(campaign: Campaign) -> None:
    import_texts(campaign, [SENTENCE.format(number=number) for number in range(1, 9)])


@pytest.mark.parametrize(
    "happen",
    [
        texts_are_written,
        a_text_is_written_again,
        texts_are_judged,
        new_texts_are_judged,
        systems_make_outputs,
        a_system_makes_what_a_person_wrote,
        people_are_excluded,
        somebody_is_readmitted,
        a_rule_is_applied,
        another_campaign_goes_on,
        sources_are_imported,
    ],
)
def test_what_comes_after_a_release_was_made_does_not_come_in(happen: Callable[[Campaign], None]) -> None:
    campaign = judged_campaign(sources=3, editors=2, scores=((3, 3), (2, 3), (1, 1)))
    person_exclude(worker=worker("rater-3"), work_round=RATE, note="A bot.", user=None)
    release = freeze(campaign)
    before = written_again(release)

    happen(campaign)

    assert written_again(release) == before


def test_a_release_written_again_has_the_same_files() -> None:
    release = freeze(judged_campaign(sources=9), shares={"train": 1, "valid": 1, "test": 1})
    before = contents(release_folder(release))

    assert written_again(release) == before


def test_the_order_in_which_a_database_keeps_the_keys_of_json_does_not_matter() -> None:
    campaign = golden_campaign()
    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5))
    release = freeze(campaign)
    before = contents(release_folder(release))

    turned = dict(reversed(run.parameters.items()))
    QualityRun.objects.filter(pk=run.pk).update(parameters=turned)

    assert written_again(release) == before


def test_what_came_before_a_release_was_made_comes_in() -> None:
    campaign = judged_campaign(sources=3, editors=2)
    before = freeze(campaign).summary

    new_texts_are_judged(campaign)
    systems_make_outputs(campaign)

    after = freeze(campaign).summary
    assert after["compressions"] == before["compressions"] + 3
    assert after["ratings"] > before["ratings"]
    assert after["systems"] == {"lead": 1}


def test_outputs_stand_in_the_order_of_the_names_of_their_systems_whichever_came_first() -> None:
    campaign = judged_campaign(sources=1)
    for system in ("tail", "lead", "middle"):
        outputs_add(campaign=campaign, system=system, outputs=[Output(1, "1", f"The {system} agreed.")])

    (source,) = release_sources(freeze(campaign))

    assert [output.system for output in source.outputs] == ["lead", "middle", "tail"]


# Parts and queries


def side_by_side() -> Campaign:
    scales = scales_dump(scales_from_text("Overall: Which is better?", side_by_side=True))
    settings: dict[str, Any] = {"rating_task": "pair", "scales": scales, "editors_per_source": 3}
    campaign = make_campaign(sources=4, raters_per_compression=1, rater_tasks=99, **settings)
    edit_all(campaign, 3)
    rater = enrol(campaign, RATE)
    while assignment := assignment_claim(enrolment=rater):
        rate(rater, assignment, overall=1 + assignment.item.pair.pk % 3)
    return campaign


def with_systems_and_people_left_out() -> Campaign:
    campaign = golden_campaign()
    outputs = [Output(number, str(number), f"The committee agreed on {number}.") for number in (1, 3, 5)]
    outputs_add(campaign=campaign, system="lead", outputs=outputs)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5))
    return campaign


@pytest.mark.parametrize("make", [side_by_side, with_systems_and_people_left_out])
@pytest.mark.parametrize(("few", "parts"), [(1, 3), (1, 100), (2, 2), (4, 1)])
def test_several_parts_make_the_files_that_one_makes(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], Campaign], few: int, parts: int
) -> None:
    release = freeze(make(), seed=3, shares={"train": 1, "valid": 1, "test": 1})
    whole = written_again(release)
    monkeypatch.setattr(table_readers, "FEW_SOURCES", few)
    monkeypatch.setattr(table_readers, "PARTS", parts)

    assert written_again(release) == whole


def queries(campaign: Campaign) -> int:
    release = release_create(campaign=campaign)
    with CaptureQueriesContext(connection) as captured:
        release_build(release=release, progress=silent)
    assert Release.objects.get(pk=release.pk).state == Release.State.READY
    return len(captured)


def test_a_release_of_many_sources_takes_as_many_queries_as_one_of_one() -> None:
    of_one, of_many = (queries(judged_campaign(sources=sources)) for sources in (1, 8))

    assert of_one == of_many <= 39


def tiny_sources(number: int) -> Campaign:
    """Sources that were released before, each with one text that one person judged."""
    rated = (ReleasedRating("2", {"meaning": 3, "grammar": 2}),)
    sources = [
        ReleasedSource(
            str(each),
            "Letters",
            f"Text {each} is here.",
            1,
            "",
            str(each),
            texts=[ReleasedText("Text.", ("1",), rated)],
        )
        for each in range(number)
    ]
    read = ReadRelease(sources=sources)
    return release_import(content=read, slug="tiny", name="Tiny", owner=None, progress=silent)


def test_the_queries_do_not_grow_with_thousands_of_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = tiny_sources(2500)
    of_thousands = queries(campaign)
    monkeypatch.setattr(table_readers, "FEW_SOURCES", 1)
    monkeypatch.setattr(table_readers, "PARTS", 3)

    assert of_thousands == queries(campaign) <= 56
    one, other = Release.objects.order_by("version")
    assert one.summary == other.summary
    assert one.summary["sources"] == 2500
    for name in ("corpus.jsonl", "RawData/train.tsv", "parquet/test.parquet"):
        assert (release_folder(one) / name).read_bytes() == (release_folder(other) / name).read_bytes()


@pytest.mark.postgresql
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL plans by statistics that may be old")
def test_a_release_is_read_by_what_the_tables_hold_now() -> None:
    campaign = tiny_sources(300)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pg_class SET reltuples = 0 WHERE relname LIKE 'compressions_%' OR relname LIKE 'ratings_%'"
        )

    queries(campaign)

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, reltuples FROM pg_class WHERE relname IN ('ratings_score', 'compressions_target')"
        )
        assert dict(cursor.fetchall()) == {"ratings_score": 600, "compressions_target": 300}


# Failures


def fail(*_: object, **__: object) -> None:
    raise OSError("No space left on device")


@pytest.mark.parametrize("step", ["Summary", "ReleaseWriters", "draw_splits", "card", "croissant", "archive_write"])
def test_a_build_that_fails_leaves_nothing_and_can_be_done_again(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    release = release_create(campaign=judged_campaign())
    with monkeypatch.context() as patch:
        patch.setattr(building, step, fail)
        with pytest.raises(OSError, match="No space left"):
            release_build(release=release, progress=silent)

    assert Release.objects.get().state == Release.State.FAILED
    assert not ReleaseFile.objects.exists()
    assert not stored_paths()

    release_build(release=Release.objects.get(), progress=silent)
    assert Release.objects.get().state == Release.State.READY
    assert list(release_folder(release).parent.iterdir()) == [release_folder(release)]


def test_a_build_that_fails_when_it_is_written_down_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    release = release_create(campaign=judged_campaign())
    monkeypatch.setattr(building, "database_now", fail)

    with pytest.raises(OSError, match="No space left"):
        release_build(release=release, progress=silent)

    assert Release.objects.get().state == Release.State.FAILED
    assert not ReleaseFile.objects.exists()
    assert not stored_paths()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a file that is always full is one of Linux")
def test_files_that_find_no_room_leave_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReleaseFolder, "path", lambda _folder, _name: Path("/dev/full"))
    with (
        pytest.raises(OSError, match="No space left"),
        scratch_folder() as own,
        ReleaseFolder(own / "release") as folder,
    ):
        write_two_files(folder)

    assert list((settings.DATA_DIR / "scratch").iterdir()) == []


def write_two_files(folder: ReleaseFolder) -> None:
    for name in ("first", "second"):
        folder.stream(name, b"held in memory until the end")
    folder.close_all()


def test_a_release_that_failed_does_not_touch_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = judged_campaign()
    first = freeze(campaign)
    before = contents(release_folder(first))
    monkeypatch.setattr(building, "card", fail)

    with pytest.raises(OSError, match="No space left"):
        freeze(campaign)

    assert contents(release_folder(first)) == before
    assert list(release_folder(first).parent.iterdir()) == [release_folder(first)]
