from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0003_decoys'),
    ]

    operations = [
        migrations.AddField(
            model_name='outputimport',
            name='is_as_is',
            field=models.BooleanField(db_default=False, default=False, help_text='Outputs are taken that are longer than the campaign allows.'),
        ),
        migrations.AddField(
            model_name='outputimport',
            name='notes',
            field=models.JSONField(db_default={}, default=dict, help_text='What is known of how the outputs were made, by name.'),
        ),
    ]
