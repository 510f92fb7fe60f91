"""The two scales become rows and answers by name, as those of any campaign are."""

from django.db import migrations

BATCH = 2000
SCALES = ("meaning", "grammar")


def rows_of_ratings(apps, schema_editor):
    Rating, Score = apps.get_model("ratings", "Rating"), apps.get_model("ratings", "Score")
    Version = apps.get_model("ratings", "RatingVersion")
    rows = Rating.objects.order_by("pk").values_list("pk", *SCALES, "assignment__submitted_at")
    scores, versions, times = [], [], []
    for pk, meaning, grammar, at in rows.iterator(chunk_size=BATCH):
        given = dict(zip(SCALES, (meaning, grammar)))
        scores += [Score(rating_id=pk, scale=scale, value=value) for scale, value in given.items()]
        versions.append(Version(rating_id=pk, number=1, scores=given, difference_shown=False, created_at=at))
        times.append(Rating(pk=pk, created_at=at))
    Score.objects.bulk_create(scores, batch_size=BATCH)
    Version.objects.bulk_create(versions, batch_size=BATCH)
    Rating.objects.bulk_update(times, ["created_at"], batch_size=BATCH)


def answers_by_name(apps, schema_editor):
    for item in apps.get_model("ratings", "QualificationItem").objects.all():
        item.answers = {scale: getattr(item, scale) for scale in SCALES}
        item.save(update_fields=["answers"])
    for attempt in apps.get_model("ratings", "QualificationAttempt").objects.all():
        attempt.answers = {pk: dict(zip(SCALES, given)) for pk, given in attempt.answers.items()}
        attempt.save(update_fields=["answers"])


class Migration(migrations.Migration):
    dependencies = [("ratings", "0002_rater_round")]
    operations = [
        migrations.RunPython(rows_of_ratings, migrations.RunPython.noop),
        migrations.RunPython(answers_by_name, migrations.RunPython.noop),
    ]
