"""Scores that were computed elsewhere: `import_scores`."""

import csv
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from common.extras import PARQUET
from corpus.formats.jsonl import CORPUS_FILE
from corpus.models import Release
from scoring.models import ScorePart, ScoreRun
from scoring.tests.releases import (
    address,
    body,
    computed,
    json_lines,
    means,
    of_texts,
    page_of,
    released_with,
    scores_in,
    stored,
    summary_of,
    tsv_rows,
)
from tests.support.factories import readable, staff_client
from tests.support.lacking import WITHOUT_PARQUET, lacks
from tests.support.reports import printed, tables_of
from tests.support.stored import release_folder, run_folder

pytestmark = pytest.mark.django_db(transaction=True)

METRIC, SIGNATURE = "BERTScore-F1", "roberta-large_L17_no-idf_version=0.3.12"
Lines = list[dict[str, Any]]
LINES: Lines = [
    {"source": "1", "system": "A", "score": 0.5},
    {"source": "1", "system": "B", "score": -0.25},
    {"source": "3", "system": "A", "score": 3},
    {"source": "6", "system": "A", "score": 0.125},
    {"source": "1", "system": "", "text": "Men went.", "score": 0.75},
    {"source": "1", "system": "people", "text": "Two men went home.", "score": 1e-9},
    {"source": "7", "system": "", "text": "Alone at last.", "score": 1},
]
EXPECTED = {
    ("1", "A", "Men went."): 0.5,
    ("1", "B", "Two men."): -0.25,
    ("3", "A", "Nobody wrote beside it."): 3.0,
    ("6", "A", ""): 0.125,
    ("1", "", "Men went."): 0.75,
    ("1", "", "Two men went home."): 1e-9,
    ("7", "", "Alone at last."): 1.0,
}


def table_of(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(
            stream, ["source", "system", "text", "score"], delimiter="\t" if path.suffix.lower() == ".tsv" else ","
        )
        writer.writeheader()
        writer.writerows(rows)
    return path


def file_of(folder: Path, suffix: str, rows: Lines) -> Path:
    path = folder / f"scores.{suffix}"
    return json_lines(path, *rows) if suffix.lower() in {"jsonl", "ndjson"} else table_of(path, rows)


def import_of(release: Release, path: Path, metric: str = METRIC, signature: str = SIGNATURE) -> str:
    return printed("import_scores", release.name, str(path), f"--metric={metric}", f"--signature={signature}")


def refusal(release: Release, path: Path, metric: str = METRIC, signature: str = SIGNATURE) -> str:
    """What the command says; nothing is stored."""
    with pytest.raises(CommandError) as refused:
        import_of(release, path, metric, signature)
    assert not ScoreRun.objects.exists()
    assert not ScorePart.objects.exists()
    assert not (settings.DATA_DIR / "scores").exists()
    return str(refused.value)


@pytest.mark.parametrize("suffix", ["jsonl", "tsv", "csv", "JSONL", "TSV", "CSV", "ndjson"])
def test_scores_of_a_file_are_stored(release: Release, tmp_path: Path, suffix: str) -> None:
    said = import_of(release, file_of(tmp_path, suffix, LINES))

    run = ScoreRun.objects.get()
    assert stored(run) == {key: {METRIC: score} for key, score in EXPECTED.items()}
    assert said == f"7 outputs of {release.name} have scores of {METRIC}.\n"


def test_an_import_keeps_its_signature_file_and_release(release: Release, tmp_path: Path) -> None:
    import_of(release, file_of(tmp_path, "jsonl", LINES))

    run = ScoreRun.objects.get()
    assert (run.kind, run.outputs) == (ScoreRun.Kind.IMPORTED, 7)
    assert run.signatures == {METRIC: SIGNATURE}
    assert run.settings == {"file": "scores.jsonl"}
    assert run.release_checksum == release.checksum
    assert run.finished_at is not None


def test_imported_scores_are_summed_up_by_system(release: Release, tmp_path: Path) -> None:
    import_of(release, file_of(tmp_path, "jsonl", LINES))

    run = ScoreRun.objects.get()
    found = {each["system"]: each["means"][METRIC] for each in summary_of(run)["systems"]}
    assert found == pytest.approx(means(stored(run), METRIC))
    assert set(found) == {"", "A", "B"}


def test_the_page_shows_imported_scores_and_gives_them_to_download(release: Release, tmp_path: Path) -> None:
    import_of(release, file_of(tmp_path, "tsv", LINES))
    client = staff_client(release.campaign.staff.get())

    page = page_of(release)

    _, (name, *cells) = tables_of(page.content.decode())["Scores by system"]
    assert name == METRIC
    assert [cell.split()[0] for cell in cells] == ["0.583", "1.208", "-0.250"]
    rows = tsv_rows(body(client.get(f"{address(release)}.tsv")).decode())
    assert {key: row[METRIC] for key, row in scores_in(rows).items()} == EXPECTED
    assert {row["signature"] for row in rows} == {SIGNATURE}


def test_the_same_file_again_changes_nothing(release: Release, tmp_path: Path) -> None:
    path = file_of(tmp_path, "jsonl", LINES)
    first = import_of(release, path)
    before = ScoreRun.objects.values().get()

    assert import_of(release, path) == first

    assert ScoreRun.objects.values().get() == before
    assert ScorePart.objects.count() == 1


def test_another_metric_signature_or_file_is_another_run(release: Release, tmp_path: Path) -> None:
    path = file_of(tmp_path, "jsonl", LINES)
    import_of(release, path)
    import_of(release, path, metric="COMET")
    import_of(release, path, signature="another")
    import_of(release, file_of(tmp_path, "jsonl", LINES[:3]))

    assert sorted(ScoreRun.objects.values_list("outputs", flat=True)) == [3, 7, 7, 7]


def test_imported_scores_stand_beside_those_computed_here(release: Release, tmp_path: Path) -> None:
    run = computed(release)
    before = stored(run)

    import_of(release, file_of(tmp_path, "jsonl", LINES))

    assert ScoreRun.objects.count() == 2
    assert stored(run) == before


@pytest.mark.parametrize(
    "metric", ["a, b & c/é", "BLEURT-20.v1", "<b>F1</b>", "%s{}", "LR-1+Recall+MULT-ALL", "x" * 200]
)
def test_a_metric_may_be_called_anything(release: Release, tmp_path: Path, metric: str) -> None:
    import_of(release, file_of(tmp_path, "jsonl", LINES), metric=metric)

    page = staff_client(release.campaign.staff.get()).get(f"{address(release)}/", {"metric": metric})

    assert readable(page).count(metric) >= 2
    assert "<b>F1" not in page.content.decode()
    assert {key: row[metric] for key, row in stored(ScoreRun.objects.get()).items()} == EXPECTED


@pytest.mark.parametrize("metric", ["place", "source", "genre", "split", "words", "system", "text"])
def test_a_metric_called_as_a_column_hides_none(release: Release, tmp_path: Path, metric: str) -> None:
    path = file_of(tmp_path, "jsonl", LINES)
    try:
        import_of(release, path, metric=metric)
    except CommandError:
        assert not ScoreRun.objects.exists()
    else:
        assert {key: row[metric] for key, row in stored(ScoreRun.objects.get()).items()} == EXPECTED


def test_a_system_may_have_its_text_beside_its_score(release: Release, tmp_path: Path) -> None:
    import_of(release, json_lines(tmp_path / "a.jsonl", {**LINES[0], "text": "Men went."}))

    assert stored(ScoreRun.objects.get()) == {("1", "A", "Men went."): {METRIC: 0.5}}


def test_numbers_for_ids_and_text_for_scores_are_read(release: Release, tmp_path: Path) -> None:
    import_of(release, json_lines(tmp_path / "a.jsonl", {"source": 1, "system": "A", "score": "0.5"}))

    assert stored(ScoreRun.objects.get()) == {("1", "A", "Men went."): {METRIC: 0.5}}


def test_empty_lines_and_a_byte_order_mark_do_no_harm(release: Release, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf\n" + json.dumps(LINES[0]).encode() + b"\r\n\n")

    import_of(release, path)

    assert ScoreRun.objects.get().outputs == 1


BAD: list[tuple[dict[str, Any], str]] = [
    ({"source": "99", "system": "A", "score": 1}, "has no source '99'"),
    ({"source": "1", "system": "C", "score": 1}, "has no output of 'C' for source '1'"),
    ({"source": "2", "system": "B", "score": 1}, "has no output of 'B' for source '2'"),
    ({"source": "1", "system": "A", "text": "Other.", "score": 1}, "the output of 'A' is another text"),
    ({"source": "1", "system": "", "text": "Nobody's.", "score": 1}, "nobody wrote \"Nobody's.\" for source '1'"),
    ({"source": "1", "system": "people", "score": 1}, "nobody wrote '' for source '1'"),
    ({"source": "1", "system": "A", "score": 1}, "line 1 has a score for the same text"),
    ({"source": "1", "system": "B", "score": "high"}, "the score 'high' is no finite number"),
    ({"source": "1", "system": "B", "score": "nan"}, "the score 'nan' is no finite number"),
    ({"source": "1", "system": "B", "score": "-inf"}, "the score '-inf' is no finite number"),
    ({"source": "1", "system": "B", "score": ""}, "the score '' is no finite number"),
    ({"source": "1", "system": "B", "score": "1,5"}, "the score '1,5' is no finite number"),
]


@pytest.mark.parametrize(("suffix", "line"), [("jsonl", 2), ("tsv", 3), ("csv", 3)])
@pytest.mark.parametrize(("bad", "reason"), BAD)
def test_a_wrong_line_refuses_the_whole_file_by_its_number(
    release: Release, tmp_path: Path, bad: dict[str, Any], reason: str, suffix: str, line: int
) -> None:
    said = refusal(release, file_of(tmp_path, suffix, [LINES[0], bad, LINES[4]]))

    place = "line 2 has" if suffix != "jsonl" else "line 1 has"
    assert said.startswith(f"scores.{suffix}, line {line}: ")
    assert reason.replace("line 1 has", place) in said


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[1, 2]", "not an object"),
        ("7", "not an object"),
        ('{"source": "1"', "line 2: "),
        ("{" * 100_000, "line 2: "),
        ('{"source": "1", "system": "B"}', "there is no score"),
        ('{"source": "1", "score": 1}', "there is no system"),
        ('{"system": "B", "score": 1}', "there is no source"),
        ('{"source": "1", "system": "B", "score": null}', "there is no score"),
        ('{"source": "1", "system": "B", "score": [1]}', "no finite number"),
        ('{"source": "1", "system": "B", "score": true}', "no finite number"),
        ('{"source": "1", "system": "B", "score": "1_000"}', "no finite number"),
        ('{"source": "1", "system": "B", "score": "٣"}', "no finite number"),
        ('{"source": "1", "system": "B", "score": NaN}', "no finite number"),
        ('{"source": "1", "system": "B", "score": 1e999}', "no finite number"),
        ('{"source": "1", "system": "B", "score": 1' + "0" * 400 + "}", "no finite number"),
        ('{"source": "1", "system": "B", "score": 1' + "0" * 5000 + "}", "line 2: "),
        ('{"source": "\\ud800", "system": "B", "score": 1}', "has no source"),
        ('{"source": "1\\u0000", "system": "B", "score": 1}', "has no source"),
    ],
)
def test_a_line_that_is_no_score_is_refused_by_its_number(
    release: Release, tmp_path: Path, line: str, reason: str
) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text(f"{json.dumps(LINES[0])}\n{line}\n", encoding="utf-8")

    said = refusal(release, path)

    assert said.startswith("scores.jsonl, line 2: ")
    assert reason in said


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", b"", "a.jsonl: there are no scores"),
        ("a.tsv", b"source\tsystem\tscore\n", "a.tsv: there are no scores"),
        ("a.csv", b"", "a.csv: the file has no readable first line"),
        ("a.tsv", b"source\tscore\n1\t1\n", "a.tsv, line 1: no column named system"),
        ("a.csv", b"source\tsystem\tscore\n1\tA\t1\n", "a.csv, line 1: no column named source"),
        ("a.csv", b"source;system;score\n1;A;1\n", "a.csv, line 1: the fields are separated by semicolons"),
        ("a.csv", b"source,system,score,score\n1,A,1,2\n", "a.csv, line 1: the column score appears twice"),
        ("a.csv", b"source,system,score\n1,A\n", "a.csv, line 2: 2 fields, 3 wanted"),
        ("a.csv", b"source,system,score\n1,A,0,5\n", "a.csv, line 2: 4 fields, 3 wanted"),
        ("a.csv", b'source,system,score,note\n1,A,1,"Fine\n1,B,1,x\n', "a.csv, line 2: not a row of the table"),
        (
            "a.tsv",
            b'source\tsystem\tscore\tnote\n1\tA\t1\t"Fine\n1\tB\t1\tnot so"\n6\tA\t1\t\n',
            "a.tsv, line 2: the note goes over several lines",
        ),
        ("a.txt", b"source,system,score\n1,A,1\n", "a.txt: a file of scores ends in .jsonl, .csv, .tsv or .parquet"),
        ("a.csv", b"source,system,score\n1,A,1\n1,\xff,1\n", "a.csv, line 3: not UTF-8"),
        ("a.csv", b"source,system,score\n1,A," + b"1" * 200_000 + b"\n", "a.csv, line 2: "),
        ("a.csv", b"source,system,score\n1,A\0,1\n", "a.csv, line 2: "),
    ],
)
def test_a_file_that_is_no_table_is_refused(
    release: Release, tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(content)

    assert refusal(release, tmp_path / name).startswith(reason)


@pytest.mark.parametrize("text", ["", "  ", "x" * 201, "two\nlines", "a\tb", "\0"])
def test_names_and_signatures_are_a_line_of_text(release: Release, tmp_path: Path, text: str) -> None:
    path = file_of(tmp_path, "jsonl", LINES)

    for said, name in (
        (refusal(release, path, metric=text), "metric"),
        (refusal(release, path, signature=text), "signature"),
    ):
        missing, wrong = f"there is no {name}.", f"the {name} must be a text of 1 to 200 printable characters."
        assert said == f"scores.jsonl, line 1: {wrong if text else missing}"


def test_a_file_that_is_not_there_is_named(release: Release, tmp_path: Path) -> None:
    assert refusal(release, tmp_path / "none.tsv") == f"{tmp_path / 'none.tsv'}: No such file or directory"
    assert refusal(release, tmp_path) == f"{tmp_path}: Is a directory"


def test_a_release_whose_file_is_gone_is_named(release: Release, tmp_path: Path) -> None:
    (release_folder(release) / CORPUS_FILE).unlink()

    said = refusal(release, file_of(tmp_path, "jsonl", LINES))

    assert CORPUS_FILE in said or release.name in said


def test_a_release_that_is_not_ready_takes_no_scores(release: Release, tmp_path: Path) -> None:
    Release.objects.update(state=Release.State.BUILDING, checksum="", finished_at=None)

    assert "not ready" in refusal(release, file_of(tmp_path, "jsonl", LINES))


@pytest.mark.parametrize("name", ["none-v1", "none", "", "x-v99999999999", "a b-v1"])
def test_a_release_that_there_is_none_of_is_refused_with_those_there_are(
    release: Release, tmp_path: Path, name: str
) -> None:
    path = file_of(tmp_path, "jsonl", LINES)

    with pytest.raises(CommandError) as refused:
        call_command("import_scores", name, str(path), f"--metric={METRIC}", f"--signature={SIGNATURE}")

    assert str(refused.value) == f"There is no release {name!r}. Releases: {release.name}."


# Columns that say the metric.


def of_metrics(**scores: float) -> Lines:
    """One output with scores of several metrics."""
    return [{**LINES[0], "metric": name, "signature": f"of {name}", "score": score} for name, score in scores.items()]


def import_plainly(release: Release, path: Path) -> str:
    return printed("import_scores", release.name, str(path))


def refusal_of(release: Release, *rows: dict[str, Any], folder: Path) -> str:
    with pytest.raises(CommandError) as refused:
        import_plainly(release, json_lines(folder / "s.jsonl", *rows))
    assert not ScoreRun.objects.exists()
    return str(refused.value)


def test_a_file_may_hold_many_metrics_each_with_its_signature(release: Release, tmp_path: Path) -> None:
    import_plainly(release, json_lines(tmp_path / "s.jsonl", *of_metrics(COMET=0.5, BLEURT=-1)))

    run = ScoreRun.objects.get()
    assert run.signatures == {"COMET": "of COMET", "BLEURT": "of BLEURT"}
    assert stored(run) == {("1", "A", "Men went."): {"COMET": 0.5, "BLEURT": -1.0}}


@pytest.mark.parametrize("ending", ["tsv", "parquet"])
def test_what_was_downloaded_comes_in_again_as_it_was(release: Release, tmp_path: Path, ending: str) -> None:
    first = computed(release)
    client = staff_client(release.campaign.staff.get())
    path = tmp_path / f"scores.{ending}"
    path.write_bytes(body(client.get(f"{address(release)}.{ending}")))

    import_plainly(release, path)

    run = ScoreRun.objects.latest("pk")
    assert run.kind == ScoreRun.Kind.IMPORTED
    assert stored(run) == stored(first)
    assert run.signatures == first.signatures
    assert summary_of(run) == summary_of(first)


@pytest.mark.parametrize("ending", ["tsv", "parquet"])
def test_texts_that_begin_a_formula_come_in_again_too(tmp_path: Path, ending: str) -> None:
    release = released_with([of_texts("=1", ["=1+1", " ＋1", "'=1", "'tis"], {"@A": "-1"})])
    first = computed(release)
    path = tmp_path / f"scores.{ending}"
    path.write_bytes(body(staff_client(release.campaign.staff.get()).get(f"{address(release)}.{ending}")))

    import_plainly(release, path)

    assert stored(ScoreRun.objects.latest("pk")) == stored(first)


def test_words_of_the_command_stand_for_columns_that_are_not_there(release: Release, tmp_path: Path) -> None:
    path = json_lines(tmp_path / "s.jsonl", *({**row, "metric": "COMET"} for row in LINES[:2]))

    printed("import_scores", release.name, str(path), "--metric=other", "--signature=wmt22")

    assert ScoreRun.objects.get().signatures == {"COMET": "wmt22"}


def test_a_metric_that_lacks_a_score_refuses_the_file(release: Release, tmp_path: Path) -> None:
    said = refusal_of(release, *of_metrics(COMET=0.5, BLEURT=1), {**of_metrics(COMET=1)[0], "system": "B"},
                      folder=tmp_path)  # fmt: skip

    assert said.startswith("s.jsonl: BLEURT has no score for 'Two men.' of source '1'")


def test_a_metric_with_two_signatures_refuses_the_file(release: Release, tmp_path: Path) -> None:
    row = of_metrics(COMET=0.5)[0]

    said = refusal_of(release, row, {**row, "system": "B", "signature": "other"}, folder=tmp_path)

    assert said == "s.jsonl, line 2: COMET has another signature, 'of COMET', in lines above."


def test_a_score_beyond_all_means_is_refused(release: Release, tmp_path: Path) -> None:
    said = refusal_of(release, {**of_metrics(COMET=1)[0], "score": 1e308}, folder=tmp_path)

    assert said == "s.jsonl, line 1: the score 1e+308 is beyond 1e+15."


def test_what_is_no_parquet_is_refused(release: Release, tmp_path: Path) -> None:
    (tmp_path / "s.parquet").write_bytes(b"PAR1 or not")

    with pytest.raises(CommandError, match=r"s\.parquet: not a Parquet file"):
        import_plainly(release, tmp_path / "s.parquet")


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_without_parquet_no_file_is_imported(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    path = file_of(tmp_path, ending, LINES)
    lacks(monkeypatch, PARQUET)

    with pytest.raises(CommandError) as refused:
        import_of(release, path)

    assert str(refused.value) == WITHOUT_PARQUET
    assert not ScoreRun.objects.exists()


def test_people_are_people_unless_a_system_calls_itself_so(tmp_path: Path) -> None:
    release = released_with([of_texts(1, ["Men went.", "Men."], {"people": "Two men."})])
    row = {"source": "1", "system": "people", "score": 1}

    import_of(release, json_lines(tmp_path / "s.jsonl", row))

    assert stored(ScoreRun.objects.get()) == {("1", "people", "Two men."): {METRIC: 1.0}}


def test_a_file_that_was_lost_comes_back_with_the_same_import(release: Release, tmp_path: Path) -> None:
    path = file_of(tmp_path, "jsonl", LINES)
    import_of(release, path)
    shutil.rmtree(run_folder(ScoreRun.objects.get()))

    import_of(release, path)

    assert stored(ScoreRun.objects.get()) == {key: {METRIC: score} for key, score in EXPECTED.items()}
