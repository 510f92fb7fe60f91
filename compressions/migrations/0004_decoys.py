import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('compressions', '0003_page_record'),
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
    ]
