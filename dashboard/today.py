"""What needs a person of staff now: requests, flags, remarks, and what is wrong with links and the set-up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.words import Words
from compressions.selectors.flags import flags_to_see
from compressions.selectors.writing import remarks_of_campaign
from crowd.models import Campaign, JoinLink
from crowd.selectors.campaigns import open_browser_requests
from crowd.selectors.link_warnings import link_warnings
from crowd.selectors.members import workers_of_tests
from ratings.selectors.gold import gold_records
from ratings.selectors.setup_warnings import setup_warnings


@dataclass(frozen=True)
class Task:
    """Something for a person to do: what there is, and where to do it."""

    words: str
    address: str
    button: Words


def tasks_of_today(campaign: Campaign, links: Sequence[JoinLink]) -> list[Task]:
    """Return what waits for staff of a campaign that is not over, in a fixed number of queries."""
    return [*_of_people(campaign), *_of_links(campaign, links), *_of_set_up(campaign)]


def _at(campaign: Campaign, name: str, *named: object) -> str:
    return reverse(name, args=[campaign.slug, *named])


def _of_people(campaign: Campaign) -> Iterator[Task]:
    if number := open_browser_requests(campaign).count():
        words = ngettext(
            "%(n)s request to continue in another browser.", "%(n)s requests to continue in another browser.", number
        )
        yield Task(words % {"n": f"{number:,}"}, _at(campaign, "crowd:links"), _("Review"))
    if number := flags_to_see(campaign).count():
        words = ngettext(
            "%(n)s flagged compression not looked at yet.", "%(n)s flagged compressions not looked at yet.", number
        )
        address = f"{_at(campaign, 'compressions:flagged')}?state=new"
        yield Task(words % {"n": f"{number:,}"}, address, _("Look at them"))
    if number := remarks_of_campaign(campaign).filter(answered_at=None).count():
        words = ngettext("%(n)s open remark.", "%(n)s open remarks.", number)
        address = f"{_at(campaign, 'compressions:remarks')}?state=open"
        yield Task(words % {"n": f"{number:,}"}, address, _("Read them"))
    if number := _low_on_gold(campaign):
        words = ngettext(
            "%(n)s rater agrees with less than %(percent)s%% of the gold questions.",
            "%(n)s raters agree with less than %(percent)s%% of the gold questions.",
            number,
        )
        address = _at(campaign, "ratings:participants", "rate")
        told = {"n": f"{number:,}", "percent": campaign.gold_warn_percent}
        yield Task(words % told, f"{address}?sort=gold", _("Look at their work"))


def _low_on_gold(campaign: Campaign) -> int:
    if campaign.task.has_material:
        return 0
    tests = set(workers_of_tests(campaign).values_list("pk", flat=True))
    records = gold_records(campaign).items()
    return sum(record.is_low(campaign.gold_warn_percent) for worker, record in records if worker not in tests)


def _of_links(campaign: Campaign, links: Sequence[JoinLink]) -> Iterator[Task]:
    """Yield the links with which something is wrong, with what it is that is told first."""
    for link in links:
        if not link.is_active or link.is_test or not (link.platform.pays or link.platform.credits or link.other_ids):
            continue
        for warning in list(link_warnings(link))[:1]:
            words = _("%(link)s: %(warning)s") % {"link": link.title, "warning": warning}
            yield Task(words, _at(campaign, "crowd:link", link.pk), _("The link"))


def _of_set_up(campaign: Campaign) -> Iterator[Task]:
    for warning in setup_warnings(campaign):
        yield Task(warning.text, _at(campaign, warning.url_name), _("Change this"))
