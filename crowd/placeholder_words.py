"""What participants read in place of some placeholders (`crowd/placeholders.py`), in the language of their pages."""

from django.utils.translation import gettext, gettext_lazy, ngettext

from crowd.models import Round

AS_AGREED = gettext_lazy("(as agreed)")
ALL = gettext_lazy("all")


def task_words(work_round: str, number: int) -> str:
    """Return what an editor or a rater will do."""
    # Translators: after “You will”, in a consent text.
    words = {
        Round.EDIT: ngettext("shorten up to %(n)s short text", "shorten up to %(n)s short texts", number),
        Round.RATE: ngettext("rate up to %(n)s shortened text", "rate up to %(n)s shortened texts", number),
    }
    return words[Round(work_round)] % {"n": number}


def task_of_experts() -> str:
    # Translators: after “You will”, in a consent text.
    return gettext("rate shortened texts")


def per_text(amount: str) -> str:
    return gettext("%(amount)s per text") % {"amount": amount}
