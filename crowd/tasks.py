"""Registry of the judgement tasks: what a rater judges at once, and what the rooms have to know of it."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from common.words import Words
from crowd.task_words import COMPARE_PAIRS, LINK_SENTENCES, MARK_ERRORS, RATE_ANSWERS, RATE_TEXTS, TaskWords


@dataclass(frozen=True)
class JudgementTask:
    """One kind of task that a campaign can give its raters.

    `subject` is the relation of a rating that holds what is judged, and `source` the path from the rating to the
    source. With `asks_preference`, every scale asks which text is better and has the same three answers; otherwise each
    has points of its own. `fits_default_scales` says whether a campaign can do without scales of its own. What a task
    without texts judges is imported for it as material, and the room `protocols` has all else of it. With
    `completes_sources`, whoever judged a text of a source is soon given its others: tests of paired texts need the same
    people.
    """

    key: str
    name: Words
    texts: int
    """How many of the campaign's texts are judged at once; none of a task with material of its own."""
    subject: str
    source: str
    asks_preference: bool
    fits_default_scales: bool
    things: Words
    """What staff read after the number of subjects that were judged."""
    in_cards: str
    """How the card of a release says it, after "Raters judged"."""
    words: TaskWords
    completes_sources: bool = False
    shows_differences: bool = True
    """Whether a page can mark what a text and its source do not share."""

    @property
    def has_material(self) -> bool:
        """Whether what is judged is imported for the task, instead of being texts of the campaign."""
        return self.texts == 0

    @property
    def judges_single_texts(self) -> bool:
        """Whether the points are about one text, so that it has a mean, an item of its own and a place in files."""
        return self.texts == 1

    @property
    def makes_pairs(self) -> bool:
        """Whether each new text is paired with others of its source, and the order shown is drawn."""
        return self.subject == "pair"


SINGLE = JudgementTask(
    key="single",
    name=_("one compression at a time, on scales"),
    texts=1,
    subject="target",
    source="target__source",
    asks_preference=False,
    fits_default_scales=True,
    things=_("texts"),
    in_cards="one text at a time, on scales",
    words=RATE_TEXTS,
)
PAIR = JudgementTask(
    key="pair",
    name=_("two compressions side by side: which is better"),
    texts=2,
    subject="pair",
    source="pair__first__source",
    asks_preference=True,
    fits_default_scales=False,
    things=_("pairs"),
    in_cards="two texts side by side",
    words=COMPARE_PAIRS,
)
ANSWER = JudgementTask(
    key="answer",
    name=_("one answer to a question at a time, on scales"),
    texts=1,
    subject="target",
    source="target__source",
    asks_preference=False,
    fits_default_scales=False,
    things=_("answers"),
    in_cards="one answer to a question at a time, on scales",
    words=RATE_ANSWERS,
    completes_sources=True,
    shows_differences=False,
)
SPANS = JudgementTask(
    key="spans",
    name=_("errors, marked in a text"),
    texts=0,
    subject="target",
    source="target__source",
    asks_preference=False,
    fits_default_scales=True,
    things=_("texts"),
    in_cards="errors, marked in a text",
    words=MARK_ERRORS,
)
LINKS = JudgementTask(
    key="links",
    name=_("sentences of a summary, linked to those of its text"),
    texts=0,
    subject="target",
    source="target__source",
    asks_preference=False,
    fits_default_scales=True,
    things=_("summaries"),
    in_cards="sentences of a summary, linked to those of its text",
    words=LINK_SENTENCES,
)
TASKS = (SINGLE, PAIR, ANSWER, SPANS, LINKS)


def task_choices() -> list[tuple[str, Words]]:
    return [(task.key, task.name) for task in TASKS]


def task_of(key: object) -> JudgementTask:
    """Return the task that a setting names, saved or not; a setting that is missing or wrong reads as the default."""
    return next((task for task in TASKS if task.key == key), SINGLE)
