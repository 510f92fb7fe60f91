from django.db import migrations, models
from django.db.models.functions import Cast, Length


def weigh(apps, _schema_editor):
    """Weigh the drafts that are there; escaping makes a log about twice as long."""
    Draft = apps.get_model("compressions", "Draft")
    Draft.objects.update(size=2 * Length(Cast("edit_log", models.TextField())) + Length("comment"))


class Migration(migrations.Migration):
    dependencies = [("compressions", "0003_imports_of_files")]

    operations = [
        migrations.AddField(
            model_name="draft",
            name="size",
            field=models.PositiveIntegerField(default=0, help_text="What it weighs in the editing page, in bytes."),
            preserve_default=False,
        ),
        migrations.RunPython(weigh, migrations.RunPython.noop),
    ]
