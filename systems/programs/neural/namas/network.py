"""The network: a feed-forward language model that also looks at the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from measures.core.arrays import FloatArray, IntArray
from systems.programs.neural.vocabulary import BEGIN, END, PADDING, padded


@dataclass(frozen=True)
class Shape:
    """How large a network is.

    Attributes
    ----------
    words : int
        Numbers of words, those of no word included.
    dimension, hidden : int
        D and H: numbers of a word's vector, and of the hidden layer and of a source word's vector.
    context, window : int
        C, how many last words are looked at; Q, over how many source words to either side the source is smoothed.
    """

    words: int
    dimension: int
    hidden: int
    context: int
    window: int


class Batch(NamedTuple):
    """Pairs as tensors, padded: sources (n, m), contexts (n, t, C), and the words that follow these (n, t)."""

    sources: torch.Tensor
    contexts: torch.Tensor
    following: torch.Tensor

    @classmethod
    def of(cls, pairs: Sequence[tuple[IntArray, IntArray]], context: int, device: str) -> Batch:
        """Pad numbers of the words of sources and targets."""
        rows = [contexts_of(target, context) for _source, target in pairs]
        most = max(len(target) for _source, target in pairs) + 1
        contexts = np.full((len(pairs), most, context), PADDING, dtype=np.int64)
        for table, row in zip(contexts, rows, strict=True):
            table[: len(row)] = row
        tables = (
            padded([source for source, _target in pairs]),
            contexts,
            padded([np.append(target, END) for _source, target in pairs]),
        )
        return cls(*(torch.as_tensor(table, device=device) for table in tables))


def contexts_of(target: IntArray, context: int) -> IntArray:
    """Return the last words before each word of a text and before its end, shape (words + 1, context)."""
    begun = np.concatenate([np.full(context, BEGIN, dtype=np.int64), target])
    return np.lib.stride_tricks.sliding_window_view(begun, context)


class AttentionNetwork(nn.Module):
    """The model ABS of Rush et al. 2015.

    Source: Rush et al. 2015, "A neural attention model for abstractive sentence summarization", §3. The letters are
    theirs: E, U, V and h are the language model's, F, G, P and W the encoder's.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        together = shape.context * shape.dimension
        self.e = nn.Embedding(shape.words, shape.dimension)
        self.f = nn.Embedding(shape.words, shape.hidden)
        self.g = nn.Embedding(shape.words, shape.dimension)
        self.p = nn.Linear(together, shape.hidden, bias=False)
        self.u = nn.Linear(together, shape.hidden)
        self.v = nn.Linear(shape.hidden, shape.words)
        self.w = nn.Linear(shape.hidden, shape.words, bias=False)

    def renormalize(self, most: float) -> None:
        """Shorten the vectors of words that are longer than that."""
        with torch.no_grad():
            for table in (self.e, self.f, self.g):
                table.weight.renorm_(2, 0, most)

    def smoothed(self, sources: Any) -> tuple[Any, Any, Any]:
        """Return the vectors of source words, the means of each and its neighbours, and which of them are there."""
        is_there = (sources != PADDING).float()
        vectors = self.f(sources) * is_there[..., None]
        size, edge = 2 * self.shape.window + 1, self.shape.window
        sums = nn.functional.avg_pool1d(vectors.transpose(1, 2), size, stride=1, padding=edge)
        shares = nn.functional.avg_pool1d(is_there[:, None], size, stride=1, padding=edge)
        return vectors, (sums / shares.clamp(min=1e-9)).transpose(1, 2), is_there

    def attention(self, contexts: Any, vectors: Any, is_there: Any) -> Any:
        """Return how much each source word is attended to, shape (n, t, m), with sum 1."""
        asked = self.p(self.g(contexts).flatten(2))
        scores = asked @ vectors.transpose(1, 2)
        return torch.softmax(scores.masked_fill(is_there[:, None] == 0, -torch.inf), dim=2)

    def following(self, contexts: Any, encoded: Any) -> Any:
        """Return the log probabilities of the next words, shape (n, t, words)."""
        hidden = torch.tanh(self.u(self.e(contexts).flatten(2)))
        return torch.log_softmax(self.v(hidden) + self.w(encoded), dim=2)

    def forward(self, sources: Any, contexts: Any) -> tuple[Any, Any]:
        """Return the log probabilities of the next words, and the attention."""
        vectors, means, is_there = self.smoothed(sources)
        attended = self.attention(contexts, vectors, is_there)
        return self.following(contexts, attended @ means), attended

    def loss(self, batch: Batch) -> Any:
        """Return the negative log-likelihood of the targets, the mean over pairs."""
        found, _attended = self(batch.sources, batch.contexts)
        following = batch.following.reshape(-1)
        total = nn.functional.nll_loss(
            found.reshape(len(following), -1), following, ignore_index=PADDING, reduction="sum"
        )
        return total / len(batch.sources)


class Steps:
    """The network at work on one source, for several texts at once.

    Parameters
    ----------
    network : AttentionNetwork
        The network.
    source : IntArray of shape (m,)
        Numbers of the source's words, at least one.
    """

    def __init__(self, network: AttentionNetwork, source: IntArray) -> None:
        self.network, self.device = network, network.v.weight.device
        self.vectors, self.means, self.is_there = network.smoothed(torch.as_tensor(source[None], device=self.device))

    def next_words(self, contexts: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return log probabilities of the next words, shape (n, words), and the attention, shape (n, m)."""
        rows = torch.as_tensor(contexts[None], device=self.device)
        attended = self.network.attention(rows, self.vectors, self.is_there)
        found = self.network.following(rows, attended @ self.means)
        return found[0].double().cpu().numpy(), attended[0].double().cpu().numpy()
