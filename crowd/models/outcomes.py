"""How visits end."""

from django.db import models
from django.utils.translation import gettext_lazy


class Outcome(models.TextChoices):
    """How a visit stands, or ended."""

    WORKING = "working", gettext_lazy("working")
    DONE = "done", gettext_lazy("done")
    FAILED = "failed", gettext_lazy("failed the test")
    NO_WORK = "no_work", gettext_lazy("no work left")
    SKIPPED = "skipped", gettext_lazy("skipped most texts")
    STOPPED_EARLY = "stopped", gettext_lazy("stopped early")
    WITHDREW = "withdrew", gettext_lazy("withdrew")


NO_MORE = {Outcome.FAILED, Outcome.WITHDREW}
"""Outcomes after which a person is given nothing more, by no link of the round."""
NOT_OVER = {Outcome.WORKING, Outcome.STOPPED_EARLY}
"""Outcomes of a visit in which a person may still be at work."""
