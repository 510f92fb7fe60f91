"""The page of a report and the list of its texts, as staff meet them."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.models import Release
from crowd.models import Campaign, CampaignState, Membership, Role
from edit_operations.answer import changed_texts, kept_words
from reports.models import Report
from tests.support.factories import freeze, judged_campaign, make_staff, readable, staff_client
from tests.support.reports import every_tab

pytestmark = pytest.mark.django_db(transaction=True)
SCORES = ((2, 3), (3, 3), (3, 1))


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def release(owner: User) -> Release:
    return freeze(judged_campaign(sources=3, editors=2, scores=SCORES, owner=owner))


def address(release: Release) -> str:
    return f"/campaigns/{release.campaign.slug}/releases/{release.version}/operations"


def share(value: float | None, **known: Any) -> dict[str, Any]:
    return {"value": value, "low": None, "high": None, "n": 100, "reason": "", **known}


def test_a_report_is_asked_for_and_shown(owner: User, release: Release) -> None:
    client = staff_client(owner)
    assert "Find operations" in readable(client.get(f"{address(release)}/"))

    shown = readable(every_tab(client, client.post(f"{address(release)}/reports/", {"draws": 20})["Location"]))

    assert "People kept" in shown
    assert "too few to say more" in shown
    assert "No alignment in this release has been corrected yet" in shown
    assert "In Toutanova et al. (2016)" in shown


def test_the_same_request_leads_to_the_same_report(owner: User, release: Release) -> None:
    client = staff_client(owner)

    first, again = (client.post(f"{address(release)}/reports/", {"draws": 20}) for _each in range(2))

    assert first["Location"] == again["Location"]
    assert Report.objects.count() == 1


def test_a_line_that_is_no_pair_is_named_beside_the_field(owner: User, release: Release) -> None:
    upload = SimpleUploadedFile("pairs.txt", b"car\tauto\nalone\n")

    reply = staff_client(owner).post(f"{address(release)}/reports/", {"word_pairs": upload})

    assert reply.status_code == 422
    assert "line 2" in readable(reply)


@pytest.mark.parametrize("ending", [".csv", ".json", ".tex", "/alignments.jsonl", "/texts.csv"])
def test_a_report_is_downloaded(owner: User, release: Release, ending: str) -> None:
    client = staff_client(owner)
    client.post(f"{address(release)}/reports/", {"draws": 20})

    reply = client.get(f"{address(release)}{ending}")

    assert reply.status_code == 200
    content = b"".join(reply.streaming_content) if reply.streaming else reply.content  # type: ignore[attr-defined]
    assert len(content) > 100


@pytest.mark.parametrize("is_viewer", [True, False])
@pytest.mark.parametrize("is_computed", [True, False])
def test_nobody_meets_a_form_that_would_be_refused(
    owner: User, release: Release, *, is_viewer: bool, is_computed: bool
) -> None:
    if is_computed:
        staff_client(owner).post(f"{address(release)}/reports/", {"draws": 20})
    reader = owner
    if is_viewer:
        reader = make_staff()
        Membership.objects.create(campaign=release.campaign, user=reader, role=Role.VIEWER)
    else:
        Campaign.objects.filter(pk=release.campaign.pk).update(state=CampaignState.ARCHIVED)

    shown = readable(every_tab(staff_client(reader), f"{address(release)}/"))

    assert ("What happened to the words" in shown) == is_computed
    for words in ("Find operations", "Change settings", "Word pairs</label>", "operations/reports/"):
        assert words not in shown


def test_the_texts_are_narrowed_by_what_was_done(owner: User, release: Release) -> None:
    client = staff_client(owner)
    client.post(f"{address(release)}/reports/", {"draws": 20})
    texts = f"{address(release)}/texts/"

    everything = readable(client.get(texts))
    by_class = [
        readable(client.get(texts, {"compression": name}))
        for name in ("abstractive", "deletion and reordering", "deletion only")
    ]

    total = Report.objects.get().pinned["texts"]
    assert f"{total} of {total} text" in everything
    counted = sum(int(page.split(f" of {total} text")[0].split()[-1]) for page in by_class)
    assert counted == total
    assert client.get(texts, {"least": "3", "most": "1"}).status_code == 422


def test_a_large_report_is_listed_a_stretch_of_its_sources_at_a_time(
    owner: User, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, texts = staff_client(owner), f"{address(release)}/texts/"
    monkeypatch.setattr("edit_operations.kind.SOURCES_PER_PART", 1)
    client.post(f"{address(release)}/reports/", {"draws": 20})
    sources = release.summary["sources"]
    whole = readable(client.get(texts))
    monkeypatch.setattr("edit_operations.text_views.PARTS_AT_ONCE", 1)

    pages = [readable(client.get(texts, {"sources": number})) for number in range(1, sources + 1)]

    assert f"Sources 1 to 1 of {sources}" in pages[0]
    assert f"Sources {sources} to {sources} of {sources}" in pages[-1]
    assert sum(page.count('<article class="pair') for page in pages) == whole.count('<article class="pair')
    assert "sources=2" in pages[0]
    assert "Later sources" not in pages[-1] + whole


def test_pages_cost_a_fixed_number_of_queries(owner: User) -> None:
    client = staff_client(owner)
    costs = []
    for sources in (2, 6):
        release = freeze(judged_campaign(sources=sources, editors=2, scores=SCORES, owner=owner))
        client.post(f"{address(release)}/reports/", {"draws": 20})
        with CaptureQueriesContext(connection) as asked:
            for path in ("/", "/texts/"):
                assert client.get(f"{address(release)}{path}").status_code == 200
        costs.append(len(asked))
    assert costs[0] == costs[1]


def test_an_address_of_no_report_is_a_404(owner: User, release: Release) -> None:
    client = staff_client(owner)
    assert client.get(f"{address(release)}/", {"report": "zz"}).status_code == 404
    assert client.get(f"{address(release)}/texts/").status_code == 404


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (share(0.31, low=0.30, high=0.32), "People kept 69% of the words"),
        (share(0.001), "over 99%"),
        (share(None, reason="there are no texts"), "unknown: there are no texts."),
    ],
)
def test_the_answer_says_what_is_known(row: dict[str, Any], words: str) -> None:
    assert words in kept_words(row, 100)


def test_the_share_of_few_texts_has_no_interval() -> None:
    row = share(0.75, low=0.5, high=1.0)
    assert kept_words(row, 2) == "People kept 25% of the words, as they were or in another form."
    assert "interval 0% to 50%" in kept_words(row, 50)


def test_few_texts_are_counted_and_not_given_as_percentages() -> None:
    said = changed_texts([share(1 / 3, n=3), share(0.0, n=3), share(2 / 3, n=3)])
    assert said.startswith(
        "3 compressions were aligned: 1 with changed words, 0 with words only deleted and reordered, 2"
    )
    assert "66% of 1,000 compressions" in changed_texts([share(0.66, n=1000), share(0.09), share(0.25)])


def test_the_dashboard_leads_to_the_newest_report_that_is_ready(owner: User, release: Release) -> None:
    client, dashboard = staff_client(owner), f"/campaigns/{release.campaign.slug}/"
    Campaign.objects.update(state="closed")
    assert "Operations in" not in readable(client.get(dashboard))
    with CaptureQueriesContext(connection) as before:
        client.get(dashboard)

    client.post(f"{address(release)}/reports/", {"draws": 20})
    client.post(f"{address(release)}/reports/", {"draws": 30})
    newest = Report.objects.order_by("-pk")[0]
    Report.objects.create(release=release, kind="operations", digest="0" * 64, parameters={}, report_version=1)

    with CaptureQueriesContext(connection) as after:
        page = client.get(dashboard)
    assert f"{address(release)}/?report={newest.digest[:16]}" in page.content.decode()
    assert f"Operations in {release.name}" in readable(page)
    assert len(after) == len(before)
