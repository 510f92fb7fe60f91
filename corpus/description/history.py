"""What was decided about a release, and what the files of an imported one say of themselves, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.template.defaultfilters import pluralize

from corpus.description.collected import HERE, Collected
from corpus.description.facts import BELOW, ReleaseFacts
from corpus.release.provenance import Origin, Work
from crowd.tasks import TASKS


def quality_sentences(facts: ReleaseFacts) -> Iterator[str]:
    """Yield the rule that was applied here, and what is known of one before the import."""
    run, collected = facts.release.quality_run, facts.collected
    has_own, has_imported = collected.amount(Work, *HERE), collected.amount(Work, Origin.IMPORTED)
    if run:
        yield f"The quality rule {_rule(run.rule, run.parameters)} was applied on {run.created_at:%Y-%m-%d}."
        yield from _after_the_rule(facts.after_quality)
        yield from _not_assessed(facts.summary.get("not_assessed", {}))
    elif has_own:
        yield "No quality rule was applied here." if has_imported else "No quality rule was applied."
    if has_imported:
        known = BELOW if any("quality" in each for each in facts.stated) else collected.unknown
        yield f"Whether a quality rule was applied before the import: {known}."


def _after_the_rule(after: Mapping[str, int]) -> Iterator[str]:
    """Yield how many ratings came in after the rule was applied, which it did not see."""
    if ratings := after.get("ratings"):
        yield f"It did not see {ratings} rating{'' if ratings == 1 else 's'} of this campaign that came later."


def _not_assessed(counts: Mapping[str, Sequence[int] | None]) -> Iterator[str]:
    """Yield how many of each role the rule never assessed, and which role it does not judge."""
    for role, count in counts.items():
        if count is None:
            yield f"It does not judge {role}."
        elif count[0]:
            yield (
                f"It never assessed {count[0]} of the {count[1]} {role} in this release: when it was applied, they had "
                "done too little, or had not come yet."
            )


def _rule(rule: str, parameters: Mapping[str, Any]) -> str:
    return f"`{rule}` (share {parameters['share']}, from {parameters['min_items']} items on)"


def retired_sentences(facts: ReleaseFacts) -> Iterator[str]:
    """Yield how many texts were retired, and what became of the work done on them; nothing if there are none."""
    retired = facts.release.retired_sources
    if retired:
        texts = f"{len(retired)} text{pluralize(len(retired))}"
        left_out = sum(each["is_left_out"] for each in retired)
        yield f"The researchers retired {texts} before this release: {_of_retired(len(retired), left_out)}."


def _of_retired(retired: int, left_out: int) -> str:
    if not left_out:
        return f"the work done on {_them(retired)} until then counts as any other"
    gone = f"the work done on {_them(left_out)} are left out"
    if left_out == retired:
        return f"{_they(retired)} and {gone}"
    return f"{left_out} of them and {gone}; the work done on the others until then counts as any other"


def _they(number: int) -> str:
    return "it" if number == 1 else "they"


def _them(number: int) -> str:
    return "it" if number == 1 else "them"


def split_sentences(facts: ReleaseFacts) -> Iterator[str]:
    """Yield how the splits came about: sources of an imported release keep theirs."""
    given, sources = facts.collection["given_splits"], facts.summary["sources"]
    seed = facts.release.options["seed"]
    drawn = (
        f"by seed {seed}, stratified by genre and number of sentences; a paragraph and its sentences are in one split."
    )
    if not given:
        yield f"Splits {drawn}"
        return
    yield f"{'The' if given == sources else given} sources are in the splits that the imported files have them in."
    if given < sources:
        yield f"The splits of the others {drawn}"


def statements(facts: ReleaseFacts) -> list[dict[str, Any]]:
    """Return a section for each release whose files say something of themselves."""
    return [_statement(each, facts) for each in facts.stated]


def _statement(stated: Mapping[str, Any], facts: ReleaseFacts) -> dict[str, Any]:
    name = stated["name"] or (facts.imported.name if facts.imported else "")
    sentences = list(_decisions(stated))
    if "collection" not in stated:
        return {"name": name, "sentences": [*sentences, "They say nothing about how the work was collected."]}
    collected = Collected(stated["collection"])
    return {
        "name": name,
        "sentences": [*collected.sentences(), *sentences],
        "version_rows": collected.version_rows(),
        "readings": collected.readings(),
    }


def _decisions(stated: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"Raters judged {task.in_cards}." for task in TASKS if task.key == stated.get("task"))
    if "quality" in stated:
        rule = stated["quality"]
        yield (
            f"The quality rule {_rule(rule['rule'], rule['parameters'])} was applied."
            if rule
            else ("They name no quality rule.")
        )
    yield from _not_assessed(stated.get("not_assessed", {}))
    if stated.get("licence"):
        yield f"Licence: {stated['licence']}."
