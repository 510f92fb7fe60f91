import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('compressions', '0003_page_record'),
        ('crowd', '0004_record_leaving'),
    ]

    operations = [
        migrations.CreateModel(
            name='Decoy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('system', models.CharField(max_length=60)),
                ('text', models.TextField()),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decoys', to='compressions.source')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('source', 'system'), name='decoy_once_per_source')],
            },
        ),
        migrations.CreateModel(
            name='VisitRules',
            fields=[
                ('worker', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='visit_rules', serialize=False, to='crowd.worker')),
                ('met', models.JSONField(help_text='Of each rule that was met: its key, in how many texts, and of how many.')),
            ],
        ),
    ]
