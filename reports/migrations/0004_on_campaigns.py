import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("crowd", "0008_imported_scales"),
        ("corpus", "0004_scales_and_outputs_as_is"),
        ("reports", "0003_packed_rows"),
    ]

    operations = [
        migrations.RenameField("report", "release_checksum", "checksum"),
        migrations.AddField(
            model_name='report',
            name='campaign',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='crowd.campaign'),
        ),
        migrations.AlterField(
            model_name='report',
            name='checksum',
            field=models.CharField(help_text="Of the release's manifest, or of the campaign's answers.", max_length=64),
        ),
        migrations.AlterField(
            model_name='report',
            name='release',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='corpus.release'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('campaign', 'kind', 'digest'), name='report_of_campaign_once'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('campaign__isnull', True), ('release__isnull', False)), models.Q(('campaign__isnull', False), ('release__isnull', True)), _connector='OR'), name='report_on_release_or_campaign'),
        ),
    ]
