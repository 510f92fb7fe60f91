"""Bodies that are sent in chunks, without a length."""

import sys
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from django.conf import settings


class MeasureChunkedBodies:
    """A WSGI application that gives bodies without a length one, since Django takes them for empty.

    Such a body is read into memory, up to `settings.DATA_UPLOAD_MAX_MEMORY_SIZE`. A larger one gets a length that
    `annotation.body_limits` always refuses.
    """

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        # Servers that do not decode chunks lack this mark: the end of the body could not be seen.
        if environ.get("HTTP_TRANSFER_ENCODING") and environ.get("wsgi.input_terminated"):
            limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            body = environ["wsgi.input"].read(limit + 1)
            environ["wsgi.input"] = BytesIO(body)
            environ["CONTENT_LENGTH"] = str(len(body) if len(body) <= limit else sys.maxsize)
        return self.application(environ, start_response)
