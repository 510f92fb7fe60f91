"""The WSGI entry point for web servers."""

import os
import sys
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from common.private_files import data_files_close


class MeasureChunkedBodies:
    """A WSGI application that gives bodies without a length one, since Django takes them for empty.

    Such a body is read into memory, up to `settings.DATA_UPLOAD_MAX_MEMORY_SIZE`. A larger one gets a length that
    `annotation.failures` always refuses.
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


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
application = MeasureChunkedBodies(get_wsgi_application())
data_files_close()
