"""What pages say where files of a release have fixed English words."""

from collections.abc import Callable

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.action_notices import ActionNotice
from common.extras import PARQUET
from common.words import Words
from compressions.models import Decoy
from corpus.models import Release
from corpus.selectors import changes_since_release, newer_release
from crowd.models import Campaign

KIND_LABELS: dict[str, Words] = {
    "all": gettext_lazy("all"),
    "1 sentence": gettext_lazy("1 sentence"),
    "2 sentences": gettext_lazy("2 sentences"),
}
NOT_ASSESSED: dict[str, Words] = {
    "editors": gettext_lazy("It never assessed %(n)s of the %(all)s editors in this release."),
    "raters": gettext_lazy("It never assessed %(n)s of the %(all)s raters in this release."),
}


def newer_notice(release: Release, newest_address: Callable[[int], str]) -> ActionNotice | None:
    """Say what is newer than a release: another one, or what people have done since; None if nothing is.

    `newest_address` returns the address of the same page of the release with a version.
    """
    if newest := newer_release(release):
        words = _("A newer release has been frozen: %(name)s.") % {"name": newest.name}
        return ActionNotice(words, _("Go to %(name)s") % {"name": newest.name}, newest_address(newest.version))
    if since := changes_since_release(release):
        words = _("This release was frozen before %(since)s.") % {"since": since}
        address = reverse("corpus:freeze", args=[release.campaign.slug])
        return ActionNotice(words, _("Freeze a release"), address, is_change=True)
    return None


def not_written_words(release: Release) -> str:
    """Return which files a release lacks, and why; empty if it has all."""
    names = release.summary.get("files_not_written")
    if not names:
        return ""
    words = _("Not written, since Précis was installed without the extra %(extra)s (%(command)s): %(files)s.")
    return words % {"extra": PARQUET.name, "command": PARQUET.command, "files": ", ".join(names)}


def decoy_words(campaign: Campaign) -> str:
    """Return how many decoys a campaign has of which systems; empty if it has none."""
    decoys = Decoy.objects.filter(source__campaign=campaign)
    counts = decoys.values_list("system").order_by("system").annotate(Count("pk"))
    named = [
        ngettext("%(n)s text of %(system)s", "%(n)s texts of %(system)s", n) % {"n": f"{n:,}", "system": system}
        for system, n in counts
    ]
    return _("Decoys: %(counts)s.") % {"counts": ", ".join(named)} if named else ""


def not_assessed_words(release: Release) -> list[str]:
    """Return how many in a release the quality rule never assessed, as far as is known; `README.md` says the same."""
    said = []
    for role, count in release.summary.get("not_assessed", {}).items():
        if count is None:
            said.append(_("It does not judge editors.") if role == "editors" else _("It does not judge raters."))
        elif count[0]:
            words = NOT_ASSESSED[role] % {"n": f"{count[0]:,}", "all": f"{count[1]:,}"}
            said += [words, _("When it was applied, they had done too little, or had not come yet.")]
    return list(dict.fromkeys(said))


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
