"""The files of a quiz study together, and what is wrong with them: what no single line shows."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from django.utils.translation import gettext as _

from crowd.models import Campaign
from protocols.models import Material, Sound
from protocols.quiz.material import ANNOTATED, QUESTION, SUMMARY, TEXT, TYPES
from protocols.quiz.settings import AUTOMATIC, Condition, conditions_of
from protocols.quiz.sounds import LATE, with_sound
from protocols.task import Settings

Body = Mapping[str, Any]


@dataclass(frozen=True)
class QuizFiles:
    """Texts and questions by their ids, the questions of each text, and programs' summaries by text and condition."""

    texts: Mapping[str, Body]
    questions: Mapping[str, Body]
    summaries: Mapping[tuple[str, str], list[str]]
    warm_up: str
    everyone_summarises: bool
    sounds: Mapping[str, Sound]
    annotated: Mapping[tuple[str, str], list[str]]
    """Summaries by annotators who know of no quiz, by text and annotator."""

    @classmethod
    def of(cls, campaign: Campaign, settings: Settings) -> Self:
        rows = list(
            Material.objects.filter(campaign=campaign, task__in=(TEXT, QUESTION, SUMMARY, ANNOTATED)).order_by("pk")
        )
        return cls(
            {each.name: each.body for each in rows if each.task == TEXT},
            {each.name: each.body for each in rows if each.task == QUESTION},
            {(each.name, each.condition): each.body["utterances"] for each in rows if each.task == SUMMARY},
            settings["warm_up"],
            settings["everyone_summarises"],
            sounds={each.name: each for each in Sound.objects.filter(campaign=campaign)},
            annotated={(each.name, each.condition): each.body["utterances"] for each in rows if each.task == ANNOTATED},
        )

    @property
    def of_design(self) -> list[str]:
        """The texts that the design is of: all but that of the warm-up."""
        return [name for name in self.texts if name != self.warm_up]

    def questions_of(self, text: str, *, priming: bool = False) -> list[dict[str, Any]]:
        """Return the questions of a text, each with its id; those that only prime are in no quiz."""
        own = ((name, body) for name, body in self.questions.items() if body["text_id"] == text)
        return [{"id": name, **body} for name, body in own if priming or not body["priming_only"]]

    def utterances_of(self, text: str, chosen: list[str]) -> list[dict[str, Any]]:
        wanted = set(chosen)
        return [each for each in self.texts[text]["utterances"] if each["id"] in wanted]

    @property
    def with_sounds(self) -> Self:
        """The same, with the bytes of sounds in the texts that have one."""
        heard = {
            name: with_sound(body, self.sounds[body["audio"]]) for name, body in self.texts.items() if "audio" in body
        }
        return replace(self, texts={**self.texts, **heard})

    def faults(self, settings: Settings) -> list[str]:
        """Return why no work can be made of the files yet; nothing if it can."""
        return list(self._faults(settings, conditions_of(settings)))

    def _faults(self, settings: Settings, conditions: tuple[Condition, ...]) -> Iterator[str]:
        if len(self.of_design) != len(conditions):
            words = _(
                "There are %(texts)s texts besides the warm-up, and %(conditions)s conditions: as many are needed."
            )
            yield words % {"texts": len(self.of_design), "conditions": len(conditions)}
        if self.warm_up and self.warm_up not in self.texts:
            yield _("There is no text %(text)s for the warm-up.") % {"text": self.warm_up}
        for name, body in self.questions.items():
            if body["text_id"] not in self.texts:
                yield _("Question %(question)s: there is no text %(text)s.") % {
                    "question": name,
                    "text": body["text_id"],
                }
            elif body["type"] in (1, 2) and not self.texts[body["text_id"]]["slides"]:
                words = _("Question %(question)s: without slides a text has no questions of types 1 and 2.")
                yield words % {"question": name}
        for name, body in self.texts.items():
            if not self.questions_of(name):
                yield _("Text %(text)s has no question.") % {"text": name}
            if not can_be_chosen(body, settings):
                yield too_coarse(name, settings)
        yield from self._faults_of_sounds()
        yield from self._faults_of_summaries({each.key for each in conditions if each.kind == AUTOMATIC})

    def _faults_of_sounds(self) -> Iterator[str]:
        for name, body in self.texts.items():
            if "audio" not in body:
                continue
            sound = self.sounds.get(body["audio"])
            if sound is None:
                words = _("Text %(text)s: there is no sound %(audio)s yet.")
                yield words % {"text": name, "audio": body["audio"]}
            elif (last := max(each["end"] for each in body["utterances"])) > sound.seconds + LATE:
                words = _("Text %(text)s: an utterance ends at second %(end)s, and %(audio)s at second %(seconds)s.")
                at = {"end": f"{last:g}", "seconds": f"{sound.seconds:.1f}"}
                yield words % {"text": name, "audio": body["audio"], **at}

    def _faults_of_summaries(self, automatic: set[str]) -> Iterator[str]:
        for (text, condition), chosen in self.summaries.items():
            about = {"text": text, "condition": condition}
            if condition not in automatic:
                yield _("Summary of %(text)s: there is no condition %(condition)s of the kind automatic.") % about
            if text not in self.texts:
                yield _("There is a summary of text %(text)s, and no such text.") % about
            elif strange := set(chosen) - {each["id"] for each in self.texts[text]["utterances"]}:
                words = _("Summary of %(text)s, %(condition)s: the text has no utterance %(strange)s.")
                yield words % {**about, "strange": ", ".join(sorted(strange)[:5])}
        for condition in sorted(automatic):
            for text in self.of_design:
                if (text, condition) not in self.summaries:
                    words = _("There is no summary of %(text)s for the condition %(condition)s.")
                    yield words % {"text": text, "condition": condition}

    def warnings(self) -> list[str]:
        """Return what is likely to be a slip, but can be meant."""
        found = {name: Counter(each["type"] for each in self.questions_of(name)) for name in self.of_design}
        if len({tuple(counts[each] for each in TYPES) for counts in found.values()}) <= 1:
            return []
        told = (f"{name}: {', '.join(str(counts[each]) for each in TYPES)}" for name, counts in found.items())
        words = _("The texts have unequal numbers of questions of types 1 to 4. %(numbers)s.")
        return [words % {"numbers": "; ".join(told)}]


def too_coarse(name: str, settings: Settings) -> str:
    words = _("Text %(text)s: no choice of its utterances has %(least)s to %(most)s%% of its words.")
    return words % {"text": name, "least": settings["least_percent"], "most": settings["most_percent"]}


def can_be_chosen(text: Body, settings: Settings) -> bool:
    """Whether some of the utterances of a text together have as many words as a summary may have."""
    least, most = bounds(text, settings)
    sums, short_enough = 1, (1 << most + 1) - 1  # a bit for each number of words that some have together
    for each in text["utterances"]:
        sums |= sums << each["words"] & short_enough
    return sums >> least > 0


def bounds(text: Body, settings: Settings) -> tuple[int, int]:
    """Return how many words a summary of a text may have."""
    words = sum(each["words"] for each in text["utterances"])
    return math.ceil(words * settings["least_percent"] / 100), math.floor(words * settings["most_percent"] / 100)
