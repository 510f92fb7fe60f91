"""Without PyTorch, and with what nobody offers, the error says what to do."""

import re
import sys

import pytest

from systems.programs.models import Checkpoint, Model
from systems.programs.neural.pytorch import require_pytorch
from systems.programs.neural.tests.data import data_of, pairs_for, trained
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources

NEURAL = ("seq2seq", "abs", "abs+")


@pytest.mark.parametrize("name", NEURAL)
def test_without_pytorch_the_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    lacking = re.escape("needs PyTorch: pip install torch")
    with pytest.raises(ValueError, match=lacking):
        trained(name, data_of(pairs_for(name, 20, 1), ()))
    with pytest.raises(ValueError, match=lacking):
        SYSTEMS[name].prepare(Resources([], trained=Model(name, "en", 1)))


@pytest.mark.parametrize("name", NEURAL)
def test_a_system_that_was_not_trained_says_so(name: str) -> None:
    for model in (None, Model("ilp", "en", 1)):
        with pytest.raises(ValueError, match=re.escape(f"{name} must be trained before it is run")):
            SYSTEMS[name].prepare(Resources([], trained=model))


def test_there_is_no_graphics_card_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="train on the device cpu"):
        require_pytorch("cuda")
    with pytest.raises(ValueError, match="cpu, cuda, not 'tpu'"):
        require_pytorch("tpu")


@pytest.mark.parametrize("name", NEURAL)
def test_what_cannot_be_trained_is_refused(name: str) -> None:
    pytest.importorskip("torch")
    pairs = pairs_for(name, 20, 1)
    with pytest.raises(ValueError, match="one of cpu, paper, not 'large'"):
        trained(name, data_of(pairs, pairs), preset="large")
    with pytest.raises(ValueError, match="needs 20 pairs"):
        trained(name, data_of(pairs[:19], pairs), checkpoint=Checkpoint())
    with pytest.raises(ValueError, match="pairs of dev: 0"):
        trained(name, data_of(pairs, ()))
