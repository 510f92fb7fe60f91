"""Rows that all tests of a module share: made once, and taken back when the module ends."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeAlias, TypeVar

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

T = TypeVar("T")
BuildOnce: TypeAlias = Callable[[Callable[[], T]], T]
QUICK_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick, and guards nothing here


@pytest.fixture(scope="module")
def build_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[BuildOnce[T]]:
    """Make something in the database for all tests of a module, for a fixture of the module's scope.

    A test of the module takes back what it does itself, as everywhere; the shared rows stay. So it reads its objects
    from the database again, and looks at no rows but its own campaign's. Tests with transactions of their own
    (`transaction=True`) cannot be in such a module.
    """
    with ExitStack() as stack:

        def build(make: Callable[[], T]) -> T:
            with django_db_blocker.unblock(), override_settings(PASSWORD_HASHERS=QUICK_HASHERS):
                stack.enter_context(taken_back())
                return make()

        yield build
        with django_db_blocker.unblock():
            stack.close()


@contextmanager
def taken_back() -> Iterator[None]:
    """A transaction around those of the tests, as Django's own TestCase has one for each class."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined] # what wants to be outermost may be inside
    with block:
        yield
        transaction.set_rollback(True)
