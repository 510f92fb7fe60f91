"""Template filters for a job's label and result link, as registered with its handler."""

from dataclasses import dataclass

from django import template
from django.utils.translation import gettext as _

from common.jobs import job_kind
from common.models import Job
from common.words import Words

register = template.Library()


@dataclass(frozen=True)
class Link:
    address: str
    text: Words


@register.filter
def job_label(job: Job) -> Words:
    """Return the label of the job's kind."""
    kind = job_kind(job.kind)
    return kind.label if kind else _("Job %(number)s") % {"number": job.pk}


@register.filter
def job_result(job: Job) -> Link | None:
    """Return the link to a finished job's result; None if it is unfinished or its kind has no result page."""
    kind = job_kind(job.kind)
    if kind is None or kind.result is None or not job.is_finished:
        return None
    text = kind.result.done if job.state == Job.State.DONE else kind.result.failed
    return Link(kind.result.address(job), text)
