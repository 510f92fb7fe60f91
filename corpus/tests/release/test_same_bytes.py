"""The same work frozen with the same seed has the same bytes, whatever the code that freezes it looks like."""

import re
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from tests.support.clock import Clock
from tests.support.factories import RATE, enrol, freeze, judged_campaign, rate_all
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

# The first digits of each SHA-256. Other tests compare Parquet by its rows, since another version of its writer may
# compress differently; the card is therefore compared without its checksum of all data. The pages of `browse/` may look
# otherwise in another version of Précis.
EXPECTED = {
    "README.md": "c17674842072dd95",
    "RawData/test.tsv": "db793a7307810a06",
    "RawData/test_output.half.tsv": "5d55ba3ca468d809",
    "RawData/train.tsv": "567293ad29e2c65c",
    "RawData/train_output.half.tsv": "734fe5de6ca87569",
    "RawData/valid.tsv": "65d9cc21836e443f",
    "RawData/valid_output.half.tsv": "8eff765da43edfd1",
    "compressionhistory.tsv": "aa001e797e2b91ad",
    "corpus.jsonl": "d99102a40ebb7541",
    "edit_logs.jsonl": "91daeb7fc753bcfd",
}

CONFIG_NAME = re.compile(rb'^- config_name: "bytes-v1-[0-9a-f]{12}(-[a-z]+)?"$', re.MULTILINE)


@pytest.fixture
def release(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Release:
    """Twelve sources by three editors, two raters and a system, at noon of one day."""
    clock.now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", clock)
    campaign = judged_campaign(sources=12, editors=3, scores=((3, 2), (1, 3)), slug="bytes", name="Bytes")
    texts = campaign.sources.order_by("source_id").values_list("source_id", "text")
    outputs = [Output(line, source_id, text[: len(text) // 2]) for line, (source_id, text) in enumerate(texts, start=1)]
    outputs_add(campaign=campaign, system="half", outputs=outputs)
    assert rate_all(enrol(campaign, RATE, "rater-of-outputs")) == 12
    return freeze(campaign, seed=7)


def test_every_text_file_has_the_bytes_that_it_had(release: Release) -> None:
    files = [
        path
        for path in release_folder(release).rglob("*")
        if path.suffix not in {".parquet", ".zip"} and path.is_file() and path.parent.name != "browse"
    ]
    # The manifest and Croissant name the checksums of Parquet files.
    found = {
        str(path.relative_to(release_folder(release))): sha256(CONFIG_NAME.sub(b"", path.read_bytes())).hexdigest()[:16]
        for path in files
        if path.name not in {"manifest.json", "croissant.json"}
    }
    assert found == EXPECTED
