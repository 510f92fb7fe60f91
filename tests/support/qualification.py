"""Take the qualification test by its pages, as a rater does."""

import re
from collections.abc import Mapping
from typing import Any

from django.test import Client

from tests.support.factories import readable

TEST = "/work/qualification/"
TO_TEST = f"{TEST}?practised=1"


def answers_of(page: Any, points: Mapping[str, int]) -> dict[str, str]:
    """The filled in form of a question, with the points of each scale."""
    text = readable(page)
    fields = dict(re.findall(r'name="(number|mark-\d+)" value="(\w+)"', text))
    for scale, point in points.items():
        fields |= {f"{scale}-{pk}": str(point) for pk in re.findall(rf'name="{scale}-(\d+)"', text)}
    return fields


def take_test(client: Client, **points: int) -> Any:
    """Answer all questions of a try alike; return the page after the last one, such as the result."""
    page = client.get(TO_TEST, follow=True)
    while 'name="number"' in readable(page):
        page = client.post(TEST, answers_of(page, points), follow=True)
    return page
