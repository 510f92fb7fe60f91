"""An installation without an extra."""

import sys

import pytest

from common.extras import Extra

WITHOUT_PARQUET = "Scores are kept as Parquet, for which Précis needs the extra parquet: pip install '.[parquet]'."


def lacks(monkeypatch: pytest.MonkeyPatch, extra: Extra) -> None:
    """Have a package of an extra as if it were not installed; whoever imports it all the same fails."""
    monkeypatch.setitem(sys.modules, extra.package, None)
