"""The models of the crowd app."""

from .browsers import BrowserRequest
from .campaign import Campaign, EditorStart, JoinLink, RatingTask, Round
from .people import Enrolment, Exclusion, ManualDecision, Worker
from .remarks import Remark
from .settings_version import SettingsVersion
from .work import Assignment, Item, ItemConflict, Stream

__all__ = [
    "Assignment",
    "BrowserRequest",
    "Campaign",
    "EditorStart",
    "Enrolment",
    "Exclusion",
    "Item",
    "ItemConflict",
    "JoinLink",
    "ManualDecision",
    "RatingTask",
    "Remark",
    "Round",
    "SettingsVersion",
    "Stream",
    "Worker",
]
