"""What takes long to compute: asked for once, however often the same is asked, and stored once."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db import models, transaction
from django.db.models import Manager

from common.clock import database_now
from common.job_attempts import Attempt


class ComputedResult(models.Model):
    """The answer to one question; a model adds the answer, which is null until `finished_at` is set."""

    parameters = models.JSONField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of all that it is computed with.")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


Row = TypeVar("Row", bound=models.Model)


def get_or_request(rows: Manager[Row], defaults: Mapping[str, Any], **question: Any) -> tuple[Row, bool]:
    """Return the row of a question, locked until the transaction ends, and whether it is new.

    The lock serialises concurrent requests, so that the second sees the job of the first.
    """
    row, is_new = rows.get_or_create(**question, defaults=defaults)
    return rows.select_for_update(no_key=True).get(pk=row.pk), is_new


@transaction.atomic
def store_once(result: ComputedResult, attempt: Attempt, **values: Any) -> bool:
    """Store an answer and return True; if another attempt or a command has stored one meanwhile, that one stays."""
    attempt.fence()
    unfinished = type(result)._default_manager.filter(pk=result.pk, finished_at=None)
    return bool(unfinished.update(**values, finished_at=database_now()))
