"""What pages say about a job, as the room that does it has registered it."""

from dataclasses import dataclass

from django import template
from django.urls import reverse

from common.jobs import job_kind
from common.models import Job

register = template.Library()


@dataclass(frozen=True)
class Link:
    address: str
    text: str


@register.filter
def job_label(job: Job) -> str:
    """What the job does."""
    kind = job_kind(job.kind)
    return kind.label if kind else f"Job {job.pk}"


@register.filter
def job_result(job: Job) -> Link | None:
    """Where a finished job leads; nothing for others, and for kinds that lead nowhere."""
    kind = job_kind(job.kind)
    if kind is None or kind.result is None or not job.is_finished:
        return None
    text = kind.result.done if job.state == Job.State.DONE else kind.result.failed
    return Link(reverse(kind.result.address, args=[job.campaign.slug]), text)
