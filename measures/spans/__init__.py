"""Where do people see errors in texts, what do these weigh, and how far do people agree?

`Mark` is a span with what was said of it, `Annotation` what one person said of one text, `preset` the kinds, severities
and weights of a task. `refusals` and `asked_once` check an answer; `premarks` suggests marks from an alignment. Scores
are points of marks; agreement is of tokens (`span_alpha`), of marks (`pair_f`) and of characters (`character_f`).
`measures.spans.formats` reads and writes other programs' files.
"""

from measures.spans.annotation import Annotation, only
from measures.spans.answers import Judged, judged
from measures.spans.character_agreement import character_f
from measures.spans.characters import cluster_starts, from_utf16, to_utf16, whole_clusters
from measures.spans.checks import Oddity, SpanAnswer, asked_once, refusals
from measures.spans.edit_counts import EditCount, EditShare, edit_counts, edit_shares
from measures.spans.esa_scores import score_means, tau, z_means
from measures.spans.mark import Mark, Place, counted, places_of
from measures.spans.pair_agreement import Couple, PairAgreement, pair_f
from measures.spans.premarks import premarks
from measures.spans.presets import PRESETS, Kind, Preset, preset, preset_from
from measures.spans.scores import (
    SystemScore,
    annotation_points,
    check_weighted,
    mark_points,
    segment_scores,
    system_scores,
)
from measures.spans.token_agreement import SpanAlpha, span_alpha
from measures.spans.tokens import tokens

__all__ = [
    "PRESETS",
    "Annotation",
    "Couple",
    "EditCount",
    "EditShare",
    "Judged",
    "Kind",
    "Mark",
    "Oddity",
    "PairAgreement",
    "Place",
    "Preset",
    "SpanAlpha",
    "SpanAnswer",
    "SystemScore",
    "annotation_points",
    "asked_once",
    "character_f",
    "check_weighted",
    "cluster_starts",
    "counted",
    "edit_counts",
    "edit_shares",
    "from_utf16",
    "judged",
    "mark_points",
    "only",
    "pair_f",
    "places_of",
    "premarks",
    "preset",
    "preset_from",
    "refusals",
    "score_means",
    "segment_scores",
    "span_alpha",
    "system_scores",
    "tau",
    "to_utf16",
    "tokens",
    "whole_clusters",
    "z_means",
]
