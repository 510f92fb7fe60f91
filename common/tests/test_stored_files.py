"""Files beside the database."""

from django.core.files.base import ContentFile
from django.core.files.storage import storages

from common.stores import stored_names


def test_all_files_of_a_storage_are_named_in_order() -> None:
    for name in ("b.txt", "a/c.txt", "a/b/d.txt", "a/a.txt"):
        storages["releases"].save(name, ContentFile(b"x"))

    assert list(stored_names(storages["releases"])) == ["b.txt", "a/a.txt", "a/c.txt", "a/b/d.txt"]
    assert list(stored_names(storages["releases"], "a/b")) == ["a/b/d.txt"]


def test_a_storage_that_nothing_was_written_to_has_no_files() -> None:
    assert list(stored_names(storages["models"])) == []
