"""Give campaigns a state, staff a role, and tasks the link by which they were given out."""

from typing import Any

from django.db import migrations


def carry_over(apps: Any, _schema: Any) -> None:
    campaigns = apps.get_model("crowd", "Campaign").objects
    campaigns.filter(is_open=False).update(state="closed")
    membership = apps.get_model("crowd", "Membership")
    staff = apps.get_model("crowd", "Campaign").staff.through.objects.order_by("pk")
    # Until now all staff could do everything.
    membership.objects.bulk_create(
        membership(campaign_id=each.campaign_id, user_id=each.user_id, role="owner") for each in staff
    )


TASKS_BY_LINK = """
    UPDATE crowd_assignment SET link_id = (
        SELECT e.link_id FROM crowd_enrolment e
        WHERE e.worker_id = crowd_assignment.worker_id AND e.round = crowd_assignment.round
    )
    WHERE state <> 'blocked'
"""


class Migration(migrations.Migration):
    dependencies = [("crowd", "0005_people_and_money")]

    operations = [
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.RunSQL(TASKS_BY_LINK, migrations.RunSQL.noop),
    ]
