"""What pages call operations, classes and parts of a release. Reports and files keep their own names."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.words import Words
from compressions.genres import genre_words

LABELS: dict[str, Words] = {
    "copied": gettext_lazy("copied"),
    "paraphrased": gettext_lazy("paraphrased"),
    "inserted": gettext_lazy("inserted"),
    "deleted": gettext_lazy("deleted"),
    "moved": gettext_lazy("moved"),
    "replaced": gettext_lazy("replaced"),
    "deletion only": gettext_lazy("deletion only"),
    "deletion and reordering": gettext_lazy("deletion and reordering"),
    "abstractive": gettext_lazy("with other words"),
    "kept": gettext_lazy("both kept"),
    "merged": gettext_lazy("merged into one"),
    "sentence deleted": gettext_lazy("one deleted"),
    "substitute": gettext_lazy("paraphrase a word"),
    "substitute or insert": gettext_lazy("paraphrase or insert a word"),
    "reorder": gettext_lazy("reorder"),
    "merge": gettext_lazy("merge two sentences"),
    "delete sentence": gettext_lazy("delete a sentence"),
    "joint": gettext_lazy("as a paragraph"),
    "apart": gettext_lazy("sentence by sentence"),
    "precision": gettext_lazy("precision"),
    "recall": gettext_lazy("recall"),
    "f1": gettext_lazy("F1"),
    "exact": gettext_lazy("compressions aligned exactly as corrected"),
    "corrected": gettext_lazy("compressions with a corrected alignment"),
    "corrections": gettext_lazy("compressions with a corrected alignment"),
    "rate": gettext_lazy("share of characters kept"),
    "compression rate": gettext_lazy("share of characters kept"),
    "span length": gettext_lazy("words in a deleted span"),
    "spans": gettext_lazy("deleted spans in a text"),
    "spans of 1": gettext_lazy("spans of one word"),
    "spans of 2": gettext_lazy("of two"),
    "spans of 3": gettext_lazy("of three"),
    "spans of 4": gettext_lazy("of four"),
    "spans of 5 or more": gettext_lazy("of five or more"),
    "success rate": gettext_lazy("shared decisions"),
    "all": gettext_lazy("all words"),
    "intercept": gettext_lazy("intercept"),
    "source": gettext_lazy("variance between sources"),
    "editor": gettext_lazy("variance between editors"),
    "residual": gettext_lazy("residual variance"),
    "operations together": gettext_lazy("all operations together"),
    "text deviation": gettext_lazy("standard deviation between compressions"),
    "source deviation": gettext_lazy("standard deviation between sources"),
    "rater deviation": gettext_lazy("standard deviation between raters"),
}
TABLE_OPERATIONS: dict[str, Words] = {
    "substitute": gettext_lazy("Paraphrase a word"),
    "reorder": gettext_lazy("Reorder"),
    "merge": gettext_lazy("Merge two sentences"),
    "sentence deleted": gettext_lazy("Delete a sentence"),
}
VARIANT_LABELS: dict[str, Words] = {
    "": gettext_lazy("all words"),
    "mean of texts": gettext_lazy("mean of the texts"),
    "without punctuation": gettext_lazy("without punctuation"),
}
PARTS: dict[str, Words] = {
    "genre": gettext_lazy("Genre"),
    "split": gettext_lazy("Split"),
    "sentences": gettext_lazy("Sentences of the source"),
    "editor": gettext_lazy("Editor"),
    "system": gettext_lazy("System"),
}
HEADINGS: dict[str, Words] = {
    "genre": gettext_lazy("By genre"),
    "split": gettext_lazy("By split"),
    "sentences": gettext_lazy("By number of sentences"),
    "editor": gettext_lazy("By editor"),
    "system": gettext_lazy("Systems"),
}


def label_of(name: str) -> str:
    """Return what a page calls a figure; names that are not known stay as they are."""
    return str(LABELS.get(name, name))


def operation_label(name: str) -> str:
    return str(TABLE_OPERATIONS.get(name) or label_of(name)[:1].upper() + label_of(name)[1:])


def group_label(part: str, group: str) -> str:
    """Return what a page calls one genre, split, editor or system, whose names people choose."""
    if part == "genre":
        return genre_words(group)
    return group or _("unknown")


def deletion_group_label(part: str, group: str) -> str:
    """Return what a page calls the texts whose deletions are described."""
    if part == "system":
        return group_label(part, group)
    return _("people, only deleting") if part == "class" else _("people")


def mean_caption(means: str) -> str:
    """Say what the means of Table 5 are over, which a report is asked for."""
    if means == "compressions":
        return _("Means over all compressions. The axis does not begin at the scale’s lowest point.")
    return _("Means over the sources that have both. The axis does not begin at the scale’s lowest point.")
