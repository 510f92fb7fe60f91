"""Every answer that is no page: a file that a browser stores and never runs."""

from typing import Any

import pytest
from django.test import Client

from tests.support.addresses import TABLE, address_of
from tests.support.factories import staff_client
from tests.support.stored import release_folder
from tests.support.world import STAFF, World

pytestmark = pytest.mark.django_db

PAGES = {"text/html; charset=utf-8"}
# Answers for our own scripts and for monitoring, and a script: not files.
SCRIPTS_ASK = {"health", "health-live", "health-ready", "crowd:session", "crowd:page-words", "api-openapi"}
# Names of files that are none of a release's; dots, slashes and NULs as a client may encode them.
ELSEWHERE = (
    "../v1/manifest.json",
    "../../../secret_key",
    "..%2f..%2f..%2fsecret_key",
    "%2e%2e/%2e%2e/%2e%2e/secret_key",
    "..%5c..%5csecret_key",
    "..%c0%af..%c0%afsecret_key",
    "%252e%252e%252fsecret_key",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "file:///etc/passwd",
    "RawData/../manifest.json",
    "RawData",
    "RawData/",
    ".",
    "manifest.json%00.txt",
    "link.json",
    "MANIFEST.JSON",
    "manifest.json/",
)


def directives(response: Any) -> list[str]:
    return [part.strip() for part in response.headers["Content-Security-Policy"].split(";")]


def test_every_answer_that_is_no_page_is_a_download_in_a_sandbox(world: World) -> None:
    found = set()
    for name, row in TABLE.items():
        response: Any = world.client(STAFF, row.work_round).get(address_of(name, world))
        b"".join(response)
        if response.status_code != 200 or name in SCRIPTS_ASK or response.headers["Content-Type"] in PAGES:
            continue
        found.add(name)
        assert response.headers["Content-Disposition"].startswith("attachment; filename="), name
        assert "sandbox" in directives(response), name
        assert "default-src 'none'" in directives(response), name
        assert response.headers["X-Content-Type-Options"] == "nosniff", name
    assert {
        "corpus:file",
        "corpus:shared-file",
        "agreement:json",
        "scoring:parquet",
        "ratings:participants-csv",
    } <= found


def test_a_part_of_a_file_and_a_part_that_is_not_there_are_downloads_too(world: World) -> None:
    for wanted in ("bytes=0-5", "bytes=999999999-"):
        response: Any = Client().get(address_of("corpus:shared-file", world), headers={"range": wanted})
        b"".join(response)
        assert response.status_code in {206, 416}
        assert response.headers["Content-Disposition"].startswith("attachment; filename=")
        assert "sandbox" in directives(response)


def test_a_page_is_in_no_sandbox() -> None:
    assert "sandbox" not in directives(Client().get("/login/"))


def test_no_name_of_a_file_leads_out_of_its_release() -> None:
    world = World()
    folder = release_folder(world.release)
    (folder / "link.json").symlink_to(folder / "manifest.json")  # in the folder, and not of the release
    (folder.parent.parent.parent / "secret_key").write_text("what nobody may read")
    for name in ELSEWHERE:
        response: Any = world.accounts[STAFF].get(f"{address_of('corpus:release', world)}files/{name}")
        assert response.status_code in {400, 404}, name
        assert b"what nobody may read" not in b"".join(response), name


def test_a_file_that_was_replaced_by_a_link_is_not_sent() -> None:
    world = World()
    folder = release_folder(world.release)
    size = (folder / "manifest.json").stat().st_size  # another size is refused as damage
    (folder.parent / "secret_key").write_bytes(b"x" * size)
    for target in (folder.parent / "secret_key", folder / "corpus.jsonl"):
        (folder / "manifest.json").unlink()
        (folder / "manifest.json").symlink_to(target)
        response = world.accounts[STAFF].get(f"{address_of('corpus:release', world)}files/manifest.json")
        assert response.status_code == 404


def test_the_name_of_an_uploaded_file_is_only_a_name() -> None:
    """It is shown, and its end decides how the file is read; nothing is written under it."""
    world = World()
    data = release_folder(world.release).parent.parent.parent
    before = sorted(data.rglob("*"))
    for name in (
        "../../../../etc/passwd",
        "/etc/passwd",
        "..\\..\\x.csv",
        "a/b.csv",
        "%2e%2e%2fx.csv",
        "..",
        "x\0.csv",
    ):
        for page, fields in (("imports", {}), ("systems", {"system": "Echo"})):
            sent = uploaded(world.accounts[STAFF], f"/campaigns/{world.campaign.slug}/{page}/", name, fields)
            assert sent.status_code in {200, 302, 400, 422}, name
    assert sorted(data.rglob("*")) == before


def uploaded(client: Client, address: str, name: str, fields: dict[str, str]) -> Any:
    """Send a file under a name that no browser would send."""
    parts = [f'name="{key}"\r\n\r\n{value}' for key, value in fields.items()]
    parts.append(f'name="file"; filename="{name}"\r\n\r\nid,genre,text\n')
    body = "".join(f"--x\r\nContent-Disposition: form-data; {part}\r\n" for part in parts) + "--x--\r\n"
    return client.post(address, body.encode(), content_type="multipart/form-data; boundary=x")


@pytest.mark.parametrize("token", ["..%2f..%2fsecret_key", "../../../etc/passwd", "%2e%2e", "a:b:c", "x" * 5000])
def test_a_link_to_a_file_is_no_path(token: str) -> None:
    assert Client().get(f"/files/{token}/").status_code == 404


def test_the_format_of_a_download_is_one_of_ours(world: World) -> None:
    release = f"/campaigns/{world.campaign.slug}/releases/{world.release.version}"
    client = staff_client(world.owner)
    for end in ("..", "..%2fcsv", "csv%00", "html", "svg"):
        for address in (f"{release}/agreement.{end}", f"{release}/scores.{end}", f"{release}/overview.{end}"):
            assert client.get(address).status_code == 404, address
