"""All ranks of all people as a table."""

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext_lazy

from crowd.models import Campaign
from measures.experiments import midranks
from protocols.exports import CSV, Export, ExportForm, table_lines
from protocols.selectors import GivenAnswer, given_answers

COLUMNS = ("person", "set", "place", "name", "kind", "given", "rank", "midrank", "milliseconds", "text")


def _ranks(campaign: Campaign) -> Export:
    return Export(table_lines(COLUMNS, _rows(given_answers(campaign))))


def _rows(given: Iterable[GivenAnswer]) -> Iterator[Sequence[object]]:
    """Yield a line for each name in each answer; names of equal texts have the same place and ranks."""
    for each in given:
        body, answer = each.subject.body, each.answer
        shared = midranks(answer["given"]).tolist()
        time = "" if each.milliseconds is None else each.milliseconds
        for index, text in enumerate(body["hypotheses"]):
            ranks = answer["given"][index], answer["ranks"][index], shared[index]
            place = answer["order"].index(index) + 1
            for name in text["names"]:
                about = each.person, each.subject.name, place, name, body["kinds"][name]
                yield (*about, *ranks, time, text["text"])


FORMS = {"ranks": ExportForm("ranks", gettext_lazy("All ranks (CSV)"), "ranks.csv", CSV, _ranks)}
