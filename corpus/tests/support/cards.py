"""The dataset card as tests read it, and a campaign whose work spans two versions of its settings."""

import json
import re
from typing import Any

import yaml

from corpus.models import Release
from crowd.models import Campaign
from tests.support.factories import EDIT, RATE, enrol, judged_campaign, rate_next, submit_text
from tests.support.settings import settings_change
from tests.support.stored import release_folder


def card_of(release: Release) -> str:
    return (release_folder(release) / "README.md").read_text(encoding="utf-8")


def head_of(release: Release) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(card_of(release).split("---\n", 2)[1])
    return loaded


def section(card: str, heading: str) -> str:
    """What stands under a heading, up to the next one of its level or higher."""
    found = re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^#{{1,3}} |\Z)", card, re.MULTILINE | re.DOTALL)
    assert found, heading
    return " ".join(found[2].split())


def collection_of(release: Release) -> dict[str, Any]:
    manifest = json.loads((release_folder(release) / "manifest.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = manifest["collection"]
    return found


def with_two_versions() -> Campaign:
    """Six compressions with twelve ratings under the first settings, one compression with two under the second."""
    campaign = judged_campaign(sources=3, editors=2, keep_percent=75)
    settings_change(campaign, keep_percent=80, editor_guidelines="Shorten a bit.", consent="Do you agree to more?")
    campaign.items.filter(round=EDIT).update(wanted=3, open_slots=1)
    submit_text(enrol(campaign, EDIT, "late"), "The old bridge.")
    for name in ("late rater", "later rater"):
        rate_next(enrol(campaign, RATE, name))
    return campaign
