"""What pages call judgements, figures and choices. Reports and files keep their own names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.words import Words
from compressions.genres import genre_words
from evaluation.judged_release import BY_RATER, COMBINED
from evaluation.parameters import POOLS
from measures.meta_evaluation.sentinels import (
    CONSTANT,
    COPIED,
    LENGTH_CHARACTERS,
    LENGTH_WORDS,
    ONE_RATER,
    RANDOM,
    RATE,
    SOURCE_LENGTH,
)
from measures.metrics import KNOWN_METRICS

SENTINELS: dict[str, Words] = {
    LENGTH_CHARACTERS: gettext_lazy("length of the output in characters"),
    LENGTH_WORDS: gettext_lazy("length of the output in words"),
    RATE: gettext_lazy("length as a share of the source’s"),
    COPIED: gettext_lazy("share of words copied from the source"),
    SOURCE_LENGTH: gettext_lazy("length of the source in characters"),
    RANDOM: gettext_lazy("random numbers"),
    CONSTANT: gettext_lazy("the same number for every output"),
    ONE_RATER: gettext_lazy("one rater against the others"),
}
COMBINED_NAME: Words = gettext_lazy("Combined")
KINDS_OF_PAIRS: dict[str, Words] = {
    "auto-auto": gettext_lazy("two systems"),
    "human-auto": gettext_lazy("people and a system"),
    "human-human": gettext_lazy("two people"),
}
WHO: dict[str, Words] = {
    "systems only": gettext_lazy("systems only"),
    "people and systems": gettext_lazy("people and systems"),
    "people only": gettext_lazy("people only"),
}
FIGURES: dict[str, Words] = {
    "": gettext_lazy("Value"),
    "r": gettext_lazy("r"),
    "difference": gettext_lazy("Mean difference"),
    "better": gettext_lazy("Better"),
    "equal": gettext_lazy("Equal"),
    "worse": gettext_lazy("Worse"),
    "rho": gettext_lazy("rho of differences"),
    "same sign": gettext_lazy("Same direction"),
    "adjusted r": gettext_lazy("Without the luck"),
    "kendall": gettext_lazy("Kendall’s tau"),
    "spearman": gettext_lazy("Spearman"),
    "pearson": gettext_lazy("Pearson"),
    "ceiling": gettext_lazy("Ceiling"),
    "mean over pairs": gettext_lazy("Mean over pairs"),
    "smallest difference": gettext_lazy("Smallest difference"),
    "PERM-BOTH": gettext_lazy("Difference in r"),
    "auc": gettext_lazy("AUC"),
    "HBR minus this": gettext_lazy("AUC of HBR minus this"),
    "worst rank": gettext_lazy("Rank on the worst texts"),
    "auc without inconsistent topics": gettext_lazy("AUC without inconsistent texts"),
    "pairwise accuracy": gettext_lazy("Pairwise accuracy"),
    "pairwise accuracy, significant pairs": gettext_lazy("Among pairs that differ significantly"),
    "soft pairwise accuracy": gettext_lazy("Soft pairwise accuracy"),
    "accuracy at 0": gettext_lazy("Without ties"),
    "calibrated accuracy": gettext_lazy("With calibrated ties"),
    "calibrated accuracy, held out": gettext_lazy("Calibrated on other texts"),
    "80%": gettext_lazy("80%% agreement"),
    "90%": gettext_lazy("90%% agreement"),
    "95%": gettext_lazy("95%% agreement"),
    "winning rate": gettext_lazy("Winning rate"),
    "advantage probability": gettext_lazy("Advantage probability"),
    "texts needed": gettext_lazy("Texts needed, if it erred as they do"),
    "mean of people": gettext_lazy("Mean of people"),
    "mean of systems": gettext_lazy("Mean of systems"),
    "pairs of systems that it tells apart": gettext_lazy("Pairs of systems that it tells apart"),
    "differences in ratings that it finds": gettext_lazy("Differences in ratings that it finds"),
}


SCORES: dict[str, Words] = {
    "accuracy": gettext_lazy("equal points"),
    "-RMSE": gettext_lazy("distance between points"),
}


def figure_label(name: str) -> str:
    """Return what the page calls a figure; names that are not known stay as they are."""
    coefficient, _comma, who = name.partition(", ")
    if who in WHO:
        words = {"coefficient": figure_label(coefficient), "who": str(WHO[who])}
        return _("%(coefficient)s, %(who)s") % words
    known = FIGURES.get(name)
    return str(known) % {} if known is not None else name


def pool_label(name: str) -> str:
    """Return whose ratings a row is about."""
    return str(POOLS.get(name, name))


def judgement_label(key: str, scales: Mapping[str, str]) -> str:
    """Return the name of a scale, or what the mean of several scales is called."""
    if key.endswith(BY_RATER):
        return _("%(scale)s, z by rater") % {"scale": judgement_label(key.removesuffix(BY_RATER), scales)}
    return str(COMBINED_NAME) if key == COMBINED else scales.get(key, key)


def sentinel_label(name: str) -> str:
    return str(SENTINELS.get(name, name))


def other_label(name: str) -> str:
    """Return what a page calls what a metric is held against, or a sentinel; most names stay as they are."""
    return str(KINDS_OF_PAIRS.get(name) or WHO.get(name) or sentinel_label(name))


def score_label(name: str) -> str:
    """Return what the alternative annotator test compares ratings by."""
    return str(SCORES.get(name, name))


def part_label(kind: str, name: str) -> str:
    """Return what a page calls a part of the release."""
    if kind == "genre":
        return _("Genre: %(name)s") % {"name": genre_words(name)}
    if kind == "length":
        return _("Length of the source: %(name)s") % {"name": name}
    return _("All texts")


def interval_words(levels: Sequence[Mapping[str, Any]]) -> str:
    """Say what the intervals of the correlations at input level are over; "" where there is none."""
    row = next((row for row in levels if row.get("low") is not None), None)
    if row is None:
        return ""
    if "systems" not in row:
        return _(
            "The interval is one of an earlier version of Précis (systems and texts drawn again); it may be too narrow."
        )
    if row["systems"]:
        return (
            _("The interval is over texts, systems and raters.")
            if row["raters"]
            else _("The interval is over texts and systems; the raters are taken as given.")
        )
    return (
        _("The interval is over texts and raters; it holds for these systems and says nothing of others.")
        if row["raters"]
        else _("The interval is over texts; it holds for these systems and raters and says nothing of others.")
    )


UNITS: dict[str, Words] = {
    "LR-1": gettext_lazy("single words"),
    "LR-2": gettext_lazy("sequences of two words"),
    "LR-3": gettext_lazy("sequences of three words"),
    "LR-4": gettext_lazy("sequences of four words"),
    "SKIP-2": gettext_lazy("two words in order, with few others between them"),
    "PARSE-2": gettext_lazy("grammatical relations between two words, found by a parser"),
    "BLEU-2": gettext_lazy("single words and sequences of two"),
    "BLEU-3": gettext_lazy("single words and sequences of up to three"),
    "BLEU-4": gettext_lazy("single words and sequences of up to four"),
    "ROUGE-L": gettext_lazy("words in the same order, with any others between them"),
    "ROUGE-1": gettext_lazy("single words"),
    "WE-1": gettext_lazy("single words, as far as their vectors are similar"),
    "WE-2": gettext_lazy("sequences of two words, as far as the products of their vectors are similar"),
    "WE-SU4": gettext_lazy(
        "single words, and two words in order with at most four between them, as far as their vectors are similar"
    ),
    "CONTEXT": gettext_lazy("pieces of words, as far as a model’s vectors of them in their contexts are similar"),
    "STRING": gettext_lazy("words in their order"),
    "SUCCESS": gettext_lazy("words of the source, each kept or left out"),
    "ROUGE-2": gettext_lazy("sequences of two words"),
    "ROUGE-SU4": gettext_lazy("single words, and two words in order with at most four between them"),
}
MEASURES: dict[str, Words] = {
    "Precision": gettext_lazy("the share of the output’s units that the references have"),
    "Recall": gettext_lazy("the share of the references’ units that the output has"),
    "F-1": gettext_lazy("the harmonic mean of precision and recall"),
    "Accuracy": gettext_lazy(
        "one minus the words that are to be inserted, deleted and replaced, divided by the reference’s words"
    ),
    "Agreement": gettext_lazy("the share of them on which output and reference agree"),
    "PrecBrev": gettext_lazy(
        "the geometric mean of precision over the lengths, lowered where the output is shorter than the references"
    ),
}
REFERENCES: dict[str, Words] = {
    "MULT-MEAN": gettext_lazy("all references one by one; the mean score counts"),
    "SINGLE-REF": gettext_lazy("one reference, drawn for each text"),
    "MULT-MAX": gettext_lazy("all references one by one; the best score counts"),
    "MULT-ALL": gettext_lazy("all references together, as if they were one set of units"),
    "MULT-PROB": gettext_lazy("all references together; each unit counts by the share of references that have it"),
    "JACKKNIFE": gettext_lazy("all references but one, averaged over the one left out"),
}


@dataclass(frozen=True)
class MetricWords:
    """A metric's name with its parts in words; they are empty for a metric that was computed elsewhere."""

    name: str
    units: str = ""
    measure: str = ""
    references: str = ""
    unit_words: str = ""
    measure_words: str = ""
    reference_words: str = ""
    source: str = ""

    @property
    def is_known(self) -> bool:
        return bool(self.units)

    @property
    def title(self) -> str:
        """The whole explanation in a line, for links."""
        if not self.is_known:
            return _("Computed elsewhere: only its file says what it is.")
        words = _("Units: %(units)s. Measure: %(measure)s. References: %(references)s.")
        return words % {
            "units": self.unit_words,
            "measure": self.measure_words,
            "references": self.reference_words,
        }


def metric_words(name: str, *, is_computed: bool = True) -> MetricWords:
    """Explain a metric of the app by its name; one that was imported under the same name explains nothing."""
    known = KNOWN_METRICS.get(name) if is_computed else None
    if known is None:
        return MetricWords(name)
    return MetricWords(
        name,
        known.units,
        known.measure,
        known.references,
        _words(UNITS, known.units),
        _words(MEASURES, known.measure),
        _words(REFERENCES, known.references),
        known.source,
    )


def _words(table: dict[str, Words], name: str) -> str:
    return str(table.get(name, name))
