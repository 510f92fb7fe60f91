"""An order drawn from a seed that is the same on any machine and in any version of NumPy."""

from __future__ import annotations

import hashlib


def seeded_key(seed: int, id_: int | str) -> str:
    """Return a key to sort by: sorted by their keys, ids are in an order drawn from the seed.

    The key of an id does not depend on the others, so ids that come later change nothing about the order of these.

    Parameters
    ----------
    seed : int
        The seed.
    id_ : int or str
        A name or number.

    Returns
    -------
    str
        SHA-256 of both, in hexadecimal.

    Examples
    --------
    >>> sorted(["a", "b", "c"], key=lambda id_: seeded_key(1, id_))
    ['a', 'b', 'c']
    >>> sorted(["a", "b", "c"], key=lambda id_: seeded_key(2, id_))
    ['c', 'a', 'b']
    """
    return hashlib.sha256(f"{seed}:{id_}".encode()).hexdigest()
