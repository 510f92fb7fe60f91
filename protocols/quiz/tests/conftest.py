"""What the tests of the quiz share."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from common.clock import override_clock


@pytest.fixture
def later() -> Iterator[Callable[[float], None]]:
    """Let the server's clock stand, and move it on by so many seconds."""
    now = [datetime(2030, 5, 1, 9, tzinfo=UTC)]

    def move(seconds: float) -> None:
        now[0] += timedelta(seconds=seconds)

    with override_clock(lambda: now[0]):
        yield move
