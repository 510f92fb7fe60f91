"""Default texts of a new campaign, for staff to edit."""

from pathlib import Path

FOLDER = Path(__file__).parent
NAMES = ("consent", "editor_guidelines", "sentence_examples", "paragraph_examples", "rater_guidelines")


def default_texts() -> dict[str, str]:
    return {name: (FOLDER / f"{name}.md").read_text(encoding="utf-8") for name in NAMES}
