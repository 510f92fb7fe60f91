"""Import the texts, people and ratings of an existing release as a new campaign.

The campaign is closed, so nobody is given work, and freezing it again yields the same files. What a release does not
record stays unknown: how a text was written and, in a release that names no raters, who gave a rating.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from itertools import count, pairwise
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from common.jobs import Progress
from compressions.rows import MAX_GENRE_LENGTH, is_source_id
from compressions.services.outputs import system_name_fault
from corpus.formats.jsonl import CORPUS_FILE, jsonl_read
from corpus.formats.rawdata_reader import Problem, ReadLine, ReadPart, rawdata_read
from corpus.models import ImportedFacts
from corpus.release.records import ReleasedOutput, ReleasedRating, ReleasedSource, ReleasedText
from corpus.release.table_readers import statistics_refresh
from corpus.release_import.faults import source_fault
from corpus.release_import.rows import ImportedCampaign
from corpus.release_import.stated import stated_by, stated_name
from crowd.default_texts import default_texts
from crowd.models import Campaign, CampaignState
from crowd.models.people import MAX_NAME_LENGTH
from crowd.scales import DEFAULT_SCALES, Scale, default_scales, scales_dump, scales_load, told_apart
from crowd.services.campaigns import campaign_create
from measures.text.normalization import forbidden_character
from ratings.services.imported_scales import scales_keep

MAX_CORPUS_LINE_BYTES = 64 * 2**20  # a source with everything that was written and judged of it
MAX_MANIFEST_BYTES = 16 * 2**20
MAX_RAWDATA_BYTES = 512 * 2**20
SPLITS = {"train": "train", "valid": "valid", "dev": "valid", "test": "test"}
LANGUAGE_TAG, MAX_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*"), 20
_OUTPUTS = re.compile(r"(?P<split>[A-Za-z]+)_output\.(?P<system>.+)\.tsv")


@dataclass
class ReadRelease:
    """The content of a release's files, not yet stored; `orders` holds the source ids of each file in file order."""

    sources: list[ReleasedSource] = field(default_factory=list)
    scales: tuple[Scale, ...] = scales_load(default_scales())
    task: str = "single"
    problems: list[Problem] = field(default_factory=list)
    orders: list[list[str]] = field(default_factory=list)
    name: str = ""
    language: str = ""
    has_questions: bool = False
    stated: list[dict[str, Any]] = field(default_factory=list)


@transaction.atomic
def release_import(
    *,
    content: ReadRelease,
    slug: str,
    name: str,
    owner: User | None,
    progress: Progress,
    language: str = "",
) -> Campaign:
    """Create a closed campaign from the content of a release, in the `language` that staff know it to be in, if any."""
    if Campaign.objects.filter(slug=slug).exists():
        raise Refused(
            _("There is already a campaign %(slug)s. Choose another short name with --campaign.") % {"slug": repr(slug)}
        )
    if not content.sources:
        raise Refused(_("There is nothing to import: no line could be read."))
    try:
        campaign = campaign_create(
            owner=owner,
            slug=slug,
            name=name,
            state=CampaignState.CLOSED,
            rating_task=content.task,
            scales=_own_scales(content.scales),
            **({"language": language or content.language} if language or content.language else {}),
            **default_texts(),
        )
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error
    scales_keep(campaign=campaign, scales=content.scales)
    ImportedFacts.objects.create(
        campaign=campaign,
        name=content.name or name,
        language=language or content.language,
        stated=content.stated,
        has_questions=content.has_questions,
        created_at=database_now(),
    )
    ImportedCampaign(campaign, content.sources).write(progress)
    statistics_refresh()
    return campaign


def _own_scales(scales: Iterable[Scale]) -> list[dict[str, Any]]:
    """Return the scales that raters of a campaign may have, which a release of imported ratings alone does not say."""
    came = {scale.key for scale in scales if scale.numbers is not None}
    own = [scale for scale in scales if scale.numbers is None]
    free = [scale for scale in DEFAULT_SCALES if scale.key not in came]
    return scales_dump(own or free or [replace(DEFAULT_SCALES[0], key=_free_key(DEFAULT_SCALES[0].key, came))])


def _free_key(key: str, taken: set[str]) -> str:
    """Return a key like another that no scale has: a campaign has a scale of its own, though nobody rates here."""
    return next(each for number in count(2) if (each := f"{key}_{number}") not in taken)


def _without_arms(scales: tuple[Scale, ...]) -> tuple[Scale, ...]:
    """Return the scales of a release as those of a campaign that draws nobody into arms."""
    return tuple(replace(scale, arm="") if scale.arm else scale for scale in told_apart(scales))


def release_read(folder: Path) -> ReadRelease:
    """Read a release from its folder: the complete corpus file if there is one, else RawData."""
    if (folder / CORPUS_FILE).is_file():
        return _read_complete(folder)
    raw = folder / "RawData" if (folder / "RawData").is_dir() else folder
    files = sorted(path for path in raw.glob("*.tsv") if path.is_file())
    content = ReadRelease(name=stated_name(folder.name, "a folder"))
    by_id: dict[str, ReleasedSource] = {}
    for stem, split in SPLITS.items():
        for path in (path for path in files if path.stem == stem):
            _read_texts(path, split, content, by_id)
    for path in files:
        if match := _OUTPUTS.fullmatch(path.name):
            split = SPLITS.get(match["split"], match["split"])
            if reason := system_name_fault(match["system"]):
                content.problems.append(Problem(path.name, 0, reason))
            else:
                _read_outputs(path, split, match["system"], content, by_id)
    if not files:
        raise Refused(
            _("%(folder)s: there is no %(file)s and no RawData/*.tsv.") % {"folder": folder, "file": CORPUS_FILE}
        )
    content.sources = [by_id[source_id] for source_id in _ordered_ids(content)]
    _link_paragraphs(by_id)
    return content


def _ordered_ids(content: ReadRelease) -> Iterable[str]:
    """Merge the orders of the files into one consistent with each, which also places sources that have only outputs."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for file in content.orders:
        for before, after in pairwise(file):
            sorter.add(after, before)
    unique = dict.fromkeys(source_id for file in content.orders for source_id in file)
    try:
        merged = list(sorter.static_order())
    except CycleError:  # contradictory orders; this app does not write such files
        merged = []
    return dict.fromkeys([*merged, *unique])


def _read_complete(folder: Path) -> ReadRelease:
    try:
        manifest = json.loads(_file_content(folder / "manifest.json", MAX_MANIFEST_BYTES))
        scales = _without_arms(scales_load(manifest.get("scales") or default_scales()))
        with (folder / CORPUS_FILE).open("rb") as stream:
            read = enumerate(jsonl_read(_bounded_lines(stream)), start=1)
            sources = [_checked(source, line, scales) for line, source in read]
        content = ReadRelease(sources, scales, manifest.get("task", "single"))
        _read_statements(manifest, folder, content)
        return content
    except RecursionError as error:
        words = _("%(folder)s: %(file)s or manifest.json is nested too deeply.")
        raise Refused(words % {"folder": folder, "file": CORPUS_FILE}) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        words = _("%(folder)s: %(file)s and manifest.json cannot be read (%(error)s).")
        raise Refused(words % {"folder": folder, "file": CORPUS_FILE, "error": repr(error)}) from error


def _file_content(path: Path, most: int) -> bytes:
    with path.open("rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise Refused(_("%(file)s: larger than %(n)s MiB.") % {"file": path.name, "n": most // 2**20})
    return content


def _bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    for number in count(1):
        line = stream.readline(MAX_CORPUS_LINE_BYTES + 1)
        if not line:
            return
        if len(line) > MAX_CORPUS_LINE_BYTES:
            words = _("%(file)s, line %(line)s: longer than %(most)s MiB.")
            raise Refused(words % {"file": CORPUS_FILE, "line": number, "most": MAX_CORPUS_LINE_BYTES // 2**20})
        yield line


def _read_statements(manifest: dict[str, Any], folder: Path, content: ReadRelease) -> None:
    content.name = stated_name(manifest.get("release"), stated_name(folder.name, "a folder"))
    content.has_questions = bool(manifest.get("scales"))
    try:
        content.stated = stated_by(manifest)
    except Refused as refusal:
        content.problems.append(Problem("manifest.json", 0, str(refusal)))
        return
    language = content.stated[0].get("language") or ""
    content.language = language if LANGUAGE_TAG.fullmatch(language) and len(language) <= MAX_TAG else ""


def _checked(source: ReleasedSource, line: int, scales: tuple[Scale, ...]) -> ReleasedSource:
    if reason := source_fault(source, scales):
        words = _("%(file)s, line %(line)s: %(reason)s.")
        raise Refused(words % {"file": CORPUS_FILE, "line": line, "reason": reason})
    return source


def _lines(path: Path, content: ReadRelease) -> Iterator[ReadLine]:
    """Yield the valid lines of a file, and record the faults of the others in `content.problems`."""
    lines, problems = rawdata_read(path.name, _file_content(path, MAX_RAWDATA_BYTES), content.scales)
    content.problems += problems
    for line in lines:
        if reason := _line_fault(line):
            content.problems.append(Problem(path.name, line.line, reason))
        else:
            yield line


def _line_fault(line: ReadLine) -> str:
    if not is_source_id(line.source_id):
        words = _("the id %(id)s has characters other than letters, digits, . _ : -")
        return words % {"id": repr(line.source_id[:40])}
    if len(line.genre) > MAX_GENRE_LENGTH:
        return _("the genre is longer than %(most)s characters") % {"most": MAX_GENRE_LENGTH}
    judges = [judge for part in line.parts for judge in part.judges]
    for text in (line.genre, line.text, *(part.text for part in line.parts), *judges):
        if forbidden := forbidden_character(text):
            position, character = forbidden
            words = _("%(character)s at character %(n)s of %(text)s")
            return words % {"character": character, "n": position + 1, "text": repr(text[:40])}
    if any(len(judge) > MAX_NAME_LENGTH for judge in judges):
        return _("a judge id is longer than %(most)s characters") % {"most": MAX_NAME_LENGTH}
    return ""


def _read_texts(path: Path, split: str, content: ReadRelease, by_id: dict[str, ReleasedSource]) -> None:
    order: list[str] = []
    for line in _lines(path, content):
        if line.source_id in by_id:
            reason = _("the source %(id)s is already in a line above") % {"id": repr(line.source_id)}
            content.problems.append(Problem(path.name, line.line, reason))
            continue
        if not all(part.judges for part in line.parts):
            reason = _("a text has no judge id, so nothing says who wrote it")
            content.problems.append(Problem(path.name, line.line, reason))
        source = by_id[line.source_id] = _source(line, split)
        source.texts = [_text(part) for part in line.parts if part.judges]
        order.append(line.source_id)
    content.orders.append(order)


def _read_outputs(path: Path, split: str, system: str, content: ReadRelease, by_id: dict[str, ReleasedSource]) -> None:
    order: list[str] = []
    for line in _lines(path, content):
        source = by_id.setdefault(line.source_id, _source(line, split))
        order.append(line.source_id)
        if len(line.parts) > 1 or any(output.system == system for output in source.outputs):
            content.problems.append(Problem(path.name, line.line, _("more than one output for this source")))
        elif line.parts:
            part = line.parts[0]
            source.outputs.append(ReleasedOutput(system, part.text, _ratings(part.ratings)))
    content.orders.append(order)


def _source(line: ReadLine, split: str) -> ReleasedSource:
    return ReleasedSource(line.source_id, line.genre, line.text, line.sentences, "", line.source_id, split)


def _text(part: ReadPart) -> ReleasedText:
    return ReleasedText(part.text, part.judges, _ratings(part.ratings))


def _ratings(given: Iterable[Mapping[str, int]]) -> tuple[ReleasedRating, ...]:
    return tuple(ReleasedRating("", scores) for scores in given)


def _link_paragraphs(by_id: Mapping[str, ReleasedSource]) -> None:
    """Link sentences to their paragraph: the id 101_102 names a paragraph of the sentences 101 and 102."""
    for paragraph in by_id.values():
        parts = paragraph.source_id.split("_")
        for part in parts if len(parts) > 1 else ():
            if (sentence := by_id.get(part)) is not None:
                sentence.paragraph_id = sentence.family = paragraph.source_id
