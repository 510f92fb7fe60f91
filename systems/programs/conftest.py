"""PyTorch is an extra: without it, what needs it is neither imported nor tested, and the run says so."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

if find_spec("torch") is None:
    collect_ignore_glob = ["neural/*/network.py", "neural/epochs.py"]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Tests run beside each other: each computes on one core."""
    if find_spec("torch") is None:
        yield
        return
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
