"""A finished judgement task for the demonstration: errors, marked by simulated people in what systems wrote."""

import json
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User

from common.jobs import Progress
from crowd.models import Campaign
from crowd.models.campaign import CampaignState
from crowd.services.campaigns import campaign_state_set, campaign_update
from dashboard.campaign_files.services import campaign_file_create
from dashboard.campaign_files.templates import TEMPLATES
from dashboard.simulation.crowd import crowd_simulate
from dashboard.simulation.demo import SIMULATED, SYSTEMS, demo_lines, demo_text
from protocols.services.material import material_import

SLUG = "demo-errors"
SOURCES = 15
PEOPLE = 9
"""As many as give each text the three answers that it wants, at 20 a person."""

PRACTICE: list[dict[str, Any]] = [
    {
        "id": "practice 1",
        "source": "The old mill, which nobody had used for years, burnt down last night.",
        "output": "The old mill burnt down last year.",
        "expected": {"marks": [{"id": "1", "start": 29, "end": 33, "severity": "major"}], "score": 40},
    },
    {
        "id": "practice 2",
        "source": "Our choir, which meets on Mondays, is looking for two tenors.",
        "output": "Our choir is looking for two tenors.",
        "expected": {"no_errors": True, "score": 95},
    },
]


def demo_errors_load(*, owner: User, progress: Progress) -> Campaign:
    """Create the campaign, let simulated people do the task, and close it."""
    content = TEMPLATES["error-spans"].content
    campaign = campaign_file_create(content=content, owner=owner, slug=SLUG, name="Demonstration: marked errors")
    note = f"{demo_text('note.md')}\n{campaign.consent}"
    campaign_update(campaign=campaign, user=None, description=demo_text("errors.md").strip(), consent=note)
    lines = "\n".join(map(json.dumps, [*PRACTICE, *_material()])).encode()
    material_import(campaign=campaign, file_name="errors.jsonl", content=lines)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.OPEN)
    campaign.refresh_from_db()
    crowd_simulate(campaign=campaign, editors=0, raters=PEOPLE, seed=SIMULATED["seed"], progress=progress)
    campaign_state_set(campaign=campaign, state=CampaignState.CLOSED, user=None)
    return campaign


def _material() -> Iterator[dict[str, str]]:
    """Yield the first sources with what each system made of them."""
    sources = {row["id"]: row["text"] for row in demo_lines("sources.jsonl")[:SOURCES]}
    for system in SYSTEMS:
        outputs = {row["id"]: row["text"] for row in demo_lines(f"outputs/{system}.jsonl")}
        for name, source in sources.items():
            if outputs.get(name):
                yield {"id": name, "system": system, "source": source, "output": outputs[name]}
