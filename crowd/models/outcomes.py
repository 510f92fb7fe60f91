"""How visits end."""

from django.db import models


class Outcome(models.TextChoices):
    """How a visit stands, or ended."""

    WORKING = "working", "working"
    DONE = "done", "done"
    FAILED = "failed", "failed the test"
    NO_WORK = "no_work", "no work left"
    STOPPED_EARLY = "stopped", "stopped early"
    WITHDREW = "withdrew", "withdrew"


NO_MORE = {Outcome.FAILED, Outcome.WITHDREW}
"""Outcomes after which a person is given nothing more, by no link of the round."""
