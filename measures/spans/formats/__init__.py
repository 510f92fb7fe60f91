"""How do other programs write the marks of errors, and how are they read?

Readers take the lines of a file and return a `Reading`: annotations, refusals by line, and what was skipped. Writers
take annotations and return `Written`: the text of a file, and what it has no place for. `keyed` gives what was read the
kinds and severities of a preset.
"""

from measures.spans.formats.esa_csv import read_esa, write_esa
from measures.spans.formats.keyed import keyed
from measures.spans.formats.mqm_tsv import read_mqm, write_mqm
from measures.spans.formats.mt_metrics_eval import read_mt_metrics_eval, write_mt_metrics_eval
from measures.spans.formats.reading import Bounds, Reading, Refusal, Written
from measures.spans.formats.thresh import read_thresh, write_template, write_thresh
from measures.spans.formats.wmt25 import read_wmt25, read_wmt25_jsonl, write_wmt25, write_wmt25_jsonl

__all__ = [
    "Bounds",
    "Reading",
    "Refusal",
    "Written",
    "keyed",
    "read_esa",
    "read_mqm",
    "read_mt_metrics_eval",
    "read_thresh",
    "read_wmt25",
    "read_wmt25_jsonl",
    "write_esa",
    "write_mqm",
    "write_mt_metrics_eval",
    "write_template",
    "write_thresh",
    "write_wmt25",
    "write_wmt25_jsonl",
]
