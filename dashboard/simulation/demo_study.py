"""The demonstration's study: a pilot, a paid round, experts, and three releases, by simulated people."""

from collections.abc import Iterable

from django.contrib.auth.models import User

from common.jobs import Progress
from compressions.services.retirement import source_retire
from corpus.models import Release
from corpus.services.building import release_build
from corpus.services.release import release_create, release_request
from crowd.models import Campaign, JoinLink, Outcome, Round
from crowd.services.links import join_link_create, join_link_set_active
from crowd.services.payments import visits_paid_set
from dashboard.simulation.crowd import crowd_simulate, experts_simulate
from dashboard.simulation.demo import EXPERTS, SIMULATED
from measures.quality_control.worker_filter import FilterParameters
from ratings.services.quality import quality_apply

ONE_IN_THE_PILOT = 5
RETIRED = "119"


def demo_study(*, campaign: Campaign, owner: User, progress: Progress, later: bool) -> Release:
    """Let people work, and freeze three releases; return the last one. With `later`, a worker writes the first two.

    The first has the pilot and the second everything. The third leaves out a text that was retired, and whom the worker
    filter excludes.
    """
    editors, raters, seed = SIMULATED["editors"], SIMULATED["raters"], SIMULATED["seed"]
    first = editors // ONE_IN_THE_PILOT, raters // ONE_IN_THE_PILOT
    links = {each: campaign.links.get(round=each) for each in (Round.EDIT, Round.RATE)}
    pilot = [
        join_link_create(
            campaign=campaign,
            work_round=each,
            platform_key="direct",
            name=f"Pilot, {str(each.label).lower()}",
            user=owner,
        )
        for each in links
    ]
    _set_active(links.values(), False, owner)
    crowd_simulate(campaign=campaign, editors=first[0], raters=first[1], seed=seed, progress=progress)
    _set_active(pilot, False, owner)
    _set_active(links.values(), True, owner)
    _mark_as_paid(pilot, owner)
    _freeze(campaign, owner, progress, later=later)
    rest = range(first[0] + 1, editors + 1), range(first[1] + 1, raters + 1)
    crowd_simulate(campaign=campaign, editors=rest[0], raters=rest[1], seed=seed, progress=progress)
    _mark_as_paid([links[Round.EDIT]], owner)
    experts_simulate(campaign=campaign, **EXPERTS, seed=seed, editors=editors)
    _freeze(campaign, owner, progress, later=later)
    quality_apply(campaign=campaign, parameters=FilterParameters())
    source = campaign.sources.get(source_id=RETIRED)
    source_retire(source=source, note="Retired to show what releases say of it.", work_is_kept=False, user=owner)
    return _freeze(campaign, owner, progress, later=False)


def _set_active(links: Iterable[JoinLink], is_active: bool, owner: User) -> None:
    for link in links:
        join_link_set_active(link=link, is_active=is_active, user=owner)


def _mark_as_paid(links: Iterable[JoinLink], owner: User) -> None:
    for link in links:
        paid = link.enrolments.filter(outcome__in=(Outcome.DONE, Outcome.NO_WORK))
        visits_paid_set(link=link, numbers=set(paid.values_list("worker__number", flat=True)), is_paid=True, user=owner)


def _freeze(campaign: Campaign, owner: User, progress: Progress, *, later: bool) -> Release:
    if later:
        return release_request(campaign=campaign, user=owner)
    release = release_create(campaign=campaign, user=owner)
    release_build(release=release, progress=progress)
    return release
