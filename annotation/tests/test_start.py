"""What `manage.py start` does before it hands over to the supervisor."""

import socket
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from annotation.management.commands.start import bracketed, check_port_is_free, reachable
from common.private_files import local_secret


def test_a_taken_port_is_named_before_anything_is_done() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandError, match=rf"Port {port} .* is taken.*--port"):
            call_command("start", port=port)


def test_a_port_just_left_is_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    check_port_is_free("127.0.0.1", port)


@pytest.mark.parametrize("port", [0, 65536, -1])
def test_a_port_that_cannot_be_is_refused(port: int) -> None:
    with pytest.raises(CommandError, match="between 1 and 65535"):
        check_port_is_free("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("fe80::1", "[fe80::1]")],
)
def test_the_address_shown_is_one_that_can_be_opened(host: str, address: str) -> None:
    assert bracketed(reachable(host)) == address


def test_the_secret_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret_key"
    with ThreadPoolExecutor(16) as pool:
        secrets = set(pool.map(lambda _: local_secret(path), range(64)))

    assert len(secrets) == 1
    assert len(secrets.pop()) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["secret_key"]


def test_an_empty_secret_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    path.touch()
    with pytest.raises(ImproperlyConfigured, match="is empty"):
        local_secret(path)
