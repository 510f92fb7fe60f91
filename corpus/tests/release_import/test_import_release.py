"""Importing releases: frozen again they are what they were, and nobody is taken for somebody else."""

import io
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Count
from django.http import HttpResponseBase
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compressions.models import Compression, Source, SourceImport, System, Target
from compressions.services.imports import source_import
from corpus.formats.rawdata import Scales
from corpus.models import Release
from corpus.rating_matrices import crowd_rating_rows, rating_matrix
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from corpus.release_import.reading import release_import, release_read
from corpus.release_import.rows import ImportedCampaign
from corpus.selectors import release_sources
from corpus.services.outputs import outputs_import
from corpus.tests.support.whole_files import jsonl_write, outputs_write, rawdata_write
from crowd.models import Campaign, Item, Round, Stream, Worker
from crowd.scales import DEFAULT_SCALES, Point, Scale, scales_dump
from crowd.services.claims import assignment_claim
from measures.quality_control.worker_filter import FilterParameters
from measures.text.length_rule import allowed_length
from measures.text.normalization import canonical, forbidden_character, length
from ratings.models import ExpertSample, Rating
from ratings.services.exclusions import person_exclude
from ratings.services.experts import expert_sample_draw
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    RELEASE_FORM,
    SENTENCE,
    edit_all,
    enrol,
    freeze,
    golden_campaign,
    judged_campaign,
    link_of,
    make_campaign,
    make_staff,
    rate,
    rate_all,
    rate_next,
    readable,
    silent,
    staff_client,
    submit_text,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

EXPERT = Round.EXPERT
MARK = b"\xef\xbb\xbf"
CONTENT = Scale("content", "Content", "How much is kept?", tuple(Point(n, f"c{n}") for n in (5, 4, 3, 2, 1)))
STYLE = Scale("style", "Style", "How good is it?", (Point(2, "good"), Point(1, "bad")))


def imported(folder: Path, slug: str = "copy") -> Campaign:
    call_command("import_release", folder, f"--campaign={slug}", f"--owner={make_staff().username}")
    return Campaign.objects.get(slug=slug)


def rawdata(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "RawData").iterdir()}


def bare(folder: Path, to: Path) -> Path:
    """A folder that has of a release nothing but RawData."""
    shutil.copytree(folder / "RawData", to / "RawData")
    return to


# There and back: campaigns made by people.


def with_experts() -> Campaign:
    campaign = judged_campaign(sources=3, editors=2, scores=((3, 3), (2, 1)))
    expert_sample_draw(campaign=campaign, size=4, seed=1, experts=2)
    for points in ((1, 2), (3, 1)):
        rate_all(enrol(campaign, EXPERT), *points)
    return campaign


def with_shared_texts() -> Campaign:
    """Two editors of one text, and a system that made the same of it."""
    campaign = make_campaign(sources=2, editors_per_source=3, raters_per_compression=2, editor_tasks=9, rater_tasks=9)
    for name in ("ann", "ben"):
        for _ in range(2):
            submit_text(enrol(campaign, EDIT, name), "The committee agreed.")
    submit_text(enrol(campaign, EDIT, "cat"), "The bridge is old.")
    add_outputs(campaign, "t3", ("1", "The committee agreed."), ("2", "The bridge."))
    for points in ((3, 2), (1, 2)):
        rate_all(enrol(campaign, RATE), *points)
    return campaign


def add_outputs(campaign: Campaign, system: str, *outputs: tuple[str, str]) -> None:
    lines = [json.dumps({"id": source_id, "text": text}) for source_id, text in outputs]
    outputs_import(campaign=campaign, system=system, file_name="a.jsonl", content="\n".join(lines).encode())


def with_excluded_people() -> Campaign:
    campaign = with_experts()
    for worker in Worker.objects.filter(campaign=campaign, external_id__in=["editor-1", "rater-2"]):
        work_round = EDIT if worker.external_id == "editor-1" else RATE
        person_exclude(worker=worker, work_round=work_round, note="A bot.", user=None)
    return campaign


def with_people_left_out() -> Campaign:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5))
    return campaign


def family(number: int) -> list[dict[str, object]]:
    one, two = SENTENCE.format(number=number), SENTENCE.format(number=number + 1000)
    pair = f"{number}_{number + 1}"
    return [
        {"id": f"{number}", "genre": "Letters", "text": one, "paragraph": pair},
        {"id": pair, "genre": "Letters", "text": f"{one} {two}"},
        {"id": f"{number + 1}", "genre": "Letters", "text": two, "paragraph": pair},
    ]


def with_paragraphs(*, but: str = "") -> Campaign:
    """Paragraphs and their sentences, all compressed and judged but for one text."""
    campaign = make_campaign(editors_per_source=1, raters_per_compression=1, editor_tasks=99, rater_tasks=99)
    rows = [row for number in (11, 21, 31, 41) for row in family(number)]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True, seed=1)
    campaign.items.filter(source__source_id=but).update(open_slots=0)
    edit_all(campaign, 2)
    rate_all(enrol(campaign, RATE))
    return campaign


def without_a_paragraph() -> Campaign:
    """The sentences of a paragraph are released, and the paragraph itself is not."""
    return with_paragraphs(but="11_12")


def with_systems(*systems: tuple[str, str]) -> Campaign:
    """Judged texts of sources 2 and 4 of six; each system has outputs for the sources whose digits it names."""
    campaign = make_campaign(sources=6, editors_per_source=1, raters_per_compression=1, rater_tasks=99)
    campaign.items.exclude(source__source_id__in="24").update(open_slots=0)
    campaign.sources.update(split="test")
    edit_all(campaign, 1)
    assert rate_all(enrol(campaign, RATE)) == 2
    for name, sources in systems:
        add_outputs(campaign, name, *((each, f"{name} says of {each}.") for each in sources))
    rate_next(enrol(campaign, RATE))
    return campaign


def with_a_system() -> Campaign:
    return with_systems(("t3", "12456"))


def with_two_systems() -> Campaign:
    return with_systems(("u4", "123456"), ("t3", "246"))


def with_two_systems_of_different_sources() -> Campaign:
    return with_systems(("t3", "16"), ("u4", "1356"))


def with_ratings_of_unknown_people() -> Campaign:
    campaign = judged_campaign(sources=2)
    lines = [
        "1\tLetters\tText. ||| A system.\tt3\t2\t6\twords\t24\twords",
        "2\tLetters\tText. ||| Another.\tt3\t1\t7\twords",
    ]
    content = "\r\n".join(lines).encode()
    outputs_import(campaign=campaign, system="t3", file_name="a.tsv", content=content)
    return campaign


ODD = (
    "Bars ||| and |||| in it",
    "“Quotes” and \"quotes\" 'too'",
    "Emoji 👩‍👧 אב \u202e",
    "Tab\tand\nline\u2028end",
    "Cafe\u0301 au   lait",
    "6\tA\t;",
)


def with_odd_texts() -> Campaign:
    campaign = make_campaign(sources=6, editors_per_source=1, raters_per_compression=1, editor_tasks=9, rater_tasks=9)
    for text in ODD:
        submit_text(enrol(campaign, EDIT, "ann"), text)
    add_outputs(campaign, "t3.a b_output", *((str(number), text * 2) for number, text in enumerate(ODD, start=1)))
    rate_all(enrol(campaign, RATE))
    return campaign


CAMPAIGNS: list[Callable[[], Campaign]] = [
    lambda: judged_campaign(sources=5, editors=2, scores=((3, 3), (2, 1), (1, 2))),
    with_experts,
    with_shared_texts,
    with_excluded_people,
    with_people_left_out,
    with_paragraphs,
    without_a_paragraph,
    with_a_system,
    with_two_systems,
    with_two_systems_of_different_sources,
    with_ratings_of_unknown_people,
    with_odd_texts,
]
NAMES = [getattr(made, "__name__", "").removeprefix("with_") for made in CAMPAIGNS]


def some_splits(campaign: Campaign) -> Release:
    return freeze(campaign, shares={"train": 1, "test": 2})


@pytest.mark.parametrize("made", CAMPAIGNS, ids=NAMES)
def test_a_release_comes_back_byte_by_byte_from_its_full_folder(made: Callable[[], Campaign]) -> None:
    release = some_splits(made())

    again = freeze(imported(release_folder(release)), seed=99)

    assert rawdata(release_folder(again)) == rawdata(release_folder(release))
    assert (release_folder(again) / "corpus.jsonl").read_bytes() == (
        release_folder(release) / "corpus.jsonl"
    ).read_bytes()
    # Its files do not say what was there before people were left out, and its edit logs are not imported.
    unknown = {"left_out": None, "before_cleaning": None, "edit_logs": 0}
    known = {name: each for name, each in release.summary.items() if name != "not_assessed"}
    assert {**again.summary, "left_out": None} == known | unknown


@pytest.mark.parametrize("made", CAMPAIGNS, ids=NAMES)
def test_a_release_comes_back_byte_by_byte_from_rawdata_alone(made: Callable[[], Campaign], tmp_path: Path) -> None:
    release = some_splits(made())

    again = freeze(imported(bare(release_folder(release), tmp_path)), seed=99)

    assert rawdata(release_folder(again)) == rawdata(release_folder(release))


def on_own_scales() -> Campaign:
    campaign = make_campaign(
        sources=3,
        editors_per_source=2,
        raters_per_compression=2,
        editor_tasks=9,
        rater_tasks=9,
        scales=scales_dump((CONTENT, STYLE)),
    )
    edit_all(campaign, 2)
    add_outputs(campaign, "t3", ("1", "A system says so."))
    for shift in (0, 1):
        rater, given = enrol(campaign, RATE), 0
        while assignment := assignment_claim(enrolment=rater):
            given += 1
            rate(rater, assignment, content=1 + (given + shift) % 5, style=1 + given % 2)
    return campaign


def side_by_side(*systems: tuple[str, str]) -> Campaign:
    campaign = make_campaign(
        sources=2,
        rating_task="pair",
        editors_per_source=3,
        raters_per_compression=2,
        editor_tasks=9,
        rater_tasks=99,
    )
    edit_all(campaign, 3)
    for name, sources in systems:
        add_outputs(campaign, name, *((each, f"{name} says of {each}.") for each in sources))
    for points in ((1, 2), (3, 2)):
        rate_all(enrol(campaign, RATE), *points)
    return campaign


def side_by_side_with_systems() -> Campaign:
    return side_by_side(("u4", "12"), ("t3", "1"))


@pytest.mark.parametrize("made", [on_own_scales, side_by_side, side_by_side_with_systems])
def test_a_release_of_another_kind_comes_back_byte_by_byte_from_its_full_folder(made: Callable[[], Campaign]) -> None:
    campaign = made()
    release = some_splits(campaign)

    copy = imported(release_folder(release))
    again = freeze(copy, seed=99)

    assert (copy.scales, copy.rating_task) == (campaign.scales, campaign.rating_task)
    assert rawdata(release_folder(again)) == rawdata(release_folder(release))
    assert (release_folder(again) / "corpus.jsonl").read_bytes() == (
        release_folder(release) / "corpus.jsonl"
    ).read_bytes()


def test_a_pair_of_which_an_earlier_one_was_not_rated_comes_back() -> None:
    campaign = make_campaign(
        sources=1, rating_task="pair", editors_per_source=3, raters_per_compression=1, rater_tasks=9
    )
    edit_all(campaign, 3)
    first = campaign.items.filter(pair__isnull=False).order_by("pk").first()
    assert first is not None
    Item.objects.filter(pk=first.pk).update(open_slots=0)
    assert rate_all(enrol(campaign, RATE), 1, 3) == 2
    release = some_splits(campaign)

    again = freeze(imported(release_folder(release)))

    assert (release_folder(again) / "corpus.jsonl").read_bytes() == (
        release_folder(release) / "corpus.jsonl"
    ).read_bytes()


def test_a_copy_of_a_copy_is_the_same() -> None:
    release = some_splits(with_shared_texts())

    again = freeze(imported(release_folder(freeze(imported(release_folder(release), "one"))), "two"))

    assert rawdata(release_folder(again)) == rawdata(release_folder(release))
    assert (release_folder(again) / "corpus.jsonl").read_bytes() == (
        release_folder(release) / "corpus.jsonl"
    ).read_bytes()


# There and back: whatever a release may hold.


def is_fit(text: str) -> bool:
    return canonical(text) != "" and forbidden_character(text) is None


TEXTS = (
    st.text(
        st.one_of(
            st.sampled_from("  \u00a0|\"' ;,\\/_.!?Aa"),
            st.sampled_from("אبمرحبا\u202e\u200d👩🏽e\u0301\u212b"),
            st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]),
        ),
        min_size=1,
        max_size=12,
    )
    .map(lambda text: text.replace("|||", "| | |"))
    .filter(is_fit)
)
PEOPLE = st.sampled_from(("1", "2", "17", "007", "ann", "Bob-2", "é", "2147483648"))
IDS = st.from_regex(r"[0-9A-Za-z][0-9A-Za-z._:-]{0,6}", fullmatch=True).filter(lambda one: one.lower() != "sourceid")


@st.composite
def ratings_on(draw: st.DrawFn, scales: Scales) -> tuple[ReleasedRating, ...]:
    """Judgements of one thing: by different people, or by nobody knows whom."""
    known = draw(st.lists(PEOPLE, unique=True, max_size=3))
    raters = draw(st.permutations([*known, *[""] * draw(st.integers(0, 2))]))
    points = [{scale.key: draw(st.sampled_from(scale.values)) for scale in scales} for _ in raters]
    return tuple(ReleasedRating(rater, each) for rater, each in zip(raters, points, strict=True))


@st.composite
def sources_on(draw: st.DrawFn, scales: Scales, source_id: str) -> ReleasedSource:
    """A source with texts by people, by systems, or by both; what is without a text by people is in no release."""
    source = ReleasedSource(
        source_id,
        draw(st.sampled_from(("News", "Letters & more"))),
        draw(TEXTS),
        draw(st.integers(1, 2)),
        "",
        source_id,
        draw(st.sampled_from(("train", "valid", "test"))),
    )
    systems = draw(st.lists(st.sampled_from(("t3", "u4")), unique=True))
    for text in draw(st.lists(TEXTS, min_size=1, max_size=3, unique=True)):
        ratings, experts = draw(ratings_on(scales)), draw(ratings_on(scales)) if draw(st.booleans()) else ()
        experts = tuple(each for each in experts if each.rater not in {rating.rater for rating in ratings} - {""})
        editors = tuple(draw(st.lists(PEOPLE, unique=True, max_size=2)))
        if editors and ratings:
            source.texts.append(ReleasedText(text, editors, ratings, experts))
        for system in systems if draw(st.booleans()) else ():
            source.outputs.append(ReleasedOutput(system, text, ratings, experts))
            systems = [other for other in systems if other != system]
    source.outputs.sort(key=lambda output: output.system)
    return source


@st.composite
def corpora(draw: st.DrawFn, scales: Scales) -> list[ReleasedSource]:
    names = draw(st.lists(IDS, min_size=1, max_size=5, unique=True))
    sources = [draw(sources_on(scales, name)) for name in names]
    return [source for source in sources if source.texts]


def rawdata_of(sources: list[ReleasedSource], scales: Scales) -> dict[str, bytes]:
    """The files of the public format that these sources make."""
    files: dict[str, bytes] = {}
    for split in ("train", "valid", "test"):
        members = [source for source in sources if source.split == split]
        stream = io.BytesIO()
        rawdata_write(stream, [source for source in members if source.texts], scales)
        files[f"{split}.tsv"] = stream.getvalue()
        for system in {output.system for source in members for output in source.outputs if output.ratings}:
            stream = io.BytesIO()
            outputs_write(stream, members, system, scales)
            files[f"{split}_output.{system}.tsv"] = stream.getvalue()
    return files


def jsonl_of(sources: list[ReleasedSource]) -> bytes:
    stream = io.BytesIO()
    jsonl_write(stream, sources)
    return stream.getvalue()


def has_ratings(sources: list[ReleasedSource]) -> bool:
    """Whether there is anything to freeze."""
    return any(each.ratings for source in sources for each in source.subjects)


SCALES = st.sampled_from([DEFAULT_SCALES, (CONTENT, STYLE), (STYLE,)])
PLAY = settings(suppress_health_check=list(HealthCheck))


def refrozen(folder: Path) -> Path:
    """What a folder becomes when it is imported and frozen."""
    content = release_read(folder)
    assert content.problems == []
    campaign = release_import(content=content, slug="made", name="made", owner=None, progress=silent)
    return release_folder(freeze(campaign))


@PLAY
@given(data=st.data())
def test_whatever_a_full_folder_holds_comes_back(data: st.DataObject) -> None:
    scales = data.draw(SCALES)
    sources = data.draw(corpora(scales).filter(has_ratings))
    with tempfile.TemporaryDirectory() as name, transaction.atomic():
        folder = Path(name)
        (folder / "corpus.jsonl").write_bytes(jsonl_of(sources))
        (folder / "manifest.json").write_text(json.dumps({"scales": scales_dump(scales), "task": "single"}))

        again = refrozen(folder)

        assert (again / "corpus.jsonl").read_bytes() == jsonl_of(sources)
        assert rawdata(again).items() >= rawdata_of(sources, scales).items()
        transaction.set_rollback(True)


@PLAY
@given(sources=corpora(DEFAULT_SCALES).filter(has_ratings))
def test_whatever_rawdata_holds_comes_back(sources: list[ReleasedSource]) -> None:
    files = rawdata_of(sources, DEFAULT_SCALES)
    with tempfile.TemporaryDirectory() as name, transaction.atomic():
        for file, content in files.items():
            (Path(name) / file).write_bytes(content)

        again = refrozen(Path(name))

        assert rawdata(again) == files
        transaction.set_rollback(True)


REAL = (
    "98\tNewswire\tHe left town early .  ||| He left . \t3;41\t2\t6\tMost important meaning Flawless language\t24\t"
    "Little or none meaning Disfluent or incomprehensible |||  He left .\t7\t1\t12\tMuch meaning Minor errors ||| "
    "He left .\t5\t1\t12\tMuch meaning Minor errors\r\n"
    '98_99_100\tNewswire\tHe left . She stayed . "   ||| He  left . She stayed . \t41\t1\t7\t'
    "Most important meaning Minor errors\r\n"
)
OUTPUTS = (
    "98\tNewswire\tHe left town early .  ||| He  .  \tT3\t1\t24\t"
    "Little or none meaning Disfluent or incomprehensible\r\n"
)


def test_spaces_at_the_ends_of_texts_come_in_and_go_out_again(tmp_path: Path) -> None:
    """Also where two texts of a line differ in nothing else, and after a second journey from the complete file."""
    files = {"train.tsv": "", "valid.tsv": "", "test.tsv": REAL, "test_output.T3.tsv": OUTPUTS}
    written = {name: b"\xef\xbb\xbf" + content.encode() for name, content in files.items()}
    for name, content in written.items():
        (tmp_path / name).write_bytes(content)

    campaign = imported(tmp_path)

    assert campaign.sources.get(source_id="98_99_100").sentences == 2
    release = freeze(campaign)
    assert rawdata(release_folder(release)) == written
    assert rawdata(release_folder(freeze(imported(release_folder(release), "again")))) == written


def source_of(number: int, judged: bool, systems: set[str]) -> ReleasedSource:
    """A source with one text by a person if it is judged, and a rated output of each of the systems."""
    said = (ReleasedRating("", {"meaning": 3, "grammar": 2}),)
    texts = [ReleasedText(f"Person {number}.", ("1",), said)] if judged else []
    outputs = [ReleasedOutput(system, f"System {system}.", said) for system in sorted(systems)]
    return ReleasedSource(str(number), "News", "A b c.", 1, "", str(number), "test", texts, outputs)


@PLAY
@given(made=st.lists(st.tuples(st.booleans(), st.sets(st.sampled_from("abc"), min_size=1)), max_size=6))
def test_sources_with_outputs_alone_are_left_out_and_the_others_keep_their_places(
    made: list[tuple[bool, set[str]]],
) -> None:
    sources = [source_of(number, *each) for number, each in enumerate([(True, {"a"}), *made], start=1)]
    files = rawdata_of(sources, DEFAULT_SCALES)
    with tempfile.TemporaryDirectory() as name, transaction.atomic():
        for file, content in files.items():
            (Path(name) / file).write_bytes(content)

        again = refrozen(Path(name))

        assert rawdata(again) == rawdata_of([source for source in sources if source.texts], DEFAULT_SCALES)
        transaction.set_rollback(True)


# People.

HEAD = "SourceID\tDomain\tSourceText"


def folder_of(path: Path, **files: str) -> Path:
    """A folder with files of RawData, as others write them."""
    path.mkdir(exist_ok=True)
    for name, content in files.items():
        (path / f"{name.replace('__', '.')}.tsv").write_text(content, encoding="utf-8", newline="")
    return path


def line(source_id: str, *texts: tuple[str, str, str], text: str = "A b c d.") -> str:
    """A line with texts, judge ids, and the codes of their ratings."""
    parts = [
        "\t".join([words, judges, str(len(codes.split())), *(f"{code}\twords" for code in codes.split())])
        for words, judges, codes in texts
    ]
    return " ||| ".join([f"{source_id}\tNews\t{text}", *parts]) + "\r\n"


def names_of(campaign: Campaign) -> Counter[str]:
    return Counter(worker.public_name for worker in campaign.workers.all())


def test_people_keep_their_names_whether_these_are_numbers_or_not(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path / "a",
        train=line("1", ("A b.", "17;ann", "6"), ("A c.", "007", "7")) + line("2", ("A.", "17;2147483648", "6")),
    )
    owner = make_staff("reader")
    call_command("import_release", folder, "--campaign=copy", "--owner=reader")
    campaign = Campaign.objects.get(slug="copy")

    assert names_of(campaign) == Counter(["17", "ann", "007", "2147483648"])
    assert campaign.workers.get(number=17).public_name == "17"
    editors = [text.editors for source in release_sources(freeze(campaign)) for text in source.texts]
    assert editors == [("17", "ann"), ("007",), ("17", "2147483648")]
    client = staff_client(owner)
    for worker in campaign.workers.all():
        page = client.get(f"/campaigns/copy/people/{worker.number}/")
        assert re.search(rf"(Editor|Participant) {worker.public_name}\b", readable(page))


def test_pages_about_a_text_call_its_editor_as_the_release_does(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "a", train=line("1", ("A b.", "ann-7", "6")))
    make_staff("reader")
    call_command("import_release", folder, "--campaign=copy", "--owner=reader")
    client = staff_client(Campaign.objects.get(slug="copy").staff.get())
    compression = Compression.objects.get()

    for page in (f"compressions/{compression.pk}/", "sources/1/"):
        assert "ann-7" in readable(client.get(f"/campaigns/copy/{page}")), page


def test_a_name_twice_at_one_source_is_two_people_of_one_name(tmp_path: Path) -> None:
    lines = line("1", ("A b.", "7", "6"), ("A c.", "7;8", "6")) + line("2", ("A.", "7", "6"))
    folder = folder_of(tmp_path / "a", train=lines)

    campaign = imported(folder)

    assert names_of(campaign) == Counter({"7": 2, "8": 1})
    assert len(set(campaign.workers.values_list("number", flat=True))) == 3
    assert Compression.objects.filter(worker__number=7).count() == 2
    assert rawdata(release_folder(freeze(campaign)))["train.tsv"] == MARK + lines.replace("words", FLAWLESS).encode()


FLAWLESS = "Most important meaning Flawless language"


def test_somebody_new_gets_a_number_that_is_free(tmp_path: Path) -> None:
    campaign = imported(folder_of(tmp_path / "a", train=line("1", ("A b.", "1;2;ann", "6"), ("A c.", "2;4", "6"))))
    Campaign.objects.filter(pk=campaign.pk).update(state="open")

    worker = enrol(Campaign.objects.get(pk=campaign.pk), RATE, "new").worker

    assert names_of(campaign) == Counter({"1": 1, "2": 2, "ann": 1, "4": 1, worker.public_name: 1})
    assert worker.public_name == str(worker.number)


def three_editors(tmp_path: Path) -> Campaign:
    """Three editors, each with a text for each of four sources, judged by people whom nobody knows."""
    codes = {"11": "6 7 6", "12": "12 6 14", "13": "24 22 6"}
    lines = [line(str(n), *((f"Text {name}.", name, given) for name, given in codes.items())) for n in range(1, 5)]
    return imported(folder_of(tmp_path / "a", train="".join(lines)))


def test_unknown_raters_are_never_one_person_in_the_matrix(tmp_path: Path) -> None:
    campaign = three_editors(tmp_path)

    assert not Rating.objects.exclude(worker=None, assignment=None).exists()
    matrix = rating_matrix(crowd_rating_rows(release_sources(freeze(campaign)))).points("meaning")
    assert matrix.shape == (12, 3)
    assert not np.isnan(matrix).any()


@pytest.mark.parametrize("min_items", [1, 4, 5])
def test_unknown_raters_are_not_judged_and_editors_are_judged_by_all_their_ratings(
    tmp_path: Path, min_items: int
) -> None:
    campaign = three_editors(tmp_path)

    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.4, min_items=min_items))

    assert not run.decisions.filter(round=RATE).exists()
    assert run.summary["raters"]["removed"] == 0
    quality = dict(run.decisions.filter(round=EDIT).values_list("worker__number", "quality"))
    assert quality == {11: pytest.approx(17 / 6), 12: pytest.approx(13 / 6), 13: pytest.approx(11 / 6)}
    removed = set(run.decisions.filter(removed=True).values_list("worker__number", flat=True))
    assert removed == ({13} if min_items < 5 else set())
    assert run.summary["ratings_kept"] == (24 if removed else 36)
    assert freeze(campaign).summary["ratings"] == run.summary["ratings_kept"]


def test_staff_are_told_of_no_raters_where_nobody_knows_any(tmp_path: Path) -> None:
    campaign = three_editors(tmp_path)

    run = quality_apply(campaign=campaign, parameters=FilterParameters())

    assert run.summary["raters"]["workers"] == 0


# What others write.


def test_real_files_are_read_with_all_their_oddities(tmp_path: Path) -> None:
    head = f"{HEAD} ||| CompressedText\tJudgeId\tnumRatings\n"
    one = " 98 \tNewswire\tHe left town early . ||| He left . \t 3 ; 41\t 2\t6\tMost\tFlawless\t 24 \tLittle\tBad \n"
    two = '98_99_100\tNewswire\tHe left town early . She stayed . " ||| He left . She stayed .\t41\t1\t7\tMost\tMinor\n'
    raw = folder_of(
        tmp_path / "RawData",
        train=head + one + "\n" + two,
        dev=line("5", ("A.", "3", "11")),
        test__1=line("6", ("A.", "3", "11")),
        test_output__T3=line("7", ("A b.", "T3", "")) + "8\tNews\tA b c. ||| A c.\n9\tNews\tA b. ||| B.\tT3\t1\t6\n",
    )

    campaign = imported(raw.parent)

    assert dict(campaign.sources.values_list("source_id", "split")) == {
        **{"98": "train", "98_99_100": "train", "5": "valid"},
        **dict.fromkeys("789", "test"),
    }
    assert dict(campaign.sources.values_list("source_id", "sentences")) == {
        **dict.fromkeys(["98", *"5789"], 1),
        "98_99_100": 2,
    }
    paragraph = campaign.sources.get(source_id="98_99_100")
    assert campaign.sources.get(source_id="98").paragraph == paragraph
    assert paragraph.text == 'He left town early . She stayed . "'
    outputs = campaign.sources.filter(outputs__isnull=False).annotate(n=Count("outputs__target__ratings"))
    assert dict(outputs.values_list("source_id", "n")) == {"7": 0, "8": 0, "9": 1}
    sources = {source.source_id: source for source in release_sources(freeze(campaign))}
    assert set(sources) == {"98", "98_99_100", "5"}
    (text,) = sources["98"].texts
    assert (text.text, text.editors) == ("He left . ", ("3", "41"))
    assert [rating.scores for rating in text.ratings] == [{"meaning": 3, "grammar": 3}, {"meaning": 1, "grammar": 1}]


def test_the_folder_itself_may_be_rawdata(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "plain", train=line("1", ("A b.", "3", "6")))

    call_command("import_release", folder, f"--owner={make_staff().username}")

    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.name) == ("plain", "plain")
    assert set(rawdata(release_folder(freeze(campaign)))) == {"train.tsv", "valid.tsv", "test.tsv"}


def test_texts_longer_than_the_rule_allows_are_taken(tmp_path: Path) -> None:
    long = "A b c d, and a good deal more than that."

    campaign = imported(folder_of(tmp_path / "a", train=line("1", (long, "3", "6"))))

    compression = Compression.objects.get(source__campaign=campaign)
    assert (compression.text, compression.is_imported, compression.edit_log) == (long, True, [])
    assert compression.length == length(long) > compression.allowed == allowed_length("A b c d.")


GOOD = line("1", ("A b.", "3", "6"))
BAD_LINES = [
    ("2\tNews ||| A.\t3\t1\t6\twords\r\n", "2 fields before the first |||"),
    ("\tNews\tA b. ||| A.\t3\t1\t6\twords\r\n", "the id is empty"),
    ("2\tNews\t \u00a0 ||| A.\t3\t1\t6\twords\r\n", "the source's text is empty"),
    ("2\tNews\tA b. ||| \t3\t1\t6\twords\r\n", "compression 1: the text is empty"),
    ("2\tNews\tA b. ||| A.\t3\t2\t6\r\n", "compression 1: the number of ratings is 2"),
    ("2\tNews\tA b. ||| A.\t3\t1\t8\twords\r\n", "compression 1: '8' is no rating on the scales meaning, grammar"),
    (GOOD, "the source '1' is already in a line above"),
    (f"2\t{'g' * 101}\tA b. ||| A.\t3\t1\t6\twords\r\n", "the genre is longer than 100 characters"),
    (f"2\tNews\tA b. ||| A.\t{'j' * 41}\t1\t6\twords\r\n", "a judge id is longer than 40 characters"),
    ("2/3\tNews\tA b. ||| A.\t3\t1\t6\twords\r\n", "the id '2/3' has characters other than"),
    ("2\tNews\tA \0 b. ||| A.\t3\t1\t6\twords\r\n", "U+0000 control character at character 3"),
    ("2\tNews\tA b. ||| A\a.\t3\t1\t6\twords\r\n", "U+0007 control character at character 2"),
    ("2\tNews\tA b. ||| A.\t3\0\t1\t6\twords\r\n", "U+0000 control character"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD_LINES)
def test_a_line_that_cannot_be_read_is_named_by_file_and_line_and_the_rest_comes_in(
    bad: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = line("3", ("A b.", "3", "6"))
    folder = folder_of(tmp_path / "a", valid=GOOD + bad + last, test_output__t3=line("3", ("B.", "t3", "")))

    campaign = imported(folder)

    output = capsys.readouterr()
    assert output.err.startswith(f"valid.tsv, line 2: {reason}")
    assert output.err.count("\n") == 1
    assert output.out == "Campaign copy. Sources: 2; compressions: 2; outputs of systems: 1; lines refused: 1.\n"
    assert set(campaign.sources.values_list("source_id", flat=True)) == {"1", "3"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (line("3", ("B.", "t3", ""), ("C.", "t3", "")), "more than one output for this source"),
        (line("1", ("C.", "t3", "")), "more than one output for this source"),
    ],
)
def test_a_second_output_for_a_source_is_named_by_file_and_line(
    bad: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path / "a", valid=GOOD, valid_output__t3=line("1", ("B.", "t3", "")) + bad)

    imported(folder)

    assert capsys.readouterr().err == f"valid_output.t3.tsv, line 2: {reason}\n"
    assert list(Target.objects.filter(outputs__gt=0).values_list("text", flat=True)) == ["B."]


@pytest.mark.parametrize("name", ["x" * 61, "a;b", "a|b"])
def test_a_file_of_a_system_that_no_campaign_may_have_is_not_taken_in(name: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "a", train=GOOD)
    (folder / f"train_output.{name}.tsv").write_text(line("1", ("B.", "t3", "")))

    with suppress(CommandError):
        imported(folder)

    assert not System.objects.filter(name=name).exists()


def test_a_release_in_the_form_of_early_ones_is_read(tmp_path: Path) -> None:
    rating = {"rater": 3, "meaning": 2, "grammar": 3}
    text = {"text": "A b.", "editors": [1, 2], "ratings": [rating, {**rating, "rater": 4}]}
    early = {"id": "1", "split": "valid", "genre": "News", "sentences": 1, "paragraph": None, "text": "A b c."}
    (tmp_path / "corpus.jsonl").write_text(json.dumps({**early, "compressions": [text]}) + "\n")
    (tmp_path / "manifest.json").write_text(json.dumps({"release": "early-v1", "summary": {}}))

    campaign = imported(tmp_path)

    assert names_of(campaign) == Counter(["1", "2", "3", "4"])
    (source,) = release_sources(freeze(campaign))
    assert (source.split, source.texts[0].editors) == ("valid", ("1", "2"))
    assert source.texts[0].ratings == tuple(ReleasedRating(who, {"meaning": 2, "grammar": 3}) for who in "34")


def test_the_days_of_ratings_come_back_and_unknown_ones_stay_unknown(tmp_path: Path) -> None:
    known = {"rater": "3", "scores": {"meaning": 2, "grammar": 3}, "day": "2016-02-29"}
    unknown = {"rater": "4", "scores": {"meaning": 1, "grammar": 3}}
    text = {"text": "A b.", "editors": ["1"], "ratings": [known, unknown]}
    source = {"id": "1", "split": "train", "genre": "News", "sentences": 1, "paragraph": None, "text": "A b c."}
    line = json.dumps({**source, "compressions": [text]}) + "\n"
    (tmp_path / "corpus.jsonl").write_text(line)
    (tmp_path / "manifest.json").write_text(json.dumps({"release": "other-v1", "summary": {}}))

    release = freeze(imported(tmp_path))

    assert (release_folder(release) / "corpus.jsonl").read_text() == line


@pytest.mark.parametrize("day", ["2015-02-29", "yesterday", 20160229, ["2016-02-29"]])
def test_what_is_no_day_is_refused_with_its_line(day: object, tmp_path: Path) -> None:
    rating = {"rater": "3", "scores": {"meaning": 2, "grammar": 3}}
    texts = [{"text": "A b.", "editors": ["1"], "ratings": [each]} for each in (rating, {**rating, "day": day})]
    source = {"split": "train", "genre": "News", "sentences": 1, "paragraph": None, "text": "A b c."}
    lines = [json.dumps({"id": str(number), **source, "compressions": [text]}) for number, text in enumerate(texts)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "manifest.json").write_text("{}")

    with pytest.raises(CommandError, match=r"corpus.jsonl.*line 2:"):
        imported(tmp_path)

    assert not Campaign.objects.exists()


# What is refused.


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "there is no corpus.jsonl and no RawData/*.tsv"),
        ({"notes.txt": b"Hello."}, "there is no corpus.jsonl and no RawData/*.tsv"),
        ({"train.tsv": MARK}, "There is nothing to import: no line could be read."),
        ({"other.tsv": GOOD.encode()}, "There is nothing to import: no line could be read."),
        ({"corpus.jsonl": b""}, "corpus.jsonl and manifest.json cannot be read"),
        ({"corpus.jsonl": b"{}\n", "manifest.json": b"{}"}, "corpus.jsonl and manifest.json cannot be read"),
        ({"corpus.jsonl": b"", "manifest.json": b"{}"}, "There is nothing to import: no line could be read."),
        ({"corpus.jsonl": b"[]\n", "manifest.json": b"{}"}, "corpus.jsonl and manifest.json cannot be read"),
        ({"corpus.jsonl": b"", "manifest.json": b"[]"}, "corpus.jsonl and manifest.json cannot be read"),
        ({"corpus.jsonl": b"", "manifest.json": b'{"scales": [{}]}'}, "corpus.jsonl and manifest.json cannot be read"),
    ],
)
def test_a_folder_without_a_release_is_refused(files: dict[str, bytes], reason: str, tmp_path: Path) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)

    with pytest.raises(CommandError, match=re.escape(reason)):
        imported(tmp_path)

    assert not Campaign.objects.exists()


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        imported(tmp_path / "nowhere")


def test_a_short_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "a", train=GOOD)
    imported(folder)

    with pytest.raises(CommandError, match="There is already a campaign 'copy'"):
        imported(folder)

    assert Source.objects.count() == 1


@pytest.mark.parametrize("slug", ["new", "a b", "a/b"])
def test_a_short_name_that_is_no_address_is_refused(slug: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        imported(folder_of(tmp_path / "a", train=GOOD), slug)

    assert not Campaign.objects.exists()


def test_an_unknown_account_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no account 'nobody'"):
        call_command("import_release", folder_of(tmp_path / "a", train=GOOD), "--owner=nobody")

    assert not Campaign.objects.exists()


def test_the_only_account_owns_what_is_imported_and_opens_it(tmp_path: Path) -> None:
    owner, gone = make_staff("reader"), make_staff("gone")
    gone.is_active = False
    gone.save()

    call_command("import_release", folder_of(tmp_path / "a", train=GOOD), "--campaign=copy")

    assert Campaign.objects.get().memberships.get(role="owner").user == owner
    assert staff_client(owner).get("/campaigns/copy/").status_code == 200


@pytest.mark.parametrize(
    ("accounts", "reason"),
    [(0, "no account yet: make one with manage.py createsuperuser"), (2, "more than one account")],
)
def test_without_an_owner_nothing_is_imported(accounts: int, reason: str, tmp_path: Path) -> None:
    for _ in range(accounts):
        make_staff()

    with pytest.raises(CommandError, match=f"There is {reason}.*--owner"):
        call_command("import_release", folder_of(tmp_path / "a", train=GOOD))

    assert not Campaign.objects.exists()


@pytest.mark.parametrize("step", ["_texts", "_people", "_ratings"])
def test_a_failure_half_way_leaves_nothing(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path / "a", train=GOOD, train_output__t3=line("1", ("B.", "t3", "6")))

    def fail(_self: ImportedCampaign) -> None:
        raise OSError("The database is gone")

    with monkeypatch.context() as patch:
        patch.setattr(ImportedCampaign, step, fail)
        with pytest.raises(CommandError):
            imported(folder)

    for table in (Campaign, Source, Item, Target, Worker, Compression, System, Rating, SourceImport):
        assert not table._default_manager.exists(), table
    assert imported(folder).sources.count() == 1


# The campaign that an import makes.


def full_release() -> Release:
    """A release that holds all there can be."""
    campaign = with_shared_texts()
    expert_sample_draw(campaign=campaign, size=2, seed=1, experts=1)
    rate_all(enrol(campaign, EXPERT), 1, 2)
    return some_splits(campaign)


def test_an_imported_campaign_is_closed_and_gives_nobody_work() -> None:
    campaign = imported(release_folder(full_release()))

    assert not campaign.is_open
    assert not Item.objects.filter(campaign=campaign, open_slots__gt=0).exists()
    for work_round in Round:
        page = staff_client(make_staff()).get(f"/join/{link_of(campaign, work_round).token}/")
        assert page.status_code == 409
        assert "is not open to new participants" in readable(page)


def test_an_imported_campaign_that_is_opened_has_nothing_left_to_do() -> None:
    campaign = imported(release_folder(full_release()))
    Campaign.objects.filter(pk=campaign.pk).update(state="open")
    campaign.refresh_from_db()

    for work_round in Round:
        assert assignment_claim(enrolment=enrol(campaign, work_round)) is None


def test_what_systems_made_stays_in_a_stream_of_its_own() -> None:
    campaign = imported(release_folder(full_release()))

    streams = dict(Item.objects.filter(campaign=campaign, round=RATE).values_list("target__text", "stream"))
    assert streams == {
        "The committee agreed.": Stream.WORK,
        "The bridge is old.": Stream.WORK,
        "The bridge.": Stream.SYSTEM,
    }


PAGES = (
    "",
    "settings/",
    "links/",
    "imports/",
    "sources/",
    "sources/1/",
    "flagged/",
    "flagged.csv",
    "remarks/",
    "remarks.csv",
    "paragraphs/",
    "systems/",
    "quality/",
    "participants/rate/",
    "participants.csv",
    "experts/",
    "examples/",
    "releases/",
)


def visited(client: Any, address: str) -> HttpResponseBase:
    reply: HttpResponseBase = client.get(address)
    assert reply.status_code == 200, address
    return reply


@pytest.mark.parametrize("full", [True, False])
def test_every_page_of_an_imported_campaign_can_be_seen(full: bool, tmp_path: Path) -> None:
    owner = make_staff("reader")
    folder = release_folder(full_release())
    call_command(
        "import_release",
        folder if full else bare(folder, tmp_path),
        "--campaign=copy",
        "--name=A copy",
        "--owner=reader",
    )
    campaign = Campaign.objects.get(slug="copy")
    client = staff_client(owner)

    for page in PAGES:
        visited(client, f"/campaigns/copy/{page}")
    for number in campaign.workers.values_list("number", flat=True):
        visited(client, f"/campaigns/copy/people/{number}/")
    for compression in Compression.objects.filter(source__campaign=campaign):
        assert compression.text in readable(visited(client, f"/campaigns/copy/compressions/{compression.pk}/"))


@pytest.mark.django_db(transaction=True)
def test_an_imported_campaign_is_judged_frozen_and_measured_on_its_pages() -> None:
    owner = make_staff("reader")
    call_command("import_release", release_folder(full_release()), "--campaign=copy", "--owner=reader")
    client = staff_client(owner)

    steps = {"quality/apply/": {}, "releases/freeze/": RELEASE_FORM, "releases/1/agreement/reports/": {}}
    for action, form in steps.items():
        assert client.post(f"/campaigns/copy/{action}", form, follow=True).status_code == 200

    for page in ("", "quality/", "releases/", "releases/1/", "releases/1/agreement/", "releases/1/agreement.csv"):
        visited(client, f"/campaigns/copy/{page}")
    assert "Expert versus rater" in readable(client.get("/campaigns/copy/releases/1/agreement/"))


def test_what_experts_judged_is_a_sample_whose_draw_is_not_known() -> None:
    campaign = imported(release_folder(full_release()))

    sample = ExpertSample.objects.get(campaign=campaign)
    assert (sample.size, sample.experts, sample.strata) == (2, 1, [])
    assert sample.items.count() == 2
