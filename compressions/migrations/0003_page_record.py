from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('compressions', '0002_since_0_2_0'),
    ]

    operations = [
        migrations.AddField(
            model_name='compression',
            name='page_record',
            field=models.JSONField(help_text='What its page counted: crowd/page_records.py. Never released.', null=True),
        ),
    ]
