

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crowd', '0002_since_0_2_0'),
    ]

    operations = [
        migrations.AlterField(
            model_name='assignment',
            name='worker',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='crowd.worker'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(fields=['worker', 'submitted_at'], name='assignment_last_work'),
        ),
    ]
