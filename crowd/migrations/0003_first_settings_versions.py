"""Version 1 of the settings of every campaign: those that it has now.

Under which settings its people consented and its work was done is not recorded, so that stays empty. People of a
simulated crowd are those that the simulation itself took for such: by the beginning of their id.
"""

from django.db import migrations
from django.db.migrations.state import StateApps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone

# Not imported: the lists may change, and this migration does not.
VERSIONED = (
    "consent", "editor_guidelines", "sentence_examples", "paragraph_examples", "rater_guidelines",
    "texts_go_on_erasure", "editor_start", "keep_percent", "qualification_pass_percent", "qualification_tries",
    "qualification_wait_minutes", "rating_task", "scales", "editors_per_source", "raters_per_compression",
    "editor_tasks", "rater_tasks", "lease_minutes", "sentence_min_words", "paragraph_min_words", "ratings_per_page",
    "extra_raters", "pairs_per_compression", "system_percent", "gold_percent", "gold_warn_percent",
)
SIMULATED = "simulated-"


def first_versions(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    campaigns = apps.get_model("crowd", "Campaign").objects
    versions = apps.get_model("crowd", "SettingsVersion").objects
    for campaign in campaigns.filter(settings_version=None):
        settings = {name: getattr(campaign, name) for name in VERSIONED}
        version = versions.create(campaign=campaign, number=1, settings=settings, created_at=timezone.now())
        campaigns.filter(pk=campaign.pk).update(settings_version=version)
    apps.get_model("crowd", "Worker").objects.filter(external_id__startswith=SIMULATED).update(is_simulated=True)


class Migration(migrations.Migration):

    dependencies = [
        ('crowd', '0002_settings_versions'),
    ]

    operations = [
        migrations.RunPython(first_versions, migrations.RunPython.noop),
    ]
