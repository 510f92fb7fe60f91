"""What is done names its file. In PostgreSQL, constraints follow changes of rows in another transaction."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0003_stored_files'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='scorepart',
            constraint=models.CheckConstraint(condition=models.Q(('outputs__isnull', True), models.Q(('file', ''), _negated=True), _connector='OR'), name='score_part_done_has_file'),
        ),
        migrations.AddConstraint(
            model_name='scorerun',
            constraint=models.CheckConstraint(condition=models.Q(('summary__isnull', True), models.Q(('file', ''), _negated=True), _connector='OR'), name='score_run_finished_has_file'),
        ),
    ]
