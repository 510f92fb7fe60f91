"""What participants read of a judgement task: the heading of its page and what a link offers."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from common.words import Words

ORIGINAL, SHORTENED = _("The original"), _("The shortened text")


def _rate_texts(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("rate up to %(n)s shortened text", "rate up to %(n)s shortened texts", tasks)


def _mark_errors(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("mark the errors in up to %(n)s text", "mark the errors in up to %(n)s texts", tasks)


@dataclass(frozen=True)
class TaskWords:
    """What a task is called.

    `heading_of_one` stands over one task and `heading` over several, `source` and `text` over what is shown in a task
    of one text; `offer` takes the number of tasks, and so does `agreed`, which stands in a consent text.
    """

    heading_of_one: Words
    heading: Words
    offer: Callable[[int], str]
    offer_of_experts: Words
    source: Words = ORIGINAL
    text: Words = SHORTENED
    agreed: Callable[[int], str] = _rate_texts


def _texts_to_rate(tasks: int) -> str:
    return ngettext("You will rate %(n)s shortened text.", "You will rate up to %(n)s shortened texts.", tasks)


def _pairs_to_compare(tasks: int) -> str:
    return ngettext(
        "You will compare %(n)s pair of shortened texts.",
        "You will compare up to %(n)s pairs of shortened texts.",
        tasks,
    )


def _answers_to_rate(tasks: int) -> str:
    return ngettext(
        "You will rate %(n)s answer to a question.", "You will rate up to %(n)s answers to questions.", tasks
    )


def _texts_to_mark(tasks: int) -> str:
    return ngettext("You will mark the errors in %(n)s text.", "You will mark the errors in up to %(n)s texts.", tasks)


RATE_TEXTS = TaskWords(
    heading_of_one=_("Rate the shortened text"),
    heading=_("Rate the shortened texts"),
    offer=_texts_to_rate,
    offer_of_experts=_("You will rate shortened texts."),
)
COMPARE_PAIRS = TaskWords(
    heading_of_one=_("Compare the two shortened texts"),
    heading=_("Compare the shortened texts"),
    offer=_pairs_to_compare,
    offer_of_experts=_("You will compare pairs of shortened texts."),
)
RATE_ANSWERS = TaskWords(
    heading_of_one=_("Rate the answer"),
    heading=_("Rate the answers"),
    offer=_answers_to_rate,
    offer_of_experts=_("You will rate answers to questions."),
    source=_("Question"),
    text=_("Answer"),
)
MARK_ERRORS = TaskWords(
    heading_of_one=_("Mark the errors"),
    heading=_("Mark the errors"),
    offer=_texts_to_mark,
    offer_of_experts=_("You will mark the errors in texts."),
    agreed=_mark_errors,
)
