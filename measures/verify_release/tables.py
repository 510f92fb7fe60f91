"""The Parquet tables of a release: how many rows each has, if pyarrow is there to say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from measures.verify_release.opened import Opened, Unreadable
from measures.verify_release.records import Counts

FLAT, NESTED = "parquet/tables", "parquet"


def expected_rows(name: str, counts: Counts) -> int | None:
    """Return how many rows a file has to have; None if it is none of a release's tables.

    Parameters
    ----------
    name : str
        Its name in the release.
    counts : Counts
        What the records hold.

    Returns
    -------
    int or None
        A row for each source of the split, or for each entry of a flat table.

    Examples
    --------
    >>> expected_rows("parquet/tables/compressions.parquet", Counts(sources=2, compressions=5))
    5
    """
    path = PurePosixPath(name)
    if path.suffix != ".parquet":
        return None
    if str(path.parent) == NESTED:
        return counts.splits[path.stem]
    flat = {
        "sources": counts.sources,
        "compressions": counts.compressions,
        "outputs": sum(counts.systems.values()),
        "comparisons": counts.comparisons,
        "ratings": counts.ratings + counts.output_ratings + counts.expert_ratings,
    }
    return flat.get(path.stem) if str(path.parent) == FLAT else None


def table_faults(release: Opened, counts: Counts) -> Iterator[str]:
    """Yield what is wrong with the tables that a release has: their rows, as their files state them.

    Raises
    ------
    ImportError
        If there is no pyarrow.
    """
    import pyarrow
    from pyarrow import parquet

    for name in release.names():
        if (wanted := expected_rows(name, counts)) is None:
            continue
        try:
            with release.opened(name) as stream:
                found = parquet.read_metadata(stream).num_rows
        except (Unreadable, pyarrow.ArrowException, OSError) as error:
            yield f"{name}: {error}"
        else:
            if found != wanted:
                yield f"{name}: {found} rows, and the records make {wanted}"
