"""What other annotation tools export comes in: the files were written by the tools themselves."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command

from compressions.models import Compression, Source
from compressions.other_tools import MAX_BYTES
from corpus.models import Release
from crowd.models import Campaign, Worker
from ratings.models import Score
from tests.support.factories import freeze, make_campaign, make_staff
from tests.support.reports import scales_named
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

EXPORTS = Path(__file__).parent / "exports"
LABEL_STUDIO_FILE = Path(__file__).resolve().parents[2] / "docs/examples/judgements/label-studio.json"
SOURCE = "The old bridge over the river was closed for repairs last week."
LABEL_STUDIO = ("--from=label-studio", "--column=compression=shorter")


@pytest.fixture(autouse=True)
def owner() -> None:
    make_staff("owner")


def imported(file: Path, *options: str) -> tuple[str, str]:
    """What the command says of a file, and what it complains of."""
    out, err = io.StringIO(), io.StringIO()
    call_command("import_release", str(file), "--campaign=came", *options, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def imported_tasks(folder: Path, tasks: list[Any], *options: str) -> str:
    """What the command complains of in tasks of Label Studio."""
    (folder / "tasks.json").write_text(json.dumps(tasks))
    _out, err = imported(folder / "tasks.json", *LABEL_STUDIO[:1], *options)
    return err


def zipped(tmp_path: Path, folder: str) -> Path:
    with zipfile.ZipFile(tmp_path / f"{folder}.zip", "w") as archive:
        for file in sorted((EXPORTS / folder).iterdir()):
            archive.write(file, file.name)
    return tmp_path / f"{folder}.zip"


def corpus() -> list[dict[str, Any]]:
    """The lines of the corpus that the next release of the campaign has."""
    release = freeze(Campaign.objects.get(slug="came"), min_ratings=0, min_compressions=0)
    with (release_folder(release) / "corpus.jsonl").open() as lines:
        return [json.loads(line) for line in lines]


def compressions() -> list[tuple[str, list[str], list[dict[str, float]]]]:
    """Each text with its editors and the points that it was given."""
    return [
        (each["text"], each["editors"], [rating["scores"] for rating in each["ratings"]])
        for line in corpus()
        for each in line["compressions"]
    ]


def test_label_studio() -> None:
    out, err = imported(LABEL_STUDIO_FILE, *LABEL_STUDIO)

    assert "Sources: 1; compressions: 1" in out
    assert err == "Left out, skipped by the annotator: 1\n"
    assert Source.objects.get().source_id == "s1"  # which JSON_MIN calls 1
    assert compressions() == [("The bridge was closed last week.", ["1"], [{"meaning": 3, "grammar": 2}])]
    card = (release_folder(Release.objects.get()) / "README.md").read_text()
    assert "Most important meaning" not in card  # what the points were called there is not known


def test_doccano_names_its_annotators_by_files_alone(tmp_path: Path) -> None:
    columns = ("--column=source=text", "--column=compression=label", "--column=id=source_id")
    imported(zipped(tmp_path, "doccano"), "--from=doccano", *columns)

    assert Source.objects.get().genre == "letters"
    written = Compression.objects.order_by("text").values_list("text", "worker__number", "worker__imported_name")
    assert list(written) == [
        ("A bridge was closed last week.", 1, ""),
        ("The bridge was closed last week.", 3, "1"),  # a campaign has a person's first text of a source alone
        ("The old bridge was closed.", 2, ""),
    ]


def test_potato_has_its_items_in_a_file_of_their_own(tmp_path: Path) -> None:
    out, err = imported(
        zipped(tmp_path, "potato"), "--from=potato", "--column=compression=rewrite", "--fill=system=baseline"
    )

    assert (err, "outputs of systems: 1" in out) == ("", True)
    assert compressions() == [("The bridge was shut last week.", ["1"], [])]
    (output,) = corpus()[0]["outputs"]
    assert (output["system"], output["text"]) == ("baseline", "The bridge was closed last week.")
    assert [rating["scores"] for rating in output["ratings"]] == [{"meaning": 3, "grammar": 2}]

    with pytest.raises(CommandError, match="no item 'c1'"):
        imported(EXPORTS / "potato" / "annotations.jsonl", "--from=potato")


@pytest.mark.parametrize("name", ["argilla.json", "argilla.jsonl", "argilla.arrow"])
def test_argilla(name: str) -> None:
    imported(EXPORTS / name, "--from=argilla", "--column=compression=rewrite", "--column=text=shorter")

    assert compressions() == [("The bridge was closed.", ["1"], [{"meaning": 3}, {"meaning": 2}])]
    assert Source.objects.get().genre == "letters"


def test_argilla_drafts_are_left_out(tmp_path: Path) -> None:
    record = json.loads((EXPORTS / "argilla.jsonl").read_text())
    record["meaning.responses.status"] = ["submitted", "draft"]
    (tmp_path / "drafts.jsonl").write_text(json.dumps(record))

    _out, err = imported(
        tmp_path / "drafts.jsonl", "--from=argilla", "--column=compression=rewrite", "--column=text=shorter"
    )

    assert err == "Left out, draft: 1\n"
    assert compressions() == [("The bridge was closed.", ["1"], [{"meaning": 3}])]


def test_texts_outputs_and_ratings_come_into_a_campaign_one_after_the_other(tmp_path: Path) -> None:
    make_campaign(slug="here", sources=0, sentence_min_words=1, scales=scales_named("Style"))
    ratings, ids = str(zipped(tmp_path, "doccano-ratings")), ("--from=doccano", "--column=id=source_id")
    scale = ("--long=scale=label", "--column=rater=person", "--scale=meaning 1..3 step 1")
    out = io.StringIO()

    call_command("import_sources", "here", str(zipped(tmp_path, "doccano")), *ids, stdout=out)
    call_command("import_outputs", ratings, "--campaign=here", *ids, "--fill=system=baseline", stdout=out)
    call_command("import_ratings", ratings, "--campaign=here", *ids, *scale, "--pool=crowd", stdout=out)

    assert out.getvalue().splitlines() == [
        "1 text added, 2 known before, 0 rows refused.",
        "1 output added, 1 known before, 0 refused.",
        "2 ratings added, 0 known before, 0 refused.",
    ]


def test_questions_that_are_scales_of_the_campaign_are_its_ratings_and_other_columns_are_left_aside() -> None:
    make_campaign(slug="here", sources=0, sentence_min_words=1)
    file, options, err = str(LABEL_STUDIO_FILE), ("--campaign=here", "--from=label-studio"), io.StringIO()

    call_command("import_sources", "here", file, options[1], "--column=text=source", stdout=io.StringIO())
    call_command("import_outputs", "T3", file, *options, stdout=io.StringIO())
    call_command("import_ratings", file, *options, "--column=rater=person", "--pool=crowd", stderr=err)

    assert dict(Score.objects.values_list("scale", "value")) == {"meaning": 3, "grammar": 2}
    assert "line 1: the column 'shorter' is left aside" in err.getvalue()


ANSWERS = {
    "completed_by": 1,
    "result": [
        {"from_name": "meaning", "type": "rating", "value": {"rating": 3}},
        {"from_name": "grammar", "type": "choices", "value": {"choices": ["2"]}},
        {"from_name": "shorter", "type": "textarea", "value": {"text": ["The bridge was shut."]}},
    ],
}
TASK: dict[str, Any] = {
    "id": 7,
    "data": {"source": SOURCE, "text": "The bridge was closed."},
    "annotations": [ANSWERS],
}


def judged(by: int = 1, **points: object) -> dict[str, Any]:
    """A task with one person's points."""
    result = [{"from_name": name, "type": "rating", "value": {"rating": point}} for name, point in points.items()]
    return {**TASK, "annotations": [{"completed_by": by, "result": result}]}


@pytest.mark.parametrize(
    ("tasks", "reason"),
    [
        ([judged(meaning=3, grammar=1)], "nothing says who wrote 'The bridge was closed.'"),
        ([judged(meaning=3)], "it has no points on grammar"),
        ([judged(meaning="good", grammar=1)], "meaning is 'good', which is no number"),
        ([judged(meaning=4, grammar=1)], "meaning is '4', which is no point of the scale"),
        ([TASK | {"data": {"text": "Short."}}], "it has no source"),
        ([TASK, TASK | {"data": {"id": "7", "source": "Another text."}}], "'7' has another text in a line above"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, tasks: list[Any], reason: str) -> None:
    (good,) = json.loads((LABEL_STUDIO_FILE).read_text())

    assert reason in imported_tasks(tmp_path, [good, *tasks], "--column=compression=shorter")
    assert Source.objects.filter(source_id="s1").exists()


def test_who_judges_a_text_twice_counts_once(tmp_path: Path) -> None:
    said = imported_tasks(tmp_path, [TASK | {"annotations": [ANSWERS] * 2}], "--fill=system=baseline")

    assert "judged the text on grammar, meaning already: the first answer counts" in said
    assert [len(output["ratings"]) for output in corpus()[0]["outputs"]] == [1]


def test_people_keep_no_name_that_they_had_elsewhere(tmp_path: Path) -> None:
    annotation = {**ANSWERS, "completed_by": {"id": 17, "email": "somebody@example.org"}}
    columns = ("--column=compression=shorter", "--column=text=shorter")

    imported_tasks(tmp_path, [TASK | {"annotations": [annotation]}], *columns)

    assert compressions() == [("The bridge was shut.", ["1"], [{"meaning": 3, "grammar": 2}])]
    assert not Worker.objects.exclude(imported_name="").exists()


def packed(content: bytes) -> bytes:
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tasks.json", content)
    return archived.getvalue()


def damaged(archive: bytes) -> bytes:
    """The archive with other bytes where what it packs begins."""
    begin = archive.index(b"tasks.json") + len("tasks.json")
    return archive[:begin] + b"\xff" * 4 + archive[begin + 4 :]


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(MAX_BYTES // 2**26 + 1):
            archive.writestr(f"{number}.jsonl", b" " * 2**26)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", b"{", "a.json: Expecting property name"),
        ("a.json", b"\xff", "a.json is not UTF-8"),
        ("a.json", b"[1]", "a.json is not what label-studio exports"),
        ("a.json", b"[" * 100_000, "a.json: nested too deeply"),
        ("a.json", (EXPORTS / "label-studio-min.json").read_bytes(), "Export “JSON”, not “JSON-MIN”"),
        ("a.json", b"[]", "a.json: nobody has answered anything in it"),
        ("a.zip", b"PK", "a.zip is no ZIP"),
        ("a.zip", lambda: damaged(packed(b"[]" * 99)), "a.zip is no ZIP"),
        ("a.zip", bomb, "a.zip holds more than 1000 files or 512 MiB"),
    ],
)
def test_what_is_no_export_is_refused(tmp_path: Path, name: str, content: Any, reason: str) -> None:
    (tmp_path / name).write_bytes(content() if callable(content) else content)

    with pytest.raises(CommandError, match=reason):
        imported(tmp_path / name, *LABEL_STUDIO)

    assert not Campaign.objects.exists()


def test_a_name_that_nothing_is_wanted_for_is_refused() -> None:
    with pytest.raises(CommandError, match=r"no use for 'adequacy'\. What can be named: compression"):
        imported(LABEL_STUDIO_FILE, *LABEL_STUDIO, "--column=adequacy=meaning")


EVERY_TEXT = [
    ("", "The bridge was closed.", [{"meaning": 3, "grammar": 2}, {"meaning": 1, "grammar": 1}]),
    ("baseline", "The old bridge & more.", [{"meaning": 2, "grammar": 3}]),
]


@pytest.fixture
def released(tmp_path: Path) -> Release:
    """A release with a person's text and a system's, both rated."""
    tasks = []
    for system, text, points in EVERY_TEXT:
        data = {"id": "s1", "source": SOURCE, "text": text, **({"system": system} if system else {"editor": "anna"})}
        tasks += [{**judged(by, **given), "data": data} for by, given in enumerate(points)]
    assert imported_tasks(tmp_path, tasks) == ""
    return freeze(Campaign.objects.get(), min_compressions=0)


def test_label_studio_takes_ratings_of_others_as_predictions(released: Release, tmp_path: Path) -> None:
    call_command("export_release", released.name, "label-studio", str(tmp_path), stdout=io.StringIO())

    config = ET.parse(tmp_path / "config.xml").getroot()
    controls = {each.get("name"): each.tag.lower() for each in config if each.get("toName")}
    assert controls == {"meaning": "rating", "grammar": "rating"}
    found = [
        (task["data"]["system"], task["data"]["text"], [points_of(each, controls) for each in task["predictions"]])
        for task in json.loads((tmp_path / "tasks.json").read_text())
    ]
    assert found == EVERY_TEXT


def points_of(prediction: dict[str, Any], controls: dict[str | None, str]) -> dict[str, int]:
    return {each["from_name"]: each["value"][controls[each["from_name"]]] for each in prediction["result"]}


def test_what_goes_to_argilla_comes_back(released: Release, tmp_path: Path) -> None:
    call_command("export_release", released.name, "argilla", str(tmp_path), stdout=io.StringIO())
    settings = json.loads((tmp_path / "settings.json").read_text())
    assert [each["name"] for each in settings["questions"]] == ["meaning", "grammar"]
    Campaign.objects.update(slug="went")

    imported(tmp_path / "records.jsonl", "--from=argilla", "--column=id=source_id", "--column=editor=editors")

    texts = [each for line in corpus() for each in [*line["compressions"], *line["outputs"]]]
    assert [
        (each.get("system", ""), each["text"], [rating["scores"] for rating in each["ratings"]]) for each in texts
    ] == EVERY_TEXT
