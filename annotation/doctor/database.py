"""Whether the database answers, and lies where a database can lie."""

from pathlib import Path

from django.conf import settings
from django.db import connection

from annotation.condition import database_answers
from annotation.doctor.registry import Finding, Look, check, fine, unseen, wrong

MOUNTS = Path("/proc/self/mounts")
NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "ceph", "glusterfs", "fuse.glusterfs", "afs"}


@check()
def database_is_there(_look: Look) -> Finding:
    name = connection.settings_dict["NAME"]
    if database_answers():
        return fine(f"The database {name} answers.")
    return wrong(
        f"The database {name} does not answer. Check that its server runs and that DATABASE_URL leads to it: "
        "manage.py migrate --check shows the message of the server."
    )


@check()
def sqlite_is_local(_look: Look) -> Finding:
    if connection.vendor != "sqlite":
        return fine("The database is not a file on this computer.")
    path = Path(connection.settings_dict["NAME"]).resolve()
    kind = file_system_of(path)
    if kind is None:
        return unseen("this system does not list its file systems in /proc/self/mounts.")
    if kind in NETWORK:
        return wrong(
            f"The SQLite database {path} lies on a network file system ({kind}), whose locks can fail and damage it. "
            f"Move {settings.DATA_DIR} to a disk of this computer, or use PostgreSQL."
        )
    return fine(f"The SQLite database lies on a file system of this computer ({kind}).")


def file_system_of(path: Path) -> str | None:
    """Return the kind of file system that a path lies on: that of the longest folder that is mounted above it."""
    try:
        lines = MOUNTS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    found = [(line.split()[1].replace("\\040", " "), line.split()[2]) for line in lines]
    above = [(folder, kind) for folder, kind in found if path.is_relative_to(folder)]
    return max(above, key=lambda each: len(each[0]))[1] if above else None
