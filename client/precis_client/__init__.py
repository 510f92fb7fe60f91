"""Use a Précis server from Python: create campaigns, import texts, watch the work, freeze and load releases.

Examples
--------
>>> from precis_client import Precis
>>> with Precis("https://precis.example.org", token="precis_…") as precis:
...     for campaign in precis.campaigns(state="open"):
...         print(campaign.slug, campaign.progress())
"""

from precis_client.campaigns import Campaign
from precis_client.errors import (
    ChecksumError,
    Forbidden,
    Invalid,
    JobFailed,
    NotFound,
    PrecisError,
    Refused,
    StillRunning,
    TooMany,
    Unauthorised,
)
from precis_client.evaluation import EvaluationReport, EvaluationRow
from precis_client.jobs import Job
from precis_client.operations import OperationRow, OperationsReport
from precis_client.precis import Precis
from precis_client.records import Record
from precis_client.releases import Release
from precis_client.retries import Retries

__version__ = "0.3.0"

__all__ = [
    "Campaign",
    "ChecksumError",
    "EvaluationReport",
    "EvaluationRow",
    "Forbidden",
    "Invalid",
    "Job",
    "JobFailed",
    "NotFound",
    "OperationRow",
    "OperationsReport",
    "Precis",
    "PrecisError",
    "Record",
    "Refused",
    "Release",
    "Retries",
    "StillRunning",
    "TooMany",
    "Unauthorised",
]
