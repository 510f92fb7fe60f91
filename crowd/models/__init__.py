"""The tables of the crowd room, by subject."""

from .campaign import Campaign, EditorStart, JoinLink, Round
from .jobs import Job
from .people import Enrolment, Worker
from .remarks import Remark
from .work import Assignment, Item, ItemConflict

__all__ = [
    "Assignment",
    "Campaign",
    "EditorStart",
    "Enrolment",
    "Item",
    "ItemConflict",
    "Job",
    "JoinLink",
    "Remark",
    "Round",
    "Worker",
]
