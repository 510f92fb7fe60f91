"""The scales of files of ratings made elsewhere: read from what staff name, and kept with the campaign."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.models import Campaign, ImportedScale
from crowd.scale_texts import imported_scale_from_text, imported_scale_to_text
from crowd.scales import MAX_SCALES, Scale


def file_scales(campaign: Campaign, written: Sequence[str]) -> tuple[Scale, ...]:
    """Return the scales that are named for a file, or the campaign's own where none are.

    Raise Refused for one that cannot be read, or that the campaign knows as another: under one name there is one scale.
    """
    if not written:
        return campaign.rating_scales
    scales = scales_named(written)
    stored = ImportedScale.objects.filter(campaign=campaign, key__in=[each.key for each in scales])
    known = {each.key: each.scale for each in stored}
    for scale in scales:
        _refuse_another(campaign, scale, known.get(scale.key, scale))
    return scales


def scales_named(written: Sequence[str]) -> tuple[Scale, ...]:
    """Return the scales that are named for a file; raise Refused for one that cannot be read."""
    try:
        scales = tuple(map(imported_scale_from_text, written))
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error
    if len(scales) > MAX_SCALES:
        raise Refused(_("A file has at most %(most)s scales.") % {"most": MAX_SCALES})
    keys = [scale.key for scale in scales]
    if repeated := [key for key in keys if keys.count(key) > 1]:
        raise Refused(_("The scale %(key)s is named twice.") % {"key": repeated[0]})
    return scales


def _refuse_another(campaign: Campaign, scale: Scale, known: Scale) -> None:
    if scale.key in {each.key for each in campaign.rating_scales}:
        words = _(
            "Raters of this campaign have a scale %(key)s of their own. Name the column and the scale of the file "
            "otherwise: ratings of one scale are never mixed with those of another."
        )
        raise Refused(words % {"key": scale.key})
    if scale != known:
        words = _("Earlier files have the scale “%(known)s”, so “%(scale)s” needs another name.")
        raise Refused(words % {"known": imported_scale_to_text(known), "scale": imported_scale_to_text(scale)})


def imported_scales_create(*, campaign: Campaign, scales: Sequence[str]) -> None:
    """Keep the scales of a file that are new; call inside the transaction of an import."""
    known = set(ImportedScale.objects.filter(campaign=campaign).values_list("key", flat=True))
    found = file_scales(campaign, scales) if scales else ()
    scales_keep(campaign=campaign, scales=[scale for scale in found if scale.key not in known])


def scales_keep(*, campaign: Campaign, scales: Sequence[Scale]) -> None:
    """Keep scales that came with a file."""
    ImportedScale.objects.bulk_create(
        ImportedScale(
            campaign=campaign,
            key=scale.key,
            lowest=scale.numbers.lowest,
            highest=scale.numbers.highest,
            step=scale.numbers.step,
            less_is_better=scale.numbers.less_is_better,
        )
        for scale in scales
        if scale.numbers is not None
    )
