"""Aligned texts by the API: an empty name is no name, and a scale must be one of the campaign."""

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.support.api_lab import Lab, fields_at_fault

pytestmark = pytest.mark.django_db
TEXTS = "releases/1/operations/texts/"


@pytest.mark.parametrize("asked", [{"system": ""}, {"editor": ""}, {"split": ""}, {"scale": "zz", "least": 1}])
def test_what_names_nothing_is_refused(
    asked: dict[str, object], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    lab = Lab()
    with django_capture_on_commit_callbacks(execute=True):
        lab.post("releases/1/operations/reports/", {"draws": 5})
    assert lab.get(TEXTS).json()["results"]
    assert lab.get(TEXTS, {"scale": "meaning", "least": 1}).status_code == 200
    assert fields_at_fault(lab.get(TEXTS, asked)) == [next(iter(asked))]
