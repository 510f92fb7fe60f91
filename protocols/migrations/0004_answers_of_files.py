from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('common', '0003_periodic_runs'),
        ('crowd', '0010_arms'),
        ('protocols', '0003_marked_answers'),
    ]

    operations = [
        migrations.AddField(
            model_name='materialimport',
            name='answers',
            field=models.CharField(db_default='', default='', help_text='The format, if it has answers that were given elsewhere.', max_length=20),
        ),
        migrations.AddConstraint(
            model_name='materialimport',
            constraint=models.CheckConstraint(condition=models.Q(('answers__in', ['', 'mqm', 'mqm-quoted', 'esa', 'wmt25', 'wmt25-jsonl', 'thresh'])), name='material_import_form_known'),
        ),
    ]
