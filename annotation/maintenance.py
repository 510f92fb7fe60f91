"""What a worker does from time to time beside its jobs, over a database that may restart meanwhile."""

import logging
from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from annotation.backups.nightly import backup_when_due
from annotation.services.notices import notices_send
from annotation.services.previews import previews_forget_old
from annotation.services.webhook_deliveries import webhooks_send
from annotation.services.webhook_events import webhook_events_find, webhook_events_forget_old
from common.api.idempotency import kept_answers_forget_old
from common.errors import FilesAway
from common.jobs import jobs_requeue
from common.rate_limits import rate_counts_forget_old
from common.scratch import scratch_remove_left
from common.stores.copies import copies_shrink
from common.unnamed_paths import unnamed_paths_remove
from compressions.services.comparison import compressions_compare
from compressions.services.drafts import drafts_forget_old
from corpus.services.erasure import erasures_complete
from crowd.services.accounts import sessions_forget_old
from ratings.services.tally import tallies_advance

logger = logging.getLogger(__name__)

PERIODIC: tuple[tuple[float, Callable[[], object]], ...] = (
    (15.0, jobs_requeue),  # no broker announces the job of a killed worker again
    (15.0, webhooks_send),
    (60.0, erasures_complete),
    (120.0, webhook_events_find),
    (300.0, notices_send),
    (300.0, backup_when_due),
    (300.0, compressions_compare),
    (600.0, tallies_advance),
    (900.0, previews_forget_old),
    (900.0, unnamed_paths_remove),
    (900.0, scratch_remove_left),
    (3600.0, copies_shrink),
    (3600.0, drafts_forget_old),
    (3600.0, rate_counts_forget_old),
    (3600.0, kept_answers_forget_old),
    (3600.0, sessions_forget_old),
    (3600.0, webhook_events_forget_old),
)


def maintain(task: Callable[[], object]) -> None:
    """Do a task; if the database does not answer, drop the connection, so that the next time a new one is made.

    No failure of one task keeps the worker from the others.
    """
    # A timer has no request or job around it at whose beginning Django would look after the connection.
    close_old_connections()
    try:
        task()
    except (DatabaseError, InterfaceError) as error:
        logger.warning("%s: the database does not answer (%s)", task.__name__, type(error).__name__)
        connection.close()
    except FilesAway:
        logger.warning("%s: the storage of files does not answer", task.__name__)
    except Exception:
        logger.exception("%s failed", task.__name__)
