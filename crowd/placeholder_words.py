"""What participants read in place of some placeholders (`crowd/placeholders.py`), in the language of their pages."""

from django.utils.translation import gettext, gettext_lazy, ngettext

AS_AGREED = gettext_lazy("(as agreed)")
ALL = gettext_lazy("all")


def task_of_editors(number: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("shorten up to %(n)s short text", "shorten up to %(n)s short texts", number)


def task_of_fusers(number: int) -> str:
    # Translators: after “You will”, in a consent text.
    return ngettext("make one sentence of two", "make one sentence of two, up to %(n)s times", number)


def per_text(amount: str) -> str:
    return gettext("%(amount)s per text") % {"amount": amount}
