"""The pinned requirements: what they install does not depend on the folder that they were compiled in."""

import re
from pathlib import Path

import pytest
from django.conf import settings

PINNED = re.compile(r"[A-Za-z0-9._-]+==[^ ]+")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_a_version_and_none_a_path(name: str) -> None:
    lines = (Path(settings.BASE_DIR) / name).read_text().splitlines()

    required = [line for line in lines if line and not line.lstrip().startswith("#")]

    assert len(required) > 30
    assert [line for line in required if not PINNED.fullmatch(line)] == []
