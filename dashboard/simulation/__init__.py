"""A simulated crowd: people of varying skill who work through the same services as the pages."""
