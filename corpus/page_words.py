"""What pages say where files of a release have fixed English words."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.extras import PARQUET
from common.words import Words
from corpus.models import Release

KIND_LABELS: dict[str, Words] = {
    "all": gettext_lazy("all"),
    "1 sentence": gettext_lazy("1 sentence"),
    "2 sentences": gettext_lazy("2 sentences"),
}


def not_written_words(release: Release) -> str:
    """Return which files a release lacks, and why; empty if it has all."""
    names = release.summary.get("files_not_written")
    if not names:
        return ""
    words = _("Not written, since Précis was installed without the extra %(extra)s (%(command)s): %(files)s.")
    return words % {"extra": PARQUET.name, "command": PARQUET.command, "files": ", ".join(names)}


def left_out_words(release: Release) -> list[tuple[int, str]]:
    """Return the nonzero counts of what a release leaves out, with their reasons; `README.md` says the same."""
    numbers = release.summary.get("left_out", {})
    return [(numbers[name], reason) for name, reason in _reasons(release).items() if numbers.get(name)]


def _reasons(release: Release) -> dict[str, str]:
    return {
        "removed_editors": _("editors left out by the quality rule or by hand"),
        "texts_of_removed_editors": _("compressions that only they wrote"),
        "removed_raters": _("raters left out by the quality rule or by hand"),
        "ratings_of_removed_raters": _("ratings that they gave"),
        "texts_without_rating": _("compressions without a rating that counts"),
        **_few_ratings(release.options.get("min_ratings", 1)),
        "sources_without_text": _("sources without a compression that stays"),
        "sources_with_outputs_only": _outputs_only(release.options.get("min_compressions", 1)),
        "sources_with_too_few_compressions": _few_compressions(release.options.get("min_compressions", 1)),
        "outputs_of_left_out_sources": _("outputs of systems for these sources"),
    }


def _few_ratings(least: int) -> dict[str, str]:
    texts = ngettext("compressions with fewer than %(n)s rating", "compressions with fewer than %(n)s ratings", least)
    pairs = ngettext("comparisons with fewer than %(n)s rating", "comparisons with fewer than %(n)s ratings", least)
    return {
        "texts_with_too_few_ratings": texts % {"n": least},
        "comparisons_with_too_few_ratings": pairs % {"n": least},
    }


def _outputs_only(least: int) -> str:
    if least == 0:
        return _("sources without a compression that stays, whose outputs of systems have too few ratings")
    return _("sources without a compression that stays, though systems have outputs for them")


def _few_compressions(least: int) -> str:
    words = ngettext("sources with fewer than %(n)s compression", "sources with fewer than %(n)s compressions", least)
    return words % {"n": least}
