"""Files of scores that were made to be slow or large: refused with the line or the size, in flat memory."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from common.errors import Refused
from compressions.readers import MAX_LINE_BYTES
from scoring import readers
from scoring.readers import read_scores
from scoring.services import imports
from scoring.tests.releases import json_lines, of_texts, released_with
from tests.support.reports import printed

ROW = {"source": "1", "system": "A", "score": 1.0}


def refusal(path: Path) -> str:
    with pytest.raises(Refused) as refused:
        for _ in read_scores(path, metric="m", signature="s"):
            pass
    return str(refused.value)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("s.jsonl", b"{}" + b" " * MAX_LINE_BYTES, "s.jsonl, line 1: the line is longer than 1 MiB."),
        ("s.jsonl", b"[" * 100_000, "s.jsonl, line 1: not JSON (nested too deeply)."),
        ("s.jsonl", b'{"score": ' + b"1" * 50_000 + b"}", "s.jsonl, line 1: not JSON (a number is too long)."),
        ("s.jsonl", b'{"score": "caf\xe9"}', "s.jsonl, line 1: not UTF-8."),
        ("s.csv", b"source,system,score\n1,A," + b"1" * MAX_LINE_BYTES, "line is longer than 1 MiB)."),
        ("s.csv", b"source,system,score" + b",c" * 1_000, "s.csv, line 1: 1,003 columns, at most 1,000 can be read."),
        ("s.csv", b"", "s.csv: the file has no readable first line naming its columns."),
    ],
)
def test_a_line_that_would_cost_much_is_refused(name: str, content: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)

    assert refusal(tmp_path / name).endswith(reason)


def test_more_rows_than_can_be_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "MAX_ROWS", 2)
    for path in (json_lines(tmp_path / "s.jsonl", *[ROW] * 3), parquet(tmp_path, dict.fromkeys(ROW, [1] * 3))):
        assert "2" in refusal(path)
        assert "rows" in refusal(path)


def parquet(folder: Path, columns: Mapping[str, Any], **options: Any) -> Path:
    pq.write_table(pa.table(dict(columns)), folder / "s.parquet", compression="zstd", **options)
    return folder / "s.parquet"


# What was taken from a pool may be held for longer than a test, for instance by an error that is reported, and must be
# given back to a pool that is still there.
POOLS: list[pa.MemoryPool] = []


@pytest.fixture
def memory() -> Iterator[pa.MemoryPool]:
    """What the test alone takes of Arrow's memory."""
    pool = pa.default_memory_pool()
    counted = pa.proxy_memory_pool(pool)
    POOLS.append(counted)
    pa.set_memory_pool(counted)
    yield counted
    pa.set_memory_pool(pool)


def test_a_few_bytes_that_stand_for_gigabytes_are_refused_in_flat_memory(tmp_path: Path, memory: pa.MemoryPool) -> None:
    rows = 200_000
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["a" * 200_000]))
    columns = {"source": ["1"] * rows, "system": ["A"] * rows, "score": [1.0] * rows, "text": text}
    path = parquet(tmp_path, columns, store_schema=False)
    assert path.stat().st_size < 1_000_000

    assert refusal(path) == "s.parquet: a text has more than 131,072 bytes."

    assert memory.max_memory() < 100_000_000  # the texts together have 40 GB


def test_a_row_group_that_is_large_when_it_is_unpacked_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "MAX_ROW_GROUP_BYTES", 2**20)
    texts = ["a" * 1_000 + str(number) for number in range(3_000)]

    path = parquet(tmp_path, {"source": texts, "system": texts, "score": [1.0] * 3_000})

    assert refusal(path) == "s.parquet: a row group is larger than 1 MiB when it is unpacked."


@pytest.mark.parametrize("value", [["1"] * 9, {"a": "1"}, b"1"])
def test_a_column_of_other_than_plain_values_is_refused(value: object, tmp_path: Path) -> None:
    path = parquet(tmp_path, {"source": [value], "system": ["A"], "score": [1.0]})

    assert refusal(path).startswith("s.parquet: the column source has the type ")


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_texts_of_every_kind_are_read(kind: pa.DataType, tmp_path: Path) -> None:
    path = parquet(tmp_path, {"source": ["1"], "system": pa.array(["A"]).cast(kind), "score": [1]})

    ((line, system),) = [(each.line, each.system) for each in read_scores(path, metric="m", signature="s")]

    assert (line, system) == (1, "A")


def test_a_parquet_file_is_numbered_across_its_batches(tmp_path: Path) -> None:
    rows = 2 * readers.PARQUET_BATCH + 1
    path = parquet(
        tmp_path, {"source": ["1"] * rows, "system": ["A"] * rows, "score": [1.0] * rows}, row_group_size=700
    )

    assert [each.line for each in read_scores(path, metric="m", signature="s")] == list(range(1, rows + 1))


@pytest.mark.django_db(transaction=True)
def test_more_metrics_than_are_kept_refuse_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "MAX_METRICS", 2)
    release = released_with([of_texts(1, ["Men went."], {"A": "Men."})])
    rows = [{**ROW, "metric": name, "signature": "s"} for name in ("a", "b", "c")]

    with pytest.raises(Exception, match=r"s\.jsonl, line 3: there are more than 2 metrics\."):
        printed("import_scores", release.name, str(json_lines(tmp_path / "s.jsonl", *rows)))
