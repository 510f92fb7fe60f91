"""What Croissant's vocabularies for responsible AI (RAI 1.0) and provenance (PROV-O) say of a release.

Each value is known from the release or was said by the researchers; what nobody knows is "Not stated.".
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from corpus.description.collected import HERE
from corpus.description.facts import ReleaseFacts
from corpus.description.history import quality_sentences, retired_sentences, split_sentences
from corpus.release.data_statement import lines_of
from corpus.release.provenance import Origin, Work
from corpus.statistics.counts import left_out_reasons

NOT_STATED = "Not stated."
ADDRESS = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:)]")
_ASKED = {
    "rai:dataLimitations": "limitations",
    "rai:dataBiases": "biases",
    "rai:personalSensitiveInformation": "sensitive",
    "rai:dataUseCases": "uses",
    "rai:dataSocialImpact": "impact",
    "rai:dataReleaseMaintenancePlan": "maintenance",
    "rai:dataCollectionRawData": "origins",
    "rai:annotatorDemographics": "demographics",
}


def responsible_ai(facts: ReleaseFacts) -> dict[str, Any]:
    """Return the properties of both vocabularies, by their names with prefixes."""
    statement, is_synthetic = facts.release.data_statement, _is_synthetic(facts)
    return {
        "rai:dataCollection": plain(_collection(facts)),
        "rai:dataCollectionType": (
            ["Experiments", "Manual Human Curator"] if facts.collected.amount(Work, Origin.COLLECTED) else ["Others"]
        ),
        **_timeframe(facts),
        "rai:dataCollectionMissingData": _missing(facts),
        "rai:dataImputationProtocol": "Nothing is imputed.",
        "rai:dataManipulationProtocol": _manipulation(facts),
        "rai:dataPreprocessingProtocol": [
            plain(each) for part in (quality_sentences, retired_sentences, split_sentences) for each in part(facts)
        ],
        "rai:dataAnnotationProtocol": plain(_protocol(facts)),
        "rai:dataAnnotationPlatform": ["Précis", *facts.collection["platforms"]],
        "rai:annotationsPerItem": plain(" ".join(_per_item(facts))) or NOT_STATED,
        "rai:machineAnnotationTools": sorted(facts.summary["systems"]) or ["none"],
        **{name: statement.get(key, NOT_STATED) for name, key in _ASKED.items()},
        "rai:hasSyntheticData": is_synthetic,
        "prov:wasDerivedFrom": [_origin(line) for line in lines_of(statement, "origins")],
        "prov:wasGeneratedBy": list(_activities(facts)),
    }


def plain(words: str) -> str:
    """Return a sentence of the card without the marks of Markdown."""
    return words.replace("**", "").replace("`", "")


def _is_synthetic(facts: ReleaseFacts) -> bool | None:
    """Whether texts are by systems or a simulated crowd. Of what was imported nobody here knows who wrote it."""
    if facts.summary["systems"] or facts.collected.amount(Work, Origin.SIMULATED):
        return True
    return None if facts.collected.amount(Work, Origin.IMPORTED) else False


def _collection(facts: ReleaseFacts) -> str:
    people = facts.collection["people"]
    numbers = [
        f"{sum(of_role.values())} {role if sum(of_role.values()) != 1 else role[:-1]}"
        for role, of_role in people.items()
        if sum(of_role.values())
    ]
    who = [f"By {', '.join(numbers)}."] if numbers else []
    return " ".join([facts.origins, *who, *facts.collected.sentences()])


def _timeframe(facts: ReleaseFacts) -> dict[str, Any]:
    """The days of the work that was done here; mlcroissant reads two dates, under a name of its own."""
    days = facts.collection["days"].values()
    if not days:
        return {}
    first, last = min(first for first, _ in days), max(last for _, last in days)
    return {"rai:dataCollectionTimeframe": f"{first}/{last}", "rai:dataCollectionTimeFrame": [first, last]}


def _missing(facts: ReleaseFacts) -> str:
    summary = facts.summary
    reasons = [f"{reason} ({number})" for number, reason in left_out_reasons(facts.release, summary)]
    unrated = summary.get("unrated_compressions", 0)
    rated = f"{unrated} of {summary['compressions']} compressions have no rating."
    return " ".join([rated, f"Left out: {'; '.join(reasons)}." if reasons else "Nothing was left out."])


def _manipulation(facts: ReleaseFacts) -> str:
    if facts.is_imported_only:
        return NOT_STATED
    edited = "Times of edits are exact." if facts.summary.get("exact_times") else "Times of edits are rounded to .1 s."
    return (
        "A tab, a line break or three bars in a text became a space at import. Participants of the campaign are "
        f"numbers. Days of ratings are in UTC. {edited}"
    )


def _protocol(facts: ReleaseFacts) -> str:
    """Say what raters did, on which scales, and what people had read."""
    scales = [f"{scale.key}: {words}." for scale, words in facts.scales]
    what = "Texts" if facts.campaign.task.judges_single_texts else "Two texts side by side"
    read = [
        f"{section['heading']}: " + " ".join(f"{row['who']} {row['text']}".strip() for row in section["rows"])
        for section in facts.collected.readings()
    ]
    return " ".join(filter(None, [f"{what} are rated on these scales.", *scales, facts.derived, *read]))


def _per_item(facts: ReleaseFacts) -> Iterator[str]:
    for name, what in (("ratings_per_text", "compression"), ("ratings_per_comparison", "comparison")):
        numbers = [number for number, _count in facts.collection[name]]
        if numbers:
            least, most = min(numbers), max(numbers)
            number = str(least) if least == most else f"{least} to {most}"
            yield f"{number} {'rating' if most == 1 else 'ratings'} per {what}."


def _origin(line: str) -> dict[str, str]:
    found = ADDRESS.search(line)
    return {"@id": found.group(), "prov:label": line} if found else {"@type": "prov:Entity", "prov:label": line}


def _activities(facts: ReleaseFacts) -> Iterator[dict[str, Any]]:
    """Yield what people did, each with its days, and who; of imported work neither is known."""
    whose = {
        Work.COMPRESSIONS: ("Compressing", "editors"),
        Work.RATINGS: ("Rating compressions", "raters"),
        Work.OUTPUT_RATINGS: ("Rating outputs of systems", "raters"),
        Work.EXPERT_RATINGS: ("Rating by experts", "experts"),
    }
    for work, (label, role) in whose.items():
        for origin, words in ((HERE, ""), ((Origin.IMPORTED,), ", imported")):
            if not (amount := facts.collected.amount([work], *origin)):
                continue
            days: Mapping[str, Any] = {}
            if not words and (known := facts.collection["days"].get(work)):
                days = {"prov:startedAtTime": f"{known[0]}T00:00:00Z", "prov:endedAtTime": f"{known[1]}T23:59:59Z"}
            simulated = facts.collected.amount([work], Origin.SIMULATED)
            agent = "simulated crowd" if simulated == amount and not words else role
            yield {
                "@type": "prov:Activity",
                "prov:label": f"{label}{words}: {amount}",
                **days,
                "prov:wasAttributedTo": {"@type": "prov:Agent", "prov:label": agent},
            }
