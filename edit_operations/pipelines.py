"""What the installation's spaCy pipeline offers, read from its description: loading it takes too long for a page."""

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings

from common.stored_models import PREFIX

ANY_LANGUAGE = "xx"


@dataclass(frozen=True)
class PipelineOffer:
    """The pipeline that is configured, "" for none; whether it is for the language, and whether it has word vectors."""

    name: str
    fits: bool = False
    has_vectors: bool = False


def pipeline_offer(language: str) -> PipelineOffer:
    """Return what is known of the pipeline; one in a storage is offered, and only known once it is used."""
    name: str = settings.SPACY_MODEL
    if not name or name.startswith(PREFIX):
        return PipelineOffer(name, fits=bool(name), has_vectors=bool(name))
    description = _description(name)
    vectors = description.get("vectors")
    return PipelineOffer(
        name,
        fits=description.get("lang") in {language.partition("-")[0].lower(), ANY_LANGUAGE},
        has_vectors=isinstance(vectors, dict) and bool(vectors.get("vectors")),
    )


def _description(name: str) -> dict[str, object]:
    """Return what a pipeline says of itself; nothing if it is not installed."""
    try:
        package = find_spec(name) if name.isidentifier() else None
        folder = Path(package.origin).parent if package and package.origin else Path(name)
        found = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
