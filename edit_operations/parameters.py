"""The parameters of a report on editing operations. Defaults follow the paper where it states them."""

from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext_lazy

from reports.parameters import ReportParameters, choice, number, seed, switch

MAX_PAIRS_BYTES, MAX_PAIR_LINES = 5_000_000, 50_000

Substitute = Literal["paraphrased", "paraphrased or inserted"]
Means = Literal["sources", "compressions"]
Apart = Literal["mean", "by length"]


@dataclass(frozen=True)
class OperationsParameters(ReportParameters):
    """How texts are aligned and compared.

    `substitute` is what Table 5 counts as a substitution; `means` whether its cells are means over sources or over all
    compressions; `apart` how Table 6 averages the sentences of a paragraph. `draws` are the bootstrap draws of sources.
    `vectors` uses the word vectors of the installation's pipeline, if it is for the campaign's language and has any.
    """

    substitute: Substitute = choice(
        "paraphrased",
        Substitute,
        label=gettext_lazy("Table 5 counts as a substitution"),
        api="What Table 5 counts as a substitution.",
        option="what Table 5 counts as a substitution",
        labels={
            "paraphrased": gettext_lazy("a paraphrased word"),
            "paraphrased or inserted": gettext_lazy("a paraphrased or inserted word"),
        },
    )
    means: Means = choice(
        "sources",
        Means,
        label=gettext_lazy("Average Table 5 over"),
        api="Over what the cells of Table 5 are means.",
        option="over what the cells of Table 5 are means",
        labels={"sources": gettext_lazy("sources with both"), "compressions": gettext_lazy("all compressions")},
    )
    apart: Apart = choice(
        "mean",
        Apart,
        label=gettext_lazy("Sentences of a paragraph in Table 6 count"),
        api="How Table 6 averages the sentences of a paragraph.",
        option="how Table 6 averages the sentences of a paragraph",
        labels={"mean": gettext_lazy("equally"), "by length": gettext_lazy("by their length")},
    )
    draws: int = number(
        1000,
        least=1,
        most=10_000,
        label=gettext_lazy("Bootstrap draws of sources"),
        api="Bootstrap draws of sources.",
        option="bootstrap draws of sources",
    )
    seed: int = seed(
        label=gettext_lazy("Seed"), api="The same seed draws the same sources.", option="seed of the draws"
    )
    vectors: bool = switch(
        label=gettext_lazy("Use the word vectors of the installed pipeline"),
        api="Use the word vectors of the installation's pipeline.",
        option="use the word vectors of the pipeline that PRECIS_SPACY_MODEL names",
    )
