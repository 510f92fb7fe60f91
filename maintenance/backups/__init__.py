"""Backups: one file with the database and all files of an installation, and the way back from it."""


class BackupRefusal(Exception):
    """It cannot be done; the message says why, and what to do where that is known."""


class Damaged(BackupRefusal):
    """The archive is not what was written."""
