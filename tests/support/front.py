"""Caddy with deploy/Caddyfile, on free ports of loopback."""

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.web_server import ROOT, wait_for

CADDY = shutil.which("caddy")
CADDYFILE = ROOT / "deploy/Caddyfile"
MISSING = "Caddy is not installed (Debian: apt-get install caddy)"


def front_environment(folder: Path, http: int, https: int, web: int) -> dict[str, str]:
    return {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "PRECIS_SITE": "localhost",
        "PRECIS_WEB": f"127.0.0.1:{web}",
        "PRECIS_HTTP_PORT": str(http),
        "PRECIS_HTTPS_PORT": str(https),
        "PRECIS_FRONT_OPTIONS": "default_bind 127.0.0.1",
    }


class OwnFront:
    """A front that can be killed and started again."""

    def __init__(self, folder: Path, http: int, https: int, web: int) -> None:
        self.https = https
        self._environment = front_environment(folder, http, https, web)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [str(CADDY), "run", "--config", str(CADDYFILE), "--adapter", "caddyfile"]
        self._process = subprocess.Popen(command, env=self._environment, stderr=subprocess.DEVNULL)
        assert wait_for(self.https, self._process), "Caddy does not start"

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()


@contextlib.contextmanager
def own_front(folder: Path, http: int, https: int, web: int) -> Iterator[OwnFront]:
    """Run Caddy before the web server of a port; skip the test where there is none to run."""
    if CADDY is None:
        pytest.skip(MISSING)
    front = OwnFront(folder, http, https, web)
    front.start()
    try:
        yield front
    finally:
        front.kill()
