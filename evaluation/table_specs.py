"""Which tables of a report stand on its page, below the plots, and what each of them says."""

from django.utils.translation import gettext_lazy

from common.words import Words
from evaluation.page_tables import TableSpec

METRIC: Words = gettext_lazy("Metric")
N: tuple[str, Words] = ("n", gettext_lazy("n"))
P: tuple[str, Words] = ("p", gettext_lazy("p"))
HOLM: tuple[str, Words] = ("p_holm", gettext_lazy("p, Holm"))

LIMITS = (
    TableSpec(
        "best of many",
        gettext_lazy("The best of many is lucky"),
        gettext_lazy(
            "The metric that is best on these texts looks better here than on others. What it would lose is estimated "
            "by choosing on one half of the texts and looking at the other"
        ),
        figures=("adjusted r",),
        columns=(
            ("metrics", gettext_lazy("Best of")),
            ("r", gettext_lazy("r on these texts")),
            ("luck", gettext_lazy("Luck")),
        ),
    ),
    TableSpec(
        "sentinels",
        gettext_lazy("Numbers that no metric should lose to"),
        gettext_lazy(
            "Correlations of lengths, copied words and random numbers with the ratings, as if they were metrics: r of "
            "differences between systems (n: texts of the smallest pair), and Kendall’s tau over systems"
        ),
        heads=(gettext_lazy("Sentinel"),),
        columns=(N,),
        sort_by="r",
    ),
    TableSpec(
        "ceiling",
        gettext_lazy("What a perfect metric would reach"),
        gettext_lazy(
            "About the correlation that a metric would have if it knew the true quality: raters err, too, and the "
            "ceiling is estimated from how far halves of them agree on the differences between two systems. By "
            "chance, or if it was fitted to these ratings, a metric may lie above it"
        ),
        lines=("other",),
        heads=(gettext_lazy("Pair of systems"),),
        columns=(("reliability", gettext_lazy("Reliability")),),
    ),
    TableSpec(
        "power",
        gettext_lazy("Which difference between two metrics could be found"),
        gettext_lazy("The smallest difference in r that Williams’ test finds in 80% of studies with n texts"),
        lines=("n",),
        heads=(gettext_lazy("Texts"),),
        columns=(("r12", gettext_lazy("r of the best")), ("r23", gettext_lazy("r between metrics"))),
    ),
)
COMPARISONS = (
    TableSpec(
        "metric beside people",
        gettext_lazy("Metrics beside people, answer by answer"),
        gettext_lazy(
            "The first system less the second on the questions that both answered: the mean difference with p of its "
            "paired t, on which shares of the questions the first is better, equal and worse, and how a metric’s "
            "differences follow people’s (Spearman’s rho, and the share with the same sign)"
        ),
        lines=("other", "metric"),
        heads=(gettext_lazy("Systems"), METRIC),
        columns=(P, N),
    ),
    TableSpec(
        "metric differences",
        gettext_lazy("The best metric against the others"),
        gettext_lazy(
            "Difference in r, the mean over pairs of systems, to the metric with the highest, tested by exchanging the "
            "scores of the two (PERM-BOTH)"
        ),
        lines=("other",),
        heads=(gettext_lazy("Best metric against"),),
        columns=(P, HOLM, ("p_bh", gettext_lazy("p, Benjamini-Hochberg"))),
    ),
    TableSpec(
        "significance",
        gettext_lazy("Agreement about which systems differ"),
        gettext_lazy(
            "Shares of the pairs of systems (Owczarzak et al. 2012): diff, no diff: same verdict where people find a "
            "difference, or none; contr: opposite differences; sig: same verdict; all: same direction"
        ),
        lines=("metric", "other"),
        heads=(METRIC, gettext_lazy("Pairs of")),
        figures=("diff", "no diff", "contr", "sig", "all"),
        columns=(N, ("beats_baseline", gettext_lazy("Better than the baseline"))),
        sort_by="sig",
    ),
    TableSpec(
        "shown difference",
        gettext_lazy("The smallest difference that can be trusted"),
        gettext_lazy(
            "How far the mean scores of two systems must be apart before a metric is shown to agree with people on "
            "80%, 90% or 95% of the pairs: the lower end of a one-sided 95% interval that draws systems and texts. "
            "Each metric stands by itself: the least value of many is small by luck"
        ),
        columns=(N,),
    ),
    TableSpec(
        "system order",
        gettext_lazy("The order of systems"),
        gettext_lazy(
            "Shares of the pairs of systems that a metric orders as people do, and soft pairwise accuracy, which "
            "counts how sure both are"
        ),
        columns=(N,),
        sort_by="soft pairwise accuracy",
    ),
    TableSpec(
        "ties",
        gettext_lazy("Pairs of outputs, with ties"),
        gettext_lazy(
            "Share of the pairs of outputs of a text that a metric orders as people do: without ties, with the ties "
            "that suit it best, and with those chosen on other texts"
        ),
        columns=(("epsilon", gettext_lazy("Tie below")), N),
        sort_by="calibrated accuracy",
    ),
    TableSpec(
        "summary level",
        gettext_lazy("Correlations as for summaries"),
        gettext_lazy(
            "Over systems (r_SYS), within each text, averaged (r_SUM), within systems and over all outputs; the last "
            "two reward a metric for knowing which texts are hard, as the sentinels among them do"
        ),
        lines=("metric", "other"),
        heads=(METRIC, gettext_lazy("Correlation")),
        columns=(N,),
    ),
    TableSpec(
        "heterogeneity",
        gettext_lazy("Metrics combined without ratings"),
        gettext_lazy(
            "Heterogeneity-based ranking (Amigó et al. 2012) beside plain combinations and single metrics: how often "
            "the better of two outputs scores higher (AUC), and how badly it fails on the worst texts (rank, 0 is "
            "best)"
        ),
        columns=(N,),
        sort_by="auc",
    ),
)
PEOPLE = (
    TableSpec(
        "people and systems",
        gettext_lazy("People as systems"),
        gettext_lazy("Correlations of mean scores with mean ratings over systems only, people only, and both"),
        lines=("metric", "other"),
        heads=(METRIC, gettext_lazy("Over")),
        columns=(P, N),
    ),
    TableSpec(
        "variants",
        gettext_lazy("Translated references and outputs"),
        gettext_lazy("Scores of the same outputs by references in other languages, beside the ratings"),
        lines=("metric", "other", "figure"),
        heads=(METRIC, gettext_lazy("Variant"), gettext_lazy("Figure")),
        columns=(P, N),
    ),
)
MODELS = (
    TableSpec(
        "model judges",
        gettext_lazy("Models as raters"),
        gettext_lazy("Agreement of models with people, beside that of people among themselves"),
        lines=("metric", "other", "figure"),
        heads=(gettext_lazy("Model"), gettext_lazy("Ratings by"), gettext_lazy("Figure")),
        columns=(N,),
    ),
    TableSpec(
        "model judge bias",
        gettext_lazy("What models rate differently"),
        gettext_lazy("How the model’s points minus people’s mean go with length, copied words and systems"),
        lines=("metric", "figure", "other"),
        heads=(gettext_lazy("Model"), gettext_lazy("Figure"), gettext_lazy("System")),
        columns=(N,),
    ),
    TableSpec(
        "alternative annotator test",
        gettext_lazy("May a model replace a rater?"),
        gettext_lazy(
            "The alternative annotator test (Calderon, Reichart and Dror 2025). It can show that a model is as near to "
            "the other raters as one of them: it counts as such if it beats at least half of the raters. It cannot "
            "show that the model is right, that it would be as near on other texts, systems or scales, or that it had "
            "not met these texts and ratings before"
        ),
        lines=("metric", "pool", "score"),
        heads=(gettext_lazy("Model"), gettext_lazy("Against"), gettext_lazy("Compared by")),
        figures=("winning rate", "advantage probability", "texts needed"),
        columns=(("n", gettext_lazy("Raters")), ("may_replace", gettext_lazy("As near as a rater"))),
    ),
)
GROUPS = (
    ("limits", gettext_lazy("Limits"), LIMITS),
    ("comparisons", gettext_lazy("Other questions"), COMPARISONS),
    ("people", gettext_lazy("People"), PEOPLE),
    ("models", gettext_lazy("Models"), MODELS),
)
