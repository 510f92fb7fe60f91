"""What is missing in a round, and what it will take, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from annotation.selectors.pace import Remaining

MISSING = {
    "edit": ngettext_lazy("%(number)s compression missing.", "%(number)s compressions missing.", "n"),
    "rate": ngettext_lazy("%(number)s rating missing.", "%(number)s ratings missing.", "n"),
    "expert": ngettext_lazy("%(number)s expert rating missing.", "%(number)s expert ratings missing.", "n"),
}
AS_ALLOWED = {
    "edit": ngettext_lazy(
        "That is with %(number)s compression per participant, as the settings allow.",
        "That is with %(number)s compressions per participant, as the settings allow.",
        "n",
    ),
    "rate": ngettext_lazy(
        "That is with %(number)s rating per participant, as the settings allow.",
        "That is with %(number)s ratings per participant, as the settings allow.",
        "n",
    ),
}


def remaining_words(remaining: Remaining, work_round: str) -> str:
    """Return what is missing, such as “184 ratings missing. It takes about 12 people and 3 hours at this pace.”"""
    sentences = [MISSING[work_round] % _number(remaining.missing), _effort(remaining)]
    if remaining.people is not None and remaining.is_from_settings:
        sentences.append(AS_ALLOWED[work_round] % _number(remaining.tasks_of_one or 0))
    if remaining.is_quiet:
        sentences.append(_("Nothing was submitted in the last 24 hours."))
    return " ".join(filter(None, sentences))


def _number(number: int) -> dict[str, object]:
    return {"n": number, "number": f"{number:,}"}


def _effort(remaining: Remaining) -> str:
    people, minutes = remaining.people, remaining.minutes
    if people and minutes is not None:
        words = {"people": _people(people), "time": duration_words(minutes)}
        return _("It takes about %(people)s and %(time)s at this pace.") % words
    if people:
        return _("It takes about %(people)s.") % {"people": _people(people)}
    if minutes is not None:
        return _("It takes about %(time)s at this pace.") % {"time": duration_words(minutes)}
    return ""


def _people(number: int) -> str:
    return ngettext("%(number)s person", "%(number)s people", number) % _number(number)


def duration_words(minutes: float) -> str:
    """Return a duration as a round number of minutes, hours or days."""
    if minutes < 90:
        number = max(1, round(minutes))
        return ngettext("%(number)s minute", "%(number)s minutes", number) % _number(number)
    if minutes < 48 * 60:
        number = round(minutes / 60)
        return ngettext("%(number)s hour", "%(number)s hours", number) % _number(number)
    number = round(minutes / 60 / 24)
    return ngettext("%(number)s day", "%(number)s days", number) % _number(number)
