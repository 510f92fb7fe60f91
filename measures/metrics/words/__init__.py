"""From texts to words and dependencies."""
