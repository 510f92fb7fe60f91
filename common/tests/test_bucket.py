"""A bucket as a store of files, against a server that speaks S3."""

from pathlib import Path

import pytest

from common.errors import FilesAway
from common.stored_files import store, stored_names
from common.stores import bucket
from common.stores.base import SentAs
from common.stores.copies import copies_folder, copies_shrink
from pytest_django.fixtures import Settings
from tests.support.buckets import Bucket

HELLO = b"Hello, bucket!"
SHA256 = "0" * 64
