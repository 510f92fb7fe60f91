"""Simulated people who link sentences, more or less as it was planted."""

import random

from protocols.links.material import Sentences
from protocols.task import Subject

LARGEST_GROUP, LARGEST_SHARE = 8, 0.4
FALSE_LINKS = 0.04
"""The share of all sentences that somebody without any skill links for no reason."""


def planted_abstract(subject: Subject) -> str:
    """Return an abstract that everybody writes who has to write one: the beginning of the document, numbered."""
    return "\n".join(f"({number}) {subject.body['sentences'][number % 2]['text'][:80]}" for number in range(4))


def planted_links(subject: Subject, abstract: Sentences) -> dict[str, list[str]]:
    """Return the links that are true: for each sentence of the abstract two to eight that are near each other.

    They are drawn from the name of the document and of the abstract, so that all people meet the same.
    """
    rng = random.Random(f"links:{subject.name}:{subject.system}")
    ids = [each["id"] for each in subject.body["sentences"]]
    most = max(2, min(LARGEST_GROUP, int(LARGEST_SHARE * len(ids))))
    found = {}
    for each in abstract:
        number = rng.randint(2, most)
        first = rng.randrange(max(1, len(ids) - 2 * number + 1))
        near = ids[first : first + 2 * number]
        found[each["id"]] = rng.sample(near, min(number, len(near)))
    return found


def simulated_links(subject: Subject, abstract: Sentences, skill: float, rng: random.Random) -> dict[str, list[str]]:
    """Return what somebody links with a skill from 0 (careless) to 1 (perfect).

    They find a true link with probability 0.3 + 0.7 * skill, and link any other sentence with `FALSE_LINKS` * (1 -
    skill); who has found nothing takes one true link.
    """
    ids = [each["id"] for each in subject.body["sentences"]]
    found = {}
    for name, true in planted_links(subject, abstract).items():
        linked = [
            each for each in ids if rng.random() < (0.3 + 0.7 * skill if each in true else FALSE_LINKS * (1 - skill))
        ]
        found[name] = linked or [rng.choice(true)]
    return found
