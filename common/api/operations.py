"""What one method of an endpoint takes and gives: its query, its body, its answer, checked and described alike.

`operation` checks what was sent before the method runs, writes the answer with a serializer, and tells the OpenAPI
document about both, so that the two cannot differ. Fields that nobody knows are refused by name: a misspelt filter
would otherwise give an answer to another question.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from http import HTTPStatus
from itertools import islice
from typing import Any, TypeVar, cast

from django.http import HttpResponseBase, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from common.api.etags import answer_with_etag, content_etag
from common.api.idempotency import KEY_HEADER, LONGEST_KEY, answer_once
from common.api.pages import PageQuery, page_of
from common.api.problems import MEDIA_TYPE, MOST_FAULTS, ProblemSerializer

MOST_NAMED = 12  # choices; the OpenAPI document has them all
LONGEST_NAME = 100
MOST_UNKNOWN = MOST_FAULTS - 1  # the last fault says how many more there are
MOST_IN_LIST = 1000
"""How long a list may be that does not say so."""
SPACES_AROUND = 1000
"""How many characters more than are allowed may be sent, as spaces around a text are not counted."""


def refuse_unknown(sent: Iterable[str], known: Collection[str]) -> None:
    """Raise ValidationError for the names that are not known, with the one that may have been meant."""
    unknown = [name for name in sent if name not in known]
    if unknown:
        faults = {name[:LONGEST_NAME]: [_unknown_words(name, known)] for name in unknown[:MOST_UNKNOWN]}
        if (more := len(unknown) - MOST_UNKNOWN) > 0:
            words = ngettext("%(n)s more field is unknown.", "%(n)s more fields are unknown.", more) % {"n": more}
            faults["non_field_errors"] = [words]
        raise ValidationError(faults)


def _unknown_words(name: str, known: Collection[str]) -> str:
    if close := get_close_matches(name[:LONGEST_NAME], known, n=1):
        return _("There is no such field here. Did you mean %(name)s?") % {"name": close[0]}
    return _("There is no such field here.")


def too_long(field: Any, sent: Any) -> Any:
    """Return the faults of what is longer than its field allows, by name or place; nothing if there are none.

    Fields look at each element and each character before they look at the length, so this goes before them.
    """
    if isinstance(field, serializers.BaseSerializer):
        named = getattr(field, "fields", {}) if isinstance(sent, Mapping) else {}
        return _faults_in((name, too_long(below, sent[name])) for name, below in named.items() if name in sent)
    if isinstance(field, LISTS) and isinstance(sent, list):
        most = len(field.choices) if hasattr(field, "choices") else field.max_length or MOST_IN_LIST
        if len(sent) > most:
            return [_("There are %(n)s here, and at most %(most)s are allowed.") % {"n": len(sent), "most": most}]
        return _faults_in((place, too_long(getattr(field, "child", None), each)) for place, each in enumerate(sent))
    longest = getattr(field, "max_length", None) if isinstance(sent, str) else None
    if longest is not None and len(sent) > longest + SPACES_AROUND:
        return [_("This has %(n)s characters, and at most %(most)s are allowed.") % {"n": len(sent), "most": longest}]
    return None


def _faults_in(parts: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    return dict(islice(((name, faults) for name, faults in parts if faults), MOST_FAULTS + 1))


def choices_named(errors: Any, field: Any) -> Any:
    """Return the faults of a field with the choices that there are, where a word is none of them."""
    if isinstance(errors, Mapping):
        below = getattr(field, "fields", None)
        return {
            name: choices_named(each, below.get(name) if below else getattr(field, "child", None))
            for name, each in errors.items()
        }
    if isinstance(errors, list):
        return [choices_named(each, field) for each in errors]
    if isinstance(errors, ErrorDetail) and errors.code == "invalid_choice" and (choices := _choices_of(field)):
        more = ", …" if len(choices) > MOST_NAMED else ""
        return f"{errors} {_('Choices: %(names)s') % {'names': ', '.join(choices[:MOST_NAMED]) + more}}"
    return errors


def _choices_of(field: Any) -> list[str]:
    choosing = getattr(field, "child", field)
    return list(map(str, choosing.choices)) if isinstance(choosing, serializers.ChoiceField) else []


Method = TypeVar("Method", bound=Callable[..., Any])
LISTS = (serializers.ListField, serializers.MultipleChoiceField)
SerializerClass = type[serializers.BaseSerializer[Any]]

# What programs read as more than bytes.
PARSED = {"application/yaml": OpenApiTypes.OBJECT}
KEY_SCHEMA = {"type": "string", "pattern": rf"^[ -~]{{1,{LONGEST_KEY}}}$"}


TAG_WORDS = {
    "If-None-Match": "The ETag of the answer that you have: if nothing has changed, you get 304 and no content.",
    "If-Match": "The ETag of what you read: if it has changed since then, nothing is done (412).",
}


class Nothing(serializers.Serializer[Any]):
    """No fields."""


class PageQueryOf(PageQuery):
    """The base of the filters of a list, which is read a page at a time."""


class Body(serializers.Serializer[Any]):
    """The base of all request bodies. A field that is not declared is refused."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(data, self.fields)
        return super().to_internal_value(data)


def operation(  # noqa: PLR0913 - what describes an operation
    name: str,
    *,
    told: str = "",
    answer: SerializerClass | None = None,
    body: SerializerClass | None = None,
    query: type[serializers.Serializer[Any]] | None = None,
    listed: bool = False,
    key: str = "pk",
    status: int = HTTPStatus.OK,
    also: tuple[int, ...] = (),
    bare: tuple[int, ...] = (),
    files: Mapping[int, str] | None = None,
    problems: tuple[int, ...] = (),
    once: bool = True,
    untold: Collection[str] = (),
    upload: bool = False,
    tagged: bool = False,
) -> Callable[[Method], Method]:
    """Decorate a method (`get`, `post`, `patch`, `put`, `delete`) of an endpoint.

    The method finds what was sent, checked, in `self.asked` (the query) and `self.sent` (the body). It returns what
    `answer` writes: an object, or with `listed` a queryset, a sequence or `Completed`, of which the caller gets a page
    in the order of `key`. It may also return a response.

    Parameters
    ----------
    name
        The operation's id in the OpenAPI document, by which programs call it: unique, in camelCase.
    told
        What it does, where that is not the method's docstring.
    status
        The status of a success.
    also
        Other statuses of a success, with the same answer; the method then returns a response.
    bare
        Statuses of answers without content, such as 304.
    files
        Where a file is sent, its media type by status.
    problems
        Statuses of refusals beside the usual ones, such as 409.
    once
        Whether a POST with an Idempotency-Key is carried out once and its answer kept. Not for answers that must not be
        kept, such as those with ids of people; such a POST changes nothing.
    untold
        Fields of the answer that are given once only: a repeated answer has null there.
    upload
        Whether the body is a form with a file (`multipart/form-data`).
    tagged
        Whether the answer has an ETag of its content. A GET is answered by 304 to who has it; a change heeds
        `If-Match`, for which its method calls `match_check` where nobody else can change anything meanwhile.
    """
    queried = query or (PageQuery if listed else Nothing)

    def decorate(method: Method) -> Method:
        @wraps(method)
        def run(self: Any, request: Request, **named: Any) -> HttpResponseBase:
            named.pop("slug", None)  # the endpoint has found the campaign
            self.asked = _checked(queried, _plain(queried, request.query_params))
            self.sent = _checked(body, request.data) if body else {}

            def answered() -> HttpResponseBase:
                found = method(self, request, **named)
                return _written(self, found, answer, status, key if listed else None, tagged=tagged)

            return answer_once(request, answered, untold=untold) if request.method == "POST" and once else answered()

        summary, _line, description = (told or method.__doc__ or "").partition("\n")
        statuses = (status, *also)
        described = extend_schema(
            operation_id=name,
            summary=summary.strip().rstrip("."),
            description=inspect.cleandoc(description) or told,
            parameters=_parameters(queried, method.__name__, once=once, tagged=tagged),
            request={"multipart/form-data": body} if upload else body,
            responses=_responses(
                answer,
                statuses,
                (*bare, HTTPStatus.NOT_MODIFIED) if tagged and body is None else bare,
                files,
                (*problems, HTTPStatus.PRECONDITION_FAILED) if tagged and body else problems,
                listed=listed,
                is_sent=body is not None,
            ),
        )
        run.body = body  # type: ignore[attr-defined]
        return cast("Method", described(run))

    return decorate


def _plain(query: SerializerClass, given: QueryDict) -> dict[str, Any]:
    """Return a query as JSON would have it.

    As a form, an empty value would count as none, and a switch that is not there as one that is off.
    """
    fields = query().fields  # type: ignore[attr-defined]
    lists = {name for name, field in fields.items() if isinstance(field, LISTS)}
    if many := [name for name in given if name not in lists and len(given.getlist(name)) > 1]:
        raise ValidationError({name: [_("Give this once.")] for name in many})
    return {name: given.getlist(name) if name in lists else given[name] for name in given}


def _checked(serializer: SerializerClass, data: Any) -> dict[str, Any]:
    checked = serializer(data=data)
    if isinstance(data, Mapping):
        refuse_unknown(data, checked.fields)  # type: ignore[attr-defined]
    if faults := too_long(checked, data):
        raise ValidationError(faults)
    if not checked.is_valid():
        raise ValidationError(choices_named(checked.errors, checked))
    valid: dict[str, Any] = checked.validated_data
    return valid


def _written(
    endpoint: Any, found: Any, answer: SerializerClass | None, status: int, key: str | None, *, tagged: bool
) -> HttpResponseBase:
    if isinstance(found, HttpResponseBase):
        return found
    if answer is None:
        return Response(status=HTTPStatus.NO_CONTENT)
    context = {"endpoint": endpoint, "request": endpoint.request}
    if key is None:
        content = answer(found, context=context).data
        if not tagged:
            return Response(content, status=status)
        if endpoint.request.method in SAFE_METHODS:
            return cast("HttpResponseBase", answer_with_etag(endpoint.request, content_etag(content), lambda: content))
        return Response(content, status=status, headers={"ETag": content_etag(content)})
    page = page_of(found, limit=endpoint.asked["limit"], cursor=endpoint.asked["cursor"], key=key)
    return Response({"cursor": page.cursor, "results": answer(page.rows, many=True, context=context).data})


def _parameters(query: SerializerClass, method: str, *, once: bool, tagged: bool) -> list[Any]:
    described: list[Any] = [query] if query is not Nothing else []
    if method == "post" and once:
        words = (
            "Any text that you choose. If you send the same key and body again, you get the same answer, and nothing "
            "is done a second time. Keys are kept for a day."
        )
        described.append(OpenApiParameter(KEY_HEADER, KEY_SCHEMA, OpenApiParameter.HEADER, description=words))
    if tagged:
        header = "If-None-Match" if method == "get" else "If-Match"
        described.append(OpenApiParameter(header, str, OpenApiParameter.HEADER, description=TAG_WORDS[header]))
    return described


def _responses(
    answer: SerializerClass | None,
    statuses: tuple[int, ...],
    bare: tuple[int, ...],
    files: Mapping[int, str] | None,
    problems: tuple[int, ...],
    *,
    listed: bool,
    is_sent: bool,
) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    if files:
        found |= {(each, media_type): PARSED.get(media_type, bytes) for each, media_type in files.items()}
    elif answer is None:
        found[HTTPStatus.NO_CONTENT.value] = None
    else:
        found |= {int(status): _envelope(answer) if listed else answer for status in statuses}
    found |= {each: OpenApiResponse(description=HTTPStatus(each).phrase) for each in bare}
    usual = {400, 401, 403, 404, 429} | ({409, 413, 415} if is_sent else set())
    return found | {(each, MEDIA_TYPE): ProblemSerializer for each in sorted(usual | set(problems))}


_envelopes: dict[SerializerClass, Any] = {}


def _envelope(answer: SerializerClass) -> Any:
    """Describe a page of what a serializer writes."""
    if answer not in _envelopes:
        name = answer.__name__.removesuffix("Serializer") + "Page"
        fields: dict[str, Any] = {
            "cursor": serializers.IntegerField(
                allow_null=True, help_text="Ask with this `cursor` for the next page; null if this is the last one."
            ),
            "results": answer(many=True),
        }
        _envelopes[answer] = inline_serializer(name, fields)
    return _envelopes[answer]
