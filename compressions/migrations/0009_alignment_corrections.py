"""Keep what staff correct of the alignment of words, version by version."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q, Value
from django.db.models.lookups import Exact

from common.json_values import JsonLength, JsonType


def is_list(name: str) -> Exact:
    return Exact(JsonType(name), Value("array"))


class Migration(migrations.Migration):
    dependencies = [
        ("compressions", "0008_flag_constraints"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AlignmentCorrection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(help_text="Counted from 1 for each text.")),
                ("source_words", models.JSONField(help_text="The words of the source that it was made on.")),
                ("words", models.JSONField(help_text="The words of the text that it was made on.")),
                (
                    "places",
                    models.JSONField(
                        help_text="The place in the source of each word, or null for an inserted one; none where the "
                        "aligner's are taken again.",
                        null=True,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="alignment_corrections",
                        to="compressions.target",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("target", "version"), name="alignment_version_once"),
                    models.CheckConstraint(condition=Q(version__gte=1), name="alignment_version_from_one"),
                    models.CheckConstraint(condition=Q(is_list("source_words")), name="alignment_source_words_listed"),
                    models.CheckConstraint(condition=Q(is_list("words")), name="alignment_words_listed"),
                    models.CheckConstraint(
                        condition=Q(places__isnull=True) | Q(is_list("places")), name="alignment_places_listed"
                    ),
                    models.CheckConstraint(
                        condition=Q(places__isnull=True) | Q(Exact(JsonLength("places"), JsonLength("words"))),
                        name="alignment_place_of_each_word",
                    ),
                ],
            },
        ),
    ]
