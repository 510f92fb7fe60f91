"""Simulated writers: their logs are such as the page sends, and what is found among them stays within the marks."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.simulation.writers import WRITER_KINDS, Habits, Texts, WriterKind, written
from measures.keystrokes.edit_log import dump_log, parse_log, replay

ROOT = Path(__file__).resolve().parents[3]
SOURCE = (
    "The old city council voted late on Tuesday to close the harbor bridge, which carries many cars, after inspectors "
    "found cracks in two of its main steel supports."
)
TEXTS = Texts(
    SOURCE,
    own="The council voted on Tuesday to close the harbor bridge after inspectors found cracks in its supports.",
    model="City leaders want to shut the bridge at once, since its supports are badly cracked.",
    others="The old council voted to close a bridge that carries many cars, since cracks were found.",
)


@pytest.mark.parametrize("kind", WRITER_KINDS.values(), ids=WRITER_KINDS)
def test_every_log_can_be_replayed_to_the_text(kind: WriterKind) -> None:
    for number in range(4):
        rng = random.Random(f"{kind.name} {number}")
        text, log = written(kind, Habits.drawn(rng, **kind.habits), TEXTS, number, rng)
        assert replay(SOURCE, parse_log(dump_log(log))) == text != SOURCE


@pytest.mark.slow
def test_the_simulation_stays_within_its_marks() -> None:
    command = [sys.executable, str(ROOT / "benchmarks/provenance.py"), "--strict"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
