"""A small study of the same texts on three and on five points, each by an arm of its own."""

from typing import Any

from crowd.models import Assignment, Campaign, Enrolment
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from ratings.models import Rating
from tests.support.factories import edit_all, make_campaign, rate

ARMS = [{"key": "three", "name": "Three points"}, {"key": "five", "name": "Five points"}]
WRITTEN = """[three] Meaning: How much of the meaning is kept?
3 all
2 some
1 none

[five] Meaning: How much of the meaning is kept?
5 all
4 most
3 some
2 little
1 none

Grammar: How good is the language?
2 good
1 bad"""
SCALES = scales_dump(scales_from_text(WRITTEN, keys={("five", "Meaning"): "meaning_5"}))


def armed_campaign(*, sources: int = 0, texts: int = 0, **settings: Any) -> Campaign:
    """A campaign with the two arms; with sources, each has so many compressions."""
    known: dict[str, Any] = {"arms": ARMS, "scales": SCALES, "arms_seed": 1, "gold_percent": 0}
    campaign = make_campaign(sources=sources, **(known | {"raters_per_compression": 2} | settings))
    if texts:
        edit_all(campaign, texts)
    return campaign


def points_of(enrolment: Enrolment, point: int = 1) -> dict[str, int]:
    """The same point on each scale of a person's arm."""
    return {scale.key: point for scale in enrolment.shown_scales}


def rate_one(enrolment: Enrolment, point: int = 1) -> Rating | None:
    assignment: Assignment | None = assignment_claim(enrolment=enrolment)
    return None if assignment is None else rate(enrolment, assignment, **points_of(enrolment, point))


def rate_rest(enrolment: Enrolment) -> int:
    done = 0
    while rate_one(enrolment) is not None:
        done += 1
    return done
