"""Reports of this room are kept with those of the others now."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('reports', '0002_from_three_rooms'),
        ('agreement', '0002_since_0_2_0'),
    ]

    operations = [
        migrations.DeleteModel(
            name='AgreementResult',
        ),
    ]
