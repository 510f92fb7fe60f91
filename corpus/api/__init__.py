"""The API of this room: systems and their outputs, releases and their files, erasure."""
