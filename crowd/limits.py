"""How often one person or one address may do something. People at a normal pace never meet these limits.

Reading pages is not limited; what is stored, or hands out work, is. People are counted by their enrolment, so nobody
is refused because of others, except where nobody is known yet: joining and guessing are counted by address, generously,
since a whole university can come from one.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import update_wrapper
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from common.client_address import client_address
from common.errors import TooManyRequests
from common.rate_limits import RateLimit, rate_limit_take
from crowd.models import Enrolment, JoinLink

P = ParamSpec("P")
MINUTE, HOUR = 60, 3600
UNCOUNTED_SHARE = 8  # one in so many is left to each process to count
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
View = Callable[Concatenate[HttpRequest, Enrolment, P], HttpResponse]


class Act(StrEnum):
    """What one person does on the pages."""

    CLAIM = "claim"
    SUBMIT = "submit"
    RENEW = "renew"
    DRAFT = "draft"
    SKIP = "skip"
    REMARK = "remark"


# How often per minute, as a multiple of the tasks that the settings allow. An open page saves drafts while one types.
MULTIPLES = {Act.DRAFT: 5.0, Act.SKIP: 0.25, Act.REMARK: 0.25}


def limit_of(act: Act) -> RateLimit:
    count = max(1, int(settings.TASKS_PER_MINUTE * MULTIPLES.get(act, 1)))
    return RateLimit(f"person-{act}", count, MINUTE, uncounted=count // UNCOUNTED_SHARE)


def at_most(act: Act) -> Callable[[View[P]], View[P]]:
    """Limit the requests of one person to the decorated view that may write."""

    def limited(view: View[P]) -> View[P]:
        def counting(request: HttpRequest, enrolment: Enrolment, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if request.method not in SAFE_METHODS:
                rate_limit_take(limit_of(act), enrolment.pk)
            return view(request, enrolment, *args, **kwargs)

        return update_wrapper(counting, view)

    return limited


def take_join(request: HttpRequest, link: JoinLink) -> None:
    """Count somebody who begins, or asks to go on in another browser, by a link."""
    count = settings.JOINS_PER_HOUR
    words = _("Many people have just joined from your network. Try again later.")
    limit = RateLimit("join", count, HOUR, message=words)
    rate_limit_take(limit, link.pk, client_address(request))


def may_note_other_id(request: HttpRequest, link: JoinLink) -> bool:
    """Whether an id of another platform still counts: not beyond as many as may join from an address in an hour.

    This has a count of its own, so it takes no place of who joins, and it refuses nobody.
    """
    try:
        rate_limit_take(RateLimit("other-id", settings.JOINS_PER_HOUR, HOUR), link.pk, client_address(request))
    except TooManyRequests:
        return False
    return True


def take_guess(request: HttpRequest) -> None:
    """Count an address that names no link, or a token that restores no session: somebody may be guessing."""
    rate_limit_take(RateLimit("guess", 60, MINUTE, uncounted=7), client_address(request))
