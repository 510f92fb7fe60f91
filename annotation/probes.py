"""Let load balancers and Prometheus ask by IP address and without TLS, behind the front."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

PROBED = {"/health/", "/health/live/", "/health/ready/", "/metrics"}


class AcceptProbes:
    """Take a question about the app's condition as one to localhost over HTTPS, whatever name it came by.

    The answers depend on neither and hold no links, so ALLOWED_HOSTS and the redirect to HTTPS protect nothing here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info in PROBED:
            request.META["HTTP_HOST"] = "localhost"
            if settings.PUBLIC:
                request.META["HTTP_X_FORWARDED_PROTO"] = "https"
        return self.get_response(request)
