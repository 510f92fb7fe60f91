"""The OpenAPI document as Schemathesis reads it, with calls that reach what a World holds."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import schemathesis
from django.core.files.uploadedfile import UploadedFile
from django.core.handlers.wsgi import WSGIHandler
from schemathesis import Case, GenerationMode
from schemathesis.checks import CheckFunction, load_all_checks, not_a_server_error
from schemathesis.specs.openapi import checks
from schemathesis.specs.openapi.schemas import OpenApiSchema

from annotation.api_document import JSON, openapi
from tests.support.api_addresses import API_TABLE, METHODS, api_address
from tests.support.world import World

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

load_all_checks()
CHECKS: list[CheckFunction] = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]
ALL_CHECKS = [*CHECKS, checks.ignored_auth]
CONFIG = {"generation": {"mode": "positive", "with-security-parameters": False, "deterministic": True}, "seed": 1}


def operations() -> Iterator[tuple[str, str, str]]:
    """Yield each operation's id, path and method."""
    for path, methods in openapi()["paths"].items():
        for method in METHODS:
            if method in methods:
                yield methods[method]["operationId"], path, method


def schema() -> OpenApiSchema:
    document = without_examples(deepcopy(openapi()))  # Schemathesis adds links of its own
    found = schemathesis.openapi.from_dict(document, config=schemathesis.Config.from_dict(CONFIG))
    found.app = application
    return found


def without_examples(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document without its examples: Schemathesis would vary those more than it draws other calls."""
    for path, methods in document["paths"].items():
        for method in set(METHODS) & methods.keys():
            for content in json_bodies(path, method, document):
                content.pop("example", None)
    return document


def json_bodies(path: str, method: str, document: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return what the document says of the JSON that an operation takes and, if all goes well, gives."""
    operation = (document or openapi())["paths"][path][method]
    answers = [each for status, each in operation["responses"].items() if status.startswith("2")]
    contents = [each.get("content", {}) for each in (operation.get("requestBody", {}), *answers)]
    return [each[JSON] for each in contents if JSON in each]


def application(environ: dict[str, Any], start: "StartResponse") -> list[bytes]:
    """Answer as a web server has it answered: each answer is read to its end and closed."""
    response = WSGIHandler()(environ, start)
    try:
        return [b"".join(response)]
    finally:
        response.close()


def strategy(found: OpenApiSchema, path: str, method: str, mode: GenerationMode, **known: Any) -> Any:
    return found[path][method].as_strategy(generation_mode=mode, **known)


def takes_more_than_a_path(path: str, method: str) -> bool:
    """Return whether an operation has a body, or something to ask for."""
    operation = openapi()["paths"][path][method]
    return "requestBody" in operation or any(each["in"] == "query" for each in operation.get("parameters", ()))


def arguments_of(world: World, path: str) -> tuple[str, dict[str, Any]]:
    """Return the name of an address, by its path in the document, and what its path holds in a World."""
    for name, row in API_TABLE.items():
        known = dict(row.arguments(world))
        try:
            if path.format(**known) == api_address(name, world):
                return name, known
        except KeyError:
            continue
    raise LookupError(path)


def known_case(found: OpenApiSchema, path: str, method: str, world: World) -> "Case[Any]":
    """Return the call of the table of addresses, which succeeds."""
    name, arguments = arguments_of(world, path)
    operation = found[path][method]
    if not list(operation.body):
        return operation.Case(path_parameters=arguments)
    sent = plain(API_TABLE[name].calls[method].sent(world))
    return operation.Case(path_parameters=arguments, body=sent, media_type=operation.body[0].media_type)


def known_status(path: str, method: str, world: World) -> int:
    """Return the status that the table of addresses has for its call.

    Schemathesis sends files without a name, so those that are known by its ending are refused.
    """
    if openapi()["paths"][path][method]["operationId"] in {"importExamples", "importGold"}:
        return 400
    return API_TABLE[arguments_of(world, path)[0]].calls[method].status


def plain(sent: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.read() if isinstance(value, UploadedFile) else value for name, value in sent.items()}
