"""All points of all people as a table, with what their page visits say."""

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext_lazy

from crowd.models import Campaign
from protocols.absolute.task import PAGES
from protocols.exports import CSV, Export, ExportForm, table_lines
from protocols.models import PageVisit
from protocols.selectors import GivenAnswer, given_answers

COLUMNS = ("person", "id", "system", "arm", "points", "reference_seconds", "back_tries", "milliseconds", "text")


def _rows(campaign: Campaign, given: Iterable[GivenAnswer]) -> Iterator[Sequence[object]]:
    of_reference = PageVisit.objects.filter(
        assignment__item__campaign=campaign, page=PAGES[0].key, left_at__isnull=False
    )
    visits = {str(each.assignment_id): each for each in of_reference}
    for each in given:
        about, visit = each.subject, visits.get(each.subject.order)
        seconds, tries = ("", "")
        if visit is not None and visit.left_at is not None:
            seconds, tries = f"{(visit.left_at - visit.opened_at).total_seconds():.1f}", str(visit.back_tries)
        time = "" if each.milliseconds is None else each.milliseconds
        points = each.answer["score"]
        yield (
            each.person,
            about.name,
            about.system,
            each.answer["arm"],
            points,
            seconds,
            tries,
            time,
            about.body["output"],
        )


def _points(campaign: Campaign) -> Export:
    return Export(table_lines(COLUMNS, _rows(campaign, given_answers(campaign))))


FORMS = {"absolute": ExportForm("absolute", gettext_lazy("All points (CSV)"), "absolute.csv", CSV, _points)}
