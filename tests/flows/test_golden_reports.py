"""Every form of a report, held byte for byte: files, what the command prints, and the answer of the API.

The last digits of numbers may differ from one processor to another, those of what is searched for sooner than others,
and all digits of what is nearly zero. So they are cut off before anything is compared.
After a change of what a report says, write the digests that the failing test shows into golden_reports.json.
"""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from django.urls import reverse

from corpus.models import Release
from crowd.models import Campaign
from edit_operations.tests.releases import released_with, varied
from evaluation.tests.releases import scored_release
from protocols.absolute.tests.answered import scored_campaign
from protocols.comparison.tests.releases import compared_release
from protocols.links.tests.planted import planted_campaign
from protocols.ranking.figures import PLACE
from protocols.ranking.tests.answered import computed, twelve_sets
from protocols.scale_against_scale.tests.planted import planted_release
from reports.kinds import report_kinds
from tests.support.api_client import Api
from tests.support.factories import make_staff, staff_client
from tests.support.figures import figures_of
from tests.support.reports import printed, released, source_of, text_of

pytestmark = pytest.mark.django_db
GOLDEN = json.loads(Path(__file__).with_name("golden_reports.json").read_text(encoding="utf-8"))
NUMBER = re.compile(r"(\d\.\d{4})\d+(e-\d+)?")
NEARLY_ZERO = re.compile(r"-?\d(?:\.\d+)?e-(?:0[5-9]|[1-9]\d+)")
OF_THIS_ROW = ("id", "job", "created_at", "finished_at")
"""What an answer of the API says of the row in the database."""


def rated_release() -> Release:
    """Crowd and experts on two scales, in two genres, with raters who differ."""
    points = [(3, 3, 2), (1, 2, 1), (2, 2, 3), (3, 1, 3), (1, 1, 1), (2, 3, 2)]
    texts = [text_of(each, experts=(each[0], each[2]), scales=("meaning", "grammar")) for each in points * 2]
    sources = [source_of(number, each, genre=("Letters", "News")[number % 2]) for number, each in enumerate(texts)]
    return released(sources, scales=("Meaning", "Grammar"), owner=make_staff())


BASES: dict[str, Callable[[], Release | Campaign]] = {
    "agreement": rated_release,
    "operations": lambda: released_with(varied(), owner=make_staff()),
    "evaluation": lambda: scored_release(owner=make_staff()),
    "scale-comparison": lambda: planted_release(owner=make_staff()),
    "comparison": lambda: compared_release(owner=make_staff()),
    "links": lambda: planted_campaign(owner=make_staff()),
    "absolute": lambda: scored_campaign(owner=make_staff()),
}
OPTIONS = {
    "agreement": ("--draws=5", "--replications=5"),
    "operations": ("--draws=20",),
    "evaluation": ("--draws=20",),
    "scale-comparison": ("--draws=100",),
    "comparison": ("--draws=100",),
    "links": ("--copies=2", "--shuffles=10"),
    "absolute": (),
}


@pytest.mark.parametrize("kind", BASES)
def test_a_report_has_the_same_bytes_as_ever(kind: str) -> None:
    basis = BASES[kind]()
    name = basis.name if isinstance(basis, Release) else basis.slug
    asked = ("report", name, kind, *OPTIONS[kind])
    forms = {form: printed(*asked, f"--format={form}") for form in ("csv", "json", "latex")}
    forms["table"] = printed(*asked, "--format=table", "--all")
    if isinstance(basis, Release):
        forms["api"] = _answer(basis, kind)
    found = {form: _digest(text, name) for form, text in forms.items()}
    if connection.vendor == "postgresql":  # its JSON has no order, and so no columns that only some rows have
        del found["csv"]
    assert found == {form: GOLDEN[kind][form] for form in found}
    place = [basis.campaign.slug, basis.version] if isinstance(basis, Release) else [basis.slug]
    owner = (basis.campaign if isinstance(basis, Release) else basis).staff.get()
    assert figures_of(staff_client(owner), reverse(f"{report_kinds()[kind].namespace}:report", args=place))


def test_a_report_on_rankings_has_the_same_rows_as_ever() -> None:
    rows = [row for row in computed(twelve_sets()).rows or [] if row["figure"] != PLACE]  # orders are drawn anew
    assert {"rows": _sha256(json.dumps(rows, sort_keys=True))} == GOLDEN["ranking"]


def _answer(release: Release, kind: str) -> str:
    owner = release.campaign.staff.get()
    told = Api(owner).call("get", f"campaigns/{release.campaign.slug}/releases/{release.version}/{kind}/").json()
    if "score_runs" in told:  # their ids are of this database, and part of what the question is a digest of
        told["score_runs"] = [run["digest"] for run in told["score_runs"]]
        del told["question"]
    return json.dumps({name: value for name, value in told.items() if name not in OF_THIS_ROW}, sort_keys=True)


def _digest(text: str, name: str) -> str:
    """Return the SHA-256 of a text, whatever the release is called and however its numbers end."""
    return _sha256(text.replace(name, "release"))


def _sha256(text: str) -> str:
    return hashlib.sha256(NUMBER.sub(r"\1\2", NEARLY_ZERO.sub("0", text)).encode()).hexdigest()
