"""Exceptions for refused requests; their messages are shown to the person who made the request."""


class Refused(Exception):
    """The request cannot be carried out; the message tells the person why, and the code tells the page's script."""

    code = ""


class SlotTaken(Refused):
    """The task cannot be submitted any more."""

    code = "lost"


class TakenByOther(SlotTaken):
    """The lease expired, and another participant has the slot."""

    code = "taken"


class StudyOver(SlotTaken):
    """The campaign is over, so nothing of it can be submitted."""

    code = "study_over"


class AskedOnce(Refused):
    """What is unlikely to be meant, and is taken if it is sent again as confirmed."""

    code = "confirm"


class NotYours(Refused):
    """The requested object does not exist, or belongs to somebody else."""


class AlreadySubmitted(Refused):
    """The request would change a task that has already been submitted."""


class TooManyRequests(Refused):
    """Somebody did something too often; it can be tried again in `retry_after` seconds."""

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class FilesAway(Refused):
    """The storage of files does not answer, or refuses; `reason` is for whoever runs the installation."""

    def __init__(self, message: str, *, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class FileDamaged(FilesAway):
    """The storage of files gives something else than was put there."""
