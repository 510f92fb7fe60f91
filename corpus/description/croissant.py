"""Croissant metadata (MLCommons, version 1.0): what the files are, for programs that look for data.

Of its vocabulary for responsible AI (RAI 1.0) there is how texts were rated: on which scales.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from corpus.description.facts import ReleaseFacts
from corpus.formats.jsonl import CORPUS_FILE
from corpus.formats.parquet import has_parquet
from corpus.release.folder import WrittenFile

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
FORMATS = {
    "jsonl": "application/jsonlines",
    "parquet": "application/x-parquet",
    "tsv": "text/tab-separated-values",
    "md": "text/markdown",
}
# Columns that are one value for each source; what is nested is described in the card.
COLUMNS = {
    "id": ("sc:Text", "Id of the source."),
    "genre": ("sc:Text", "Genre of the source."),
    "sentences": ("sc:Integer", "1 for a sentence, 2 for a paragraph of two."),
    "paragraph": ("sc:Text", "Id of the paragraph that the sentence is part of, if any."),
    "text": ("sc:Text", "The source."),
}


def croissant(facts: ReleaseFacts, files: Iterable[WrittenFile]) -> bytes:
    release, campaign = facts.release, facts.campaign
    metadata = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": release.name,
        "description": campaign.description or f"{campaign.name}: {facts.description}",
        "license": campaign.licence or "unknown",
        "url": campaign.homepage or f"urn:precis:{release.name}",
        "version": f"{release.version}.0.0",
        "datePublished": release.created_at.date().isoformat(),
        **({"inLanguage": facts.language} if facts.language else {}),
        "rai:dataAnnotationProtocol": _protocol(facts),
        "distribution": [_file(file) for file in files],
        "recordSet": _record_sets(facts.summary),
    }
    return json.dumps(metadata, indent=1, ensure_ascii=False).encode() + b"\n"


def _protocol(facts: ReleaseFacts) -> str:
    """Say on which scales the ratings are, and which columns are derived from them."""
    scales = [f"{scale.key}: {words}." for scale, words in facts.scales]
    what = "Texts" if facts.campaign.task.judges_single_texts else "Two texts side by side"
    return " ".join(filter(None, [f"{what} are rated on these scales.", *scales, facts.derived.replace("`", "")]))


def _file(file: WrittenFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": quote(file.name),  # an id has no spaces
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.size} B",
        "encodingFormat": FORMATS.get(file.name.rpartition(".")[2], "application/octet-stream"),
        "sha256": file.sha256,
    }


def _record_sets(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A set for each split; without Parquet files, one of all rows, which say their split."""
    if has_parquet(summary):
        return [_records(split, f"parquet/{split}.parquet", COLUMNS) for split in summary["splits"]]
    return [_records("corpus", CORPUS_FILE, {"split": ("sc:Text", "Split of the source."), **COLUMNS})]


def _records(name: str, file: str, columns: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": f"{name}/{column}",
                "description": description,
                "dataType": kind,
                "source": {"fileObject": {"@id": quote(file)}, "extract": {"column": column}},
            }
            for column, (kind, description) in columns.items()
        ],
    }
