"""The tables of the crowd room, by subject."""

from .campaign import Campaign, JoinLink, Round
from .jobs import Job
from .people import Enrolment, Worker
from .work import Assignment, Item, ItemConflict

__all__ = [
    "Assignment",
    "Campaign",
    "Enrolment",
    "Item",
    "ItemConflict",
    "Job",
    "JoinLink",
    "Round",
    "Worker",
]
