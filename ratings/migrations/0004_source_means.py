import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crowd', '0006_failed_pay'),
        ('ratings', '0003_page_record'),
    ]

    operations = [
        migrations.CreateModel(
            name='SourceMeans',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('last_rating', models.PositiveBigIntegerField()),
                ('last_version', models.PositiveBigIntegerField()),
                ('excluded', models.JSONField(help_text='The ids of the raters who were excluded.')),
                ('last_compression', models.PositiveBigIntegerField(help_text='Outputs count once a person has written the same.')),
                ('means', models.JSONField(help_text="By scale: by the id of a source, the mean over its compressions' ratings.")),
                ('campaign', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)s', to='crowd.campaign')),
            ],
            options={
                'abstract': False,
            },
        ),
    ]
