"""Tests leave alone the database of an installation, whatever they need of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_run_that_makes_no_test_database_deletes_none(tmp_path: Path) -> None:
    """The second run finds the tables that the first has kept; only then is there a copy to clear away."""
    installed = tmp_path / "precis.sqlite3"
    installed.write_bytes(b"what people wrote")
    own = {"DATABASE_URL": f"sqlite:///{installed}", "PRECIS_DATA_DIR": str(tmp_path / "data")}
    cache = f"cache_dir={tmp_path / 'cache'}"
    for test in ("crowd/tests/test_scales.py", "tests/upgrade/test_last_release.py::test_sessions_end"):
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-o", cache, "-p", "no:randomly", test]
        run = subprocess.run(command, cwd=ROOT, env={**os.environ, **own}, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout[-2000:]
    assert installed.read_bytes() == b"what people wrote"
