"""The tokens in a page, which differ between any two pages."""

import re
from typing import Any

TOKEN = r"([\w:.-]+)"
CSRF = re.compile(rf'name="csrfmiddlewaretoken" value="{TOKEN}"')
RESUME = re.compile(rf'data-resume-token="{TOKEN}"')


def csrf_token(page: Any) -> str:
    """The token that the forms of a page send."""
    return _only(CSRF, page)


def resume_token(page: Any) -> str:
    """The token with which the page's script restores a lost session."""
    return _only(RESUME, page)


def without_tokens(text: str) -> str:
    return RESUME.sub("", CSRF.sub("", text))


def _only(pattern: re.Pattern[str], page: Any) -> str:
    (token,) = set(pattern.findall(page.content.decode()))
    return str(token)
