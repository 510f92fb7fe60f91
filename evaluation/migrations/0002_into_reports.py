"""Reports of this room are kept with those of the others now."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0002_from_three_rooms'),
        ('evaluation', '0001_initial'),
    ]

    operations = [
        migrations.DeleteModel(
            name='EvaluationPart',
        ),
        migrations.DeleteModel(
            name='EvaluationReport',
        ),
    ]
