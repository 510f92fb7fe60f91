"""A finished quiz study for the demonstration: simulated people choose summaries, take quizzes and mark answers."""

from django.contrib.auth.models import User

from common.jobs import Progress
from crowd.models import Campaign
from crowd.models.campaign import CampaignState
from crowd.services.campaigns import campaign_state_set, campaign_update
from dashboard.campaign_files.services import campaign_file_create
from dashboard.campaign_files.templates import TEMPLATES
from dashboard.simulation.crowd import crowd_simulate
from dashboard.simulation.demo import FOLDER, SIMULATED, demo_text
from protocols.quiz.task import TASK
from protocols.services.material import material_import

SLUG = "demo-quiz"
PEOPLE = 6
"""As many as balance three conditions over places and neighbours."""
DRAWS = 1_000
"""Fewer than by default, so that the demonstration is soon there."""
SETTINGS = {
    "conditions": "none: none\ngeneric: generic\nmmr: automatic",
    "people": PEOPLE,
    "least_percent": 20,
    "most_percent": 40,
}


def demo_quiz_load(*, owner: User, progress: Progress) -> Campaign:
    """Create the campaign, let simulated people do all of it, and close it."""
    content = TEMPLATES["quiz-study"].content
    campaign = campaign_file_create(content=content, owner=owner, slug=SLUG, name="Demonstration: a quiz on summaries")
    campaign_update(
        campaign=campaign,
        user=None,
        description=demo_text("quiz.md").strip(),
        consent=f"{demo_text('note.md')}\n{campaign.consent}",
        task_settings=SETTINGS,
        editor_tasks=3,
        rater_tasks=3,
    )
    content = (FOLDER / "quiz.jsonl").read_bytes()
    material_import(campaign=campaign, file_name="quiz.jsonl", content=content)
    TASK.pieces_make(campaign, fill_in=True)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.OPEN)
    campaign.refresh_from_db()
    crowd_simulate(campaign=campaign, editors=0, raters=PEOPLE, seed=SIMULATED["seed"], progress=progress)
    campaign_state_set(campaign=campaign, state=CampaignState.CLOSED, user=None)
    return campaign
