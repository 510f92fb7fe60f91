"""The Python client: against servers that are played, and against Précis itself."""
