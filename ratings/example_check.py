"""An example of the test, of practice or of gold questions, not yet stored: whether it fits what a campaign asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.errors import Refused
from crowd.models import Campaign
from crowd.scales import Scale


@dataclass(frozen=True)
class ExampleText:
    """The content of an example: texts, the accepted points of each scale, and the explanation."""

    source: str
    compression: str
    answers: Mapping[str, Sequence[int]]
    why: str = ""
    other: str = ""
    is_practice: bool = False


MOST_QUESTIONS = 1_000  # of a campaign, of each kind: as many as a file of questions and a campaign file can hold


def number_check(number: int) -> None:
    """Raise Refused if a campaign would have more questions of a kind than a campaign file can hold."""
    if number > MOST_QUESTIONS:
        raise Refused(
            _("A campaign can have %(n)s questions of each kind. Remove some first.") % {"n": f"{MOST_QUESTIONS:,}"}
        )


def example_check(example: ExampleText, campaign: Campaign, where: str, *, needs_why: bool = True) -> None:
    """Raise Refused unless the example fits the campaign's task and scales; `where` names it in the message.

    `needs_why` is for questions whose explanation raters read: those of the test and of practice.
    """
    if campaign.task.has_material:
        _refuse(where, _("Raters of this campaign do a judgement task whose practice is part of its material."))
    if not (example.source.strip() and example.compression.strip()):
        _refuse(where, _("The original and the shortened text must not be empty."))
    if needs_why and not example.why.strip():
        _refuse(where, _("Raters read why the answers are right, so the reason must not be empty."))
    if not campaign.task.judges_single_texts and not example.other.strip():
        _refuse(where, _("Raters of this campaign compare two versions side by side, so it needs both."))
    if campaign.task.judges_single_texts and example.other.strip():
        _refuse(where, _("Raters of this campaign rate one version at a time, so it can’t have two."))
    for scale in campaign.rating_scales:
        _answers_check(example.answers, scale, where)
    unknown = set(example.answers) - {scale.key for scale in campaign.rating_scales}
    if unknown:
        _refuse(where, _("The campaign has no scale %(names)s.") % {"names": ", ".join(sorted(unknown))})


def _answers_check(answers: Mapping[str, Sequence[int]], scale: Scale, where: str) -> None:
    accepted = answers.get(scale.key, ())
    if not accepted or any(answer not in scale.values for answer in accepted):
        words = _("The accepted answers for %(scale)s, %(accepted)s, are not among %(points)s.")
        _refuse(where, words % {"scale": scale.key, "accepted": list(accepted), "points": list(scale.values)})


def _refuse(where: str, reason: str) -> None:
    raise Refused(f"{where}: {reason}")
