"""Make the outputs of a baseline system for a campaign's paragraphs, and import them as those of any system."""

import json
from dataclasses import dataclass

from common.jobs import Progress
from compressions.models import Source
from corpus.models import OutputImport
from corpus.services.outputs import outputs_import
from crowd.models import Campaign
from measures.core.undefined import Undefined
from measures.meta_evaluation import lsa_summarizer

LSA = "LSA"
PARAGRAPH = 2  # sentences; one sentence has none that is shorter


@dataclass(frozen=True)
class MadeBaseline:
    """What became of the paragraphs; `without` of them have no sentence that is short enough, and no output."""

    paragraphs: int
    without: int
    report: OutputImport | None


def lsa_outputs_make(*, campaign: Campaign, progress: Progress) -> MadeBaseline:
    """Shorten each paragraph to its best sentence within the length limit, by latent semantic analysis.

    Retired paragraphs are left out. Made again, outputs that are there stay as they are.
    """
    shortened, lines, without = lsa_summarizer(campaign.keep_percent), [], 0
    paragraphs = Source.objects.filter(campaign=campaign, sentences=PARAGRAPH, retired_at=None).order_by("pk")
    for source_id, text in paragraphs.values_list("source_id", "text"):
        output = shortened(text, campaign.language)
        if isinstance(output, Undefined):
            without += 1
        else:
            lines.append(json.dumps({"id": source_id, "text": output}))
    if not lines:
        return MadeBaseline(without, without, None)
    content = "\n".join(lines).encode()
    report = outputs_import(campaign=campaign, system=LSA, file_name="lsa.jsonl", content=content, progress=progress)
    return MadeBaseline(len(lines) + without, without, report)
