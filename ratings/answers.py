"""Parse the forms that raters submit."""

from collections.abc import Mapping

from crowd.models import Assignment
from crowd.models.remarks import MAX_REMARK_LENGTH
from crowd.scales import Scale
from ratings.services.rating import Judgement
from ratings.subjects import mirrored

MAX_MILLISECONDS = 2**31 - 1


def posted_points(posted: Mapping[str, str], scales: tuple[Scale, ...], name: object) -> dict[str, int]:
    """Return the chosen point by scale, without unanswered scales; fields are named `<scale>-<name>`."""
    values = {scale.key: posted.get(f"{scale.key}-{name}", "") for scale in scales}
    return {scale.key: int(values[scale.key]) for scale in scales if values[scale.key] in set(map(str, scale.values))}


def posted_judgement(
    posted: Mapping[str, str], scales: tuple[Scale, ...], assignment: Assignment, *, swapped: bool
) -> Judgement:
    """Return the judgement posted for one task, with preferences mapped back to the stored order of the texts."""
    name = assignment.pk
    scores = posted_points(posted, scales, name)
    return Judgement(
        scores=mirrored(scores) if swapped else scores,
        known_version=posted_number(posted.get(f"version-{name}", "")) or 0,
        milliseconds=posted_number(posted.get(f"milliseconds-{name}", "")),
        difference_shown=posted.get(f"difference-{name}") == "1",
        comment=_comment(posted.get(f"comment-{name}")),
    )


def _comment(text: str | None) -> str | None:
    """Cut a comment to the maximum length and drop the characters that the database cannot store."""
    return None if text is None else text.encode(errors="ignore").decode().replace("\x00", "")[:MAX_REMARK_LENGTH]


def posted_number(text: str) -> int | None:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 10
    return min(int(text), MAX_MILLISECONDS) if is_number else None
