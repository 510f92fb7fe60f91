"""The settings of a judgement task with material of its own, as part of a file."""

import pytest
import yaml

from crowd.models import Campaign
from dashboard.campaign_files.services import campaign_clone
from dashboard.campaign_files.tests.test_refusals import faults_of
from dashboard.campaign_files.writing import campaign_file
from protocols.planned import plan_fix
from protocols.services.set_up import task_settings_save
from tests.support.factories import make_campaign, make_staff

pytestmark = pytest.mark.django_db
HEAD = "precis_campaign: 1\nname: A\nsettings: {rating_task: spans}\n"


def test_the_settings_of_the_task_are_copied_and_the_fixed_analysis_is_not() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner, rating_task="spans")
    own = '{"name": "ours",\n "severities": []}'
    Campaign.objects.filter(pk=campaign.pk).update(task_settings={"preset": "mqm", "own_preset": own})
    plan_fix(campaign=Campaign.objects.get(pk=campaign.pk), analysis={"report": "spans"}, user=None)
    campaign = Campaign.objects.get(pk=campaign.pk)

    made = campaign_clone(campaign=campaign, owner=owner, slug="copy", name="Copy")

    assert campaign.planned_analysis
    assert Campaign.objects.get(pk=made.pk).task_settings == {"preset": "mqm", "own_preset": own}
    assert Campaign.objects.get(pk=made.pk).planned_analysis == {}
    assert not {"scales", "practice", "test", "gold"} & set(yaml.safe_load(campaign_file(campaign)))


def test_a_campaign_whose_task_has_no_settings_yet_has_none_in_its_file() -> None:
    campaign = make_campaign(rating_task="spans")
    assert "task_settings" not in yaml.safe_load(campaign_file(campaign))

    task_settings_save(campaign=campaign, settings={"preset": "mqm"}, user=None)

    assert yaml.safe_load(campaign_file(Campaign.objects.get(pk=campaign.pk)))["task_settings"] == {"preset": "mqm"}


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ("task_settings:\n  preset: nothing\n", "line 5: preset: Select a valid choice."),
        ("task_settings:\n  premark: none\n  colour: red\n", "line 6: colour: this is not known here."),
        ("task_settings:\n  preset: [a]\n", "line 5: preset: This must be a text."),
        ("task_settings: 7\n", "line 4: task_settings: This must be names with values."),
        (
            "gold:\n  - {source: A, compression: B, answers: {meaning: [1]}}\n",
            "line 5: gold: Raters of this campaign do a judgement task whose practice is part of its material.",
        ),
    ],
)
def test_what_does_not_fit_the_task_is_refused_with_its_line(more: str, fault: str) -> None:
    (found,) = faults_of(HEAD + more)

    assert found.startswith(fault)


def test_other_tasks_have_no_settings_of_their_own() -> None:
    assert faults_of("precis_campaign: 1\nname: A\ntask_settings: {preset: esa}\n") == [
        "line 3: task_settings: Only a judgement task with material of its own has these."
    ]
