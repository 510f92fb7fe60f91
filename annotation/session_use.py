"""Write down when a session was last used, so that its owner can tell it from one that they forgot to end."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from crowd.account_sessions import note_use


class NoteSessionUse:
    """Note the use of the sessions of accounts, every few minutes. Participants have none, so their pages ask nothing.

    It is the one thing that reading a page writes.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.session.accessed:
            note_use(request)
        return response
