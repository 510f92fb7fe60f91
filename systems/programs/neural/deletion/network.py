"""The network: one stack of LSTM layers that reads a sentence backwards, and then decides word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from measures.core.arrays import FloatArray, IntArray
from systems.programs.neural.deletion.examples import NOT_YET, Example
from systems.programs.neural.vocabulary import PADDING, padded

NO_LABEL = -1


@dataclass(frozen=True)
class Shape:
    """How large a network is.

    Attributes
    ----------
    words : int
        Numbers of words, those of no word included.
    embedding, hidden, layers : int
        Numbers of a word's vector and of a layer's state, and layers.
    has_parents : bool
        Whether each word comes with the one that it depends on, and that one's label.
    """

    words: int
    embedding: int
    hidden: int
    layers: int
    has_parents: bool = False


class Batch(NamedTuple):
    """Sentences as tensors of shape (n, steps), padded; `lengths` has the shape (n,)."""

    words: torch.Tensor
    lengths: torch.Tensor
    heads: torch.Tensor
    parents: torch.Tensor
    decided: torch.Tensor
    labels: torch.Tensor

    @classmethod
    def of(cls, examples: Sequence[Example], device: str) -> Batch:
        """Pad examples."""
        tables = (
            padded([example.words for example in examples]),
            np.array([len(example.words) for example in examples]),
            padded([example.heads for example in examples]),
            padded([example.parents for example in examples]),
            padded([example.decided for example in examples], NOT_YET),
            padded([example.labels for example in examples], NO_LABEL),
        )
        return cls(*(torch.as_tensor(table, device=device) for table in tables))


class DeletionNetwork(nn.Module):
    """The deletion network of Filippova et al. 2015, §3.

    Source: Filippova et al. 2015, "Sentence compression by deletion with LSTMs", §3, without the symbol at the end:
    here the length is known.

    Parameters
    ----------
    shape : Shape
        How large it is.
    dropout : float
        Share of each layer's input that is dropped in training.
    """

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.words, shape.embedding, padding_idx=PADDING)
        width = shape.embedding + 2 + (shape.embedding + 3 if shape.has_parents else 0)
        self.dropout = nn.Dropout(dropout)
        between = dropout if shape.layers > 1 else 0.0
        self.lstm = nn.LSTM(width, shape.hidden, shape.layers, batch_first=True, dropout=between)
        self.output = nn.Linear(shape.hidden, 2)
        with torch.no_grad():
            for layer in range(shape.layers):
                getattr(self.lstm, f"bias_hh_l{layer}").zero_()
                bias = getattr(self.lstm, f"bias_ih_l{layer}").zero_()
                bias[shape.hidden : 2 * shape.hidden] = 1.0  # of the forget gate

    def inputs(self, words: Any, before: Any, parents: Any, decided: Any) -> Any:
        """Return what the first layer is given.

        Parameters
        ----------
        words, before : Tensor of int64, shape (n, steps)
            Words, and labels of the words before them; `NO_LABEL` for none.
        parents, decided : Tensor of int64, shape (n, steps)
            Words that they depend on, and the labels of these; `NO_LABEL` while the sentence is read.

        Returns
        -------
        Tensor of shape (n, steps, width)
        """
        parts = [self.embedding(words), _one_hot(before, 2)]
        if self.shape.has_parents:
            parts += [self.embedding(parents), _one_hot(decided, 3)]
        return self.dropout(torch.cat(parts, dim=2))

    def read(self, batch: Batch) -> Any:
        """Read sentences backwards, and return the state after the first word of each."""
        place = torch.arange(batch.words.shape[1], device=batch.words.device)
        order = (batch.lengths[:, None] - 1 - place).clamp(min=0)
        none = torch.full_like(batch.words, NO_LABEL)
        turned = self.inputs(batch.words.gather(1, order), none, batch.parents.gather(1, order), none)
        packed = nn.utils.rnn.pack_padded_sequence(turned, batch.lengths.cpu(), batch_first=True, enforce_sorted=False)
        return self.lstm(packed)[1]

    def step(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """Return the log probabilities of the labels, shape (n, steps, 2), and the state after the last step."""
        hidden, state = self.lstm(inputs, state)
        return torch.log_softmax(self.output(hidden), dim=2), state

    def forced(self, batch: Batch) -> Any:
        """Return the log probabilities of labels, each given the true ones before it, shape (n, steps, 2)."""
        before = torch.full_like(batch.labels, NO_LABEL)
        before[:, 1:] = batch.labels[:, :-1]
        return self.step(self.inputs(batch.words, before, batch.parents, batch.decided), self.read(batch))[0]

    def loss(self, batch: Batch) -> Any:
        """Return the mean cross-entropy of the true labels."""
        found, labels = self.forced(batch), batch.labels.reshape(-1)
        return nn.functional.nll_loss(found.reshape(-1, 2), labels, ignore_index=NO_LABEL)

    def greedy(self, batch: Batch) -> Any:
        """Return the more probable label of each word in turn, shape (n, steps), whatever the length of the text."""
        state = self.read(batch)
        made = torch.full_like(batch.words, NOT_YET)
        before = torch.full_like(batch.words[:, :1], NO_LABEL)
        for place in range(batch.words.shape[1]):
            here = slice(place, place + 1)
            decided = made.gather(1, batch.heads[:, here])
            found, state = self.step(self.inputs(batch.words[:, here], before, batch.parents[:, here], decided), state)
            before = found.argmax(dim=2)
            made[:, here] = before
        return made


def _one_hot(labels: Any, number: int) -> Any:
    """Return rows with a one at the label, or without one for a label that is none."""
    return (labels[..., None] == torch.arange(number, device=labels.device)).float()


class Steps:
    """The network at work on one sentence, for several rows of labels at once.

    Parameters
    ----------
    network : DeletionNetwork
        The network.
    example : Example
        The sentence.
    """

    def __init__(self, network: DeletionNetwork, example: Example) -> None:
        self.network, self.device = network, str(network.output.weight.device)
        self.example, self.batch = example, Batch.of([example], self.device)
        self.state = network.read(self.batch)

    def log_probabilities(self, rows: IntArray, labels: IntArray) -> FloatArray:
        """Take the next step.

        Parameters
        ----------
        rows : IntArray of shape (n,)
            Of each row, which one of the step before it goes on.
        labels : IntArray of shape (n, t)
            The labels so far.

        Returns
        -------
        FloatArray of shape (n, 2)
            Log probabilities of the labels of the word at t.
        """
        number, place = labels.shape
        head = self.example.heads[place]
        none = np.full(number, NO_LABEL)
        before = labels[:, -1] if place else none
        decided = labels[:, head] if head < place else np.full(number, NOT_YET)
        here = [self.batch.words[:, place : place + 1], self.batch.parents[:, place : place + 1]]
        words, parents = (each.expand(number, 1) for each in here)
        columns = [torch.as_tensor(each[:, None], device=self.device) for each in (before, decided)]
        picked = torch.as_tensor(rows, device=self.device)
        state = tuple(part[:, picked].contiguous() for part in self.state)
        found, self.state = self.network.step(self.network.inputs(words, columns[0], parents, columns[1]), state)
        return np.asarray(found[:, 0].cpu().numpy(), dtype=np.float64)
