from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crowd', '0003_last_work'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='record_leaving',
            field=models.BooleanField(db_default=False, default=True, verbose_name='record when participants leave a page and come back'),
        ),
    ]
