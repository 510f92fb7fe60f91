"""Why a backup is not made, or not restored."""


class BackupRefusal(Exception):
    """It cannot be done; the message says why, and what to do where that is known."""


class Damaged(BackupRefusal):
    """The archive is not what was written."""
