from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crowd', '0010_arms'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='campaign',
            name='campaign_rating_task_known',
        ),
        migrations.AlterField(
            model_name='campaign',
            name='rating_task',
            field=models.CharField(choices=[('single', 'one compression at a time, on scales'), ('pair', 'two compressions side by side: which is better'), ('answer', 'one answer to a question at a time, on scales'), ('spans', 'errors, marked in a text'), ('quiz', 'a quiz on texts, with or without summaries'), ('ranking', 'several texts from the same sentences, ranked'), ('absolute', 'one text at a time, from 1 to 5, after a reference that was read before'), ('links', 'sentences of a summary, linked to those of its text')], default='single', max_length=8, verbose_name='what raters see'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('rating_task__in', ['single', 'pair', 'answer', 'spans', 'quiz', 'ranking', 'absolute', 'links'])), name='campaign_rating_task_known'),
        ),
    ]
