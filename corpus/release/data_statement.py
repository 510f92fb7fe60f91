"""What only the researchers know of a corpus and its study: asked once, kept, and never guessed."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from common.typed_text import stacked_marks_words
from common.words import Words
from measures.text.normalization import stacked_marks

MAX_ANSWER_LENGTH = 5_000
Statement = Mapping[str, str]
"""The answers by the keys of their questions. A question without an answer is not in it."""


@dataclass(frozen=True)
class StatementQuestion:
    """A question to the researchers. `in_lines` says that each line of the answer is a thing of its own.

    `heading` is what stands above the answer in English files. One with `choices` takes nothing else.
    """

    key: str
    heading: str
    label: Words
    help: Words
    in_lines: bool = False
    choices: tuple[str, ...] = ()


YES_NO = ("yes", "no")
ABOUT_CORPUS = (
    StatementQuestion(
        "creators",
        "Creators",
        gettext_lazy("Who made this corpus?"),
        gettext_lazy("One person in a line, as they want to be cited."),
        in_lines=True,
    ),
    StatementQuestion(
        "publisher",
        "Publisher",
        gettext_lazy("Which organisation publishes it?"),
        gettext_lazy("Such as a university or a lab."),
    ),
    StatementQuestion(
        "origins",
        "Where the texts come from",
        gettext_lazy("Where do the texts come from?"),
        gettext_lazy("One origin in a line: what it is, its address, and under which licence."),
        in_lines=True,
    ),
    StatementQuestion(
        "keywords",
        "Keywords",
        gettext_lazy("By which words should it be found?"),
        gettext_lazy("One in a line, such as headlines."),
        in_lines=True,
    ),
    StatementQuestion(
        "uses",
        "Uses",
        gettext_lazy("What is it meant for, and what not?"),
        gettext_lazy("Uses that you have tried, and uses that you advise against."),
    ),
    StatementQuestion(
        "limitations",
        "Limitations",
        gettext_lazy("What can’t be learned from it?"),
        gettext_lazy("Such as kinds of texts, languages or people that are not in it."),
    ),
    StatementQuestion(
        "biases",
        "Biases",
        gettext_lazy("Which biases do you know of?"),
        gettext_lazy("In the choice of texts, and in who wrote and rated."),
    ),
    StatementQuestion(
        "sensitive",
        "Personal and sensitive information",
        gettext_lazy("Do the texts say anything personal or sensitive?"),
        gettext_lazy("Such as names, health or beliefs, and what you did about it."),
    ),
    StatementQuestion(
        "impact",
        "Social impact",
        gettext_lazy("What may it do to people?"),
        gettext_lazy("Good and bad that may come of its use."),
    ),
    StatementQuestion(
        "demographics",
        "Who the participants are",
        gettext_lazy("What do you know of the participants?"),
        gettext_lazy("Such as first language, country or age, in groups of five or more. Précis does not ask them."),
    ),
    StatementQuestion(
        "maintenance",
        "Maintenance",
        gettext_lazy("Who looks after it, and for how long?"),
        gettext_lazy("Where people can report mistakes, and what you do then."),
    ),
)
ABOUT_STUDY = (
    StatementQuestion(
        "report",
        "Report of the study",
        gettext_lazy("Where is the study reported?"),
        gettext_lazy("Such as a paper’s title and address."),
    ),
    StatementQuestion(
        "filled_by",
        "Who answers",
        gettext_lazy("Who answers these questions?"),
        gettext_lazy("One thing in a line: your name, your affiliation, your e-mail address. They are published."),
        in_lines=True,
    ),
    StatementQuestion(
        "contact",
        "Contact",
        gettext_lazy("Whom can readers write to?"),
        gettext_lazy("One thing in a line: name, affiliation, e-mail address. They are published."),
        in_lines=True,
    ),
    StatementQuestion(
        "selection",
        "How the texts were chosen",
        gettext_lazy("How did you choose the texts?"),
        gettext_lazy("Such as at random, by hand, or so that each genre has as many."),
    ),
    StatementQuestion(
        "power",
        "Statistical power",
        gettext_lazy("How did you decide how many ratings you need?"),
        gettext_lazy("One thing in a line: the method, its result, and where its code is."),
        in_lines=True,
    ),
    StatementQuestion(
        "expertise",
        "Experts among the raters",
        gettext_lazy("Were the raters experts in what the texts are about?"),
        gettext_lazy("People of a crowd are not asked."),
        choices=YES_NO,
    ),
    StatementQuestion(
        "acquainted",
        "Raters known to the authors",
        gettext_lazy("Did you know any of the raters?"),
        gettext_lazy("Such as colleagues or students."),
        choices=YES_NO,
    ),
    StatementQuestion(
        "authors_rated",
        "Authors among the raters",
        gettext_lazy("Did any of you rate?"),
        gettext_lazy("People who designed the study, or who made a system in it."),
        choices=YES_NO,
    ),
    StatementQuestion(
        "preregistration",
        "Preregistration",
        gettext_lazy("Where is the study preregistered?"),
        gettext_lazy("Its address; or no, if it is not."),
    ),
    StatementQuestion(
        "approval",
        "Ethical approval",
        gettext_lazy("Which committee approved the study?"),
        gettext_lazy("With the number of the approval; or why none was needed."),
    ),
    StatementQuestion(
        "personal",
        "Personal data",
        gettext_lazy("Does the study hold personal data?"),
        gettext_lazy("As Article 4 of the GDPR defines them: in the texts, or about participants."),
        choices=YES_NO,
    ),
    StatementQuestion(
        "special",
        "Special categories of data",
        gettext_lazy("Does it hold data of special categories?"),
        gettext_lazy("As Article 9 of the GDPR lists them, such as health or beliefs."),
        choices=YES_NO,
    ),
    StatementQuestion(
        "assessments",
        "Assessments of impact",
        gettext_lazy("Which assessments of its impact were made?"),
        gettext_lazy("Such as of data protection; or none."),
    ),
    StatementQuestion(
        "criteria",
        "Standard names of the scales",
        gettext_lazy("What are your scales called elsewhere?"),
        gettext_lazy("One scale in a line, with its name in a taxonomy of criteria, such as Grammar: Grammaticality."),
        in_lines=True,
    ),
)
QUESTIONS = ABOUT_CORPUS + ABOUT_STUDY
_KNOWN = {question.key for question in QUESTIONS}


def statement_checked(given: Mapping[str, object]) -> dict[str, str]:
    """Return the answers that are given; raise Refused for an unknown question, and for what cannot be stored."""
    if unknown := sorted(map(str, set(given) - _KNOWN)):
        words = _("There is no such question about the corpus: %(names)s. There are: %(known)s.")
        raise Refused(words % {"names": ", ".join(unknown)[:100], "known": ", ".join(each.key for each in QUESTIONS)})
    answers = {}
    for question in QUESTIONS:
        answer = given.get(question.key) or ""
        if not isinstance(answer, str):
            raise Refused(_("%(question)s The answer must be text.") % {"question": question.label})
        if len(answer) > MAX_ANSWER_LENGTH:
            words = _("%(question)s Use at most %(n)s characters.")
            raise Refused(words % {"question": question.label, "n": f"{MAX_ANSWER_LENGTH:,}"})
        if (place := stacked_marks(answer)) is not None:
            raise Refused(f"{question.label} {stacked_marks_words(place)}")
        if "\x00" in answer:
            words = _("%(question)s There is a character that cannot be stored.")
            raise Refused(words % {"question": question.label})
        if question.choices and answer and answer not in question.choices:
            words = _("%(question)s Answer with one of these: %(choices)s.")
            raise Refused(words % {"question": question.label, "choices": ", ".join(question.choices)})
        if answer.strip():
            answers[question.key] = answer.strip().replace("\r\n", "\n")
    return answers


def lines_of(statement: Statement, key: str) -> list[str]:
    """Return the lines of an answer; none if the question was not answered."""
    return [line.strip() for line in statement.get(key, "").splitlines() if line.strip()]
