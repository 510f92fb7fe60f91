from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0004_scales_and_outputs_as_is'),
    ]

    operations = [
        migrations.AddField(
            model_name='release',
            name='data_statement',
            field=models.JSONField(db_default={}, default=dict, help_text='What the researchers say of the corpus, by the keys of the questions.'),
        ),
        migrations.AddField(
            model_name='release',
            name='conduct',
            field=models.JSONField(db_default={}, default=dict, help_text='How the work had gone when it was frozen.'),
        ),
    ]
