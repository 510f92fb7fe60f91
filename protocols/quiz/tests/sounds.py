"""An MP3 of silence, and a quiz study whose texts are heard."""

from typing import Any

from crowd.models import Campaign
from protocols.quiz.sounds import sound_save
from protocols.quiz.task import TASK
from protocols.quiz.tests.studies import LINES, imported, quiz_campaign

FRAME, SECONDS = bytes.fromhex("fff314c0") + bytes(20), 0.024  # MPEG 2, 8 kbit/s, 24 kHz, silence
FRAMES = 250
TAG = b"ID3\x04\0\0\0\0\0\x05Title"
MP3 = TAG + FRAME * FRAMES + b"TAG" + bytes(125)


def heard_lines() -> list[dict[str, Any]]:
    """The files of the study, whose texts are heard: each of four utterances takes a second and a half."""

    def heard(line: dict[str, Any]) -> dict[str, Any]:
        if "utterances" not in line:
            return line
        timed = [{**each, "start": 1.5 * at, "end": 1.5 * at + 1.5} for at, each in enumerate(line["utterances"])]
        return {**line, "utterances": timed, "audio": "talk.mp3"}

    return [heard(each) for each in LINES]


def heard_study() -> Campaign:
    campaign = quiz_campaign()
    assert imported(campaign, heard_lines()).problems == []
    sound_save(campaign=campaign, file_name="talk.mp3", content=MP3, user=None)
    TASK.pieces_make(campaign)
    return campaign
