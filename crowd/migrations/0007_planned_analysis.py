
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crowd', '0006_failed_pay'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='hypothesis',
            field=models.TextField(blank=True, db_default='', default='', max_length=2000, verbose_name='hypothesis'),
        ),
        migrations.AddField(
            model_name='campaign',
            name='primary_metric',
            field=models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='primary metric'),
        ),
    ]
