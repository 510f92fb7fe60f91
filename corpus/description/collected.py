"""How a release was collected, in sentences: each says what is known, from which version on, and else “unknown”."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import pluralize

from corpus.release.collection import Collection
from corpus.release.provenance import Origin, Work

Row = Mapping[str, Any]
HERE = (Origin.COLLECTED, Origin.SIMULATED)
RATINGS = tuple(work for work in Work if work != Work.COMPRESSIONS)
CROWD_RATINGS = (Work.RATINGS, Work.OUTPUT_RATINGS)
UNKNOWN, UNRECORDED = "unknown", "not recorded"
MAX_COUNTS = 8
AT_MOST = "at most "
READ = {
    "editors": ("editor_guidelines", "sentence_examples", "paragraph_examples"),
    "raters": ("rater_guidelines",),
    "experts": ("rater_guidelines",),
}


@dataclass(frozen=True)
class Collected:
    """The sentences about one collection; `unknown` is what is said of work that was imported."""

    collection: Collection
    unknown: str = UNKNOWN

    def amount(self, work: Iterable[Work], *origins: Origin) -> int:
        """Return how much of the work comes from somewhere."""
        return sum(row[kind] for row in self.collection["work"] if row["origin"] in origins for kind in work)

    def is_only(self, *origins: Origin) -> bool:
        """Whether all work comes from there."""
        return all(row["origin"] in origins for row in self.collection["work"])

    def sentences(self) -> list[str]:
        parts = (
            self.simulated,
            self.same_texts,
            self.lengths,
            self._editors,
            self.ratings,
            self.blindness,
            self.arms,
            self.test,
        )
        return [sentence for part in parts for sentence in part()]

    def simulated(self) -> Iterator[str]:
        """Yield a warning: what a program made up says nothing about people."""
        if not self.amount(Work, Origin.SIMULATED):
            return
        if self.is_only(Origin.SIMULATED) and not self.amount([Work.COMPRESSIONS], Origin.SIMULATED):
            yield "**Simulated.** A program gave all ratings; none of them is by a person."
            return
        if self.is_only(Origin.SIMULATED):
            yield "**Simulated.** A program wrote all compressions and gave all ratings; none of them is by a person."
            return
        compressions = numbered(self.amount([Work.COMPRESSIONS], Origin.SIMULATED), "compression")
        ratings = numbered(self.amount(RATINGS, Origin.SIMULATED), "rating")
        yield f"**Partly simulated.** A program wrote {compressions} and gave {ratings}; those are not by people."

    def same_texts(self) -> Iterator[str]:
        written = self.amount([Work.COMPRESSIONS], *Origin)
        texts = sum(number for _, number in self.collection["ratings_per_text"])
        if written > texts:
            yield (
                f"A text that several editors wrote counts once for each of them here: "
                f"{numbered(written, 'compression')} instead of {texts}."
            )

    def lengths(self) -> Iterator[str]:
        counts = self._compressions_by_limit()
        known = [key for key in counts if key.startswith(AT_MOST)]
        if len(counts) == len(known) == 1:
            yield f"Each compression has {known[0]} of the characters of its source; the program enforced this."
        elif known:
            listed = "; ".join(f"{numbered(number, 'compression')}: {key}" for key, number in counts.items())
            yield f"The program limited the characters of a compression, in percent of its source’s: {listed}."
        elif counts:
            yield f"How long a compression was allowed to be: {' and '.join(counts)}."
        longest = self.collection["longest_percent"]
        if longest is not None and len(counts) > len(known):
            yield f"The longest compression in this release has {longest:.0f}% of the characters of its source."

    def _compressions_by_limit(self) -> dict[str, int]:
        """Count compressions by the longest that was allowed, with those at the end of which it is not known."""
        limits = {each["number"]: each["settings"]["keep_percent"] for each in self.collection["versions"]}
        counts: Counter[tuple[bool, str]] = Counter()
        for row in self.collection["work"]:
            limit = limits.get(row["settings"])
            words = f"{AT_MOST}{limit}%" if limit is not None else self._missing(row["origin"])
            counts[limit is None, words] += row[Work.COMPRESSIONS]
        found = sorted(counts.items(), key=lambda each: each[0][0])
        return {words: number for (_, words), number in found if number}

    def _missing(self, origin: str) -> str:
        return self.unknown if origin == Origin.IMPORTED else UNRECORDED

    def _editors(self) -> Iterator[str]:
        numbers = [number for number, _ in self.collection["editors_per_source"]]
        if numbers:
            yield f"{ranged(numbers, 'editor')} per source."

    def ratings(self) -> Iterator[str]:
        for name, what in (("ratings_per_text", "compression"), ("ratings_per_comparison", "comparison")):
            counts = [(number, count) for number, count in self.collection[name] if number]
            if 1 < len(counts) <= MAX_COUNTS:
                listed = ", ".join(f"{number} ({numbered(count, what)})" for number, count in counts)
                yield f"Ratings per {what}: {listed}."
            elif counts:
                yield f"{ranged([number for number, _ in counts], 'rating')} per {what}."

    def blindness(self) -> Iterator[str]:
        here, imported = self.amount(RATINGS, *HERE), self.amount(RATINGS, Origin.IMPORTED)
        if here:
            are_unknown = self.amount([Work.COMPRESSIONS], Origin.IMPORTED)
            authors = ", as far as the authors are known" if are_unknown else ""
            who = f"For {here} of {numbered(here + imported, 'rating')}, the" if imported else "The"
            yield (
                f"{who} program showed no rater who had written a text, and gave none a text "
                f"written under their own id{authors}."
            )
        if imported:
            whose = "of the imported ratings " if here else ""
            yield f"Whether the raters {whose}knew who had written a text: {self.unknown}."

    def arms(self) -> Iterator[str]:
        arms = self.collection.get("arms")
        if arms:
            drawn = sum(arm["drawn"] for arm in arms["counts"])
            listed = ", ".join(f"{arm['raters']} of {arm['drawn']} in “{arm['name']}”" for arm in arms["counts"])
            yield (
                f"{numbered(drawn, 'rater')} were drawn into {len(arms['counts'])} arms as they joined, in permuted "
                f"blocks, and were not told; in this release are ratings by {listed}. `manifest.json` has the list and "
                f"its seed, and `corpus.jsonl` the arm of each rating."
            )

    def test(self) -> Iterator[str]:
        raters, passed = self.collection["test"]["raters"], self.collection["test"]["passed"]
        if raters:
            yield f"{passed} of {numbered(raters, 'rater')} had passed a test before their first rating."
        if self.amount(CROWD_RATINGS, Origin.IMPORTED):
            whose = "of the imported ratings " if raters else ""
            yield f"Whether the raters {whose}had passed a test: {self.unknown}."

    def version_rows(self) -> list[dict[str, Any]]:
        """Return what was done under each version, if there is more than one."""
        began = {each["number"]: each["created_at"][:10] for each in self.collection["versions"]}
        rows: dict[str, Counter[str]] = defaultdict(Counter)
        for row in sorted(self.collection["work"], key=lambda row: (row["settings"] is None, row["settings"] or 0)):
            version = row["settings"]
            is_known = version in began
            label = f"{version}, from {began[version]}" if is_known else f"none ({self._missing(row['origin'])})"
            rows[label].update({kind.value: row[kind] for kind in Work})
        return [{"version": label, **counts} for label, counts in rows.items()] if len(rows) > 1 else []

    def readings(self) -> list[dict[str, Any]]:
        """Return what each role was told, and what people agreed to: each distinct text once, with its readers."""
        sections = [{"heading": f"What the {role} were told", "rows": self._readings_of(role)} for role in READ]
        sections.append({"heading": "What people agreed to", "rows": self._consents()})
        return [section for section in sections if section["rows"]]

    def _readings_of(self, role: str) -> list[dict[str, str]]:
        rows = [self._reading(role, row) for row in self.collection["guidelines"][role]]
        work = {"editors": [Work.COMPRESSIONS], "raters": CROWD_RATINGS, "experts": [Work.EXPERT_RATINGS]}[role]
        imported = self.amount(work, Origin.IMPORTED)
        if imported:
            noun = "compression" if role == "editors" else "rating"
            rows.append(self._unknown(f"{role} of {numbered(imported, noun)} from elsewhere were told", rows))
        return rows

    def _reading(self, role: str, row: Row) -> dict[str, str]:
        who = numbered(row["people"], role[:-1])
        work = numbered(row["work"], "compression" if role == "editors" else "rating")
        if row["versions"]:
            return _row(f"{who} had read this before {work} in this release:", self._text(row, READ[role]))
        if row["is_read"]:
            return _row(f"What {who} had read before {work} in this release: {UNRECORDED}.")
        return _row(f"{who} had not said that they had read anything before {work} in this release.")

    def _consents(self) -> list[dict[str, str]]:
        rows = []
        for row in self.collection["consent"]:
            people = "1 person" if row["people"] == 1 else f"{row['people']} people"
            if row["versions"]:
                rows.append(_row(f"{people} agreed to this:", self._text(row, ("consent",))))
            else:
                rows.append(_row(f"What {people} agreed to: {UNRECORDED}."))
        if self.amount(Work, Origin.IMPORTED):
            rows.append(self._unknown("people whose work was imported agreed to", rows))
        return rows

    def _unknown(self, whose: str, rows: list[dict[str, str]]) -> dict[str, str]:
        """Say what is not known: of some of the work, or of all."""
        return _row(f"What the {whose}: {self.unknown}." if rows else f"{self.unknown[0].upper()}{self.unknown[1:]}.")

    def _text(self, row: Row, names: Iterable[str]) -> str:
        """Return what was read; releases from before numbers were filled in say it in their settings only."""
        if row.get("text") is not None:
            return str(row["text"])
        first = row["versions"][0]
        settings = next(each["settings"] for each in self.collection["versions"] if each["number"] == first)
        return "\n\n".join(filter(None, (settings[name] for name in names)))


def _row(who: str, text: str = "") -> dict[str, str]:
    return {"who": who, "text": text}


def numbered(number: int, noun: str) -> str:
    return f"{number} {noun}{pluralize(number)}"


def ranged(numbers: list[int], noun: str) -> str:
    least, most = min(numbers), max(numbers)
    return numbered(least, noun) if least == most else f"{least} to {numbered(most, noun)}"
