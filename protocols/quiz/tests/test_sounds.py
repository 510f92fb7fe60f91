"""The sounds of a quiz study: what is taken in, and who hears which part of it when."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given
from hypothesis import strategies as st

from common.errors import Refused
from crowd.models import Membership
from protocols.models import Sound
from protocols.quiz.mp3 import frames_of, joined
from protocols.quiz.pieces import FilesUnready
from protocols.quiz.sounds import sound_save
from protocols.quiz.task import TASK
from protocols.quiz.tests.sounds import FRAME, FRAMES, MP3, SECONDS, TAG, heard_lines, heard_study
from protocols.quiz.tests.studies import at_quiz, imported, next_address, prepare, quiz_campaign
from tests.support.api_client import Api
from tests.support.factories import EDIT, RATE, make_staff, readable, staff_client, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
OTHER = bytes.fromhex("fff324c0") + bytes(44)  # twice as many bits


def test_frames_are_counted_and_tags_are_left_out() -> None:
    about_itself = FRAME[:4] + b"Info" + FRAME[8:]
    for content in (MP3, FRAME * FRAMES, TAG + about_itself + FRAME * FRAMES, FRAME * FRAMES + FRAME[:9]):
        found = frames_of(content)
        assert content[found.whole.start : found.whole.stop] == FRAME * FRAMES
        assert found.seconds == pytest.approx(FRAMES * SECONDS)
        part = found.between(1.0, 2.0)
        assert len(part) == 43 * len(FRAME)  # frames 41 to 83: from .984 s to 2.016 s


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no MP3"),
        (b"\x89PNG\r\n\x1a\n" + bytes(500), "no MP3"),
        (b"RIFF\x24\0\0\0WAVEfmt " + bytes(500), "no MP3"),
        (b"ID3\x04\0\0\x7f\x7f\x7f\x7f", "no MP3"),
        (FRAME[:20], "no MP3"),
        (FRAME * 100 + OTHER * 100, "changes at second 2"),
        (FRAME * 100 + b"hello" * 50 + FRAME * 100, "broken at second 2"),
    ],
)
def test_what_is_no_such_mp3_is_refused_in_words(content: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        frames_of(content)


@given(st.lists(st.builds(lambda start, length: range(start, start + length), st.integers(0, 30), st.integers(0, 9))))
def test_parts_are_joined_to_the_same_bytes_each_once_and_in_order(parts: list[range]) -> None:
    found = joined(parts)
    together = [byte for each in found for byte in each]
    assert together == sorted(set().union(*parts))
    assert all(one.stop < other.start for one, other in pairwise(found))


def content_of(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def test_everybody_hears_all_of_a_text_first_and_then_what_their_condition_has(later: Callable[[float], None]) -> None:
    campaign, whole = heard_study(), FRAME * FRAMES
    first = worker_client(campaign, EDIT, "one")
    address = next_address(first)
    assert f"{address}sound/" in first.get(address).content.decode()
    assert content_of(first.get(f"{address}sound/")) == whole
    assert worker_client(campaign, EDIT, "two").get(f"{address}sound/").status_code == 404
    for _text in range(3):
        address = first.post(address, {"u1": "1", "version": "0"}).headers["Location"]
    later(7 * 24 * 3600)
    client = worker_client(campaign, RATE, "one")
    next_address(client)
    assert content_of(client.get("/work/task/practice/sound/")) == whole
    material = client.get("/work/task/practice/").context["material"]
    client.post("/work/task/practice/", {"material": material.pk, "confirmed": "1"})
    address = client.post("/work/task/practice/").headers["Location"]
    assert client.get("/work/task/practice/sound/").status_code == 404
    for _text in range(3):
        assert client.get(f"{address}sound/").status_code == 404  # it has not begun
        client.post(address, {"page": "begin"})
        own = [each["id"] for each in client.get(address).context["utterances"]]
        heard = content_of(client.get(f"{address}sound/"))
        # The second utterance begins in frame 63 at 1.5 s and ends with frame 125 at 3 s.
        assert heard == (whole if len(own) == 4 else FRAME * 63)
        following = client.post(address, {"page": "quiz", "confirmed": "1"}).headers["Location"]
        assert client.get(f"{address}sound/").status_code == 404
        address = following


def test_a_part_can_be_asked_for_and_nothing_is_heard_once_the_time_is_over(later: Callable[[float], None]) -> None:
    campaign = heard_study()
    prepare(campaign, "one")
    later(7 * 24 * 3600)
    client, address = at_quiz(campaign, "one")
    client.post(address, {"page": "begin"})
    sound = f"{address}sound/"
    all_of_it = client.get(sound)
    content, etag = content_of(all_of_it), all_of_it.headers["ETag"]
    assert (all_of_it.headers["Content-Type"], all_of_it.headers["Accept-Ranges"]) == ("audio/mpeg", "bytes")

    part = client.get(sound, HTTP_RANGE="bytes=5-30", HTTP_IF_RANGE=etag)
    assert (part.status_code, content_of(part)) == (206, content[5:31])
    assert part.headers["Content-Range"] == f"bytes 5-30/{len(content)}"
    assert client.get(sound, HTTP_RANGE=f"bytes={len(content)}-").status_code == 416
    assert client.get(sound, HTTP_RANGE="bytes=5-30", HTTP_IF_RANGE='"another"').status_code == 200
    assert client.get(sound, HTTP_IF_NONE_MATCH=etag).status_code == 304
    later(731)
    assert client.get(sound).status_code == 404


def test_staff_upload_sounds_until_the_work_is_made_and_hear_them() -> None:
    campaign = quiz_campaign()
    imported(campaign, heard_lines())
    owner = Membership.objects.get(campaign=campaign).user
    staff, page = staff_client(owner), f"/campaigns/{campaign.slug}/task/"
    with pytest.raises(FilesUnready, match=r"Text t1: there is no sound talk\.mp3 yet"):
        TASK.pieces_make(campaign)
    wrong = staff.post(f"{page}sounds/", {"sound-file": SimpleUploadedFile("talk.mp3", b"hello")})
    assert wrong.status_code == 422
    assert "talk.mp3: this is no MP3." in readable(wrong)
    short = FRAME * 100
    assert staff.post(f"{page}sounds/", {"sound-file": SimpleUploadedFile("talk.mp3", short)}).status_code == 302
    with pytest.raises(FilesUnready, match="an utterance ends at second 6"):
        TASK.pieces_make(campaign)

    sent = {"file": SimpleUploadedFile("talk.mp3", MP3)}
    answer = Api(owner).post(f"campaigns/{campaign.slug}/task/sounds/", sent, is_form=True)
    assert (answer.status_code, answer.json()["size"]) == (201, len(MP3))
    sound = Sound.objects.get()
    assert content_of(staff.get(f"{page}sounds/{sound.pk}/")) == MP3
    assert f"{page}sounds/{sound.pk}/" in staff.get(page).content.decode()
    assert staff_client(make_staff()).get(f"{page}sounds/{sound.pk}/").status_code == 404
    TASK.pieces_make(campaign)
    with pytest.raises(Refused, match="made already"):
        sound_save(campaign=campaign, file_name="other.mp3", content=MP3, user=None)
