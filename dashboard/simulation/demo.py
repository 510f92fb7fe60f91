"""Create the demonstration campaign."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from compressions.services.imports import source_import
from compressions.services.outputs import Output, outputs_add
from crowd.default_texts import default_texts
from crowd.models import Campaign
from crowd.services.campaigns import campaign_create
from ratings.example_check import ExampleText
from ratings.services.gold import gold_create
from ratings.services.qualification import qualification_items_replace

SLUG = "demo"
USER = "demo"
IMPORT_SEED = 7
SYSTEMS = ("first", "mmr", "ilp", "seq2seq")
SIMULATED = {"editors": 40, "raters": 30, "seed": 7}
# Enough texts for intervals of two experts to cover as they say.
EXPERTS = {"experts": 2, "texts": 60}
# Made up, as the description says.
PAY: dict[str, Any] = {
    "currency": "GBP",
    "editor_pay": Decimal("2.50"),
    "editor_minutes": 15,
    "rater_pay": Decimal("2.00"),
    "rater_minutes": 12,
    "minimum_hourly_pay": Decimal("9.00"),
}
FOLDER = Path(__file__).parent / "demo_files"


def demo_staff(password: str) -> User:
    """Return the staff account of the demonstration, created or updated to have this password."""
    user, _ = User.objects.get_or_create(username=USER, defaults={"first_name": "Demo"})
    if not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


def demo_campaign(owner: User) -> Campaign:
    """Create the campaign with its sources, qualification and gold items, before any work is done."""
    texts = default_texts()
    texts["consent"] = f"{demo_text('note.md')}\n{texts['consent']}"
    campaign = campaign_create(
        owner=owner,
        name="Demonstration",
        slug=SLUG,
        description=demo_text("description.md").strip(),
        **texts,
        editors_per_source=5,
        raters_per_compression=4,
        editor_tasks=7,
        rater_tasks=30,
        system_percent=50,
        **PAY,
    )
    qualification_items_replace(campaign=campaign, examples=_examples("qualification.jsonl"))
    for example in _examples("gold.jsonl"):
        gold_create(campaign=campaign, example=example)
    content = (FOLDER / "sources.jsonl").read_bytes()
    source_import(campaign=campaign, file_name="sources.jsonl", content=content, strict=True, seed=IMPORT_SEED)
    for system in SYSTEMS:
        outputs_add(campaign=campaign, system=system, outputs=list(_outputs(system)))
    return campaign


def _outputs(system: str) -> Iterator[Output]:
    """Yield what a system made when it was run by `scripts/demo_systems.py`."""
    for number, row in enumerate(demo_lines(f"outputs/{system}.jsonl"), start=1):
        yield Output(number, row["id"], row["text"])


def _examples(name: str) -> list[ExampleText]:
    return [ExampleText(**row) for row in demo_lines(name)]


def demo_lines(name: str) -> list[dict[str, Any]]:
    """Return the objects of one of the demonstration's files."""
    return [json.loads(line) for line in demo_text(name).splitlines()]


def demo_text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
