"""A reader without pyarrow: their release is verified all the same, with Parquet tables or without."""

import sys
from pathlib import Path

import pytest

from measures.verify_release.checks import check_tables
from measures.verify_release.opened import Opened
from measures.verify_release.records import Counts


@pytest.mark.parametrize(
    ("name", "looked_at", "not_checked"),
    [
        ("corpus.jsonl", "nothing: there are none", ""),
        ("parquet/train.parquet", "", "the rows of 1 Parquet files (their bytes are): reading them needs pyarrow"),
    ],
)
def test_tables_need_pyarrow_only_where_there_are_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, looked_at: str, not_checked: str
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()

    check = check_tables(Opened(tmp_path), Counts())

    assert (check.faults, check.looked_at, check.not_checked) == ([], looked_at, not_checked)
