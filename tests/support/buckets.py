"""A server that speaks S3, in this process, and what a test does to it."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import boto3
from django.conf import settings
from moto.server import ThreadedMotoServer
from pytest_django.fixtures import Settings

KEYS = {"access_key": "an-id", "secret_key": "a-secret"}
REGION = "eu-central-1"


class Bucket:
    """An empty bucket."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint, self.name = endpoint, f"precis-{uuid4().hex}"
        self.client: Any = boto3.client(
            "s3",
            endpoint_url=endpoint,
            region_name=REGION,
            aws_access_key_id=KEYS["access_key"],
            aws_secret_access_key=KEYS["secret_key"],
        )
        where: Any = {"LocationConstraint": REGION}
        self.client.create_bucket(Bucket=self.name, CreateBucketConfiguration=where)

    def files(self) -> dict[str, bytes]:
        """The content of each file by its key."""
        keys = [each["Key"] for each in self.client.list_objects_v2(Bucket=self.name).get("Contents", [])]
        return {key: self.client.get_object(Bucket=self.name, Key=key)["Body"].read() for key in keys}

    def put(self, key: str, content: bytes) -> None:
        self.client.put_object(Bucket=self.name, Key=key, Body=content)

    def delete(self, key: str) -> None:
        self.client.delete_object(Bucket=self.name, Key=key)

    def environment(self) -> dict[str, str]:
        """The variables with which an installation keeps its files here."""
        return {
            "PRECIS_S3_BUCKET": self.name,
            "PRECIS_S3_ENDPOINT": self.endpoint,
            "PRECIS_S3_REGION": REGION,
            "PRECIS_S3_ACCESS_KEY": KEYS["access_key"],
            "PRECIS_S3_SECRET_KEY": KEYS["secret_key"],
            "PRECIS_S3_PREFIX": "precis",
        }

    def use(self, changed: Settings, endpoint: str = "") -> None:
        """Keep the files of the test here, or in a bucket of this name at another address."""
        options = {"bucket_name": self.name, "endpoint_url": endpoint or self.endpoint, "region_name": REGION, **KEYS}
        stored = {
            name: {"BACKEND": "common.stores.bucket.BucketStore", "OPTIONS": {**options, "location": f"precis/{name}"}}
            for name in settings.STORED
        }
        changed.STORAGES = {**settings.STORAGES, **stored}


@contextmanager
def s3_server() -> Iterator[str]:
    """Yield the address of a server on a free port."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def closed_address() -> str:
    """An address at which nothing answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"
