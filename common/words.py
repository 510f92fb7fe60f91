"""The type of words that people read: text, or a promise of it that is translated when it is shown."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise as Words
else:
    Words = str

__all__ = ["Words"]
