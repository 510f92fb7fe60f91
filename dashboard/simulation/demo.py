"""Create the demonstration campaign."""

import json
from collections.abc import Iterator
from pathlib import Path

from django.contrib.auth.models import User

from compressions.models import Source
from compressions.services.imports import source_import
from compressions.services.outputs import Output, outputs_add
from crowd.default_texts import default_texts
from crowd.models import Campaign
from crowd.services.campaigns import campaign_create
from measures.text.length_rule import allowed_length
from measures.text.normalization import length
from ratings.example_check import ExampleText
from ratings.services.gold import gold_create
from ratings.services.qualification import qualification_items_replace

SLUG = "demo"
USER = "demo"
IMPORT_SEED = 7
BASELINE = "first-words"
SIMULATED = {"editors": 40, "raters": 25, "seed": 7}
# Enough texts for intervals of two experts to cover as they say.
EXPERTS = {"experts": 2, "texts": 60}
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
    texts["consent"] = f"{_text('note.md')}\n{texts['consent']}"
    campaign = campaign_create(
        owner=owner,
        name="Demonstration",
        slug=SLUG,
        description=_text("description.md").strip(),
        **texts,
        editors_per_source=5,
        raters_per_compression=4,
        editor_tasks=7,
        rater_tasks=30,
    )
    qualification_items_replace(campaign=campaign, examples=_examples("qualification.jsonl"))
    for example in _examples("gold.jsonl"):
        gold_create(campaign=campaign, example=example)
    content = (FOLDER / "sources.jsonl").read_bytes()
    source_import(campaign=campaign, file_name="sources.jsonl", content=content, strict=True, seed=IMPORT_SEED)
    outputs_add(campaign=campaign, system=BASELINE, outputs=list(_first_words(campaign)))
    return campaign


def _first_words(campaign: Campaign) -> Iterator[Output]:
    """Yield the outputs of a simple baseline: as many first words of each source as the length rule allows."""
    for number, source in enumerate(Source.objects.filter(campaign=campaign).order_by("pk"), start=1):
        words, allowed = source.text.split(), allowed_length(source.text, campaign.keep_percent)
        while length(" ".join(words)) > allowed:
            words.pop()
        yield Output(number, source.source_id, " ".join(words))


def _examples(name: str) -> list[ExampleText]:
    return [ExampleText(**json.loads(line)) for line in _text(name).splitlines()]


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
