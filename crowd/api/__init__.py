"""The API of this room, and who may use the API at all."""
