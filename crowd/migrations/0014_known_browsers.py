"""Store the browsers that hold visits as browsers of their people, as entering does from now on."""

from django.db import migrations

BROWSERS_OF_VISITS = """
    INSERT INTO crowd_workerbrowser (worker_id, browser_hash, first_used_at)
    SELECT e.worker_id, e.browser_hash, min(e.consented_at)
    FROM crowd_enrolment e JOIN crowd_worker w ON w.id = e.worker_id
    WHERE e.browser_hash <> '' AND w.erased_at IS NULL AND NOT w.is_test AND NOT w.is_simulated
    GROUP BY e.worker_id, e.browser_hash
"""


class Migration(migrations.Migration):
    dependencies = [("crowd", "0013_shared_browsers")]

    operations = [migrations.RunSQL(BROWSERS_OF_VISITS, migrations.RunSQL.noop)]
