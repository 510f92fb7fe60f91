"""Croissant metadata (MLCommons, version 1.1): what the files are, for programs that look for data.

The record sets are the flat tables, since mlcroissant loads lists one level deep.
"""

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from corpus.description.citation import bibtex
from corpus.description.facts import ReleaseFacts
from corpus.description.responsible_ai import NOT_STATED, responsible_ai
from corpus.formats.jsonl import CORPUS_FILE
from corpus.formats.parquet import has_parquet
from corpus.formats.tables import TABLES, Columns, table_file, tables_of
from corpus.release.data_statement import lines_of
from corpus.release.folder import WrittenFile

_TERMS = (
    "annotation",
    "arrayShape",
    "citeAs",
    "column",
    "containedIn",
    "equivalentProperty",
    "excludes",
    "extract",
    "field",
    "fileProperty",
    "fileObject",
    "fileSet",
    "format",
    "includes",
    "isArray",
    "isLiveDataset",
    "jsonPath",
    "key",
    "md5",
    "parentField",
    "path",
    "readLines",
    "recordSet",
    "references",
    "regex",
    "repeated",
    "replace",
    "samplingRate",
    "sdVersion",
    "separator",
    "source",
    "subField",
    "transform",
    "unArchive",
    "value",
)
"""What stands under its own name in Croissant's vocabulary; some of it only since mlcroissant 1.1.1 wants it."""
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "prov": "http://www.w3.org/ns/prov#",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "description": {"@container": "@language"},
    "name": {"@container": "@language"},
    **{term: f"cr:{term}" for term in _TERMS},
}
FORMATS = {
    "jsonl": "application/jsonlines",
    "parquet": "application/x-parquet",
    "tsv": "text/tab-separated-values",
    "md": "text/markdown",
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
}
SPLITS = "splits"
# Licences that the Hugging Face Hub calls otherwise than SPDX does, but for capitals.
_SPDX = {"odc-by": "ODC-By-1.0", "odbl": "ODbL-1.0", "mit": "MIT", "apache-2.0": "Apache-2.0", "pddl": "PDDL-1.0"}


def croissant(facts: ReleaseFacts, files: Iterable[WrittenFile]) -> bytes:
    release, campaign, statement = facts.release, facts.campaign, facts.release.data_statement
    publisher = {"@type": "sc:Organization", "name": statement.get("publisher", NOT_STATED)}
    people = [{"@type": "sc:Person", "name": name} for name in lines_of(statement, "creators")]
    metadata = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": release.name,
        "description": campaign.description or f"{campaign.name}: {facts.description}",
        "license": _licence(campaign.licence),
        "url": campaign.homepage or f"urn:precis:{release.name}",
        "version": f"{release.version}.0.0",
        "sdVersion": f"{release.version}.0.0",
        "datePublished": release.created_at.date().isoformat(),
        **({"inLanguage": [facts.language]} if facts.language else {}),
        "keywords": ["text compression", "human judgements", *lines_of(statement, "keywords")],
        "creator": people or [publisher],
        "publisher": [publisher],
        "citeAs": bibtex(release),
        "isLiveDataset": False,
        **responsible_ai(facts),
        "distribution": [_file(file) for file in files],
        "recordSet": _record_sets(facts),
    }
    return json.dumps(metadata, indent=1, ensure_ascii=False).encode() + b"\n"


def spdx_licence(name: str) -> str:
    """Return what SPDX calls a licence; empty if SPDX lists none of this name.

    >>> spdx_licence("cc-by-4.0"), spdx_licence("our-own")
    ('CC-BY-4.0', '')
    """
    return _SPDX.get(name, name.upper()) if name.startswith(("cc-", "cc0-")) or name in _SPDX else ""


def _licence(name: str) -> str | dict[str, str]:
    """Return the address of a licence that SPDX lists, else its name: of none nobody has told the terms."""
    if listed := spdx_licence(name):
        return f"https://spdx.org/licenses/{listed}.html"
    return {"@type": "sc:CreativeWork", "name": name or NOT_STATED}


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


def _record_sets(facts: ReleaseFacts) -> list[dict[str, Any]]:
    """The splits, and a set for each table; without Parquet files, one of all sources as JSON Lines has them."""
    splits = {
        "@type": "cr:RecordSet",
        "@id": SPLITS,
        "name": SPLITS,
        "dataType": "cr:Split",
        "key": {"@id": f"{SPLITS}/name"},
        "field": [_field(SPLITS, "name", ("sc:Text", "Name of the split."))],
        "data": [{f"{SPLITS}/name": name} for name in facts.summary["splits"]],
    }
    if not has_parquet(facts.summary):
        return [splits, _records("corpus", CORPUS_FILE, TABLES["sources"])]
    tables = tables_of(facts.release.rating_scales)
    return [splits, *(_records(name, table_file(name), columns) for name, columns in tables.items())]


def _records(name: str, file: str, columns: Columns) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "key": {"@id": f"{name}/id"},
        "field": [_field(name, column, about, file) for column, about in columns.items()],
    }


def _field(of: str, column: str, about: tuple[str, str], file: str = "") -> dict[str, Any]:
    kind, description = about
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{of}/{column}",
        "name": column,
        "description": description,
        "dataType": kind,
    }
    if file:
        field["source"] = {"fileObject": {"@id": quote(file)}, "extract": {"column": column}}
    if column == "split":
        field["references"] = {"field": {"@id": f"{SPLITS}/name"}}
    if column == "source":
        field["references"] = {"field": {"@id": "sources/id"}}
    if column in {"editors", "rater"}:
        field["equivalentProperty"] = "prov:wasAttributedTo"
    return field
