"""Every mutant of the list fits the sources."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "mutants.py"


def test_every_mutant_still_applies() -> None:
    listed = subprocess.run([sys.executable, SCRIPT, "--list"], check=False, capture_output=True, text=True)
    assert listed.returncode == 0, listed.stderr
    assert len(listed.stdout.splitlines()) >= 117
