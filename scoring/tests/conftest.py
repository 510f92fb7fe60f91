"""A release whose outputs can be scored, its owner, and a browser in which they have signed in."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from corpus.models import Release
from scoring.tests.releases import released_with, varied
from tests.support.factories import make_staff, staff_client


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def release(owner: User) -> Release:
    return released_with(varied(), owner=owner)


@pytest.fixture
def client(owner: User) -> Client:
    return staff_client(owner)
