"""Making the demonstration campaign."""

import json
from pathlib import Path

from django.contrib.auth.models import User

from compressions.services.imports import source_import
from crowd.models import Campaign
from crowd.services.campaigns import campaign_create
from crowd.texts import default_texts
from ratings.services.qualification import Example, qualification_items_replace

SLUG = "demo"
USER = "demo"
IMPORT_SEED = 7
FOLDER = Path(__file__).parent


def demo_staff(password: str) -> User:
    """The account of the demonstration, with the password that is kept in the data folder."""
    user, _ = User.objects.get_or_create(username=USER, defaults={"first_name": "Demo"})
    if not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


def demo_campaign(owner: User) -> Campaign:
    """The campaign with its texts and its qualification, before anybody worked in it."""
    texts = default_texts()
    texts["consent"] = f"{_text('note.md')}\n{texts['consent']}"
    campaign = campaign_create(
        owner=owner,
        name="Demonstration",
        slug=SLUG,
        **texts,
        editors_per_source=5,
        raters_per_compression=4,
        editor_tasks=7,
        rater_tasks=30,
    )
    lines = _text("qualification.jsonl").splitlines()
    qualification_items_replace(campaign=campaign, examples=[Example(**json.loads(line)) for line in lines])
    content = (FOLDER / "sources.jsonl").read_bytes()
    source_import(campaign=campaign, file_name="sources.jsonl", content=content, strict=True, seed=IMPORT_SEED)
    return campaign


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
