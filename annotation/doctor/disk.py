"""Whether the disk has room for what comes next: a release, and a backup."""

import os
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import Max, Sum

from annotation.condition import free_bytes
from annotation.doctor.registry import Finding, Look, check, fine, unseen, wrong
from corpus.models import ReleaseFile

LEAST_BYTES = 2 * 1024**3
LEAST_FILES = 10_000
# While a release is written it needs three times its size.
TIMES_A_RELEASE = 3


def largest_release() -> int:
    sizes = ReleaseFile.objects.values("release").annotate(bytes=Sum("size"))
    return sizes.aggregate(largest=Max("bytes"))["largest"] or 0


def size_of_database() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    path = Path(connection.settings_dict["NAME"])
    return path.stat().st_size if path.exists() else 0


def in_words(size: int) -> str:
    return f"{size / 1024**3:.1f} GB"


@check(seconds=30, asks_database=True)
def free_space(_look: Look) -> Finding:
    needed = max(LEAST_BYTES, TIMES_A_RELEASE * largest_release(), size_of_database())
    free = free_bytes(settings.DATA_DIR)
    if free < needed:
        return wrong(
            f"The disk of {settings.DATA_DIR} has {in_words(free)} left. The next release or backup may need "
            f"{in_words(needed)}: make room, or move the folder to a larger disk."
        )
    return fine(f"The disk of {settings.DATA_DIR} has {in_words(free)} left.")


@check()
def free_files(_look: Look) -> Finding:
    found = os.statvfs(settings.DATA_DIR)
    if not found.f_files:
        return unseen("this file system does not count how many files it can hold.")
    if found.f_favail < LEAST_FILES:
        return wrong(
            f"The file system of {settings.DATA_DIR} can hold {found.f_favail} more files (inodes). "
            "Delete what has very many small files, such as old caches, or move the folder."
        )
    return fine(f"The file system of {settings.DATA_DIR} can hold {found.f_favail} more files.")
