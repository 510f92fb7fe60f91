"""Files of campaigns to begin with. Each has guidelines, scales and questions that were written for its task."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from django.utils.translation import gettext_lazy as _

from common.words import Words
from dashboard.campaign_files.reading import LOADER

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Template:
    """A file to begin with: what it is for, and what it does not do."""

    number: int
    key: str
    title: Words
    summary: Words

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.key}.yaml"

    @property
    def content(self) -> bytes:
        return self.path.read_bytes()


TEMPLATES = {
    each.key: each
    for each in (
        Template(
            1,
            "study-2016",
            _("The 2016 study"),
            _(
                "As in Toutanova et al. (2016): five editors make each text at least 25% shorter, and three raters "
                "rate each result for meaning and grammar, 1 to 3. The instructions are ours, not the study’s."
            ),
        ),
        Template(
            2,
            "sentence-simplification",
            _("Sentence simplification"),
            _(
                "Editors rewrite sentences so that more people understand them; raters rate meaning, fluency and "
                "simplicity. Précis cannot allow a result longer than 99% of the original."
            ),
        ),
        Template(
            3,
            "headline",
            _("Headlines"),
            _(
                "Editors write a headline for a short news text, at most 30% of its length; raters say whether it is "
                "true to the text, tells the main point and reads like a headline."
            ),
        ),
        Template(
            4,
            "side-by-side",
            _("Side by side"),
            _(
                "Editors shorten texts; raters see two shortened versions of a text and say which one keeps more of "
                "the meaning and which one reads better."
            ),
        ),
        Template(
            5,
            "three-against-five",
            _("Three points against five"),
            _(
                "Raters are drawn into two arms and rate the same texts for meaning and grammar, on scales of three or "
                "of five points: to see on which people judge better. The pilot of Toutanova et al. (2016), footnote 4."
            ),
        ),
        Template(
            6,
            "error-spans",
            _("Errors, marked in texts"),
            _(
                "Three people mark the errors of each text that you import beside its source, as minor or major, and "
                "then give it a score from 0 to 100, as in ESA. Practice comes with the material."
            ),
        ),
        Template(
            7,
            "question-answering",
            _("Answers to questions"),
            _(
                "Raters see a question and an answer of a system, and rate its content and its coherence from 1 to 5; "
                "they meet the other system’s answer later. After Mithun et al. (2012). Nobody writes texts."
            ),
        ),
        Template(
            8,
            "rank-outputs",
            _("Texts from two sentences, ranked"),
            _(
                "Three people rank all texts that people and systems made from two sentences, with the reference among "
                "them, as in Daumé and Marcu (2004). You import the sets; practice comes with them."
            ),
        ),
        Template(
            9,
            "sentence-communities",
            _("Communities of sentences"),
            _(
                "Three people link each sentence of a summary that you import to the sentences of its text, as in "
                "Murray et al. (2012). The report compares the communities of people with those that algorithms find."
            ),
        ),
        Template(
            10,
            "quiz-study",
            _("A quiz on summaries"),
            _(
                "48 people choose summaries of four texts that you import, and a week later take quizzes on them with "
                "the whole text, their own summary or a program’s: to see what summaries are good for. After McCallum "
                "et al. (2012)."
            ),
        ),
        Template(
            11,
            "factoids",
            _("Facts that texts keep"),
            _(
                "Two people say which facts of a source a text keeps, and how many it adds, as in Daumé and Marcu "
                "(2004). You import texts with sources and facts; the report has precision, recall and F."
            ),
        ),
        Template(
            12,
            "content-units",
            _("Units of content, marked in references"),
            _(
                "Two people mark what several references of a text say, for a pyramid after Nenkova and Passonneau "
                "(2004). Its report gives the material of the next template."
            ),
        ),
        Template(
            13,
            "peer-units",
            _("Units of content, looked for in texts"),
            _("Two people mark the units of the references in other texts, which get their scores by the pyramid."),
        ),
        Template(
            14,
            "sentence-fusion",
            _("One sentence of two"),
            _(
                "Eight editors make one sentence of each pair that you import, as in Daumé and Marcu (2004). Campaigns "
                "of their own, such as “Texts from two sentences, ranked”, take the sentences in."
            ),
        ),
        Template(
            15,
            "points-after-reference",
            _("Points after a reference"),
            _(
                "Three people give each text from 1 to 5 points after a reference that closes once it is read, as in "
                "Daumé and Marcu (2004). A setting leaves the reference out of half of the tasks, to compare."
            ),
        ),
        Template(
            16,
            "chosen-summaries",
            _("Summaries, chosen from texts"),
            _(
                "Three annotators choose the parts of a text that sum it up, from the words alone, as in McCallum et "
                "al. (2012). You import texts; a quiz study holds its summaries against theirs."
            ),
        ),
    )
}


@cache
def consents() -> tuple[str, ...]:
    """Return the consent texts of the templates."""
    files = (yaml.load(each.content, LOADER) for each in TEMPLATES.values())  # noqa: S506 - a safe loader
    return tuple(str(each["settings"]["consent"]) for each in files)
