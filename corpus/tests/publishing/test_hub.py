"""Uploads to a server that answers as the Hugging Face Hub does."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from common.extras import HUB
from common.outgoing.hosts import checked_receivers
from corpus.models import Release
from corpus.tests.publishing.servers import REPOSITORY, TOKEN, Failure, Hub
from crowd.models import AuditEntry
from tests.support.lacking import lacks
from tests.support.stored import release_folder

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning"),  # the library speaks to its client so
]
Publish = Callable[..., str]
TO = ("--to", REPOSITORY)


def wanted(release: Release) -> dict[str, bytes]:
    folder = release_folder(release)
    names = release.files.exclude(name__endswith=".zip").values_list("name", flat=True)
    return {name: (folder / name).read_bytes() for name in names}


def there(hub: Hub) -> dict[str, bytes]:
    return {name: data for name, data in hub.files.items() if name != ".gitattributes"}


def test_a_release_becomes_a_private_dataset_by_one_commit(release: Release, hub: Hub, publish: Publish) -> None:
    said = publish("huggingface", hub, *TO)

    assert there(hub) == wanted(release)
    assert {"README.md", "browse/index.html", "parquet/train.parquet"} <= there(hub).keys()
    assert hub.visibility == "private"
    assert len(hub.commits) == 1
    assert said.splitlines()[-1] == f"{hub.origin}/datasets/{REPOSITORY}"
    entry = AuditEntry.objects.get(action="release uploaded")
    assert (entry.subject, entry.detail) == (release.name, f"{hub.origin}/datasets/{REPOSITORY}")
    assert {step for step, _, _ in hub.calls} == {
        "create",
        "look",
        "yaml",
        "preupload",
        "batch",
        "put",
        "verify",
        "commit",
    }
    assert {token for step, token, _ in hub.calls if step == "put"} == {None}


def test_a_second_push_changes_nothing(release: Release, hub: Hub, publish: Publish) -> None:
    publish("huggingface", hub, *TO, "--public")
    calls = len(hub.calls)
    publish("huggingface", hub, *TO, "--public")
    assert hub.visibility == "public"
    assert len(hub.commits) == 1
    assert [step for step, _, _ in hub.calls[calls:]] == ["create", "look", "look"]


def test_another_version_takes_the_place_of_the_one_before(release: Release, hub: Hub, publish: Publish) -> None:
    publish("huggingface", hub, *TO)
    hub.files |= {"browse/texts-99.html": b"old", "corpus.jsonl": b"old", "picture.png": b"of somebody"}
    publish("huggingface", hub, *TO)
    assert there(hub) == {**wanted(release), "picture.png": b"of somebody"}
    assert sorted(hub.commits[1]) == ["browse/texts-99.html", "corpus.jsonl"]


PASSING = {
    "create 500": (Failure("create", 500, 2), [1.0, 4.0]),
    "a create whose answer is lost": (Failure("create", 0, is_done=True), [1.0]),
    "create is busy": (
        Failure("create", 409, body=b"Cannot create repo: another conflicting operation is in progress"),
        [1.0],
    ),
    "look 502": (Failure("look", 502), [1.0]),
    "yaml 503": (Failure("yaml", 503), [1.0]),
    "batch 429": (Failure("batch", 429, headers={"Retry-After": "7"}), [8.0]),
    "a limit": (Failure("preupload", 429, headers={"ratelimit": '"api";r=0;t=55'}), [56.0]),
    "put 500": (Failure("put", 500), [1.0]),  # files go side by side: two may meet one file or two
    "an upload that is cut": (Failure("put", 0), [1.0]),
    "commit 503": (Failure("commit", 503, 2), [1.0, 4.0]),
    "commit 429": (Failure("commit", 429, headers={"Retry-After": "20"}), [20.0]),
    "a commit whose answer is lost": (Failure("commit", 0, is_done=True), [1.0]),
    "a commit that is answered with an error": (Failure("commit", 504, is_done=True), [1.0]),
}


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_is_tried_again_and_commits_once(
    release: Release, hub: Hub, publish: Publish, waited: list[float], name: str
) -> None:
    failure, pauses = PASSING[name]
    hub.failures = [Failure(**vars(failure))]
    publish("huggingface", hub, *TO)
    assert there(hub) == wanted(release)
    assert len(hub.commits) == 1
    assert set(waited) == set(pauses)


FINAL = {
    "401": (Failure("look", 401), "401 <html>made up</html>, the token is not valid"),
    "403": (Failure("create", 403), "403 <html>made up</html>, the token may not write there"),
    "403 at a commit": (Failure("commit", 403), "403"),
    "404": (Failure("preupload", 404), "404"),
    "409": (Failure("commit", 409), "409"),
    "413": (Failure("put", 413), "413 <html>made up</html>, a file is too large"),
    "yaml": (
        Failure("yaml", 400, body=b'{"errors": [{"message": "no head"}]}'),
        "Invalid metadata in README.md. - no head",
    ),
    "a redirect": (Failure("look", 307, headers={"Location": "http://127.0.0.1:9/"}), "redirects are not followed"),
    "a long wait": (Failure("batch", 429, headers={"Retry-After": "86400"}), "it asks to wait 86400 seconds"),
    "a long wait for a commit": (Failure("commit", 503, headers={"Retry-After": "301"}), "it asks to wait 301 seconds"),
    "a long answer": (Failure("look", 200, body=b"[" * 100_001), "its answer is too long"),
    "no JSON": (Failure("look", 200), "127.0.0.1: "),
    "never": (Failure("create", 500, 9), "5 times in a row. Run again, this goes on where it stopped."),
}


@pytest.mark.parametrize("name", FINAL)
def test_what_does_not_pass_is_told_without_the_token(
    hub: Hub, publish: Publish, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    failure, words = FINAL[name]
    hub.failures = [Failure(**{**vars(failure), "times": max(failure.times, 2 if failure.status == 403 else 1)})]
    with pytest.raises(CommandError) as refused:
        publish("huggingface", hub, *TO)
    assert words in str(refused.value)
    assert hub.commits == []
    assert TOKEN not in f"{refused.value!r}{refused.value.__cause__!r}{caplog.text}"
    assert not AuditEntry.objects.filter(action="release uploaded").exists()


def test_a_wrong_token_is_not_repeated_where_the_server_repeats_it(hub: Hub, publish: Publish) -> None:
    with pytest.raises(CommandError, match="Invalid username or password: Bearer TOKEN, the token is not valid"):
        publish("huggingface", hub, *TO, token="another-token")


def test_a_push_goes_on_where_another_one_stopped(release: Release, hub: Hub, publish: Publish) -> None:
    hub.failures = [Failure("commit", 403)]
    with pytest.raises(CommandError):
        publish("huggingface", hub, *TO)
    sent = hub.count("put")
    publish("huggingface", hub, *TO)
    assert hub.count("put") == sent > 0
    assert there(hub) == wanted(release)


def test_large_files_go_in_parts(release: Release, hub: Hub, publish: Publish) -> None:
    hub.parts = True
    publish("huggingface", hub, *TO)
    assert there(hub) == wanted(release)
    assert hub.count("complete") == hub.count("verify") > 0


def test_files_are_put_where_the_hub_says_if_that_is_listed_or_public(
    release: Release, hub: Hub, publish: Publish, settings: Any
) -> None:
    with Hub().running() as store:
        hub.store = store.origin
        with pytest.raises(CommandError, match="the host is not listed"):
            publish("huggingface", hub, *TO)
        hub.store = store.origin.replace("http:", "https:")
        with pytest.raises(CommandError, match="inside the network of this installation"):
            publish("huggingface", hub, *TO)
        assert store.calls == []
        hub.store = store.origin
        settings.PUBLISH_RECEIVERS = checked_receivers("HOSTS", [hub.origin, store.origin])
        with pytest.raises(CommandError, match="422 not what was said"):
            publish("huggingface", hub, *TO)  # what is there arrived elsewhere, so that the Hub cannot vouch for it
        assert {(step, token) for step, token, _ in store.calls} == {("put", None)}
    assert hub.commits == []


def test_what_is_there_already_is_not_touched_unless_it_is_a_release(hub: Hub, publish: Publish) -> None:
    hub.visibility, hub.files = "public", {"train.csv": b"of somebody"}
    with pytest.raises(CommandError, match="lab/news is public and not private"):
        publish("huggingface", hub, *TO)
    with pytest.raises(CommandError, match="lab/news holds files that are not of a release"):
        publish("huggingface", hub, *TO, "--public")
    assert hub.files == {"train.csv": b"of somebody"}


def test_a_dry_run_lists_every_file_and_calls_nobody(release: Release, hub: Hub, publish: Publish) -> None:
    said = publish("huggingface", hub, *TO, "--dry-run")
    for name, data in wanted(release).items():
        assert f"{len(data):,}" in next(line for line in said.splitlines() if line.endswith(f"  {name}"))
    assert said.splitlines()[-1].endswith(f"files, for {hub.origin}/datasets/{REPOSITORY}")
    assert hub.calls == []


def test_a_dry_run_does_not_need_what_uploads(
    release: Release, hub: Hub, publish: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks(monkeypatch, HUB)

    assert "corpus.jsonl" in publish("huggingface", hub, *TO, "--dry-run")
    with pytest.raises(CommandError, match=r"needs huggingface_hub: pip install '\.\[hub\]'"):
        publish("huggingface", hub, *TO)
    assert hub.calls == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("huggingface",), "--to names the dataset as OWNER/NAME."),
        (("huggingface", "--to", "news"), "--to names the dataset as OWNER/NAME."),
        (("huggingface", "--to", "a/../b"), "--to names the dataset as OWNER/NAME."),
        (("zenodo", "--public"), "--to and --public are for huggingface"),
        (
            ("zenodo", "--host", "sandbox.zenodo.org"),
            "PRECIS_PUBLISH_HOSTS lists https://huggingface.co, https://zenodo.org.",
        ),
        (("zenodo",), "No token was given"),
    ],
)
def test_what_cannot_be_uploaded_is_refused_before_anybody_is_called(
    release: Release, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], words: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    monkeypatch.setattr("common.outgoing.client.socket.getaddrinfo", None)
    with pytest.raises(CommandError) as refused:
        call_command("publish_release", release.name, *options, stdout=io.StringIO())
    assert words in str(refused.value)
