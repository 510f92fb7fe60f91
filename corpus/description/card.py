"""README.md of a release: the dataset card that Hugging Face shows, with its YAML head."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.template.loader import render_to_string

from corpus.description.citation import bibtex
from corpus.description.facts import ReleaseFacts
from corpus.description.history import quality_sentences, retired_sentences, split_sentences, statements
from corpus.description.responsible_ai import NOT_STATED
from corpus.formats.base import CardFacts
from corpus.formats.browse import BROWSE
from corpus.formats.parquet import has_parquet
from corpus.formats.registry import FORMATS
from corpus.formats.tables import table_file, tables_with_rows
from corpus.models import Release
from corpus.release.data_statement import ABOUT_CORPUS
from corpus.release.folder import WrittenFile
from corpus.statistics.counts import left_out_reasons

_ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff]")
MANIFEST = (50, "`manifest.json` names every file with its SHA-256, and what was left out.")
DIGITS = 12  # of the checksum in the name of the configuration
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
# Ids of licences on the Hub that suit texts; it takes any other only as `other` with a name.
LICENCES = {
    *(
        "apache-2.0",
        "mit",
        "cc0-1.0",
        "cc-by-2.0",
        "cc-by-2.5",
        "cc-by-3.0",
        "cc-by-4.0",
        "cc-by-sa-3.0",
        "cc-by-sa-4.0",
    ),
    *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0"),
    *("cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cdla-sharing-1.0", "cdla-permissive-1.0"),
    *("cdla-permissive-2.0", "etalab-2.0", "eupl-1.2", "gfdl", "gpl-3.0", "odc-by", "odbl", "pddl", "other", "unknown"),
}


def config_name(release: Release, data: Iterable[WrittenFile]) -> str:
    """The name of the configuration that `load_dataset` takes by default: campaign, version and checksum.

    The library `datasets` keeps what it has read under this name and that of the folder, and does not look at the
    files again. The checksum is that of all files but those that describe them: the manifest's own cannot stand here,
    since the manifest names the card with its checksum.
    """
    lines = "".join(sorted(f"{file.name} {file.sha256}\n" for file in data if not file.name.startswith(BROWSE)))
    return f"{release.name}-{hashlib.sha256(lines.encode()).hexdigest()[:DIGITS]}"


def card(facts: ReleaseFacts, parser: str, config: str) -> str:
    """The head for programs, and for people what is in the files, how it was collected and how it was cleaned."""
    release, summary, collected = facts.release, facts.summary, facts.collected
    context = {
        "facts": facts,
        "has_parquet": has_parquet(summary),
        "release": release,
        "campaign": release.campaign,
        "summary": summary,
        "overview": summary["overview"],
        "scales": release.rating_scales,
        "collected": [
            *collected.sentences(),
            *quality_sentences(facts),
            *retired_sentences(facts),
            *split_sentences(facts),
        ],
        "version_rows": collected.version_rows(),
        "readings": collected.readings(),
        "statements": statements(facts),
        "about": [
            (each.heading, _on_a_line(release.data_statement.get(each.key, NOT_STATED))) for each in ABOUT_CORPUS
        ],
        "citation": bibtex(release),
        "left_out": left_out_reasons(release, summary),
        "files": _files(CardFacts(summary, parser)),
    }
    return _head(facts, config) + render_to_string("corpus/card.md", context)


def _on_a_line(answer: str) -> str:
    """Return an answer as an entry of a list, whose lines are parts of a sentence."""
    return "; ".join(line.strip() for line in answer.splitlines() if line.strip())


def _files(facts: CardFacts) -> str:
    """A sentence or two about the files of each format, in the order of the formats."""
    sentences = [(each.rank, each.card(facts)) for each in FORMATS]
    return " ".join(sentence for _, sentence in sorted([*sentences, MANIFEST]) if sentence)


def _head(facts: ReleaseFacts, config: str) -> str:
    release, campaign, summary = facts.release, facts.campaign, facts.summary
    lines = [
        "---",
        f"pretty_name: {_quoted(f'{campaign.name}, version {release.version}')}",
        *_list("language", [_quoted(facts.language)] if facts.language else []),
        *_licence(campaign.licence or "unknown"),
        *_list("annotations_creators", facts.annotations_creators),
        *_list("language_creators", facts.language_creators),
        *_list("multilinguality", ["monolingual"] if facts.language else []),
        *_list("source_datasets", [_quoted(name) for name in facts.source_datasets]),
        "task_categories:",
        "- summarization",
        "tags:",
        "- text-compression",
        "- human-judgements",
        "size_categories:",
        f"- {_size(summary['sources'])}",
        *(_configs(config, summary) if has_parquet(summary) else []),
    ]
    return "\n".join([*lines, "---", "", ""])


def _licence(name: str) -> list[str]:
    known = name.lower() in LICENCES
    return (
        [f"license: {_quoted(name.lower())}"] if known else ["license: other", f"license_name: {_quoted(name.lower())}"]
    )


def _configs(config: str, summary: Mapping[str, Any]) -> list[str]:
    """What `load_dataset` reads. Only Parquet tells it the columns; from JSON Lines it guesses them, and may fail.

    A file without rows cannot be loaded.
    """
    lines = ["configs:", f"- config_name: {_quoted(config)}", "  default: true", "  data_files:"]
    for split in summary["splits"]:
        name = "validation" if split == "valid" else split
        lines += [f"  - split: {name}", f"    path: parquet/{split}.parquet"]
    for table in tables_with_rows(summary):
        lines += [f"- config_name: {_quoted(f'{config}-{table}')}", f"  data_files: {table_file(table)}"]
    return lines


def _list(name: str, values: list[str]) -> list[str]:
    """A list of the head; what is not known is not in it."""
    return [f"{name}:", *(f"- {value}" for value in values)] if values else []


def _quoted(text: str) -> str:
    """A JSON string is a YAML one, but for characters that YAML wants escaped."""
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(text, ensure_ascii=False))


def _size(number: int) -> str:
    return next((words for most, words in SIZES if number < most), "1M<n<10M")
