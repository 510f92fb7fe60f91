"""Drop what the state and the roles have replaced."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("crowd", "0006_people_and_money_data"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveField("campaign", "is_open"),
        migrations.RemoveField("campaign", "staff"),
        migrations.AddField(
            "campaign",
            "staff",
            models.ManyToManyField(
                blank=True, related_name="campaigns", through="crowd.Membership", to=settings.AUTH_USER_MODEL
            ),
        ),
    ]
