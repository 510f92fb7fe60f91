"""Everything that this room gained after version 0.2.0: the version of each report."""

from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('agreement', '0002_report_version'),
    ]

    dependencies = [
        ('agreement', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='agreementresult',
            name='first_ratings',
            field=models.PositiveSmallIntegerField(help_text='How many ratings of each text count, if raters were asked because earlier ones disagreed.', null=True),
        ),
        migrations.AddField(
            model_name='agreementresult',
            name='report_version',
            field=models.PositiveSmallIntegerField(default=0, help_text='Which version of the report computed the rows; 0 before versions were recorded.'),
        ),
    ]
