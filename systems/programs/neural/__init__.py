"""Systems that learn networks, on PyTorch: the deletion network and the attention model.

Modules named `network` and `epochs` import PyTorch and are themselves imported where they are used: it is an extra.
"""
