"""How the collection went, in sentences: tests, gold questions, what was left out, unfinished work, pay and times."""

from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from common.templatetags.formatting import money, share
from corpus.paper.found import RATED, PaperFacts
from corpus.paper.references import TOUTANOVA
from corpus.paper.sentences import Sentence, counted, is_or_are, listed, was_or_were
from corpus.release.provenance import Origin, Work
from crowd.models import Round
from crowd.models.campaign import PayUnit
from crowd.tasks import TASKS

BY_HAND = "excluded by hand"
NOUNS = {Round.EDIT: "editor", Round.RATE: "rater", Round.EXPERT: "expert"}
GONE = {
    "texts_of_removed_editors": ("compression that nobody else wrote", "compressions that nobody else wrote"),
    "ratings_of_removed_raters": ("rating", "ratings"),
}
TOO_FEW = {
    "texts_without_rating": "compression without a rating",
    "texts_with_too_few_ratings": "compression with fewer than {ratings}",
    "comparisons_with_too_few_ratings": "comparison with fewer than {ratings}",
    "sources_without_text": "source text without a compression that stays",
    "sources_with_outputs_only": "source text with outputs of systems alone",
    "sources_with_too_few_compressions": "source text with fewer than {compressions}",
    "outputs_of_left_out_sources": "output of a system for a source text that is left out",
}
PAID = (
    ("editors", (Work.COMPRESSIONS,), "editor"),
    ("raters", RATED, "rater"),
)
FEW_TIMES = 5


def tests_sentences(found: PaperFacts) -> Iterator[Sentence]:
    """Say who took a test, and how many gold questions were answered: neither is data."""
    conduct = found.conduct
    if conduct is None or not found.done_here(*RATED):
        return
    test = conduct["test"]
    if test["people"]:
        yield Sentence(_took(test), is_short=True)
        least, most = test["least"], test["most"]
        asked = counted(least, "question") if least == most else f"{least} to {counted(most, 'question')}"
        percents = found.settings("qualification_pass_percent", *RATED)
        at_least = (
            f"; {' or '.join(f'{each}%' for each in percents)} right answers were needed to pass" if percents else ""
        )
        yield Sentence(f"A try asked {asked}{at_least}.")
        yield from (Sentence(each) for each in found.collected.test())
    else:
        yield Sentence("No rater took a qualification test.", is_short=True)
    gold = conduct["gold"]
    if gold["answers"]:
        checks, them = ("a check", "it") if gold["questions"] == 1 else ("checks", "them")
        questions, answers = counted(gold["questions"], "gold question"), counted(gold["answers"], "answer")
        yield Sentence(
            f"As {checks} of attention, {questions} with known answers {was_or_were(gold['questions'])} mixed into the "
            f"work; the {answers} to {them} "
            f"{is_or_are(gold['answers'])} not among the ratings.",
            is_short=True,
        )
    else:
        yield Sentence("No gold questions were answered.", is_short=True)


def _took(test: Mapping[str, Any]) -> str:
    people, tries = counted(test["people"], "person", "people"), counted(test["tries"], "try", "tries")
    if test["people"] == 1:
        return f"{people} took a qualification test, in {tries}, and {'passed' if test['passed'] else 'did not pass'}."
    passed = "all of them" if test["passed"] == test["people"] else f"{test['passed']:,} of them"
    return f"{people} took a qualification test, in {tries} altogether; {passed} passed."


def excluded_sentences(found: PaperFacts) -> Iterator[Sentence]:
    """Say the rule with its parameters, how many people it left out, how many staff did, and what went with them."""
    release, numbers = found.release, found.summary["left_out"]
    run = release.quality_run
    people = Counter((each["reason"] == BY_HAND, each["round"]) for each in release.left_out_people)
    by_rule, by_hand = ({role: people[is_by_hand, role] for role in NOUNS} for is_by_hand in (False, True))
    if run:
        given: Mapping[str, Any] = run.parameters
        yield Sentence(
            f"The worker filter {run.rule} left out the worst {share(given['share'])} of people with at least "
            f"{counted(given['min_items'], 'rated text')}, rounded down ({_details(given)}): "
            f"{_whom(by_rule) or 'nobody'}.",
            (TOUTANOVA,),
            is_short=True,
        )
        if later := found.facts.after_quality.get("ratings"):
            yield Sentence(f"It was applied before {counted(later, 'rating')} came in.")
    elif found.done_here(*Work):
        yield Sentence("No worker filter was applied.", is_short=True)
    if whom := _whom(by_hand):
        yield Sentence(f"The researchers excluded {whom}.", is_short=True)
    gone = [counted(numbers[name], *nouns) for name, nouns in GONE.items() if numbers.get(name)]
    if gone:
        yield Sentence(f"Their work is left out, too: {listed(gone)}.", is_short=True)
    options = release.options
    least = {
        "ratings": counted(options.get("min_ratings", 1), "rating"),
        "compressions": counted(options.get("min_compressions", 1), "compression"),
    }
    rest = [_counted(numbers[name], words.format(**least)) for name, words in TOO_FEW.items() if numbers.get(name)]
    if rest:
        yield Sentence(f"Also left out {'is' if rest[0].startswith('1 ') else 'are'} {listed(rest)}.")


def _counted(count: int, words: str) -> str:
    """Put the first noun of some words in the plural if there are several."""
    for noun in ("compression", "comparison", "source text", "output"):
        if words.startswith(noun):
            return f"{counted(count, noun)}{words.removeprefix(noun)}"
    raise ValueError(words)


def _details(given: Mapping[str, Any]) -> str:
    return "; ".join(str(given[name]) for name in ("roles", "order", "rater_quality") if given.get(name))


def _whom(people: Mapping[Round, int]) -> str:
    return listed([counted(number, NOUNS[role]) for role, number in people.items() if number])


def collection_sentences(found: PaperFacts) -> Iterator[Sentence]:
    """Say how many came, what became of the work that was handed out, and under which settings it was done."""
    conduct = found.conduct
    if conduct is not None:
        material = next((each for each in TASKS if each.key == conduct["task"] and each.has_material), None)
        for role, noun in NOUNS.items():
            told = conduct["rounds"][role]
            if told["joined"]:
                yield Sentence(_course(told, noun))
        if found.release.left_out_people:
            yield Sentence("These counts include the work of those who were left out.")
        submitted = conduct["rounds"][Round.RATE]["submitted"]
        if material and submitted:
            pieces = counted(submitted, "piece")
            yield Sentence(
                f"The task of the raters was another one: they judged {material.in_cards}, in {pieces} of work that "
                f"{was_or_were(submitted)} submitted; this version does not hold their answers.",
                is_short=True,
            )
    rows = found.collected.version_rows()
    if len(rows) > 1:
        yield Sentence(f"The settings were not the same for all work: {'; '.join(map(_version, rows))}.", is_short=True)


def _course(told: Mapping[str, int], noun: str) -> str:
    """Say what became of the work of a round, that of people included who were left out later."""
    joined = f"{counted(told['joined'], 'person', 'people')} joined as {'an ' if noun[0] == 'e' else 'a '}{noun}"
    if told["joined"] > 1:
        joined = f"{told['joined']:,} people joined as {noun}s"
    were = was_or_were(told["joined"])
    if not told["given"]:
        return f"{joined} and {were} given no work."
    ends = [
        (told[name], words)
        for name, words in (("submitted", "submitted"), ("skipped", "skipped"), ("unfinished", "not finished"))
        if told[name]
    ]
    given = f"{joined} and {were} given {counted(told['given'], 'piece')} of work"
    if len(ends) == 1:
        which = "which was" if told["given"] == 1 else "all of which were"
        return f"{given}, {which} {ends[0][1]}."
    return f"{given}: {listed([f'{count:,} {was_or_were(count)} {words}' for count, words in ends])}."


def _version(row: Mapping[str, Any]) -> str:
    nouns = {
        Work.COMPRESSIONS: ("compression", "compressions"),
        Work.RATINGS: ("rating", "ratings"),
        Work.OUTPUT_RATINGS: ("rating of outputs", "ratings of outputs"),
        Work.EXPERT_RATINGS: ("rating in the expert round", "ratings in the expert round"),
    }
    parts = [counted(row[work], *words) for work, words in nouns.items() if row[work]]
    return f"under version {row['version']}, {listed(parts)}"


def pay_sentences(found: PaperFacts) -> Iterator[Sentence]:
    """Say what people were offered, which is all that the settings tell, and how long the work took."""
    for role, work, prefix in PAID:
        if found.people(role, Origin.COLLECTED) and found.done_here(*work):
            yield Sentence(pay_words(found, role, work, prefix), is_short=True)
    yield from _times(found)


def _times(found: PaperFacts) -> Iterator[Sentence]:
    kinds = (
        ("compressions", "compression, without pauses,"),
        ("ratings", "rating, from its first sight to the answer,"),
    )
    for name, words in kinds if found.conduct else ():
        times = found.conduct["times"][name] if found.conduct else {}
        if times["known"] >= FEW_TIMES:
            low, median, high = (f"{each / 1000:.1f}" for each in times["quartiles"])
            yield Sentence(
                f"The median time of a {words} is {median} s (quartiles {low} and {high} s; {times['known']:,} times).",
                is_short=True,
            )
        elif times["known"]:
            noun = name.removesuffix("s")
            yield Sentence(
                f"The time of only 1 {noun} was recorded."
                if times["known"] == 1
                else f"The times of only {times['known']} {name} were recorded."
            )


def offers(found: PaperFacts, work: tuple[Work, ...], prefix: str) -> list[tuple[int, str]]:
    """Return what each version of the settings that changed it offered for some work; empty where nothing is set."""
    told: list[tuple[int, str]] = []
    for version in found.versions_of(*work):
        settings = version["settings"]
        amount, minutes = settings.get(f"{prefix}_pay"), settings.get(f"{prefix}_minutes")
        words = ""
        if amount is not None:
            unit = "text" if settings.get(f"{prefix}_pay_unit") == PayUnit.TEXT else "study"
            about = f" (announced as {counted(minutes, 'minute')})" if minutes else ""
            words = f"{money(Decimal(str(amount)), settings.get('currency') or '')} per {unit}{about}"
        if not told or told[-1][1] != words:
            told.append((version["number"], words))
    return told


def pay_words(found: PaperFacts, role: str, work: tuple[Work, ...], prefix: str) -> str:
    told = offers(found, work, prefix)
    if not told or found.has_unknown_version(*work):
        return f"What {role} were paid is not recorded for all of their work."
    if len(told) == 1:
        words = told[0][1]
        return f"{role.capitalize()} were offered {words}." if words else f"No pay of {role} is recorded."
    changes = [f"from version {number} of the settings on {words or 'none that is recorded'}" for number, words in told]
    return f"{role.capitalize()} were offered, {'; '.join(changes)}."
