"""What must be set before a round opens on a platform that pays or credits, so that nobody comes to work unknowingly.

Who comes for money must know the pay. Credits are set on the platform, which shows them beside the study.

Staff can open it all the same if they confirm each missing setting by name.
"""

from collections.abc import Callable, Collection, Iterable

from django.conf import settings
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.default_texts import default_texts
from crowd.models import Campaign, JoinLink, Round
from crowd.models.setting_words import label_of
from crowd.models.settings_version import plain_text

NEEDED = {
    Round.EDIT: ("editor_pay", "editor_minutes", "consent"),
    Round.RATE: ("rater_pay", "rater_minutes", "consent"),
    Round.EXPERT: ("consent",),
}
OF_MONEY = ("editor_pay", "rater_pay")
CAN_BE_CONFIRMED = tuple(dict.fromkeys(name for names in NEEDED.values() for name in names))
_consents: list[Callable[[], Iterable[str]]] = [
    lambda: (default_texts(language)["consent"] for language, _name in settings.LANGUAGES)
]


class NotReady(Refused):
    """A round would open without what its participants need; `missing` are the settings."""

    def __init__(self, missing: Collection[str]) -> None:
        self.missing = tuple(missing)
        labels = ", ".join(f"“{capfirst(label_of(name))}”" for name in self.missing)
        words = _(
            "Nothing has been opened. Before participants come by a platform that pays or credits them, "
            "set %(settings)s."
        )
        super().__init__(words % {"settings": labels})


def consents_register(texts: Callable[[], Iterable[str]]) -> None:
    """Add consent texts of ours, which no campaign has of its own."""
    _consents.append(texts)


def opening_check(*, campaign: Campaign, links: Iterable[JoinLink], confirmed: Collection[str]) -> list[str]:
    """Return which settings participants of these links lack, or refuse unless each of them is confirmed."""
    missing = [name for name in _needed(links) if setting_is_missing(campaign, name)]
    if not set(missing) <= set(confirmed):
        raise NotReady(missing)
    return missing


def _needed(links: Iterable[JoinLink]) -> Iterable[str]:
    """Yield what participants of these links need, in the order of the rounds, each once."""
    platforms = {(link.round, link.platform.pays) for link in links if _is_rewarded(link)}
    names = ((each, name) for each in Round for name in NEEDED[each])
    needed = [
        name
        for each, name in names
        if (each, True) in platforms or ((each, False) in platforms and name not in OF_MONEY)
    ]
    return dict.fromkeys(needed)


def _is_rewarded(link: JoinLink) -> bool:
    return (link.platform.pays or link.platform.credits) and not link.is_test


def setting_is_missing(campaign: Campaign, name: str) -> bool:
    """Whether a setting that participants need is empty, or a consent text still one of ours."""
    if name != "consent":
        return getattr(campaign, name) is None
    return plain_text(campaign.consent) in {plain_text(text) for texts in _consents for text in texts()}
