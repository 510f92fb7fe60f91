"""Query who of the staff may do what, who is invited, and whose work does not count."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from common.clock import database_now
from crowd.models import Campaign, Exclusion, Invitation, Membership, Role, Worker
from crowd.platforms import account_id


def excluded_workers(campaign: Campaign, work_round: str) -> frozenset[int]:
    """Return the ids of the workers excluded from a round, whose work there does not count."""
    in_force = Exclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    return frozenset(in_force.values_list("worker_id", flat=True))


def workers_of_tests(campaign: Campaign) -> QuerySet[Worker]:
    """Return the test participants, whose work counts nowhere."""
    return Worker.objects.filter(campaign=campaign, is_test=True)


def uncounted_workers(campaign: Campaign, work_round: str) -> frozenset[int]:
    """Return the ids of all workers whose work in a round does not count: excluded ones and test participants."""
    in_force = Exclusion.objects.filter(worker__campaign=campaign, round=work_round, withdrawn_at=None)
    uncounted = Worker.objects.filter(Q(is_test=True) | Q(pk__in=in_force.values("worker")), campaign=campaign)
    return frozenset(uncounted.values_list("pk", flat=True))


def exclusions_of_worker(worker: Worker) -> QuerySet[Exclusion]:
    """Return all of a worker's exclusions, withdrawn ones included, newest first."""
    return Exclusion.objects.filter(worker=worker).select_related("created_by", "withdrawn_by").order_by("-pk")


@dataclass(frozen=True)
class Place:
    """What an account is in a campaign; administrators own them all."""

    campaign: Campaign
    role: Role


def membership_in(user: User, slug: str) -> Place | None:
    """Return what an account is in the campaign of this name; None if it has no part in it, or there is none."""
    if user.is_superuser:
        campaign = Campaign.objects.filter(slug=slug, sandbox_of=None).first()
        return Place(campaign, Role.OWNER) if campaign else None
    member = Membership.objects.select_related("campaign").filter(user=user, campaign__slug=slug).first()
    return Place(member.campaign, Role(member.role)) if member else None


def members_of_campaign(campaign: Campaign) -> QuerySet[Membership]:
    return Membership.objects.filter(campaign=campaign).select_related("user").order_by("user__username")


def expert_campaigns(user: User) -> QuerySet[Campaign]:
    """Return the campaigns in which an account rates as an expert."""
    rates = Membership.objects.filter(user=user, role=Role.EXPERT)
    return Campaign.objects.filter(pk__in=rates.values("campaign"), sandbox_of=None).order_by("name")


def is_expert_id(campaign: Campaign, worker_id: str) -> bool:
    """Whether an id that accounts are given stands for one that is an expert of the campaign now."""
    experts = Membership.objects.filter(campaign=campaign, role=Role.EXPERT, user__is_active=True)
    return worker_id in {account_id(pk) for pk in experts.values_list("user_id", flat=True)}


def expert_campaign(user: User, slug: str) -> Campaign | None:
    return expert_campaigns(user).filter(slug=slug).first()


def open_invitations(campaign: Campaign) -> QuerySet[Invitation]:
    """Return the invitations that still work, the one that ends first at the head."""
    waiting = Invitation.objects.filter(
        campaign=campaign, accepted_at=None, revoked_at=None, ends_at__gt=database_now()
    )
    return waiting.select_related("created_by").order_by("ends_at", "pk")
