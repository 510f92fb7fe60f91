"""What a file of questions looks like for a campaign: its own scales, one version or two."""

import json
from dataclasses import dataclass

from crowd.models import Campaign
from ratings.example_files import Kind

SOURCE = "The old mill, which nobody had used for years, burnt down last night."
COMPRESSION, OTHER = "The old mill burnt down last night.", "The mill burnt down."
WHY = "Only the aside is gone."


@dataclass(frozen=True)
class Samples:
    """The same question in each format, and the column of each scale with its points."""

    jsonl: str
    table: str
    columns: list[tuple[str, str, str]]


def samples(campaign: Campaign, kind: Kind) -> Samples:
    scales = campaign.rating_scales
    texts = {"source": SOURCE, "compression": COMPRESSION}
    if campaign.task.texts == 2:
        texts["other"] = OTHER
    why = {"why": WHY} if kind == Kind.TEST else {}
    points = {scale.key: [scale.values[-1]] for scale in scales}
    jsonl = json.dumps({**texts, "answers": points, **why}, ensure_ascii=False)
    row = {**texts, **{key: str(each[0]) for key, each in points.items()}, **why}
    table = "\n".join([",".join(row), ",".join(f'"{cell}"' if "," in cell else cell for cell in row.values())])
    columns = [(scale.key, str(scale.values[0]), str(scale.values[-1])) for scale in scales]
    return Samples(jsonl, table, columns)
