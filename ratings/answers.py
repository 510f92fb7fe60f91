"""Reading what a rater's form says."""

from collections.abc import Mapping

from crowd.models import Assignment
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.scales import Scale
from ratings.services.rating import Judgement
from ratings.subjects import mirrored

MAX_MILLISECONDS = 2**31 - 1


def points_given(posted: Mapping[str, str], scales: tuple[Scale, ...], name: object) -> dict[str, int]:
    """The chosen point of each scale that has one; fields are called by the scale and `name`."""
    given = {scale.key: posted.get(f"{scale.key}-{name}", "") for scale in scales}
    return {scale.key: int(given[scale.key]) for scale in scales if given[scale.key] in set(map(str, scale.values))}


def judgement_in(
    posted: Mapping[str, str], scales: tuple[Scale, ...], assignment: Assignment, *, swapped: bool
) -> Judgement:
    """What the form says about one task; preferences are turned back to the order in which the texts are kept."""
    name = assignment.pk
    scores = points_given(posted, scales, name)
    return Judgement(
        scores=mirrored(scores) if swapped else scores,
        known_version=_number(posted.get(f"version-{name}", "")) or 0,
        milliseconds=_number(posted.get(f"milliseconds-{name}", "")),
        difference_shown=posted.get(f"difference-{name}") == "1",
        comment=_comment(posted.get(f"comment-{name}")),
    )


def _comment(text: str | None) -> str | None:
    """A comment in the length and the characters that a database can hold."""
    return None if text is None else text.encode(errors="ignore").decode().replace("\x00", "")[:MAX_REMARK_LENGTH]


def _number(text: str) -> int | None:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 10
    return min(int(text), MAX_MILLISECONDS) if is_number else None
