"""The pinned requirements: what they install does not depend on the folder that they were compiled in."""

import re
from pathlib import Path

import pytest
from django.conf import settings

PINNED = re.compile(r"[A-Za-z0-9._-]+==[^ ]+")
HASHED = re.compile(r"[A-Za-z0-9._-]+==[^ ]+ \\(\n    --hash=sha256:[0-9a-f]{64}( \\)?)+")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_a_version_and_none_a_path(name: str) -> None:
    lines = (Path(settings.BASE_DIR) / name).read_text().splitlines()

    required = [line.removesuffix(" \\") for line in lines if line and not line.lstrip().startswith(("#", "--hash"))]

    assert len(required) > 30
    assert [line for line in required if not PINNED.fullmatch(line)] == []


def test_what_an_installation_gets_is_pinned_by_its_hash() -> None:
    text = (Path(settings.BASE_DIR) / "requirements.txt").read_text()

    names = re.findall(r"^[A-Za-z0-9._-]+==", text, re.MULTILINE)

    assert len(list(HASHED.finditer(text))) == len(names)
