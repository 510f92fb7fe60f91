"""Run systems on the texts of a campaign."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from common.jobs import Progress
from compressions.models import Source as CampaignSource
from corpus.models import OutputImport
from corpus.services.outputs import outputs_import
from crowd.models import Campaign
from measures.core.undefined import Undefined
from measures.text.segmentation import sentences
from systems.programs.registry import SYSTEMS
from systems.programs.texts import Range, Source, Status


@dataclass(frozen=True)
class SystemRun:
    """What a system made: how its outputs came about, how many texts are left without one, and the import."""

    statuses: Counter[Status]
    without: int
    report: OutputImport | None


def system_run(*, campaign: Campaign, name: str, system_name: str, seed: int, progress: Progress) -> SystemRun:
    """Compress all texts of a campaign that are not retired, and import what the system itself made.

    What it could not make by its own rule, and so would only be the first words, is no output of it and is left out.
    Run again, outputs that are there stay as they are.
    """
    sources, lines, statuses, without = list(_sources(campaign)), [], Counter[Status](), 0
    compress, allowed = SYSTEMS[name].prepare(sources), Range.below(campaign.keep_percent)
    for number, source in enumerate(sources, start=1):
        output = compress(source, allowed, seed)
        if isinstance(output, Undefined) or output.status == Status.FALLBACK:
            without += 1
        else:
            statuses[output.status] += 1
            lines.append(json.dumps({"id": source.id, "text": output.text}))
        progress(number, 2 * len(sources))
    if not lines:
        return SystemRun(statuses, without, None)
    report = outputs_import(
        campaign=campaign,
        system=system_name,
        file_name=f"{name}.jsonl",
        content="\n".join(lines).encode(),
        progress=lambda done, total: progress(total + done, 2 * total),
    )
    return SystemRun(statuses, without, report)


def _sources(campaign: Campaign) -> Iterator[Source]:
    rows = CampaignSource.objects.filter(campaign=campaign, retired_at=None).order_by("pk")
    for source_id, text, number in rows.values_list("source_id", "text", "sentences"):
        parts = sentences(text)
        # Who imported a text may know better how many sentences it has.
        yield Source(source_id, campaign.language, parts if len(parts) == number else (text,))
