"""What participants read of a judgement task: the heading of its page and what a link offers."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from common.words import Words

ORIGINAL, SHORTENED = _("The original"), _("The shortened text")
RATING = _("Rating texts")
# Translators: after “You will”, in a consent text.
RATING_AGREED = _("rate shortened texts")


def _rate_texts(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("rate up to %(n)s shortened text", "rate up to %(n)s shortened texts", tasks)


def _mark_errors(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("mark the errors in up to %(n)s text", "mark the errors in up to %(n)s texts", tasks)


def _summarise_texts(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext(
        "summarise %(n)s text, and come back on another day for a quiz",
        "summarise %(n)s texts, and come back on another day for quizzes",
        tasks,
    )


def _choose_parts(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("summarise up to %(n)s text", "summarise up to %(n)s texts", tasks)


def _take_quizzes(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("take %(n)s quiz", "take %(n)s quizzes", tasks)


def _rank_texts(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("put the texts of up to %(n)s set in order", "put the texts of up to %(n)s sets in order", tasks)


def _score_texts(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("give up to %(n)s text from 1 to 5 points", "give up to %(n)s texts from 1 to 5 points", tasks)


def _link_sentences(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext(
        "link the sentences of up to %(n)s summary to those of its text",
        "link the sentences of up to %(n)s summaries to those of their texts",
        tasks,
    )


def _find_facts(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("look for facts in up to %(n)s text", "look for facts in up to %(n)s texts", tasks)


def _mark_shared(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext(
        "mark what the texts of up to %(n)s set have in common",
        "mark what the texts of up to %(n)s sets have in common",
        tasks,
    )


def _find_units(tasks: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("look for statements in up to %(n)s text", "look for statements in up to %(n)s texts", tasks)


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
    title: Words = RATING
    """What stands in the header of every page of the round."""
    agreed: Callable[[int], str] = _rate_texts
    """What people agree to do, in a consent text."""
    agreed_of_experts: Words = RATING_AGREED
    guidelines: Words = ""
    """What people of the round read first, in Markdown, if it is not what staff wrote for raters."""


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


def _texts_to_summarise(tasks: int) -> str:
    return ngettext(
        "You will summarise %(n)s text, and come back on another day for a quiz.",
        "You will summarise %(n)s texts, and come back on another day for quizzes.",
        tasks,
    )


def _parts_to_choose(tasks: int) -> str:
    return ngettext("You will summarise %(n)s text.", "You will summarise up to %(n)s texts.", tasks)


def _quizzes_to_take(tasks: int) -> str:
    return ngettext("You will take %(n)s quiz.", "You will take %(n)s quizzes.", tasks)


def _answers_to_mark(tasks: int) -> str:
    return ngettext(
        "You will mark the answers to %(n)s question.", "You will mark the answers to up to %(n)s questions.", tasks
    )


def _sets_to_rank(tasks: int) -> str:
    return ngettext(
        "You will put the texts of %(n)s set in order, from best to worst.",
        "You will put the texts of up to %(n)s sets in order, from best to worst.",
        tasks,
    )


def _texts_to_score(tasks: int) -> str:
    return ngettext(
        "You will give %(n)s text from 1 to 5 points.", "You will give up to %(n)s texts from 1 to 5 points.", tasks
    )


def _summaries_to_link(tasks: int) -> str:
    return ngettext(
        "You will link the sentences of %(n)s summary to those of its text.",
        "You will link the sentences of up to %(n)s summaries to those of their texts.",
        tasks,
    )


def _texts_with_facts(tasks: int) -> str:
    return ngettext("You will look for facts in %(n)s text.", "You will look for facts in up to %(n)s texts.", tasks)


def _sets_to_compare(tasks: int) -> str:
    return ngettext(
        "You will mark what the texts of %(n)s set have in common.",
        "You will mark what the texts of up to %(n)s sets have in common.",
        tasks,
    )


def _texts_with_units(tasks: int) -> str:
    return ngettext(
        "You will look for statements in %(n)s text.", "You will look for statements in up to %(n)s texts.", tasks
    )


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
SUMMARISE = TaskWords(
    heading_of_one=_("Choose what matters most"),
    heading=_("Choose what matters most"),
    offer=_texts_to_summarise,
    offer_of_experts=_("You will summarise texts."),
    agreed=_summarise_texts,
    title=_("Summarising texts"),
)
CHOOSE_PARTS = replace(SUMMARISE, offer=_parts_to_choose, agreed=_choose_parts)
MARKING_GUIDELINES = _(
    "### Your task\n\n"
    "Other people answered questions in a few words. You give marks for what they wrote.\n\n"
    "- **Compare each answer with what a right answer says.** Other words for the same thing are right, too.\n"
    "- **Give 2 marks to a right answer and 0 to a wrong one.** What is right in part gets something between.\n"
    "- **Spelling and grammar do not matter** as long as you can see what is meant."
)
MARK_ANSWERS = TaskWords(
    heading_of_one=_("Mark the answers"),
    heading=_("Mark the answers"),
    offer=_answers_to_mark,
    offer_of_experts=_("You will mark short answers to questions."),
    agreed_of_experts=_("mark short answers to questions"),
    title=_("Marking answers"),
    guidelines=MARKING_GUIDELINES,
)
TAKE_QUIZZES = TaskWords(
    heading_of_one=_("Quiz"),
    heading=_("Quizzes"),
    offer=_quizzes_to_take,
    offer_of_experts=_("You will take quizzes."),
    agreed=_take_quizzes,
    title=_("Quiz"),
)
RANK_TEXTS = TaskWords(
    heading_of_one=_("Rank the texts"),
    heading=_("Rank the texts"),
    offer=_sets_to_rank,
    offer_of_experts=_("You will put texts in order, from best to worst."),
    agreed=_rank_texts,
)
SCORE_TEXTS = TaskWords(
    heading_of_one=_("Give the text its points"),
    heading=_("Give texts their points"),
    offer=_texts_to_score,
    offer_of_experts=_("You will give texts from 1 to 5 points."),
    agreed=_score_texts,
)
LINK_SENTENCES = TaskWords(
    heading_of_one=_("Link the sentences"),
    heading=_("Link the sentences"),
    offer=_summaries_to_link,
    offer_of_experts=_("You will link the sentences of summaries to those of their texts."),
    agreed=_link_sentences,
)
FIND_FACTS = TaskWords(
    heading_of_one=_("Find the facts"),
    heading=_("Find the facts"),
    offer=_texts_with_facts,
    offer_of_experts=_("You will look for facts in texts."),
    agreed=_find_facts,
)
MARK_SHARED = TaskWords(
    heading_of_one=_("Mark what the texts say"),
    heading=_("Mark what the texts say"),
    offer=_sets_to_compare,
    offer_of_experts=_("You will mark what texts have in common."),
    agreed=_mark_shared,
)
FIND_UNITS = TaskWords(
    heading_of_one=_("Find what the text says"),
    heading=_("Find what the text says"),
    offer=_texts_with_units,
    offer_of_experts=_("You will look for statements in texts."),
    agreed=_find_units,
)
