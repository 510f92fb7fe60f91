"""A Redis server of a test's own."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis, RedisError


class OwnRedis:
    """A server at a socket in a folder, which can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "redis.sock"
        self.url = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                with Redis.from_url(self.url) as client:
                    client.ping()
                return
            except RedisError:
                time.sleep(0.05)
        raise AssertionError("redis-server has not started")

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._socket.unlink(missing_ok=True)
            self._process = None


@contextmanager
def own_redis(folder: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
