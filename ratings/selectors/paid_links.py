"""Query the links whose people are paid."""

from django.db.models import Exists, OuterRef

from crowd.models import Campaign, Enrolment, JoinLink, PastVisit
from crowd.selectors.progress import links_of_round


def paid_links(campaign: Campaign, work_round: str) -> list[JoinLink]:
    """Return the links of a round but for test links, those with people first, and of these the newest first."""
    came = Exists(Enrolment.objects.filter(link=OuterRef("pk"))) | Exists(PastVisit.objects.filter(link=OuterRef("pk")))
    links = links_of_round(campaign, work_round).filter(is_test=False).annotate(has_people=came)
    return list(links.order_by("-has_people", "-pk"))
