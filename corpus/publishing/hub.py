"""A release as a dataset of the Hugging Face Hub: one commit, after which it holds what the release holds.

Before each attempt the files that are there are compared with those of the release. So a push whose answer was lost
makes no second commit, and pushing again what is there changes nothing.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable
from functools import partial
from time import sleep
from typing import TypeVar

import httpx2
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, constants, set_client_factory
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.hf_api import DatasetInfo, RepoSibling
from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined]  # it is meant for others
from huggingface_hub.utils.logging import set_verbosity

from common.errors import Refused
from common.outgoing.answers import LONGEST_SAID, PASSING
from corpus.models import Release
from corpus.publishing.destination import PAUSES, Destination, Upload
from corpus.publishing.hub_client import asked_pause, hub_client
from corpus.services.building import MANIFEST

Operation = CommitOperationAdd | CommitOperationDelete
T = TypeVar("T")
PIECE = 1 << 20
OF_AN_EMPTY_DATASET = {".gitattributes", "README.md"}
WORDS = {
    401: "the token is not valid",
    403: "the token may not write there",
    404: "there is no such dataset, or the token may not see it",
    413: "a file is too large",
}


def hub_push(*, release: Release, uploads: list[Upload], repository: str, private: bool, to: Destination) -> str:
    """Bring a dataset to what the release holds, and return its address; raise Refused if that fails."""
    _set_up(to)
    push = _Push(HfApi(endpoint=to.receiver.origin, token=to.token), repository, to)
    try:
        push.create(private)
        push.commit(release, uploads)
    except Exception as fault:
        raise _refusal(fault, to) from None  # what caused it may hold the token
    return f"{to.receiver.origin}/datasets/{repository}"


def _set_up(to: Destination) -> None:
    """Let the library call by our client, send nothing else, and keep signed addresses out of the log.

    With Xet it would call servers by a program of its own, which keeps to no list of hosts.
    """
    constants.HF_HUB_DISABLE_XET = constants.HF_HUB_DISABLE_TELEMETRY = True
    disable_progress_bars()
    set_verbosity(logging.CRITICAL)
    set_client_factory(partial(hub_client, to))


class _Push:
    def __init__(self, api: HfApi, repository: str, to: Destination) -> None:
        self._api, self._repository, self._to = api, repository, to

    def create(self, private: bool) -> None:
        """Make the dataset unless it is there; whether it is private is always sent, since the Hub's default is not."""
        self._again(
            lambda: self._api.create_repo(self._repository, repo_type="dataset", private=private, exist_ok=True)
        )
        found = self._again(self._there)
        if bool(found.private) != private:
            kind, other = ("public", "private") if private else ("private", "public")
            raise self._to.refused(f"{self._repository} is {kind} and not {other}. Nothing was sent.")
        names = {each.rfilename for each in found.siblings or ()} - OF_AN_EMPTY_DATASET
        if names and MANIFEST not in names:
            raise self._to.refused(f"{self._repository} holds files that are not of a release. Nothing was sent.")

    def commit(self, release: Release, uploads: list[Upload]) -> None:
        def attempt() -> None:
            if operations := _operations(uploads, self._there().siblings or ()):
                self._api.create_commit(
                    self._repository,
                    operations,
                    repo_type="dataset",
                    commit_message=release.name,
                    commit_description=f"SHA-256 of {MANIFEST}: {release.checksum}",
                )

        self._again(attempt)

    def _there(self) -> DatasetInfo:
        return self._api.dataset_info(self._repository, files_metadata=True)

    def _again(self, ask: Callable[[], T]) -> T:
        """Ask until it is answered: the library makes no second attempt at what makes datasets and commits."""
        pauses = iter(PAUSES)
        while True:
            try:
                return ask()
            except Exception as fault:
                cause = _cause(fault)
                if not _is_passing(cause):
                    raise
                asked = asked_pause(cause.response.headers) if isinstance(cause, HfHubHTTPError) else None
                sleep(self._to.pause(next(pauses, None), asked, _said(cause)))


def _operations(uploads: list[Upload], there: Iterable[RepoSibling]) -> list[Operation]:
    """Return what makes the files that are there those of the release.

    What an earlier version left in the folders of this one goes; files beside them are not ours.
    """
    known = {each.rfilename: each for each in there}
    folders = {each.name.partition("/")[0] for each in uploads if "/" in each.name}
    left = known.keys() - {each.name for each in uploads}
    new = [each for each in uploads if not _is_same(each, known.get(each.name))]
    gone = [name for name in sorted(left) if "/" in name and name.partition("/")[0] in folders]
    return [
        *(CommitOperationAdd(each.name, str(each.path)) for each in new),
        *(CommitOperationDelete(name) for name in gone),
    ]


def _is_same(upload: Upload, there: RepoSibling | None) -> bool:
    if there is None:
        return False
    return there.lfs.sha256 == upload.sha256 if there.lfs else there.blob_id == _git_checksum(upload)


def _git_checksum(upload: Upload) -> str:
    digest = hashlib.sha1(b"blob %d\0" % upload.size, usedforsecurity=False)
    with upload.path.open("rb") as stream:
        while piece := stream.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _cause(fault: BaseException) -> BaseException:
    """Return what went wrong; the library wraps what happens to single files."""
    while isinstance(fault, RuntimeError) and fault.__cause__ is not None:
        fault = fault.__cause__
    return fault


def _is_passing(fault: BaseException) -> bool:
    if isinstance(fault, HfHubHTTPError):
        return fault.response.status_code in PASSING
    return isinstance(fault, httpx2.TransportError)


def _said(fault: BaseException) -> str:
    """Say what went wrong, without the address of a request: those of files are signed."""
    if not isinstance(fault, HfHubHTTPError):
        return " ".join(str(fault).split())
    status = fault.response.status_code
    own = " ".join((fault.server_message or "").split())[:LONGEST_SAID]
    return ", ".join(filter(None, [f"{status} {own}".strip(), WORDS.get(status)]))


def _refusal(fault: Exception, to: Destination) -> Exception:
    cause = _cause(fault)
    if isinstance(cause, HfHubHTTPError | httpx2.HTTPError | ValueError):
        return to.refused(_said(cause))
    if isinstance(cause, Refused | OSError):
        return cause
    return to.refused(f"its answer is not what its documents say ({type(cause).__name__})")
