"""Sounds of the texts of a quiz study: what staff upload, and what of it a person may hear."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.errors import Refused
from common.job_attempts import NO_JOB
from common.ranged_files import RangedFile, StoredPart
from common.scratch import scratch_folder
from common.stores import store
from common.stores.unnamed_paths import path_give_up, path_of_attempt
from crowd.models import Campaign
from crowd.services.account_bounds import upload_take
from crowd.services.write_locks import campaign_write_lock
from protocols.models import MAX_NAME_LENGTH, Sound
from protocols.quiz.mp3 import Frames, frames_of, joined
from protocols.quiz.settings import NONE, PREPARE_KEY
from protocols.services.material import pieces_check
from protocols.task import Subject

STORAGE, CONTENT_TYPE = "sounds", "audio/mpeg"
MOST_SOUNDS = 21
"""A text for each condition, and the warm-up."""
LATE = 1.0
"""By how many seconds an utterance may end after its sound."""


def sound_folder(campaign_id: int) -> str:
    return f"campaign-{campaign_id}"


def sound_save(*, campaign: Campaign, file_name: str, content: bytes, user: User | None) -> Sound:
    """Store a sound under the name of its file, in place of one of that name, until the pieces of work are made."""
    if not campaign.task.by_design:
        raise Refused(_("Only the texts of a quiz have sound."))
    name = Path(file_name).name.strip()
    if not name or len(name) > MAX_NAME_LENGTH:
        raise Refused(_("The name of the file has no or more than %(n)s characters.") % {"n": MAX_NAME_LENGTH})
    try:
        seconds = frames_of(content).seconds
    except ValueError as error:
        raise Refused(_("%(file)s: %(reason)s.") % {"file": name, "reason": error}) from error
    if user is not None:
        upload_take(user, len(content))
    stored = f"{sound_folder(campaign.pk)}/{token_hex(8)}.mp3"
    about = {
        "file": stored,
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "seconds": seconds,
    }
    with path_of_attempt(STORAGE, stored, NO_JOB) as own, scratch_folder() as scratch:
        (scratch / "sound").write_bytes(content)
        store(STORAGE).put(scratch / "sound", stored)
        with transaction.atomic():
            campaign_write_lock(campaign_id=campaign.pk)
            pieces_check(campaign=campaign)
            others = Sound.objects.filter(campaign=campaign).exclude(name=name)
            if others.count() >= MOST_SOUNDS:
                raise Refused(_("A campaign has at most %(n)s sounds.") % {"n": MOST_SOUNDS})
            if before := Sound.objects.filter(campaign=campaign, name=name).first():
                path_give_up(STORAGE, before.file)
            sound, _is_new = Sound.objects.update_or_create(campaign=campaign, name=name, defaults=about)
            own.name_it()
    return sound


def frames_of_sound(sound: Sound) -> Frames:
    with store(STORAGE).local(sound.file, sound.sha256) as path:
        return frames_of(path.read_bytes())


def with_sound(text: Mapping[str, Any], sound: Sound) -> dict[str, Any]:
    """Return a text with the bytes of its sound, and those of each utterance."""
    frames = frames_of_sound(sound)
    utterances = [{**each, "bytes": _ends(frames.between(each["start"], each["end"]))} for each in text["utterances"]]
    about = {"file": sound.file, "sha256": sound.sha256, "bytes": _ends(frames.whole)}
    return {**text, "audio": about, "utterances": utterances}


def sound_of(subject: Subject) -> RangedFile | None:
    """Return what a person may hear: all of a text, or the utterances of the summary that they have; None if nothing.

    On the first visit everybody hears all of the text.
    """
    body = subject.body
    if "audio" not in body:
        return None
    is_whole = body["kind"] == NONE or subject.task == PREPARE_KEY
    about: Sequence[Mapping[str, Any]] = [body["audio"]] if is_whole else body["utterances"]
    return _ranged(body["audio"]["file"], body["audio"]["sha256"], [range(*each["bytes"]) for each in about])


def sound_file(sound: Sound) -> RangedFile:
    """Return a sound as it was uploaded."""
    stored = StoredPart(STORAGE, sound.file, range(sound.size))
    return RangedFile([stored], f'"{sound.sha256}"', CONTENT_TYPE, sound.name, as_stored=True)


def _ranged(file: str, sha256: str, parts: Iterable[range]) -> RangedFile | None:
    wanted = joined(parts)
    if not wanted:
        return None
    digest = hashlib.sha256(f"{sha256} {wanted}".encode()).hexdigest()
    return RangedFile([StoredPart(STORAGE, file, each) for each in wanted], f'"{digest}"', CONTENT_TYPE, "sound.mp3")


def _ends(wanted: range) -> list[int]:
    return [wanted.start, wanted.stop]
