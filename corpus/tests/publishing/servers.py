"""Servers of this computer that answer as the Hub's and Zenodo's documents say, and fail when they are told to."""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

TOKEN = "a-token-that-nobody-may-see"
REPOSITORY = "lab/news"


@dataclass
class Failure:
    """How a server fails at one of its steps: so many times, with a status, or by cutting the connection (0)."""

    step: str
    status: int
    times: int = 1
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"<html>made up</html>"
    is_done: bool = False
    """What was asked for is done all the same: only the answer is lost."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Server"

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def answer(self, status: int, said: Any = None, headers: dict[str, str] | None = None) -> None:
        body = said if isinstance(said, bytes) else b"" if said is None else json.dumps(said).encode()
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self) -> None:
        step = self.server.step_of(self.command, urlsplit(self.path).path)
        failure = self.server.failure_at(step)
        if failure and failure.status == 0 and not failure.is_done:
            self.rfile.read(min(100, int(self.headers.get("Content-Length") or 0)))  # cut in the middle
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.calls.append((step, self.headers.get("Authorization"), body))
        if failure is None:
            self.server.serve(self, step, body)
            return
        if failure.is_done:
            self.answer, sent = lambda *_, **__: None, self.answer  # type: ignore[method-assign]
            self.server.serve(self, step, body)
            self.answer = sent  # type: ignore[method-assign]
        if failure.status:
            self.answer(failure.status, failure.body, failure.headers)
        self.close_connection = True

    do_GET = do_POST = do_PUT = handle_any  # noqa: N815 - as http.server calls them


class Server(ThreadingHTTPServer):
    steps: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.failures: list[Failure] = []
        self._counting = threading.Lock()
        self.calls: list[tuple[str, str | None, bytes]] = []

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def step_of(self, method: str, path: str) -> str:
        return next((name for name, pattern in self.steps.items() if re.fullmatch(pattern, f"{method} {path}")), path)

    def failure_at(self, step: str) -> Failure | None:
        """Take one of the failures that are left: files come side by side."""
        with self._counting:
            failure = next((each for each in self.failures if each.step == step and each.times), None)
            if failure:
                failure.times -= 1
            return failure

    def count(self, step: str) -> int:
        return sum(each == step for each, _, _ in self.calls)

    def handle_error(self, *_: object) -> None:
        """Callers hang up."""

    def serve(self, handler: Handler, step: str, body: bytes) -> None:
        raise NotImplementedError

    @contextmanager
    def running(self) -> Iterator["Server"]:
        thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.shutdown()
            self.server_close()
            thread.join()


class Hub(Server):
    """The endpoints that making a dataset and a commit by LFS ask for."""

    steps: ClassVar = {
        "create": "POST /api/repos/create",
        "yaml": "POST /api/validate-yaml",
        "look": f"GET /api/datasets/{REPOSITORY}",
        "preupload": f"POST /api/datasets/{REPOSITORY}/preupload/main",
        "batch": rf"POST /datasets/{REPOSITORY}\.git/info/lfs/objects/batch",
        "put": "PUT /store/.*",
        "complete": "POST /complete/.*",
        "verify": "POST /verify",
        "commit": f"POST /api/datasets/{REPOSITORY}/commit/main",
    }

    def __init__(self, *, parts: bool = False) -> None:
        super().__init__()
        self.store = self.origin
        self.parts = parts
        self.visibility: str | None = None
        self.files: dict[str, bytes] = {}
        self.large: set[str] = set()
        self.blobs: dict[str, bytes] = {}
        self.commits: list[list[str]] = []

    def serve(self, handler: Handler, step: str, body: bytes) -> None:
        if step == "put":
            self.blobs[handler.path.removeprefix("/store/")] = body
            handler.answer(200, headers={"ETag": f'"{hashlib.md5(body).hexdigest()}"'})
        elif step != "complete" and handler.headers.get("Authorization") != f"Bearer {TOKEN}":
            handler.answer(401, {"error": f"Invalid username or password: {handler.headers.get('Authorization')}"})
        else:
            getattr(self, f"on_{step}", self.on_unknown)(
                handler, json.loads(body) if step != "commit" and body else body
            )

    def on_unknown(self, handler: Handler, _said: Any) -> None:
        handler.answer(404, {"error": "Not found"})

    def on_create(self, handler: Handler, said: Any) -> None:
        if self.visibility is not None:
            handler.answer(
                409, {"error": "You already created this dataset repo", "url": f"{self.origin}/datasets/{REPOSITORY}"}
            )
            return
        self.visibility = said["visibility"]
        self.files[".gitattributes"] = b"*.parquet filter=lfs\n"
        handler.answer(200, {"url": f"{self.origin}/datasets/{REPOSITORY}"})

    def on_yaml(self, handler: Handler, said: Any) -> None:
        good = said["content"].startswith("---\n")
        handler.answer(200 if good else 400, {"errors": [] if good else [{"message": "no head"}], "warnings": []})

    def on_look(self, handler: Handler, _said: Any) -> None:
        if self.visibility is None:
            handler.answer(404, {"error": "Repository not found"}, {"X-Error-Code": "RepoNotFound"})
            return
        siblings = [{"rfilename": name, "size": len(data), **self._id(name, data)} for name, data in self.files.items()]
        private = self.visibility == "private"
        handler.answer(200, {"id": REPOSITORY, "private": private, "sha": "0" * 40, "siblings": siblings, "tags": []})

    def _id(self, name: str, data: bytes) -> dict[str, Any]:
        if name in self.large:
            return {
                "blobId": "0",
                "lfs": {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 1},
            }
        return {"blobId": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()}

    def on_preupload(self, handler: Handler, said: Any) -> None:
        modes = [
            {"path": each["path"], "uploadMode": "lfs" if each["path"].endswith(".parquet") else "regular"}
            for each in said["files"]
        ]
        handler.answer(200, {"files": [{**each, "shouldIgnore": False} for each in modes]})

    def on_batch(self, handler: Handler, said: Any) -> None:
        objects = []
        for each in said["objects"]:
            oid, size = each["oid"], each["size"]
            upload: dict[str, Any] = {"href": f"{self.store}/store/{oid}"}
            if self.parts:
                half = size // 2 + 1
                urls = {"1": f"{self.store}/store/{oid}.1", "2": f"{self.store}/store/{oid}.2"}
                upload = {"href": f"{self.origin}/complete/{oid}", "header": {"chunk_size": str(half), **urls}}
            actions = {"upload": upload, "verify": {"href": f"{self.origin}/verify"}}
            objects.append({"oid": oid, "size": size, **({} if oid in self.blobs else {"actions": actions})})
        handler.answer(200, {"transfer": "multipart" if self.parts else "basic", "objects": objects})

    def on_complete(self, handler: Handler, said: Any) -> None:
        self.blobs[said["oid"]] = b"".join(self.blobs[f"{said['oid']}.{each['partNumber']}"] for each in said["parts"])
        handler.answer(200, {"success": True})

    def on_verify(self, handler: Handler, said: Any) -> None:
        there = self.blobs.get(said["oid"], b"")
        is_whole = hashlib.sha256(there).hexdigest() == said["oid"] and len(there) == said["size"]
        handler.answer(200 if is_whole else 422, {"error": "not what was said"})

    def on_commit(self, handler: Handler, body: bytes) -> None:
        changed = []
        for line in map(json.loads, body.splitlines()):
            value = line["value"]
            if line["key"] == "file":
                self.files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                self.files[value["path"]] = self.blobs[value["oid"]]
                self.large.add(value["path"])
            elif line["key"] == "deletedFile":
                del self.files[value["path"]]
            changed += [value["path"]] if line["key"] != "header" else []
        self.commits.append(changed)
        handler.answer(
            200, {"commitOid": "1" * 40, "commitUrl": f"{self.origin}/datasets/{REPOSITORY}/commit/{'1' * 40}"}
        )


class Zenodo(Server):
    """Deposits of one account."""

    steps: ClassVar = {
        "list": "GET /api/deposit/depositions",
        "create": "POST /api/deposit/depositions",
        "look": r"GET /api/deposit/depositions/\d+",
        "put": "PUT /api/files/b/.*",
        "publish": ".*/actions/publish",
    }

    def __init__(self) -> None:
        super().__init__()
        self.drafts: dict[int, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}
        self.wrong_checksums = 0
        self.bucket = f"{self.origin}/api/files/b"

    def serve(self, handler: Handler, step: str, body: bytes) -> None:
        if handler.headers.get("Authorization") != f"Bearer {TOKEN}":
            handler.answer(401, {"status": 401, "message": f"Not authorized: {handler.headers.get('Authorization')}"})
        elif step == "list":
            handler.answer(200, [{**each, "files": []} for each in self.drafts.values()])
        elif step == "create":
            self._create(handler, json.loads(body))
        elif step == "look":
            handler.answer(
                200, {**next(iter(self.drafts.values())), "files": [self._file(name) for name in self.files]}
            )
        elif step == "put":
            name = unquote(handler.path.rpartition("/")[2])
            self.files[name] = body
            self.wrong_checksums -= 1
            md5 = "0" * 32 if self.wrong_checksums >= 0 else self._file(name)["checksum"]
            handler.answer(201, {"key": name, "size": len(body), "checksum": f"md5:{md5}"})
        else:
            handler.answer(404, {"status": 404, "message": "Not found"})

    def _create(self, handler: Handler, said: dict[str, Any]) -> None:
        if handler.headers.get("Content-Type") != "application/json":
            handler.answer(415, {"status": 415, "message": "Unsupported media type"})
            return
        number = 1000 + len(self.drafts)
        reserved = {"prereserve_doi": {"doi": f"10.5072/zenodo.{number}", "recid": number}}
        links = {"html": f"{self.origin}/uploads/{number}", "bucket": self.bucket}
        draft = {"id": number, "submitted": False, "metadata": {**said["metadata"], **reserved}, "links": links}
        self.drafts[number] = draft
        handler.answer(201, {**draft, "files": []})

    def _file(self, name: str) -> dict[str, Any]:
        data = self.files[name]
        return {"filename": name, "filesize": len(data), "checksum": hashlib.md5(data).hexdigest()}
