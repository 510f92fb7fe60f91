"""Values from outside libraries and from a plain program with exact fractions: `golden/communities.json`."""

import json
from pathlib import Path
from typing import Any

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "communities.json").read_text())
COMMUNITIES = GOLDEN["communities"]


def benchmark_edges() -> list[tuple[int, int]]:
    """Return the edges of the graph of 133 nodes with planted communities, which stands there in the format graph6."""
    bits = [
        (ord(sign) - 63) >> place & 1 for sign in COMMUNITIES["benchmark"]["graph6"][4:] for place in range(5, -1, -1)
    ]
    pairs = [(low, high) for high in range(COMMUNITIES["benchmark"]["nodes"]) for low in range(high)]
    return [pair for pair, bit in zip(pairs, bits, strict=False) if bit]
