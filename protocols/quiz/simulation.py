"""Simulated people who take a quiz study: what they choose, and what they answer."""

import random

from protocols.task import Subject

RIGHT = {"none": 0.55, "generic": 0.53, "primed": 0.55, "automatic": 0.42}
"""How often somebody of middling skill knows an answer: made up, so that a rehearsal has a difference to find."""
WRONG = ("I don’t know", "It was not said", "Something else", "Perhaps the second one")


def summary_of(subject: Subject, least: int, most: int, rng: random.Random) -> list[str]:
    """Choose utterances at random, those that many people like more often, until the summary is long enough."""
    utterances = subject.body["utterances"]
    liked = {each["id"]: random.Random(f"{subject.name}:{each['id']}").random() + rng.random() for each in utterances}
    chosen, words = set(), 0
    for each in sorted(utterances, key=lambda each: -liked[each["id"]]):
        if words < least and words + each["words"] <= most:
            chosen.add(each["id"])
            words += each["words"]
    return [each["id"] for each in utterances if each["id"] in chosen]


def answers_of(subject: Subject, skill: float, rng: random.Random) -> dict[str, str]:
    """Answer each question right, in part or wrong, or not at all."""
    answers = {}
    for each in subject.body["questions"]:
        ease = random.Random(f"ease:{each['id']}").uniform(-0.2, 0.2)
        drawn = rng.random() - (RIGHT[subject.body["kind"]] + ease + 0.4 * (skill - 0.5))
        if drawn < 0:
            answers[each["id"]] = rng.choice(each["key"])
        elif drawn < 0.3:
            words = each["key"][0].split()
            in_part = f"{' '.join(words[: (len(words) + 1) // 2])} or so"
            answers[each["id"]] = rng.choice(each["options"]) if each["options"] else in_part
        elif drawn < 0.5:
            answers[each["id"]] = rng.choice(each["options"] or WRONG)
    return answers
