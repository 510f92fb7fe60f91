"""A release as a draft on Zenodo, by its deposit API. It is never published from here: that is staff's last look."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from time import sleep
from typing import Any
from urllib.parse import quote

from common.outgoing.answers import is_passing, reason_of, seconds_of
from common.outgoing.client import Answer, Call, send
from corpus.description.croissant import spdx_licence
from corpus.description.responsible_ai import ADDRESS
from corpus.jobs import describe
from corpus.models import Release
from corpus.publishing.destination import PAUSES, Destination, Upload, bounds_of
from corpus.release.data_statement import lines_of

DEPOSITIONS = "/api/deposit/depositions"
NEWEST = 100  # of an account's uploads, among which a draft is looked for
PIECE = 1 << 20
ATTEMPTS_AT_A_FILE = 3


@dataclass(frozen=True)
class Draft:
    """A draft with the files that it holds, each by its size and MD5."""

    address: str
    bucket: str
    doi: str
    files: dict[str, tuple[int, str]]

    @classmethod
    def of(cls, said: dict[str, Any]) -> "Draft":
        links = said["links"]
        reserved = said.get("metadata", {}).get("prereserve_doi") or {}
        files = {
            str(each["filename"]): (int(each["filesize"]), str(each["checksum"]).removeprefix("md5:"))
            for each in said.get("files") or ()
        }
        return cls(str(links["html"]), str(links["bucket"]), str(reserved.get("doi", "")), files)


def zenodo_push(*, release: Release, uploads: list[Upload], to: Destination) -> Draft:
    """Make a draft of the release or go on with the one that is there, and return it; raise Refused if that fails."""
    account = _Account(to)
    try:
        draft = account.draft(release)
        for upload in uploads:
            account.put(draft, upload)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise to.refused("its answer is not what its documents say") from None
    return draft


def not_known(release: Release) -> list[str]:
    """Return what Zenodo asks for before a draft can be published, and the release does not say."""
    named = {
        "who made the corpus": lines_of(release.data_statement, "creators"),
        "a licence that it knows": spdx_licence(release.campaign.licence),
    }
    return [words for words, value in named.items() if not value]


class _Account:
    def __init__(self, to: Destination) -> None:
        self._to = to

    def draft(self, release: Release) -> Draft:
        """Return the draft of the release; if the answer to making it was lost, it is found and not made again."""
        body = json.dumps({"metadata": metadata_of(release)}).encode()
        pauses = iter(PAUSES)
        while True:
            if found := self._found(release):
                return found
            answer = self._send("POST", self._address(DEPOSITIONS), body, "application/json")
            if not is_passing(answer):
                return Draft.of(self._said(answer))
            self._wait(answer, next(pauses, None))

    def put(self, draft: Draft, upload: Upload) -> None:
        """Send a file unless it is there; one that arrived otherwise is sent again."""
        wanted = (upload.size, _md5(upload))
        if draft.files.get(upload.name) == wanted:
            return
        for _ in range(ATTEMPTS_AT_A_FILE):
            told = self._asked("PUT", f"{draft.bucket}/{quote(upload.name)}", upload)
            if (told["size"], str(told["checksum"]).removeprefix("md5:")) == wanted:
                return
        raise self._to.refused(f"{upload.name} arrives otherwise than it was sent. The draft is {draft.address}")

    def _found(self, release: Release) -> Draft | None:
        """Return the unpublished draft with this release's checksum in its notes."""
        said = self._asked("GET", self._address(f"{DEPOSITIONS}?size={NEWEST}&sort=mostrecent"))
        for each in said:
            if release.checksum in str(each["metadata"].get("notes", "")):
                if each["submitted"]:
                    raise self._to.refused(f"{release.name} is published there already: {each['links']['html']}")
                return Draft.of(self._asked("GET", self._address(f"{DEPOSITIONS}/{int(each['id'])}")))
        return None

    def _address(self, path: str) -> str:
        return self._to.receiver.origin + path

    def _asked(self, method: str, address: str, upload: Upload | None = None) -> Any:
        """Call until it is answered."""
        pauses = iter(PAUSES)
        while True:
            answer = self._send(method, address, upload or b"")
            if not is_passing(answer):
                return self._said(answer)
            self._wait(answer, next(pauses, None))

    def _send(self, method: str, address: str, body: Upload | bytes, kind: str = "application/octet-stream") -> Answer:
        length = len(body) if isinstance(body, bytes) else body.size
        headers = {"Authorization": f"Bearer {self._to.token}", "Accept": "application/json"}
        if length or isinstance(body, Upload):
            headers |= {"Content-Type": kind, "Content-Length": str(length)}
        sent = body if isinstance(body, bytes) else _pieces(body)
        call = Call(method, address, sent, headers)
        return send(call, receivers=[self._to.receiver], bounds=bounds_of(length))

    def _said(self, answer: Answer) -> Any:
        if answer.fault:
            raise self._to.refused(_why(answer))
        return json.loads(answer.body)

    def _wait(self, answer: Answer, usual: float | None) -> None:
        sleep(self._to.pause(usual, seconds_of(answer.retry_after), reason_of(answer)))


def _why(answer: Answer) -> str:
    """Say why Zenodo refuses something: its message, and the fields that it finds wrong."""
    try:
        said = json.loads(answer.body)
        fields = [f"{each['field']}: {each['message']}" for each in said.get("errors", ())]
        return f"{answer.status} " + " ".join(map(str, [said["message"], *fields]))[:500]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return reason_of(answer)


def metadata_of(release: Release) -> dict[str, Any]:
    """Return what is known of a release in Zenodo's words; what is missing is filled in there."""
    campaign, statement = release.campaign, release.data_statement
    about = [campaign.description, describe(release), "README.md among the files says how it was collected."]
    licence = spdx_licence(campaign.licence)
    origins = map(ADDRESS.search, lines_of(statement, "origins"))
    related = [(found.group(), "isDerivedFrom") for found in origins if found]
    if campaign.homepage:
        related.append((campaign.homepage, "isDocumentedBy"))
    known = {
        "creators": [{"name": name} for name in lines_of(statement, "creators")],
        "license": licence and licence.lower(),
        "keywords": lines_of(statement, "keywords"),
        "related_identifiers": [{"identifier": address, "relation": how} for address, how in dict(related).items()],
    }
    return {
        "upload_type": "dataset",
        "title": f"{campaign.name}, version {release.version}",
        "description": "".join(f"<p>{escape(words)}</p>" for words in about if words),
        "version": f"{release.version}.0.0",
        "publication_date": release.created_at.date().isoformat(),
        "access_right": "open",
        "notes": f"SHA-256 of manifest.json: {release.checksum}",
        "prereserve_doi": True,
        **{name: value for name, value in known.items() if value},
    }


def _pieces(upload: Upload) -> Iterator[bytes]:
    with upload.path.open("rb") as stream:
        while piece := stream.read(PIECE):
            yield piece


def _md5(upload: Upload) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    for piece in _pieces(upload):
        digest.update(piece)
    return digest.hexdigest()
