from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0002_since_0_2_0'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratingversion',
            name='page_record',
            field=models.JSONField(help_text='What its page counted, at the first text of a page: crowd/page_records.py. Never released.', null=True),
        ),
    ]
