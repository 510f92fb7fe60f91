"""Settings of a process that restores a backup to see whether it can be restored: it reaches nothing of ours.

Whatever the environment says, the database is a file and the storages are folders, in the folder of the check.
"""

from pathlib import Path

from annotation import settings
from annotation.settings import *  # noqa: F403

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
STORAGES = {
    **settings.STORAGES,
    **{
        name: {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": Path(settings.DATA_DIR) / "restored" / name},
        }
        for name in settings.STORED
    },
}
