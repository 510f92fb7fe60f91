"""A PostgreSQL server of a test's own, which it may restart; a free port."""

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from throwaway_postgres import free_port, postgres_binaries, restart_postgres, throwaway_postgres

__all__ = ["OwnPostgres", "free_port", "own_postgres"]


@dataclass(frozen=True)
class OwnPostgres:
    url: str
    binaries: Path
    data: Path

    def restart(self) -> None:
        """As after a power failure: what was acknowledged is there, and no connection is."""
        restart_postgres(self.binaries, self.data)


@contextlib.contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    """Start a server that keeps what it acknowledges; skip the test where there is none to start."""
    binaries = postgres_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server is installed")
    with throwaway_postgres(binaries, durable=True) as url:
        with psycopg.connect(url) as connected:
            row = connected.execute("SHOW data_directory").fetchone()
        assert row
        yield OwnPostgres(url, binaries, Path(row[0]))
