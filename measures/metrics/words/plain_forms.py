"""Texts with typographic characters in their plain forms, so that words are compared and not how they were typed."""

from __future__ import annotations

import unicodedata

from measures.text.normalization import INVISIBLE_RANGES

_TYPOGRAPHIC = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u2035",
    '"': "\u201c\u201d\u201e\u201f\u2033\u2036",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
    "...": "\u2026",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
}
"""By plain form: curly and low quotes and primes; hyphens, dashes and the minus sign; spaces (category Zs)."""

# `str.translate` is slow for characters that its table lacks: letters of most alphabets stand there as themselves.
_TABLE: dict[int, int | str | None] = {
    **{code: code for code in range(0x2000)},
    **{code: None for first, last in INVISIBLE_RANGES for code in range(first, last + 1)},
    **{ord(character): plain for plain, variants in _TYPOGRAPHIC.items() for character in variants},
}


def plain_form(text: str) -> str:
    r"""Return a text with typographic characters in their plain forms, and without invisible ones.

    The steps are: Unicode normalisation form C; curly and low quotes and primes become ``'`` or ``"``, hyphens,
    dashes and the minus sign ``-``, the ellipsis ``...``, spaces of any kind a plain space; invisible characters, as
    the rule of length knows them, are removed; form C again, since characters that an invisible one kept apart may
    now combine. Guillemets, letters such as U+02BC, accents, fullwidth forms and line breaks stay, and so do
    substitutes such as ``--``.

    The paper does not say whether texts were normalised; the choice is this project's.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The plain form, which is its own plain form.

    Examples
    --------
    >>> plain_form("\u201cIt\u2019s\u00a0so\u2026\u201d \u2014 cafe\u200b\u0301")
    '"It\'s so..." - café'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).translate(_TABLE))
