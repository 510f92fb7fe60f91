"""Tables for spreadsheets come back from a reader of CSV; formulas are made harmless there and nowhere else."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from common.spreadsheets import as_before_defusing, csv_download
from compressions.models import Compression
from compressions.services.imports import source_import
from corpus.tests.support.independent_readers import read_arrow, read_corpus, read_rawdata
from crowd.models import Campaign, Remark
from crowd.services.claims import assignment_claim
from crowd.services.remarks import task_skip
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import QualityDecision
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    rate_all,
    staff_client,
    submit_text,
)
from tests.support.stored import release_folder

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "=cmd|'/c calc'!A0", '=HYPERLINK("x")')
# What a spreadsheet may drop, and what it may take for a sign.
UNSEEN = ("", " ", "\n", "\t\r", "\xa0", "\u3000", "\ufeff", "\u200b\u200d", "\u202e", "\ufe0f", "\x00", "\x1f", "\xad")
SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "﹢", "﹣", "﹦", "﹫")
Row = dict[str, str]
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def owner() -> User:
    return make_staff()


def table_of(content: bytes) -> list[list[str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))


def downloaded(owner: User, address: str) -> list[Row]:
    reply: Any = staff_client(owner).get(address)
    assert reply["Content-Type"].startswith("text/csv")
    head, *rows = table_of(b"".join(reply.streaming_content))
    return [dict(zip(head, row, strict=True)) for row in rows]


def harmless(text: str) -> str:
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r", "\n"} else text


CHARACTERS = st.one_of(st.sampled_from(f"{''.join(SIGNS + UNSEEN)},;\"'\u2028\x85"), st.characters(codec="utf-8"))
CELLS = st.one_of(st.text(CHARACTERS, max_size=6), st.integers())


@given(rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=5))
def test_every_table_comes_back_and_nothing_but_an_apostrophe_is_added(rows: list[list[str | int]]) -> None:
    response: Any = csv_download("table", ["a", "b", "c"], rows)

    head, *back = table_of(b"".join(response.streaming_content))

    assert head == ["a", "b", "c"]
    assert [[as_before_defusing(cell) for cell in row] for row in back] == [[str(cell) for cell in row] for row in rows]
    assert not any(cell.startswith(("=", "+", "@", "\t", "\r", "\n")) for row in back for cell in row)


@pytest.mark.parametrize("before", UNSEEN)
@pytest.mark.parametrize("sign", SIGNS)
def test_no_cell_begins_a_formula_whatever_stands_before_its_sign(before: str, sign: str) -> None:
    response: Any = csv_download("table", [f"{before}{sign}A1"], [[f"{before}{sign}1+1"]])
    assert table_of(b"".join(response.streaming_content)) == [[f"'{before}{sign}A1"], [f"'{before}{sign}1+1"]]


@pytest.mark.parametrize("text", ["", "'tis", "a = b", "1-2", "“-1”", "ﬁ-1", "'' said she", " a+b"])
def test_a_cell_that_begins_no_formula_is_left_as_it_is(text: str) -> None:
    response: Any = csv_download("table", ["a"], [[text, ""]])
    assert table_of(b"".join(response.streaming_content))[1] == [text, ""]


def test_nothing_else_writes_tables() -> None:
    """A table that another writer writes would not be protected. `measures` writes for programs, on the console."""
    rooms = (
        "annotation",
        "scoring",
        "agreement",
        "edit_operations",
        "evaluation",
        "corpus",
        "ratings",
        "compressions",
        "crowd",
        "common",
    )
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py") if "tests" not in path.parts]
    writers = [path for path in files if re.search(r"csv\.(Dict)?[wW]riter\b", path.read_text(encoding="utf-8"))]
    assert writers == [ROOT / "common" / "spreadsheets.py"]


def campaign_of_formulas(owner: User) -> Campaign:
    """Genres, texts and remarks that a spreadsheet would take for formulas."""
    campaign = make_campaign(owner=owner, editors_per_source=1, raters_per_compression=1, editor_tasks=99)
    rows = [
        {"id": str(number), "genre": formula, "text": f"{formula} {SENTENCE.format(number=number)}"}
        for number, formula in enumerate(FORMULAS)
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="texts.jsonl", content=content, strict=True, seed=1)
    for number, formula in enumerate(FORMULAS):
        skipper = enrol(campaign, EDIT, f"skipper-{number}")
        assignment = assignment_claim(enrolment=skipper)
        assert assignment is not None
        task_skip(enrolment=skipper, assignment_id=assignment.pk, reason="unclear", text=formula)
    editor = enrol(campaign, EDIT, "ann")
    for formula in FORMULAS:
        submit_text(editor, f"{formula} they agreed.")
    rate_all(enrol(campaign, RATE))
    return campaign


@pytest.mark.django_db
def test_formulas_are_harmless_in_every_table_and_untouched_in_every_file_of_a_release(owner: User) -> None:
    campaign = campaign_of_formulas(owner)
    folder = release_folder(freeze(campaign, shares={"train": 1}))
    address = f"/campaigns/{campaign.slug}"

    overview = downloaded(owner, f"{address}/releases/1/overview.csv")
    assert {row["row"] for row in overview if row["table"] == "genres"} == set(map(harmless, FORMULAS))
    remarks = downloaded(owner, f"{address}/remarks.csv")
    assert sorted(row["words"] for row in remarks) == sorted(
        map(harmless, Remark.objects.values_list("text", flat=True))
    )
    flagged = downloaded(owner, f"{address}/flagged.csv")
    texts = set(Compression.objects.values_list("text", flat=True))
    assert {row["text"] for row in flagged} == set(map(harmless, texts))

    for source in [*read_corpus(folder), *read_arrow(folder)["train"]]:
        assert source["genre"] == FORMULAS[int(source["id"])]
        assert source["text"].startswith(source["genre"])
        assert {text["text"] for text in source["compressions"]} <= texts
    for line in read_rawdata(folder / "RawData/train.tsv"):
        assert line.domain == FORMULAS[int(line.source_id)]
        assert {text.text for text in line.texts} <= texts


@pytest.mark.django_db
def test_the_table_of_quality_decisions_says_what_was_decided(owner: User) -> None:
    campaign = judged_campaign(owner=owner, sources=4, editors=2, scores=((3, 3), (2, 3), (1, 1)))
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5))

    rows = downloaded(owner, f"/campaigns/{campaign.slug}/quality/decisions.csv")

    assert len(rows) == 5
    for decision in QualityDecision.objects.select_related("worker"):
        name = str(decision.worker.number)
        (row,) = (row for row in rows if (row["worker"], row["round"]) == (name, decision.round))
        assert float(row["quality"]) == decision.quality
        assert row["items"] == str(decision.items)
        assert row["left_out"] == str(int(decision.removed))
        assert row["reason"] == decision.reason


@pytest.mark.django_db
def test_the_table_of_raters_names_each_with_their_ratings(owner: User) -> None:
    campaign = judged_campaign(owner=owner, sources=4, editors=2, scores=((3, 3), (2, 3), (1, 1)))

    rows = downloaded(owner, f"/campaigns/{campaign.slug}/participants/rate.csv")

    raters = campaign.workers.filter(enrolments__round=RATE)
    assert {row["participant"]: row["submitted"] for row in rows} == {str(each.number): "8" for each in raters}


@pytest.mark.django_db
def test_the_table_of_figures_says_what_the_files_hold(owner: User) -> None:
    release = freeze(
        judged_campaign(owner=owner, sources=6, editors=2, scores=((3, 3), (2, 1))), shares={"train": 1, "test": 1}
    )

    rows = downloaded(owner, f"/campaigns/{release.campaign.slug}/releases/1/overview.csv")

    figures = {
        (row["split"], row["figure"]): row["value"] for row in rows if (row["table"], row["row"]) == ("sizes", "all")
    }
    for split in ("all", "train", "test"):
        sources = [each for each in read_corpus(release_folder(release)) if split in {"all", each["split"]}]
        texts = [text for source in sources for text in source["compressions"]]
        ratings = [rating["scores"] for text in texts for rating in text["ratings"]]
        assert int(figures[split, "sources"]) == len(sources)
        assert int(figures[split, "compressions"]) == len(texts)
        assert int(figures[split, "ratings"]) == len(ratings)
        for scale in ("meaning", "grammar"):
            mean = sum(each[scale] for each in ratings) / len(ratings)
            assert float(figures[split, f"mean {scale}"]) == pytest.approx(mean)
