"""The eighty metrics by name, and the few beyond them."""

from __future__ import annotations

from dataclasses import dataclass

from measures.metrics.scores import MEASURES, REFERENCES

NGRAMS = ("LR-1", "LR-2", "LR-3", "LR-4")
SKIPS, PARSE = "SKIP-2", "PARSE-2"
UNITS = (*NGRAMS, SKIPS, PARSE)
ORDERS = {"BLEU-2": 2, "BLEU-3": 3, "BLEU-4": 4}
PAPER = "Toutanova et al. 2016, §4.1"


@dataclass(frozen=True)
class Metric:
    """One way to score an output.

    Attributes
    ----------
    units : str
        What is compared, as "SKIP-2".
    measure : str
        How a match is turned into a score, as "Recall".
    references : str
        How several references are used, as "MULT-PROB".
    source : str
        The paper that it is from.
    empty : str
        What happens to a text without units.
    low, high : float
        The least and the greatest value.
    greater_is_better : bool
        Which way is good.
    """

    units: str
    measure: str
    references: str
    source: str
    empty: str = "0 where the output or the references have no units"
    low: float = 0.0
    high: float = 1.0
    greater_is_better: bool = True

    @property
    def name(self) -> str:
        """As the paper writes it."""
        return f"{self.units}+{self.measure}+{self.references}"

    @property
    def wants_parser(self) -> bool:
        """Whether texts must have been parsed."""
        return self.units == PARSE


def _eighty() -> list[Metric]:
    of_units = [
        Metric(units, measure, references, PAPER)
        for units in UNITS
        for measure in MEASURES
        for references in REFERENCES
    ]
    bleu = "Papineni et al. 2002, §2; BLEU of single outputs averaged, Toutanova et al. 2016, §4.3"
    of_bleu = [
        Metric(units, "PrecBrev", references, bleu, "0 where the output is empty or nothing matches")
        for units in ORDERS
        for references in ("SINGLE-REF", "MULT-ALL")
    ]
    rouge = "Lin 2004, §3"
    of_rouge = [Metric("ROUGE-L", "Recall", references, rouge) for references in ("SINGLE-REF", "MULT-MAX")]
    return [*of_units, *of_bleu, *of_rouge]


METRICS: dict[str, Metric] = {metric.name: metric for metric in _eighty()}
"""The eighty metrics of the paper."""

BEYOND: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            units,
            "Recall",
            "JACKKNIFE",
            "Lin 2004, §2.1, with the averages of ROUGE-1.5.5 -f A as in the TAC evaluations",
        )
        for units in ("ROUGE-1", "ROUGE-2", "ROUGE-SU4")
    )
}
"""Metrics that the paper does not have; computed where they are asked for by name."""


def metrics_named(names: list[str] | tuple[str, ...]) -> list[Metric]:
    """Look metrics up.

    Parameters
    ----------
    names : list of str
        Names as in `METRICS` and `BEYOND`.

    Returns
    -------
    list of Metric
        In the same order.

    Raises
    ------
    ValueError
        If a name is unknown, with those that are like it, or stands there twice.

    Examples
    --------
    >>> metrics_named(["SKIP-2+Recall+MULT-PROB"])[0].wants_parser
    False
    """
    known = METRICS | BEYOND
    for name in names:
        if name not in known:
            like = [each for each in known if each.partition("+")[0] == name.partition("+")[0]]
            hint = f"there are {', '.join(like)}" if like else "a name is like SKIP-2+Recall+MULT-PROB"
            raise ValueError(f"there is no metric {name!r}; {hint}")
        if names.count(name) > 1:
            raise ValueError(f"the metric {name!r} is named twice")
    return [known[name] for name in names]
