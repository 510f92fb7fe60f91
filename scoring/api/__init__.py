"""The API of this room: scores of outputs."""
