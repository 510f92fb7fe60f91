"""Why a release would have no source: the reason that its counts show, and no other."""

from django.utils.translation import gettext as _

from corpus.release.options import ReleaseOptions
from corpus.release.records import LeftOut


def why_empty(left_out: LeftOut, options: ReleaseOptions, *, texts_without_editor: int) -> str:
    """Return the refusal of an empty release. Quality decisions are named only if they cost ratings or texts."""
    minima = {"texts": options.min_compressions, "ratings": options.min_ratings}
    has_minima = max(minima.values()) > 1
    if left_out.ratings_of_removed_raters or left_out.texts_of_removed_editors:
        if not has_minima:
            return _("There is nothing to release: the quality decisions leave no rated compression.")
        words = _(
            "There is nothing to release: the quality decisions leave no source that reaches the minimum numbers of "
            "compressions (%(texts)s) and of ratings per compression (%(ratings)s)."
        )
        return words % minima
    if has_minima and _misses_minima(left_out):
        words = _(
            "There is nothing to release: no source reaches the minimum numbers of compressions (%(texts)s) and of "
            "ratings per compression (%(ratings)s)."
        )
        return words % minima
    return _without_minima(left_out, texts_without_editor, options.min_compressions)


def _misses_minima(left_out: LeftOut) -> bool:
    return any(
        (
            left_out.texts_with_too_few_ratings,
            left_out.comparisons_with_too_few_ratings,
            left_out.sources_with_too_few_compressions,
        )
    )


def _without_minima(left_out: LeftOut, texts_without_editor: int, least_texts: int) -> str:
    if left_out.texts_without_rating:
        return _(
            "There is nothing to release: no compression by an editor has been rated. With a minimum of 0 ratings per "
            "compression, those without a rating are released as references."
        )
    if texts_without_editor:
        return _(
            "There is nothing to release: no compression has an editor. Compressions imported without editors and "
            "those of test participants are not released."
        )
    if least_texts == 0:
        return _("There is nothing to release: no source has a rated compression or a rated output of a system.")
    if left_out.sources_with_outputs_only:
        return _(
            "There is nothing to release: there are system outputs but no compressions by editors. With a minimum of 0 "
            "compressions per source, sources with rated outputs are released."
        )
    return _("There is nothing to release: no source has a rated compression.")
