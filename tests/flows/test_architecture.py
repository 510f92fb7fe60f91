"""The picture of the rooms shows the imports as they are."""

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_picture_of_the_rooms_is_up_to_date() -> None:
    script = runpy.run_path(str(ROOT / "scripts/draw_architecture.py"))
    committed = (ROOT / "docs/images/architecture.svg").read_text(encoding="utf-8")
    assert committed == script["draw"](), "the imports between rooms have changed: run `make architecture`"
