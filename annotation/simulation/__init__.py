"""A simulated crowd: people with a skill of their own who use the same services as the pages do."""
