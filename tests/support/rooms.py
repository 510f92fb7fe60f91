"""The rooms of the app, and what runs in an installation."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(sorted({each.parent.name for each in ROOT.glob("*/__init__.py")} - {"benchmarks", "tests"}))


def product_files() -> list[Path]:
    """The modules of all rooms without their tests and migrations."""
    files = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
    return [file for file in files if not {"tests", "migrations"} & set(file.parts)]
