"""A POST with an Idempotency-Key is carried out once; whoever repeats it gets the answer of the first time.

The key is stored in the transaction that does the work, so either both are there or neither is. A second request of the
same moment waits for the first one: the database holds its row back until the other transaction has ended. An answer
that refuses is not kept, since nothing was done: the same key can be used when the reason is gone.
"""

import json
from collections.abc import Callable, Collection
from datetime import timedelta
from hashlib import sha256
from http import HTTPStatus

from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpResponseBase, QueryDict
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from common.api.problems import Problem
from common.clock import database_now
from common.models import KeptAnswer

KEY_HEADER = "Idempotency-Key"
REPEATED_HEADER = "Idempotency-Replayed"
LONGEST_KEY = 255
KEPT_FOR = timedelta(days=1)


class _Known(Exception):
    """Another request had this key."""


def answer_once(
    request: Request, answered: Callable[[], HttpResponseBase], *, untold: Collection[str] = ()
) -> HttpResponseBase:
    """Return the kept answer to a request with this key, or else carry it out and keep its answer.

    Fields that are `untold`, such as secrets that are shown once, are not kept: a repeated answer has null there.
    """
    key = request.headers.get(KEY_HEADER)
    if key is None:
        return answered()
    if not 0 < len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            _("Idempotency-Key: give 1 to %(most)s printable ASCII characters.") % {"most": LONGEST_KEY},
        )
    user = request.user
    assert isinstance(user, User)
    asked = _digest(request)
    try:
        with transaction.atomic():
            kept = _begun(user, key, asked)
            response = answered()
            data = getattr(response, "data", None)
            kept.status = response.status_code
            kept.body = json.dumps(data | dict.fromkeys(untold) if data and untold else data, cls=JSONEncoder)
            kept.save(update_fields=["status", "body"])
            return response
    except _Known:
        return _repeated(user, key, asked)


def _begun(user: User, key: str, asked: str) -> KeptAnswer:
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(user=user, key=key, asked=asked, created_at=database_now())
    except IntegrityError as error:
        raise _Known from error


def _repeated(user: User, key: str, asked: str) -> Response:
    kept = KeptAnswer.objects.filter(user=user, key=key).first()
    if kept is None:  # forgotten in this moment, as old as it was
        raise Problem(HTTPStatus.CONFLICT, _("This Idempotency-Key has just expired. Send the request again."))
    if kept.asked != asked:
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            _("This Idempotency-Key was used for another request. Each request needs its own."),
            code="key_used",
        )
    return Response(json.loads(kept.body), status=kept.status, headers={REPEATED_HEADER: "true"})


def _digest(request: Request) -> str:
    """Return what tells one request from another. Of a form its fields count: each sending separates them anew."""
    sent = request.data
    if isinstance(sent, QueryDict):
        sent = {name: [_told(value) for value in values] for name, values in sent.lists()}
    asked = [request.method, request.get_full_path(), sent]
    return sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()


def _told(value: object) -> object:
    return _file_digest(value) if isinstance(value, UploadedFile) else value


def _file_digest(file: "UploadedFile[bytes]") -> str:
    digest = sha256(str(file.name).encode(errors="surrogatepass"))
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def kept_answers_forget_old() -> int:
    """Delete answers that have been kept long enough; return how many."""
    deleted, _rows = KeptAnswer.objects.filter(created_at__lt=database_now() - KEPT_FOR).delete()
    return deleted
