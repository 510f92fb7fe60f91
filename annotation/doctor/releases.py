"""Whether the files are there that releases name, as long as they were: of the newest releases, or of all."""

import hashlib

from annotation.doctor.registry import Finding, Look, check, fine, wrong
from common.errors import FilesAway
from common.stored_files import store
from corpus.models import Release, ReleaseFile

SAMPLE = 5
RESTORE = "Restore it from a backup: the database promises it to whoever downloads the release."


@check(seconds=3600, asks_database=True)
def release_files(look: Look) -> Finding:
    ready = Release.objects.filter(state=Release.State.READY).select_related("campaign").order_by("-pk")
    chosen = list(ready if look.all_files else ready[:SAMPLE])
    if not chosen:
        return fine("There are no releases yet.")
    number = 0
    for file in ReleaseFile.objects.filter(release__in=chosen).select_related("release__campaign").order_by("pk"):
        if problem := fault(file, checksum=look.all_files):
            return wrong(f"{file.name} of {file.release.name} {problem}. {RESTORE}")
        number += 1
    how = "have the right checksums" if look.all_files else "are there and have the right size"
    which = "all" if look.all_files else f"the newest {len(chosen)}"
    return fine(f"The {number} files of {which} releases {how}.")


def fault(file: ReleaseFile, *, checksum: bool) -> str:
    """Return what is wrong with a file, in the predicate of a sentence; nothing if it is as its release says."""
    name = f"{file.release.folder}/{file.name}"
    try:
        size = store("releases").size(name)
        if size != file.size:
            return f"has {size} bytes instead of {file.size}"
        if checksum and digest_of(name, size) != file.sha256:
            return "has a different checksum from when it was frozen"
    except FileNotFoundError:
        return "is missing"
    except (OSError, FilesAway) as error:
        return f"cannot be read ({type(error).__name__})"
    return ""


def digest_of(name: str, size: int) -> str:
    digest = hashlib.sha256()
    for piece in store("releases").pieces(name, range(size)):
        digest.update(piece)
    return digest.hexdigest()
