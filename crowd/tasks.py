"""Registry of the judgement tasks: what a rater judges at once, and what the rooms have to know of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from common.words import Words
from crowd.task_words import (
    CHOOSE_PARTS,
    COMPARE_PAIRS,
    FIND_FACTS,
    FIND_UNITS,
    LINK_SENTENCES,
    MARK_ANSWERS,
    MARK_ERRORS,
    MARK_SHARED,
    RANK_TEXTS,
    RATE_ANSWERS,
    RATE_TEXTS,
    SCORE_TEXTS,
    SUMMARISE,
    TAKE_QUIZZES,
    TaskWords,
)

RATE = "rate"
ROUNDS = ("edit", RATE, "expert")
"""The keys of the rounds, which campaigns name; they ask this registry, so it does not import them."""


@dataclass(frozen=True, kw_only=True)
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
    texts: int = 0
    """How many of the campaign's texts are judged at once; none of a task with material of its own."""
    subject: str = "target"
    source: str = "target__source"
    asks_preference: bool = False
    fits_default_scales: bool = True
    things: Words
    """What staff read after the number of subjects that were judged."""
    in_cards: str
    """How the card of a release says it, after "Raters judged"."""
    words: TaskWords
    completes_sources: bool = False
    shows_differences: bool = True
    """Whether a page can mark what a text and its source do not share."""
    by_design: bool = False
    """Whether each person gets the pieces of work that a row of a design says, the same in editor and rater round."""
    usual_words: int = 0
    """How many words a text has at most, by a rule of those who first set such a task; 0 if there is none."""
    draws_arms: bool = False
    """Whether the pieces of work can be of different arms, such as with and without a reference."""
    one_of_a_source: bool = False
    """Whether nobody gets more than one line of material of those about the same source; a row says which."""
    words_of_rounds: Mapping[str, TaskWords] = field(default_factory=dict, hash=False)
    """What participants read in the rounds beside the raters' in which the task has a part, if it has material."""

    @property
    def rounds(self) -> tuple[str, ...]:
        """The rounds in which people do a part of the task, on pages of its own, in the order of a study."""
        own = {RATE, *self.words_of_rounds} if self.has_material else set()
        return tuple(each for each in ROUNDS if each in own)

    def words_in(self, work_round: str) -> TaskWords:
        return self.words_of_rounds.get(work_round, self.words)

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
    fits_default_scales=False,
    things=_("answers"),
    in_cards="one answer to a question at a time, on scales",
    words=RATE_ANSWERS,
    completes_sources=True,
    shows_differences=False,
    usual_words=250,  # the longest summary at TAC 2008, as in Mithun et al. (2012)
)
SPANS = JudgementTask(
    key="spans",
    name=_("errors, marked in a text"),
    things=_("texts"),
    in_cards="errors, marked in a text",
    words=MARK_ERRORS,
    draws_arms=True,
)
QUIZ = JudgementTask(
    key="quiz",
    name=_("a quiz on texts, with or without summaries"),
    things=_("quizzes"),
    in_cards="quizzes on texts, with or without summaries",
    words=TAKE_QUIZZES,
    words_of_rounds={"edit": SUMMARISE, "expert": MARK_ANSWERS},
    by_design=True,
)
EXTRACT = JudgementTask(
    key="extract",
    name=_("a summary, chosen from the parts of a text"),
    things=_("texts"),
    in_cards="a text at a time, of which they chose parts as a summary",
    words=CHOOSE_PARTS,
)
RANKING = JudgementTask(
    key="ranking",
    name=_("several texts from the same sentences, ranked"),
    things=_("sets of texts"),
    in_cards="several texts from the same sentences, ranked",
    words=RANK_TEXTS,
)
ABSOLUTE = JudgementTask(
    key="absolute",
    name=_("one text at a time, from 1 to 5, after a reference that was read before"),
    things=_("texts"),
    in_cards="one text at a time, from 1 to 5, after a reference",
    words=SCORE_TEXTS,
    draws_arms=True,
    one_of_a_source=True,
)
LINKS = JudgementTask(
    key="links",
    name=_("sentences of a summary, linked to those of its text"),
    things=_("summaries"),
    in_cards="sentences of a summary, linked to those of its text",
    words=LINK_SENTENCES,
)
FACTOIDS = JudgementTask(
    key="factoids",
    name=_("facts of a source, looked for in a text"),
    things=_("texts"),
    in_cards="which facts of its source a text has",
    words=FIND_FACTS,
)
SCU = JudgementTask(
    key="scu",
    name=_("units of content, marked in several texts"),
    things=_("sets of texts"),
    in_cards="units of content, marked in several texts",
    words=MARK_SHARED,
)
PEER = JudgementTask(
    key="peer",
    name=_("units of content, looked for in a text"),
    things=_("texts"),
    in_cards="which units of content a text has",
    words=FIND_UNITS,
)
TASKS = (SINGLE, PAIR, ANSWER, SPANS, QUIZ, EXTRACT, RANKING, ABSOLUTE, LINKS, FACTOIDS, SCU, PEER)


def task_choices() -> list[tuple[str, Words]]:
    return [(task.key, task.name) for task in TASKS]


def task_of(key: object) -> JudgementTask:
    """Return the task that a setting names, saved or not; a setting that is missing or wrong reads as the default."""
    return next((task for task in TASKS if task.key == key), SINGLE)
