"""Models that read texts: vectors of word pieces in their context, from a folder as sentence-transformers has it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from measures.core.arrays import FloatArray
from measures.metrics.vectors.models import Encoder

TEXTS_AT_ONCE = 32
_PACKAGES = ("torch", "transformers")
_WEIGHTS = "*.safetensors"


def encoder_signature(folder: Path) -> str:
    """Return a folder's name with a checksum of its weights and of what says how to read texts.

    Parameters
    ----------
    folder : Path
        A model's folder.

    Returns
    -------
    str
        The name, and 16 digits of a SHA-256.

    Raises
    ------
    ValueError
        If the folder has no ``config.json``, tokenizer or weights.
    """
    files = [folder / "config.json", *sorted(folder.glob("tokenizer*.json")), *sorted(folder.glob(_WEIGHTS))]
    if not files[0].is_file() or not (folder / "tokenizer.json").is_file() or not list(folder.glob(_WEIGHTS)):
        raise ValueError(
            f"{folder}: a model's folder has config.json, tokenizer.json and weights as .safetensors; this has not"
        )
    return _signature(folder.resolve().name, tuple((file, file.stat().st_mtime_ns) for file in files))


@lru_cache(maxsize=8)
def _signature(name: str, files: tuple[tuple[Path, int], ...]) -> str:
    digest = hashlib.sha256()
    for path, _changed in files:
        digest.update(f"{path.name}\0".encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"{name}[sha256={digest.hexdigest()[:16]}]"


@lru_cache(maxsize=1)
def load_encoder(folder: Path) -> Encoder:
    """Load a model that reads texts.

    The folder is one of sentence-transformers, or of transformers: ``config.json``, ``tokenizer.json`` and weights as
    ``.safetensors``. Code from the folder is not run, weights as pickle are not read, and nothing is downloaded. A
    text is cut at the model's greatest length; marks that the model adds at the ends of texts are left out.

    Source: Zhang et al. 2020, "BERTScore: evaluating text generation with BERT", §3, with the model's last layer.

    Parameters
    ----------
    folder : Path
        The model's folder.

    Returns
    -------
    callable of sequence of str to sequence of FloatArray of shape (pieces, d)
        For each text the vectors of its word pieces, of length 1.

    Raises
    ------
    ModuleNotFoundError
        If PyTorch or transformers is not installed; it says how to install them.
    ValueError
        If the folder is no model.
    """
    encoder_signature(folder)
    try:
        torch, transformers, safetensors = map(import_module, (*_PACKAGES, "safetensors"))
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"CONTEXT wants {' and '.join(_PACKAGES)}: pip install {' '.join(_PACKAGES)}", name=error.name
        ) from error
    transformers.utils.logging.disable_progress_bar()
    given: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder), **given)
        model = transformers.AutoModel.from_pretrained(str(folder), use_safetensors=True, **given).eval()
    except (OSError, ValueError, KeyError, RuntimeError, safetensors.SafetensorError) as error:
        raise ValueError(f"{folder}: the model does not load: {error}") from error
    longest = min(tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", 512))

    def encode(texts: Sequence[str]) -> list[FloatArray]:
        order = sorted((place for place, text in enumerate(texts) if text.strip()), key=lambda place: len(texts[place]))
        found: list[FloatArray] = [np.zeros((0, model.config.hidden_size))] * len(texts)
        for first in range(0, len(order), TEXTS_AT_ONCE):
            places = order[first : first + TEXTS_AT_ONCE]
            read = tokenizer(
                [texts[place] for place in places],
                padding=True,
                truncation=True,
                max_length=longest,
                return_tensors="pt",
                return_special_tokens_mask=True,
            )
            are_marks = read.pop("special_tokens_mask").bool().numpy()
            with torch.inference_mode():
                hidden = model(**read).last_hidden_state.double().numpy()
            for place, vectors, is_mark in zip(places, hidden, are_marks, strict=True):
                pieces = vectors[~is_mark]
                found[place] = pieces / np.linalg.norm(pieces, axis=1, keepdims=True)
        return found

    return encode
