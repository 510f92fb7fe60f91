"""What a metric compares, in words, so that its name explains itself."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.words import Words
from measures.metrics import EXTRA_METRICS, METRICS

KNOWN = METRICS | EXTRA_METRICS
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
    "ROUGE-2": gettext_lazy("sequences of two words"),
    "ROUGE-SU4": gettext_lazy("single words, and two words in order with at most four between them"),
}
MEASURES: dict[str, Words] = {
    "Precision": gettext_lazy("the share of the output’s units that the references have"),
    "Recall": gettext_lazy("the share of the references’ units that the output has"),
    "F-1": gettext_lazy("the harmonic mean of precision and recall"),
    "PrecBrev": gettext_lazy(
        "the geometric mean of precision over the lengths, lowered where the output is shorter than the references"
    ),
}
REFERENCES: dict[str, Words] = {
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
    known = KNOWN.get(name) if is_computed else None
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
