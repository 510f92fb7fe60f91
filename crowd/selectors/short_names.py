"""Short names that no campaign has yet."""

from collections.abc import Collection
from itertools import count

from django.utils.text import slugify

from crowd.models import Campaign

MAX_LENGTH = 50
_ROOM_FOR_NUMBER = 8
NAMELESS = "campaign"


def short_name_free(wanted: str, reserved: Collection[str]) -> str:
    """Return a wanted short name, or the first one with -2, -3 and so on that is neither taken nor reserved."""
    taken = _taken_like(wanted) | set(reserved)
    return next(each for number in count(1) if (each := _numbered(wanted, number)) not in taken)


def short_name_of(name: str, reserved: Collection[str]) -> str:
    """Return a free short name made of a campaign's name; `campaign-1` and so on if it has no Latin letter or digit."""
    made = slugify(name)[:MAX_LENGTH].strip("-_")
    if made:
        return short_name_free(made, reserved)
    taken = _taken_like(NAMELESS) | set(reserved)
    return next(each for number in count(1) if (each := f"{NAMELESS}-{number}") not in taken)


def _taken_like(wanted: str) -> set[str]:
    beginning = wanted[: MAX_LENGTH - _ROOM_FOR_NUMBER]
    return set(Campaign.objects.filter(slug__startswith=beginning).values_list("slug", flat=True))


def _numbered(wanted: str, number: int) -> str:
    if number == 1:
        return wanted
    ending = f"-{number}"
    return f"{wanted[: MAX_LENGTH - len(ending)].rstrip('-_')}{ending}"
