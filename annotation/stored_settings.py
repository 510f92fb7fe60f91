"""Where the files of releases, scores and models lie: in folders of the data folder, or in a bucket that speaks S3."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from annotation import environment
from annotation.start_checks import check_extra

STORED = ("releases", "scores", "models")


def stored_files(data_folder: Path) -> dict[str, dict[str, Any]]:
    """Return the storages, as in Django's setting STORAGES.

    Raises
    ------
    ImproperlyConfigured
        If what is said of a bucket makes no sense.
    """
    bucket = _bucket()
    if not bucket:
        return stored_in_folders(data_folder)
    prefix = environment.text("PRECIS_S3_PREFIX")
    return {
        name: {
            "BACKEND": "common.stores.bucket.BucketStore",
            "OPTIONS": {**bucket, "location": f"{prefix}/{name}".strip("/")},
        }
        for name in STORED
    }


def stored_in_folders(data_folder: Path) -> dict[str, dict[str, Any]]:
    """Return the storages of an installation without a bucket."""
    return {
        name: {"BACKEND": "common.stores.folder.FolderStore", "OPTIONS": {"location": data_folder / name}}
        for name in STORED
    }


def _bucket() -> dict[str, Any]:
    """Return the options of a bucket; nothing if none is set."""
    name, endpoint = environment.text("PRECIS_S3_BUCKET"), environment.text("PRECIS_S3_ENDPOINT")
    keys = environment.text("PRECIS_S3_ACCESS_KEY"), environment.text("PRECIS_S3_SECRET_KEY")
    if any(keys) and not all(keys):
        raise ImproperlyConfigured("Set both PRECIS_S3_ACCESS_KEY and PRECIS_S3_SECRET_KEY, or neither.")
    if endpoint and (urlsplit(endpoint).scheme not in {"http", "https"} or not urlsplit(endpoint).hostname):
        raise ImproperlyConfigured("PRECIS_S3_ENDPOINT takes an address such as https://s3.example.org.")
    if not name:
        if endpoint or any(keys):
            raise ImproperlyConfigured("PRECIS_S3_BUCKET is missing: the other PRECIS_S3 variables say where it is.")
        return {}
    check_extra("PRECIS_S3_BUCKET", package="storages", extra="s3")
    return {
        "bucket_name": name,
        "endpoint_url": endpoint or None,
        "region_name": environment.text("PRECIS_S3_REGION") or None,
        "access_key": keys[0] or None,
        "secret_key": keys[1] or None,
        "default_acl": None,
        "querystring_auth": True,
        "file_overwrite": True,
    }
