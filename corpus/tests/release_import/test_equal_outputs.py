"""Systems whose outputs are the same text, each with ratings of its own, as in corpora that others have published."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from compressions.models import Target
from corpus.formats.rawdata import BYTE_ORDER_MARK, line_bytes
from corpus.models import Release
from corpus.release.records import ReleasedOutput
from corpus.release_import.reading import release_import, release_read
from corpus.selectors import release_sources
from corpus.services.outputs import outputs_import
from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from ratings.models import Rating
from ratings.selectors.ratings import source_means, systems_of_campaign
from ratings.tests.imports.files import Line, imported, line
from tests.support.factories import EDIT, RATE, enrol, freeze, make_campaign, rate_next, silent, submit_text
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SAME = "The committee agreed."
HEAD = "1\tNews\tThe committee agreed on the budget."
GOOD, POOR = (
    ("6", "Most important meaning Flawless language"),
    ("24", "Little or none meaning Disfluent or incomprehensible"),
)
ONLY_OUTPUTS = {"min_compressions": 0, "shares": {"test": 1}}


def raw(judge: str, *ratings: tuple[str, str]) -> bytes:
    fields = [SAME, judge, str(len(ratings)), *(field for rating in ratings for field in rating)]
    return BYTE_ORDER_MARK + line_bytes(f"{HEAD} ||| " + "\t".join(fields))


def folder_of(place: Path, **files: bytes) -> Path:
    folder = place / "RawData"
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / f"{name.replace('__', '.')}.tsv").write_bytes(content)
    return place


def taken_in(folder: Path, slug: str = "made") -> Campaign:
    content = release_read(folder)
    assert content.problems == []
    return release_import(content=content, slug=slug, name="made", owner=None, progress=silent)


def outputs_of(release: Release) -> dict[str, tuple[list[int], tuple[str, ...]]]:
    """The points for meaning and the pools that rated it apart, of each system's output for the first source."""
    (source,) = release_sources(release)
    return {each.system: (points(each), each.rated_apart) for each in source.outputs}


def points(output: ReleasedOutput) -> list[int]:
    return [rating.scores["meaning"] for rating in output.ratings]


def files_of(release: Release, name: str = "RawData") -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in (release_folder(release) / name).iterdir() if path.stat().st_size > 3
    }


def test_each_output_of_a_release_has_its_own_ratings_and_they_come_out_as_they_came(tmp_path: Path) -> None:
    files = {
        "test_output__A": raw("A", GOOD, GOOD),
        "test_output__B": raw("B", POOR),
        "test_output__C": raw("C", GOOD, GOOD),
    }

    release = freeze(taken_in(folder_of(tmp_path, **files)), **ONLY_OUTPUTS)

    assert Target.objects.count() == 1
    assert outputs_of(release) == {"A": ([3, 3], ("crowd",)), "B": ([1], ("crowd",)), "C": ([3, 3], ("crowd",))}
    assert files_of(release) == {f"{name.replace('__', '.')}.tsv": content for name, content in files.items()}


def test_what_was_rated_apart_stays_so_through_the_complete_file(tmp_path: Path) -> None:
    """Also where the points happen to be the same."""
    both = {"test_output__A": raw("A", GOOD), "test_output__B": raw("B", POOR)}
    first = freeze(taken_in(folder_of(tmp_path, **both)), **ONLY_OUTPUTS)
    corpus = release_folder(first) / "corpus.jsonl"
    nested = json.loads(corpus.read_text())
    assert [output["rated_apart"] for output in nested["outputs"]] == [["crowd"], ["crowd"]]
    nested["outputs"][1]["ratings"] = nested["outputs"][0]["ratings"]
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "corpus.jsonl").write_text(json.dumps(nested, ensure_ascii=False) + "\n")
    (copy / "manifest.json").write_bytes((release_folder(first) / "manifest.json").read_bytes())

    again = freeze(taken_in(copy, "again"), **ONLY_OUTPUTS)

    assert (release_folder(again) / "corpus.jsonl").read_bytes() == (copy / "corpus.jsonl").read_bytes()
    assert Rating.objects.filter(target__source__campaign__slug="again", output=None).count() == 0


def test_outputs_with_the_same_ratings_share_them_as_in_releases_of_this_program(tmp_path: Path) -> None:
    files = {"test": raw("7", GOOD), "test_output__A": raw("A", GOOD), "test_output__B": raw("B", GOOD)}

    release = freeze(taken_in(folder_of(tmp_path, **files)), shares={"test": 1})

    assert Rating.objects.count() == 1
    assert outputs_of(release) == {"A": ([3], ()), "B": ([3], ())}


def test_a_person_s_text_does_not_have_the_ratings_of_an_output_that_is_the_same(tmp_path: Path) -> None:
    files = {"test": raw("7", GOOD), "test_output__A": raw("A", POOR, POOR)}

    campaign = taken_in(folder_of(tmp_path, **files))

    release = freeze(campaign, shares={"test": 1})
    (source,) = release_sources(release)
    assert [rating.scores["meaning"] for rating in source.texts[0].ratings] == [3]
    assert outputs_of(release) == {"A": ([1, 1], ("crowd",))}
    assert release.summary["ratings"] == 1
    assert source_means(campaign, ["meaning"]) == {campaign.sources.get().pk: {"meaning": 3.0}}


def with_equal_outputs(*ratings: Line) -> Campaign:
    campaign = make_campaign(sources=1, raters_per_compression=1, editors_per_source=1)
    rows = [{"id": "1", "system": system, "text": SAME} for system in "AB"]
    outputs_import(
        campaign=campaign, system=None, file_name="o.jsonl", content="\n".join(map(json.dumps, rows)).encode()
    )
    if ratings:
        assert imported(campaign, ratings).refused == 0
    return campaign


def test_people_of_a_file_rate_equal_outputs_apart() -> None:
    rows = [line("A", rater="ann"), line("B", rater="ann", meaning=1), line("B", rater="bob", meaning=1)]

    release = freeze(with_equal_outputs(*rows), **ONLY_OUTPUTS)

    assert outputs_of(release) == {"A": ([3], ("crowd",)), "B": ([1, 1], ("crowd",))}
    assert release.summary["rated_outputs"] == {"A": 1, "B": 1}


def test_an_output_without_ratings_does_not_have_those_of_its_equal() -> None:
    campaign = with_equal_outputs(line("A"))

    release = freeze(campaign, **ONLY_OUTPUTS)

    assert outputs_of(release) == {"A": ([3], ("crowd",)), "B": ([], ())}
    assert [vars(each)["rated_count"] for each in systems_of_campaign(campaign)] == [1, 0]


def test_raters_of_the_campaign_rate_equal_outputs_once_for_both() -> None:
    campaign = with_equal_outputs()
    rate_next(enrol(campaign, RATE), 2, 2)

    release = freeze(campaign, **ONLY_OUTPUTS)

    assert outputs_of(release) == {"A": ([2], ()), "B": ([2], ())}
    assert b"rated_apart" not in (release_folder(release) / "corpus.jsonl").read_bytes()


def test_a_person_who_writes_what_a_file_has_rated_has_its_ratings() -> None:
    """Nobody is asked to rate it again."""
    campaign = with_equal_outputs(line("A"), line("B", meaning=1))
    submit_text(enrol(campaign, EDIT, "ann"), SAME)
    assert assignment_claim(enrolment=enrol(campaign, RATE)) is None

    release = freeze(campaign, shares={"test": 1})

    (source,) = release_sources(release)
    assert [rating.scores["meaning"] for rating in source.texts[0].ratings] == [3, 1]
    assert outputs_of(release) == {"A": ([3], ("crowd",)), "B": ([1], ("crowd",))}


@pytest.mark.parametrize("files", [("A", "B"), ("A", "B", "A", "B")])
def test_files_of_rated_outputs_bring_ratings_for_each_system_once(files: Sequence[str]) -> None:
    campaign = make_campaign(sources=1)
    for system in files:
        content = raw(system, *([GOOD] if system == "A" else [POOR, POOR]))
        outputs_import(campaign=campaign, system=system, file_name="o.tsv", content=content)

    assert outputs_of(freeze(campaign, **ONLY_OUTPUTS)) == {"A": ([3], ("crowd",)), "B": ([1, 1], ("crowd",))}
    assert Rating.objects.count() == 3
