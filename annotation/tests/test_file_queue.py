"""The folder in place of a broker holds whole messages only, and survives those that are not."""

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from kombu import Connection, Exchange, Producer, Queue
from kombu.exceptions import ChannelError

from annotation.celery import app
from annotation.file_queue import Channel, Transport

TRANSPORT = "annotation.file_queue:Transport"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("messages", "control"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.fixture
def channel(folder: Path) -> Iterator[Channel]:
    """A channel of a process that has declared the queue of jobs, and of nobody else's queues."""
    Transport.global_state.clear()
    messages, control = str(folder / "messages"), str(folder / "control")
    options = {"data_folder_in": messages, "data_folder_out": messages, "control_folder": control}
    with Connection("filesystem://localhost", transport=TRANSPORT, transport_options=options) as connection:
        channel = connection.default_channel
        assert isinstance(channel, Channel)
        jobs(channel).declare()
        yield channel


def jobs(channel: Channel) -> Queue:
    return Queue("jobs", Exchange("jobs"), routing_key="jobs", channel=channel)


def put(channel: Channel, job: int) -> None:
    Producer(channel).publish({"job": job}, exchange="jobs", routing_key="jobs")


def taken(channel: Channel) -> int | None:
    message = jobs(channel).get()
    return message.payload["job"] if message else None


def test_the_app_uses_it_unless_it_has_a_broker() -> None:
    if settings.CELERY_BROKER_URL.startswith("filesystem:"):
        assert isinstance(app.connection_for_write().transport, Transport)


def test_what_is_put_in_comes_out_once(folder: Path, channel: Channel) -> None:
    put(channel, 1)
    assert [path.suffix for path in (folder / "messages").iterdir()] == [".msg"]
    assert (taken(channel), taken(channel)) == (1, None)
    assert list((folder / "messages").iterdir()) == []


def test_a_message_for_which_there_is_no_room_leaves_no_file(
    folder: Path, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def writes_a_part(path: Path, text: str, **_: Any) -> None:
        path.write_bytes(text.encode()[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_text", writes_a_part)
        with pytest.raises(ChannelError, match="Cannot add"):
            put(channel, 1)
    assert list((folder / "messages").iterdir()) == []
    put(channel, 2)
    assert taken(channel) == 2


@pytest.mark.parametrize("content", ["", '{"body": "eyJqb2Ii'])
def test_a_message_that_was_cut_off_is_dropped_and_the_next_one_read(
    folder: Path, channel: Channel, content: str
) -> None:
    (folder / "messages" / "0_a.jobs.msg").write_text(content)  # sorts before any time of a clock
    put(channel, 2)
    assert (taken(channel), taken(channel)) == (None, 2)
    assert list((folder / "messages").iterdir()) == []


@pytest.mark.parametrize("content", ["", '[["jobs", "', None])
def test_a_table_of_queues_that_was_cut_off_is_written_again(
    folder: Path, channel: Channel, content: str | None
) -> None:
    table = folder / "control" / "jobs.exchange"
    whole = table.read_text()
    table.unlink() if content is None else table.write_text(content)
    put(channel, 1)
    assert taken(channel) == 1
    assert table.read_text() == whole


def test_a_queue_that_was_deleted_does_not_come_back(folder: Path, channel: Channel) -> None:
    jobs(channel).delete()
    assert channel.get_table("jobs") == []
    assert "jobs" not in (folder / "control" / "jobs.exchange").read_text()
