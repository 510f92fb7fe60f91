"""PyTorch, which only some installations have, so used that the same is computed again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from systems.programs.models import Model
from systems.programs.neural.vocabulary import GivenVectors
from systems.programs.resources import Resources

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LACKING = "This system needs PyTorch: pip install torch"
DEVICES = ("cpu", "cuda")
Settings = TypeVar("Settings", bound="DataclassInstance")
Arrays = Mapping[str, np.ndarray]


def chosen(presets: Mapping[str, Settings], preset: str, changes: Mapping[str, Any]) -> Settings:
    """Return the settings of a preset, with changes.

    Raises
    ------
    ValueError
        If there is no such preset.
    """
    if preset not in presets:
        raise ValueError(f"the preset must be one of {', '.join(presets)}, not {preset!r}")
    return replace(presets[preset], **changes)


def require_pytorch(device: str = "cpu") -> None:
    """Raise ValueError where PyTorch, or the device, is missing.

    Parameters
    ----------
    device : str
        "cpu", or "cuda" for a graphics card.

    Raises
    ------
    ValueError
        With what to do about it.

    Examples
    --------
    >>> require_pytorch("abacus")
    Traceback (most recent call last):
    ...
    ValueError: the device must be one of cpu, cuda, not 'abacus'
    """
    if device not in DEVICES:
        raise ValueError(f"the device must be one of {', '.join(DEVICES)}, not {device!r}")
    if find_spec("torch") is None:
        raise ValueError(LACKING)
    if device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise ValueError("PyTorch finds no graphics card (cuda) on this computer: train on the device cpu")


def version() -> str:
    """Return the version of PyTorch."""
    import torch

    return str(torch.__version__)


def trained_model(known: Resources, kind: str) -> Model:
    """Return the trained system.

    Raises
    ------
    ValueError
        If it was not trained, or is another system.
    """
    if known.trained is None or known.trained.kind != kind:
        raise ValueError(f"{kind} must be trained before it is run")
    return known.trained


@contextmanager
def repeatable(seed: int) -> Iterator[None]:
    """Draw from a seed, compute the same again, and leave the random state of the process as it was."""
    import torch

    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it, cuda refuses to be repeatable
    was = torch.are_deterministic_algorithms_enabled()
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        torch.use_deterministic_algorithms(mode=True)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(mode=was)


@contextmanager
def at_work() -> Iterator[None]:
    """Compute without gradients and on one core: the steps of a search are too small to be shared."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_num_threads(threads)


def arrays_of(state: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the tensors of a network's state as arrays of their own."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in state.items()}


def begin_with(tables: Iterable[Any], given: GivenVectors) -> None:
    """Give the words of tables of vectors those that they begin with; training changes them."""
    import torch

    with torch.no_grad():
        for table in tables:
            vectors = torch.as_tensor(given.vectors, dtype=table.weight.dtype, device=table.weight.device)
            table.weight[torch.as_tensor(given.numbers, device=table.weight.device)] = vectors


def load_arrays(network: Any, arrays: Arrays) -> None:
    """Give a network the weights of arrays.

    Raises
    ------
    ValueError
        If an array is missing, is one too many, or has another shape.
    """
    import torch

    wanted = network.state_dict()
    if wanted.keys() != arrays.keys():
        names = ", ".join(sorted(wanted.keys() ^ arrays.keys()))
        raise ValueError(f"the model's arrays are not those of its network: {names}")
    for name, tensor in wanted.items():
        if tuple(tensor.shape) != arrays[name].shape:
            raise ValueError(f"the model's array {name} has the shape {arrays[name].shape}, not {tuple(tensor.shape)}")
    network.load_state_dict({name: torch.as_tensor(np.array(array)) for name, array in arrays.items()})
