"""Quiz studies whose effects are known: with scores that are given, or drawn with planted differences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from measures.experiments import latin_rows
from protocols.quiz.study import Closed, Kind, Question, ShortAnswer, Sitting, Study, Summary

CONDITIONS = ("none", "generic", "primed", "automatic")
LECTURES = ("lec1", "lec2", "lec3", "lec4")
PLANTED = {"none": 0.0, "generic": 0.0, "primed": 4.0, "automatic": -6.0}
OF_TEXTS = (-6.0, -2.0, 2.0, 6.0)
OF_PERSON, OF_ERROR, LEVEL = 11.0, 12.0, 48.0
UTTERANCES, CHOSEN = 40, 8
KINDS: tuple[Kind, Kind] = ("short", "blank")
# Any whole number of thousandths is the sum of some of these.
PARTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 489)

Quiz = tuple[str, str, str, int]
"""The person, the text, the condition and the place of a quiz."""


def study_of_scores(scores: Mapping[Quiz, float], conditions: Sequence[str] = CONDITIONS) -> Study:
    """A study in which each quiz has just the score that is given, to a tenth."""
    texts = sorted({text for _who, text, _condition, _place in scores})
    questions = [
        Question(f"{text}-{part}", text, 1 + place % 4, f"What is {part}?", "blank", ("right",), marks=part)
        for text in texts
        for place, part in enumerate(PARTS)
    ]
    sittings = [
        Sitting(who, text, condition, place, {f"{text}-{part}": "Right" for part in _parts(round(10 * score))})
        for (who, text, condition, place), score in scores.items()
    ]
    return Study(tuple(conditions), {text: {} for text in texts}, questions, sittings)


def _parts(thousandths: int) -> Iterator[int]:
    for part in sorted(PARTS, reverse=True):
        if part <= thousandths:
            yield part
            thousandths -= part


def planted_study(
    seed: int, *, people: int = 48, planted: Mapping[str, float] | None = None, careless: float = 0.0
) -> Study:
    """A study on the rows of the design of four, with twelve questions of two marks for each text.

    People differ by a standard deviation of 11 and quizzes by 12; texts by up to 12 points, conditions as `planted`.
    Two markers give the mark that an answer is worth, but for a share of `careless` marks of the second, which are .5
    or 1 off; then there is a third. A summary is the better the more of the first utterances of its text it has.
    """
    rng, effects = np.random.default_rng(seed), PLANTED if planted is None else planted
    questions = [
        Question(f"{text}-{n}", text, 1 + n % 4, f"Question {n} of {text}?", KINDS[n % 2], ("right",))
        for text in LECTURES
        for n in range(12)
    ]
    rows, level = latin_rows(4), LEVEL + OF_PERSON * rng.normal(size=people)
    sittings: list[Sitting] = []
    for number in range(people):
        for place, (text, condition) in enumerate(rows[number % len(rows)]):
            score = level[number] + OF_TEXTS[text] + effects[CONDITIONS[condition]] + OF_ERROR * rng.normal()
            answers = _answers(rng, f"{number + 1}", LECTURES[text], min(100.0, max(0.0, float(score))))
            seconds = float(np.clip(rng.normal(600, 90), 60, 720))
            closed: Closed = "time over" if seconds == 720 else "handed in"
            sittings.append(
                Sitting(
                    f"{number + 1}", LECTURES[text], CONDITIONS[condition], place + 1, answers, seconds, closed, False
                )
            )
    texts = {
        text: {f"u{n}": f"{text} word{n} word{n % 7} word{n % 11}" for n in range(UTTERANCES)} for text in LECTURES
    }
    summaries = list(_summaries(rng, sittings))
    study = Study(CONDITIONS, texts, questions, sittings, summaries)
    return replace(study, marked=list(_marked(rng, study, careless)))


def _answers(rng: np.random.Generator, who: str, text: str, score: float) -> dict[str, str]:
    """Return answers whose marks are the score, to half a mark, drawn so that its mean is kept."""
    halves = int(score * 0.48 + rng.random())
    least = -(-(halves - 24) // 4)
    right = int(np.clip(rng.binomial(6, score / 100), max(0, least), min(6, halves // 4)))
    left = halves - 4 * right
    answers = {f"{text}-{n}": "right" for n in rng.permutation([1, 3, 5, 7, 9, 11])[:right].tolist()}
    short = [0] * 6
    while left:
        place = int(rng.integers(6))
        if short[place] < 4:
            short[place] += 1
            left -= 1
    return answers | {f"{text}-{2 * n}": f"worth {half / 2} says {who}" for n, half in enumerate(short)}


def _marked(rng: np.random.Generator, study: Study, careless: float) -> Iterator[ShortAnswer]:
    for sitting in study.sittings:
        for question, answer in sitting.answers.items():
            if answer.startswith("worth"):
                mark = float(answer.split()[1])
                second = mark
                if rng.random() < careless:
                    second = mark + float(rng.choice([0.5, 1.0])) * (1 if mark <= 1 else -1)
                third = (("3", mark),) if abs(second - mark) > 0.5 else ()
                yield ShortAnswer(question, answer, (sitting.person,), (("1", mark), ("2", second), *third))


def _summaries(rng: np.random.Generator, sittings: Sequence[Sitting]) -> Iterator[Summary]:
    for sitting in sittings:
        if sitting.condition in ("generic", "primed"):
            yield Summary(sitting.person, sitting.text_id, sitting.condition, _chosen(rng))
    for text in LECTURES:
        yield Summary(None, text, "automatic", _chosen(rng))
        for annotator in ("a", "b", "c"):
            yield Summary(annotator, text, "context-free", _chosen(rng))


def _chosen(rng: np.random.Generator) -> tuple[str, ...]:
    weights = 1.0 / (1 + np.arange(UTTERANCES))
    places = rng.choice(UTTERANCES, CHOSEN, replace=False, p=weights / weights.sum())
    return tuple(f"u{place}" for place in sorted(places.tolist()))
