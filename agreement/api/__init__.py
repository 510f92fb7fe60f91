"""The API of this room: agreement reports and rating plans."""
