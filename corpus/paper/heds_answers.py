"""The answers to the questions of HEDS 3.0: from a release, proposed by it, or by the researchers."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from corpus.description.responsible_ai import plain
from corpus.paper.conduct_sentences import excluded_sentences, offers, pay_words, tests_sentences
from corpus.paper.found import RATED, Agreed, PaperFacts
from corpus.paper.methods import agreed_words, language_of, way
from corpus.paper.sentences import counted, listed
from corpus.release.data_statement import lines_of
from corpus.release.provenance import Origin, Work
from crowd.scales import GRAMMAR, MEANING, Scale


class Basis(StrEnum):
    """Where an answer comes from."""

    RELEASE = "from the release"
    PROPOSED = "proposed by the release, to be confirmed"
    RESEARCHERS = "from the researchers"


@dataclass(frozen=True)
class Answer:
    """What is answered; `options` are those of the form by number, and `is_beside` says that it takes the text, too."""

    text: str
    options: tuple[int, ...] = ()
    basis: Basis = Basis.RELEASE
    is_beside: bool = False
    integer: str = ""

    @property
    def is_proposed(self) -> bool:
        return self.basis == Basis.PROPOSED


Answers = dict[str, Answer]
_TEXTS = {"approval": "5.1", "assessments": "5.4", "demographics": "3.2.5"}
_LINES = {
    "filled_by": ("1.3.1.1", "1.3.1.2", "1.3.1.3"),
    "contact": ("1.3.2.1", "1.3.2.2", "1.3.2.3"),
    "power": ("3.1.3.1", "3.1.3.2", "3.1.3.3"),
}
_CHOICES = {  # the option of the form for yes, and for no
    "expertise": ("3.2.2.1", 1, 2),
    "acquainted": ("3.2.2.3", 1, 2),
    "authors_rated": ("3.2.2.4", 1, 2),
    "personal": ("5.2", 2, 1),
    "special": ("5.3", 2, 1),
}
# What the published scales ask: correctness; of content, relative to the input, or of form, in its own right.
_TYPES = {
    MEANING: ((1, "correctness"), (2, "content"), (2, "relative to the input")),
    GRAMMAR: ((1, "correctness"), (1, "form"), (1, "in its own right")),
}


def answers_of(found: PaperFacts) -> Answers:
    """Return the answers but for those about a scale; who was asked and did not answer is not in it."""
    return dict([*_said(found), *_reference(found), *_systems(found), *_people(found), *_design(found)])


def _said(found: PaperFacts) -> Iterator[tuple[str, Answer]]:
    """Yield what the researchers said."""
    said, by = found.release.data_statement, Basis.RESEARCHERS
    for key, number in _TEXTS.items():
        if key in said:
            yield number, Answer(said[key], basis=by)
    for key, numbers in _LINES.items():
        yield from (
            (number, Answer(line, basis=by)) for number, line in zip(numbers, lines_of(said, key), strict=False)
        )
    for key, (number, yes, no) in _CHOICES.items():
        if key in said:
            beside = said.get("sensitive", "") if number in {"5.2", "5.3"} and said[key] == "yes" else ""
            words = f"yes: {beside}" if beside else said[key]
            yield number, Answer(words, (yes if said[key] == "yes" else no,), by, is_beside=bool(beside))
    if "report" in said:
        yield "1.1.1", Answer(said["report"], basis=by, is_beside=True)
    if "selection" in said:
        yield "3.1.2", Answer(said["selection"], basis=by, is_beside=True)
    if "preregistration" in said:
        is_no = said["preregistration"].strip(" .").lower() == "no"
        yield "3.3.1", Answer(said["preregistration"], (2,) if is_no else (1,), by, is_beside=not is_no)


def _reference(found: PaperFacts) -> Iterator[tuple[str, Answer]]:
    release = found.release
    checksum = f", SHA-256 of its manifest {release.checksum}" if release.checksum else ""
    yield "1.1.2", Answer(f"The ratings in {release.name}{checksum}.", basis=Basis.PROPOSED)
    if release.campaign.homepage:
        yield "1.2", Answer(release.campaign.homepage, (1,), Basis.PROPOSED, is_beside=True)


def _systems(found: PaperFacts) -> Iterator[tuple[str, Answer]]:
    kinds = found.summary["overview"]["all"]["kinds"][1:]
    present = [
        (option, words)
        for option, words, each in ((5, "one sentence", kinds[0]), (6, "two sentences", kinds[1]))
        if each["sources"]
    ]
    told = Answer(listed([words for _, words in present]).capitalize() + ".", tuple(option for option, _ in present))
    yield "2.1", told
    yield "2.2", Answer(f"Shorter versions of: {told.text.lower()}", told.options, Basis.PROPOSED)
    yield "2.3", Answer("Compression: texts are shortened.", (14,))
    if language := language_of(found):
        yield "2.4", Answer(f"{language}.")
        yield "2.5", Answer(f"{language}.", basis=Basis.PROPOSED)
    rated, systems = found.summary["rated_outputs"], found.summary["systems"]
    compressions = found.summary["compressions"] - found.summary.get("unrated_compressions", 0)
    parts = [f"{counted(compressions, 'compression')} by people"] if compressions else []
    parts += [f"{rated.get(name, 0):,} of {counted(number, 'output')} of {name}" for name, number in systems.items()]
    if parts:
        yield "3.1.1", Answer(f"With ratings: {listed(parts)}.")


def _people(found: PaperFacts) -> Iterator[tuple[str, Answer]]:
    """Yield what is known of those who rated. Of imported ratings nobody here can say how many people gave them."""
    work = (*RATED, Work.EXPERT_RATINGS)
    if found.conduct and not found.imported(*work):
        simulated = found.collected.amount(work, Origin.SIMULATED)
        people = found.conduct["judges"]
        words = f"{counted(people, 'person', 'people')}, after what was left out"
        words += "; some or all of them simulated by a program." if simulated else "."
        yield "3.2.1", Answer(words, integer="" if simulated else str(people))
    if any(words for _, words in offers(found, RATED, "rater")):
        yield "3.2.2.2", Answer(f"Money. {pay_words(found, 'raters', RATED, 'rater')}", (1,))
    if platforms := found.collection.get("platforms"):
        ways = [f"{way(name)} ({number:,})" for name, number in platforms.items()]
        yield "3.2.3", Answer(f"People came by {listed(ways)}.", basis=Basis.PROPOSED)
    if found.conduct and found.done_here(*RATED):
        test = found.conduct["test"]
        took = "nobody took a qualification test."
        if test["people"]:
            took = f"{counted(test['people'], 'person', 'people')} took a test, and {test['passed']:,} passed."
        yield "3.2.4", Answer(f"Before rating, {took}", basis=Basis.PROPOSED)


def _design(found: PaperFacts) -> Iterator[tuple[str, Answer]]:
    here = found.done_here(*Work)
    if here:
        yield "3.3.2", Answer("Web pages of Précis.")
    if found.conduct and found.done_here(*RATED):
        yield "3.3.3.1", _quality(found)
        yield "3.3.3.2", Answer(" ".join([_joined(tests_sentences(found)), _joined(excluded_sentences(found))]))
    readings = [
        f"{section['heading']}: {' '.join(filter(None, (row['who'], row['text'])))}"
        for section in found.collected.readings()
        for row in section["rows"]
    ]
    if readings:
        yield "3.3.4.2", Answer(plain(" ".join(readings)), basis=Basis.PROPOSED)
    collected = found.collected.amount([*RATED, Work.EXPERT_RATINGS], Origin.COLLECTED)
    if collected and found.collected.is_only(Origin.COLLECTED):
        yield "3.3.7", Answer("People worked on web pages, where they chose to.", (1,), Basis.PROPOSED)


def _quality(found: PaperFacts) -> Answer:
    """Say which kinds of quality assurance there were; the form's last option says that there was none."""
    assert found.conduct is not None
    left_out = found.summary["left_out"]
    kinds = [
        (
            2,
            "automatic checks",
            bool(found.conduct["test"]["people"] or found.conduct["gold"]["answers"] or found.release.quality_run),
        ),
        (4, "people excluded", bool(left_out.get("removed_raters"))),
        (5, "ratings excluded", bool(left_out.get("ratings_of_removed_raters"))),
    ]
    present = [(option, words) for option, words, is_there in kinds if is_there]
    if not present:
        return Answer("None that Précis knows of.", (7,), Basis.PROPOSED)
    words = listed([each for _, each in present])
    return Answer(f"{words[0].upper()}{words[1:]}.", tuple(option for option, _ in present), Basis.PROPOSED)


def _joined(sentences: Iterator[object]) -> str:
    return " ".join(str(getattr(each, "text", each)) for each in sentences)


def criteria_of(found: PaperFacts) -> dict[str, Answers]:
    """Return the answers about each scale, by its name."""
    scales = found.release.rating_scales
    names = Counter(scale.name for scale in scales)
    return {
        scale.name if names[scale.name] == 1 else f"{scale.name} ({scale.key})": dict(_criterion(found, scale))
        for scale in scales
    }


def _criterion(found: PaperFacts, scale: Scale) -> Iterator[tuple[str, Answer]]:
    proposed = Basis.PROPOSED
    types = _TYPES.get(scale, ())
    yield from ((f"4.1.{place}", Answer(words, (option,), proposed)) for place, (option, words) in enumerate(types, 1))
    yield "4.2.1", Answer("subjective", (2,), proposed)
    relative = (2, "relative") if scale.is_preference else (1, "absolute")
    yield "4.2.2", Answer(relative[1], (relative[0],), proposed)
    yield "4.2.3", Answer("intrinsic", (1,), proposed)
    yield "4.3.1.1", Answer(scale.name)
    if standard := _standard_names(found.release.data_statement).get(scale.name.lower()):
        yield "4.3.1.2", Answer(standard, basis=Basis.RESEARCHERS)
    if scale.numbers is None:
        points = [f"{each.value} = {each.words}" for each in reversed(scale.points)]
        yield "4.3.3", Answer(str(len(points)))
        yield "4.3.4", Answer(", ".join(points))
    else:
        yield "4.3.3", Answer(str(len(scale.values)) if scale.values else "any number of its range")
        yield "4.3.4", Answer(f"{scale.lowest} to {scale.highest}")
    yield "4.3.6", Answer("N/A: there is a scale.")
    if scale.question and found.facts.has_questions:
        yield "4.3.7", Answer(scale.question)
    if found.done_here(*RATED, Work.EXPERT_RATINGS) and scale.numbers is None:
        yield "4.3.5", Answer("choices", (1,))
        yield (
            "4.3.8",
            Answer(
                "relative" if scale.is_preference else "direct estimation", (3 if scale.is_preference else 2,), proposed
            ),
        )
    if not scale.is_preference:
        yield "4.3.9", Answer("The mean of a text’s ratings; over texts, the mean of these means.", basis=proposed)
    yield from _agreements([each for each in found.agreement or () if each.scale == scale.name])
    if not found.imported(*RATED, Work.EXPERT_RATINGS):
        never = "Not measured: nobody rates the same text twice."
        yield "4.3.12.1", Answer(never)
        yield "4.3.12.2", Answer(never)


def _agreements(agreed: list[Agreed]) -> Iterator[tuple[str, Answer]]:
    if agreed:
        yield "4.3.11.1", Answer("; ".join(f"{each.measure} of {each.judges}" for each in agreed) + ".")
        yield "4.3.11.2", Answer(" ".join(map(agreed_words, agreed)))


def _standard_names(said: Mapping[str, str]) -> dict[str, str]:
    pairs = [line.partition(":") for line in lines_of(said, "criteria")]
    return {name.strip().lower(): standard.strip() for name, _, standard in pairs if standard.strip()}
