"""The same work frozen with the same seed has the same bytes, whatever the code that freezes it looks like."""

from datetime import UTC, datetime
from hashlib import sha256

import pytest

from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from tests.support.clock import Clock
from tests.support.factories import freeze, judged_campaign

pytestmark = pytest.mark.django_db

# The first digits of each SHA-256, from version 0.1.0. Other tests compare Parquet by its rows, since another version
# of its writer may compress differently.
EXPECTED = {
    "README.md": "e0b5e956741b10b7",
    "RawData/test.tsv": "db793a7307810a06",
    "RawData/test_output.half.tsv": "1dc5eba3d1edcaa2",
    "RawData/train.tsv": "567293ad29e2c65c",
    "RawData/train_output.half.tsv": "b6f8b7852acd405c",
    "RawData/valid.tsv": "65d9cc21836e443f",
    "RawData/valid_output.half.tsv": "b28312d43b40727d",
    "compressionhistory.tsv": "aa001e797e2b91ad",
    "corpus.jsonl": "2e31def2b7aee18e",
    "edit_logs.jsonl": "91daeb7fc753bcfd",
}


@pytest.fixture
def release(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Release:
    """Twelve sources by three editors, two raters and a system, at noon of one day."""
    clock.now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", clock)
    campaign = judged_campaign(sources=12, editors=3, scores=((3, 2), (1, 3)), slug="bytes", name="Bytes")
    texts = campaign.sources.order_by("source_id").values_list("source_id", "text")
    outputs = [Output(line, source_id, text[: len(text) // 2]) for line, (source_id, text) in enumerate(texts, start=1)]
    outputs_add(campaign=campaign, system="half", outputs=outputs)
    return freeze(campaign, seed=7)


def test_every_text_file_has_the_bytes_that_it_had(release: Release) -> None:
    files = [path for path in release.folder.rglob("*") if path.suffix not in {".parquet", ".zip"} and path.is_file()]
    # The manifest and Croissant name the checksums of Parquet files.
    found = {
        str(path.relative_to(release.folder)): sha256(path.read_bytes()).hexdigest()[:16]
        for path in files
        if path.name not in {"manifest.json", "croissant.json"}
    }
    assert found == EXPECTED
