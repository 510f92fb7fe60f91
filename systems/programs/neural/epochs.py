"""Training in whole epochs: each draws from a seed of its own, so that a training that was cut off gives the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from systems.programs.models import Checkpoint
from systems.programs.neural.pytorch import arrays_of, load_arrays, repeatable

Figures = dict[str, float]


@dataclass(frozen=True)
class Course:
    """How a network is trained.

    Attributes
    ----------
    network : torch.nn.Module
        The network.
    optimizer : torch.optim.Optimizer
        Changes its weights.
    batches : callable
        The batches of an epoch, drawn anew.
    loss : callable
        The loss of a batch.
    judge : callable
        Figures on dev, of the network; "dev_loss" among them.
    most_norm : float
        The gradient is made this long where it is longer.
    after_epoch : callable
        Changes the network, or the optimizer by the figures of all epochs so far.
    is_over : callable
        Says by the figures of all epochs so far whether training ends.
    is_best : callable
        Says so whether the last epoch is the best one.
    """

    network: Any
    optimizer: Any
    batches: Callable[[np.random.Generator], Iterable[Any]]
    loss: Callable[[Any], Any]
    judge: Callable[[], Figures]
    is_over: Callable[[Sequence[Figures]], bool]
    is_best: Callable[[Sequence[Figures]], bool]
    most_norm: float
    after_epoch: Callable[[Sequence[Figures]], None] = field(default=lambda _curve: None)


def train_epochs(
    course: Course, seed: int, most_epochs: int, checkpoint: Checkpoint, progress: Callable[[int, int], None]
) -> tuple[dict[str, np.ndarray], tuple[Mapping[str, float], ...]]:
    """Train a network.

    Parameters
    ----------
    course : Course
        How.
    seed : int
        Seed of what is drawn, together with the number of the epoch.
    most_epochs : int
        Epochs at most.
    checkpoint : Checkpoint
        Holds the state after the last whole epoch.
    progress : callable
        Is told how many epochs are done, and of how many.

    Returns
    -------
    dict of str to array, tuple of mapping
        The weights of the best epoch, and the figures of all epochs.
    """
    curve, best = _resumed(course, checkpoint)
    while len(curve) < most_epochs and not course.is_over(curve):
        progress(len(curve), most_epochs)
        epoch = len(curve) + 1
        drawn = np.random.SeedSequence([seed, epoch])
        with repeatable(int(drawn.generate_state(1)[0])):
            loss = _epoch(course, np.random.default_rng(drawn))
        course.network.eval()
        with torch.inference_mode():
            curve.append(dict(sorted({"epoch": float(epoch), "loss": loss, **course.judge()}.items())))
        course.after_epoch(curve)
        if course.is_best(curve):
            best = arrays_of(course.network.state_dict())
        checkpoint.write("epoch", _state(course, curve, best))
    progress(most_epochs, most_epochs)
    return best, tuple(curve)


def _epoch(course: Course, rng: np.random.Generator) -> float:
    course.network.train()
    total, number = 0.0, 0
    for batch in course.batches(rng):
        loss = course.loss(batch)
        course.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(course.network.parameters(), course.most_norm)
        course.optimizer.step()
        total, number = total + float(loss.detach()), number + 1
    return total / max(number, 1)


# The state after an epoch, as arrays


def _state(course: Course, curve: Sequence[Figures], best: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    columns = {f"curve/{name}": np.array([figures[name] for figures in curve]) for name in curve[0]}
    weights = {f"now/{name}": array for name, array in arrays_of(course.network.state_dict()).items()}
    kept = {f"best/{name}": array for name, array in best.items()}
    optimizer = course.optimizer.state_dict()
    moments = {
        f"optimizer/{number}/{name}": np.asarray(value.cpu() if isinstance(value, torch.Tensor) else value)
        for number, values in optimizer["state"].items()
        for name, value in values.items()
        if value is not None
    }
    return {**columns, **weights, **kept, **moments, "rate": np.array(optimizer["param_groups"][0]["lr"])}


def _resumed(course: Course, checkpoint: Checkpoint) -> tuple[list[Figures], dict[str, np.ndarray]]:
    state = checkpoint.read("epoch")
    if state is None:
        return [], {}
    load_arrays(course.network, _part(state, "now"))
    optimizer = course.optimizer.state_dict()
    for name, array in _part(state, "optimizer").items():
        number, _, key = name.partition("/")
        value = array.reshape(()) if key == "step" else array  # a file has no arrays without an axis
        optimizer["state"].setdefault(int(number), {})[key] = torch.as_tensor(value.copy())
    optimizer["param_groups"][0]["lr"] = state["rate"].item()
    course.optimizer.load_state_dict(optimizer)
    columns = dict(sorted(_part(state, "curve").items()))
    curve = [{name: float(column[place]) for name, column in columns.items()} for place in range(len(columns["epoch"]))]
    return curve, _part(state, "best")


def _part(state: Mapping[str, np.ndarray], part: str) -> dict[str, np.ndarray]:
    return {name.removeprefix(f"{part}/"): array for name, array in state.items() if name.startswith(f"{part}/")}
