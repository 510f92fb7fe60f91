"""A release that is ready names its folder. In PostgreSQL, constraints follow changes of rows in another transaction."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0006_stored_files'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='release',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'ready'), _negated=True), models.Q(('folder', ''), _negated=True), _connector='OR'), name='release_ready_has_folder'),
        ),
        migrations.AddConstraint(
            model_name='release',
            constraint=models.UniqueConstraint(condition=models.Q(('folder', ''), _negated=True), fields=('folder',), name='release_folder_once'),
        ),
    ]
