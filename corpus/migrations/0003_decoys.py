from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0002_since_0_2_0'),
    ]

    operations = [
        migrations.AddField(
            model_name='outputimport',
            name='is_decoy',
            field=models.BooleanField(default=False, help_text='Its texts are decoys: compared with, never rated.'),
        ),
    ]
