"""The campaign in which everything exists, made once for all tests of a module."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.test import override_settings
from pytest_django.fixtures import Settings

from tests.support.once import BuildOnce
from tests.support.stored import stored_in

if TYPE_CHECKING:
    from tests.support.world import World


@pytest.fixture(scope="module")
def only_world(build_once: "BuildOnce[World]", tmp_path_factory: pytest.TempPathFactory) -> "tuple[World, Path]":
    from tests.support.world import World  # noqa: PLC0415 - it needs all rooms, and most tests do not need it

    folder = tmp_path_factory.mktemp("world")
    with override_settings(**stored_in(folder)):
        return build_once(World), folder


@pytest.fixture
def world(only_world: "tuple[World, Path]", settings: Settings) -> "World":
    world, folder = only_world
    for name, value in stored_in(folder).items():
        setattr(settings, name, value)
    return world
