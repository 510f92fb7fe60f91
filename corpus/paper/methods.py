"""A section on methods: what was collected, from whom, under which rules, and what was left out.

Gold questions, tests and unfinished work are told as what they are, and are in no count of data.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.conf.locale import LANG_INFO

from corpus.description.citation import bibtex
from corpus.description.collected import ranged
from corpus.description.facts import scale_words
from corpus.description.history import retired_sentences, split_sentences
from corpus.description.responsible_ai import plain
from corpus.paper.conduct_sentences import collection_sentences, excluded_sentences, pay_sentences, tests_sentences
from corpus.paper.found import RATED, Agreed, PaperFacts
from corpus.paper.references import CLUSTERS, JACKKNIFE, REFERENCES, TOUTANOVA
from corpus.paper.sentences import Paragraph, Sentence, counted, is_or_are, listed
from corpus.release.provenance import Origin, Work
from corpus.statistics.counts import OUTPUTS_ONLY
from crowd.platforms import PLATFORMS
from crowd.scales import DEFAULT_SCALES, Scale
from crowd.tasks import TASKS

MOST_GENRES = 8


def methods_of(found: PaperFacts, *, is_short: bool = False) -> list[Paragraph]:
    """Return the paragraphs of the section; those of the short one have what no paper may leave out."""
    paragraphs = [
        Paragraph("Texts", list(_texts(found))),
        Paragraph("Compressions", list(_compressions(found))),
        Paragraph("Ratings", list(_ratings(found))),
        Paragraph("Tests and gold questions", list(tests_sentences(found))),
        Paragraph("What is left out", list(excluded_sentences(found))),
        Paragraph("Course of the collection", list(collection_sentences(found))),
        Paragraph("Pay and time", list(pay_sentences(found))),
        Paragraph("Agreement", list(_agreement(found))),
    ]
    return [each for each in ((one.short() if is_short else one) for one in paragraphs) if each.sentences]


def bibliography(found: PaperFacts) -> str:
    """Return the release and all works that the long section cites, as BibTeX."""
    cited = {key for each in methods_of(found) for one in each.sentences for key in one.cites}
    return "\n\n".join([bibtex(found.release), *(entry for key, entry in REFERENCES.items() if key in cited)]) + "\n"


def language_of(found: PaperFacts) -> str:
    """Return the English name of the language of the texts, or its tag; empty if it is not known."""
    tag = found.facts.language
    return str(LANG_INFO.get(tag.lower(), {}).get("name") or f"the language {tag}") if tag else ""


def _texts(found: PaperFacts) -> Iterator[Sentence]:
    sources, whole = found.summary["sources"], found.summary["overview"]["all"]
    language = f" in {language_of(found)}" if found.facts.language else ""
    yield Sentence(
        f"Version {found.release.version} of the corpus has {counted(sources, 'source text')}{language}"
        f"{_kinds(sources, whole['kinds'])}.",
        (found.release.name,),
        is_short=True,
    )
    genres = [row for row in whole["genres"] if row["genre"]]
    if 0 < len(genres) <= MOST_GENRES:
        named = listed([f"{row['genre']} ({row['all']:,})" for row in genres])
        yield Sentence(f"{'Its genre is' if len(genres) == 1 else 'Its genres are'} {named}.")
    if found.conduct and (missing := found.conduct["sources"] - sources) > 0:
        imported = counted(found.conduct["sources"], "source text")
        yield Sentence(f"The campaign has {imported}, of which {missing:,} {is_or_are(missing)} not in this version.")
    yield from map(Sentence, retired_sentences(found.facts))
    if only := found.summary.get(OUTPUTS_ONLY):
        has = "has" if only["sources"] == 1 else "have"
        outputs = "only outputs of systems"
        yield Sentence(f"Of the source texts, {only['sources']:,} {has} no compression by a person, {outputs}.")
    for each in split_sentences(found.facts):
        words = re.sub("^(?:The s|S)plits( of the others)? by seed", r"The splits\1 were drawn by seed", plain(each))
        yield Sentence(words)


def _kinds(sources: int, rows: Sequence[Mapping[str, Any]]) -> str:
    """Say how many sources are sentences and how many paragraphs; `rows` are of all, of one sentence and of two."""
    present = [
        (row["sources"], one, many)
        for row, one, many in zip(
            rows[1:],
            ("single sentence", "paragraph of two sentences"),
            ("single sentences", "paragraphs of two sentences"),
            strict=True,
        )
        if row["sources"]
    ]
    if len(present) == 1:
        return f", a {present[0][1]}" if sources == 1 else f", all of them {present[0][2]}"
    return f": {listed([counted(*each) for each in present])}"


def _compressions(found: PaperFacts) -> Iterator[Sentence]:
    collected, work = found.collected, Work.COMPRESSIONS
    yield from (Sentence(plain(each), is_short=True) for each in collected.simulated())
    if here := found.done_here(work):
        editors = counted(found.people("editors"), "editor")
        yield Sentence(f"{editors} wrote {counted(here, 'compression')}{_days(found, work)}.", is_short=True)
    if imported := found.imported(work):
        came = "comes from files that were" if imported == 1 else "come from files that were"
        who = f"{counted(imported, 'compression')} {came} imported"
        yield Sentence(f"{who}; how they were collected is {collected.unknown}.", is_short=True)
    if not here and not imported:
        return
    if numbers := [number for number, _ in found.collection["editors_per_source"]]:
        which = " that has compressions" if OUTPUTS_ONLY in found.summary else ""
        yield Sentence(f"Each source text{which} was shortened by {ranged(numbers, 'editor')}.")
    written, texts = here + imported, found.summary["compressions"]
    if texts < written:
        yield Sentence(f"Of these compressions, {texts:,} {is_or_are(texts)} different texts of their source.")
    if unrated := found.summary.get("unrated_compressions"):
        have = "has no rating and is" if unrated == 1 else "have no rating and are"
        yield Sentence(f"{counted(unrated, 'compression')} {have} kept as a reference.")
    yield from (Sentence(plain(each), is_short=True) for each in collected.lengths())
    if platforms := found.collection.get("platforms"):
        ways = [f"{way(name)} ({number:,})" for name, number in platforms.items()]
        yield Sentence(f"The people whose work is in this version came by {listed(ways)}.", is_short=True)


def _days(found: PaperFacts, *work: Work) -> str:
    days = [found.collection.get("days", {}).get(each) for each in work]
    known = [each for each in days if each]
    if not known:
        return ""
    first, last = min(each[0] for each in known), max(each[1] for each in known)
    return f" on {first}" if first == last else f" between {first} and {last}"


def _ratings(found: PaperFacts) -> Iterator[Sentence]:
    collected, summary = found.collected, found.summary
    tasks = found.settings("rating_task", *RATED)
    kinds = [task.in_cards for task in TASKS if task.key in tasks]
    if here := found.done_here(*RATED):
        raters, ratings = counted(found.people("raters"), "rater"), counted(here, "rating")
        how = f"judged {listed(kinds)}, and gave" if kinds else "gave"
        yield Sentence(f"{raters} {how} {ratings}{_days(found, *RATED)}.", is_short=True)
    if imported := found.imported(*RATED):
        came = "comes from files that were" if imported == 1 else "come from files that were"
        yield Sentence(
            f"{counted(imported, 'rating')} {came} imported; who gave them and how is {collected.unknown}.",
            is_short=True,
        )
    if outputs := found.collected.amount([Work.OUTPUT_RATINGS], *Origin):
        yield Sentence(f"Of all ratings, {outputs:,} {is_or_are(outputs)} of outputs of systems alone.", is_short=True)
    if pairs := summary.get("comparisons"):
        yield Sentence(f"{counted(pairs, 'pair')} of texts {'was' if pairs == 1 else 'were'} compared.", is_short=True)
    if experts := collected.amount([Work.EXPERT_RATINGS], *Origin):
        yield from _experts(found, experts)
    if here or imported or experts:
        names = [_scale(each) for each in found.release.rating_scales]
        is_paper = found.release.rating_scales == DEFAULT_SCALES
        yield Sentence(
            f"{'The scale is' if len(names) == 1 else 'The scales are'} {listed(names)}.",
            (TOUTANOVA,) if is_paper else (),
            is_short=True,
        )
        yield from map(Sentence, _questions(found))
        yield from map(Sentence, _nuggets(found))
        for key, what in (("ratings_per_text", "rated compression"), ("ratings_per_comparison", "compared pair")):
            if numbers := [number for number, _ in found.collection[key] if number]:
                yield Sentence(f"Each {what} has {ranged(numbers, 'rating')}.")
        yield from (Sentence(each, is_short=True) for each in collected.blindness())
        yield from (Sentence(plain(each), is_short=True) for each in collected.arms())
    if systems := summary["systems"]:
        made = listed([f"{name} ({number:,})" for name, number in systems.items()])
        yield Sentence(f"Outputs of {counted(len(systems), 'system')} are in this version: {made}.")


def _experts(found: PaperFacts, ratings: int) -> Iterator[Sentence]:
    """The round's name says that they were invited as experts, and nothing says that they are."""
    people = found.people("experts", *Origin)
    who = (
        f", by {'1 person invited as an expert' if people == 1 else f'{people:,} people invited as experts'}"
        if people
        else ""
    )
    are = "is" if ratings == 1 else "are"
    yield Sentence(
        f"Apart from these, there {are} {counted(ratings, 'rating')}{who}; none is counted with the crowd’s.",
        is_short=True,
    )


def _scale(scale: Scale) -> str:
    if scale.numbers is not None:
        return f"{scale.name} ({scale_words(scale).replace('. ', ', ').lower()})"
    points = [f"{point.value} “{point.words}”" for point in reversed(scale.points)]
    return f"{scale.name} ({counted(len(points), 'point')}: {', '.join(points)})"


def _nuggets(found: PaperFacts) -> Iterator[str]:
    """Nothing says what those saw whose ratings were imported."""
    scales = [each.name for each in found.release.rating_scales if each.shows_nuggets]
    sources = found.summary.get("with_nuggets")
    if scales and sources and found.done_here(*RATED):
        of = counted(sources, "source")
        yield f"While rating {listed(scales)}, the campaign’s raters could look up what a good answer says ({of})."


def _questions(found: PaperFacts) -> Iterator[str]:
    asked = [f"“{each.question}” ({each.name})" for each in found.release.rating_scales if each.question]
    if asked and found.facts.has_questions:
        yield f"The {'question was' if len(asked) == 1 else 'questions were'} {listed(asked)}."


def _agreement(found: PaperFacts) -> Iterator[Sentence]:
    if found.agreement is None:
        yield Sentence("Agreement between raters has not been computed for this version.", is_short=True)
        return
    for each in found.agreement:
        yield Sentence(agreed_words(each), each.cites, is_short=True)
    intervals = [each for each in found.agreement if not each.is_few and each.low is not None]
    if intervals:
        over = "over sources and raters" if any(each.has_raters for each in intervals) else "over sources"
        yield Sentence(f"Intervals are {over}, by the jackknife.", (JACKKNIFE, CLUSTERS))


def agreed_words(agreed: Agreed) -> str:
    """Say a coefficient with its interval; of a few texts only that they are too few."""
    about = f"On {agreed.scale}, {agreed.measure} {agreed.judges} is"
    over = counted(agreed.texts, "text")
    if agreed.is_few:
        return f"{about} not given, since it would rest on {over} only."
    if agreed.value is None:
        return f"{about} undefined{f' over {over}' if agreed.texts else ''}: {agreed.why}."
    interval = (
        f"95% interval {number(agreed.low)} to {number(agreed.high)}" if agreed.low is not None else "no interval"
    )
    return f"{about} {number(agreed.value)} ({interval}; {over})."


def way(platform: str) -> str:
    """Return how people came by a platform, or by none."""
    return "direct links" if platform == str(PLATFORMS["direct"].name) else platform


def number(value: float | None) -> str:
    """
    >>> number(0.587), number(-0.25), number(-0.0001)
    ('0.59', '−0.25', '0.00')
    """
    words = f"{value:.2f}" if value is not None else "–"
    return words.replace("-0.00", "0.00").replace("-", "−")
