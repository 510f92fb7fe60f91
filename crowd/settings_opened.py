"""What settings were when staff opened a page of them, so that a save cannot undo what others saved meanwhile.

The page carries a short digest of each of its settings. Not all settings have versions, so versions cannot tell.
"""

import json
from collections.abc import Collection, Iterable
from hashlib import sha256

from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.models import Campaign
from crowd.models.setting_words import label_of
from crowd.models.settings_version import plain_text

DIGEST_LENGTH = 16


class ChangedMeanwhile(Refused):
    """Someone changed the settings of a page since it was opened; `labels` are what the page calls them."""

    def __init__(self, names: Iterable[str]) -> None:
        self.labels = [str(label_of(name)) for name in names]
        words = _("Someone else has changed these settings in the meantime: %(settings)s.")
        super().__init__(words % {"settings": ", ".join(self.labels)})


def opened_now(campaign: Campaign, names: Iterable[str]) -> str:
    """Return the digests of some settings as they are, for a hidden field."""
    return " ".join(f"{name}:{_digest(campaign, name)}" for name in sorted(names))


def meanwhile_refuse(stored: Campaign, opened: str, names: Collection[str]) -> None:
    """Refuse if one of these settings is stored with another value than when a page was opened."""
    seen = dict(each.split(":", 1) for each in opened.split() if ":" in each)
    if changed := sorted(name for name in names if name in seen and seen[name] != _digest(stored, name)):
        raise ChangedMeanwhile(changed)


def _digest(campaign: Campaign, name: str) -> str:
    value = getattr(campaign, name)
    plain = plain_text(value) if isinstance(value, str) else value
    return sha256(json.dumps(plain, default=str, sort_keys=True).encode()).hexdigest()[:DIGEST_LENGTH]
