"""Settings of a process that restores a backup to see whether it can be restored: it reaches nothing of ours.

Whatever the environment says, the database is a file and the storages are folders, in the folder of the check.
"""

from annotation import settings
from annotation.settings import *  # noqa: F403
from common.environment import stored_in_folders

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": settings.DATA_DIR / "check.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536;",
        },
    }
}
STORAGES = {**settings.STORAGES, **stored_in_folders(settings.DATA_DIR / "restored")}
