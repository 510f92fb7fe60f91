"""The models of the crowd app."""

from .accounts import AccountSession, ApiToken, BrowserRequest, Invitation, Scope, WorkerBrowser
from .audit import AuditEntry
from .campaign import Campaign, CampaignState, EditorStart, EditorTask, PayUnit, Round
from .imported_scales import ImportedScale
from .links import JoinLink
from .list_views import ListView, StaffList
from .members import Membership, Role
from .notices import Notice
from .outcomes import NO_MORE, NOT_OVER, Outcome
from .people import ArmDraw, Enrolment, Exclusion, ManualDecision, PaidVisit, PastVisit, Stratum, Worker
from .remarks import Remark
from .settings_version import SettingsVersion
from .webhooks import Webhook, WebhookDelivery, WebhookEvent, WebhookKind
from .work import Assignment, Item, ItemConflict, Stream

__all__ = [
    "NOT_OVER",
    "NO_MORE",
    "AccountSession",
    "ApiToken",
    "ArmDraw",
    "Assignment",
    "AuditEntry",
    "BrowserRequest",
    "Campaign",
    "CampaignState",
    "EditorStart",
    "EditorTask",
    "Enrolment",
    "Exclusion",
    "ImportedScale",
    "Invitation",
    "Item",
    "ItemConflict",
    "JoinLink",
    "ListView",
    "ManualDecision",
    "Membership",
    "Notice",
    "Outcome",
    "PaidVisit",
    "PastVisit",
    "PayUnit",
    "Remark",
    "Role",
    "Round",
    "Scope",
    "SettingsVersion",
    "StaffList",
    "Stratum",
    "Stream",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
    "WebhookKind",
    "Worker",
    "WorkerBrowser",
]
