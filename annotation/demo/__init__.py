"""The demonstration campaign: its texts, its guidelines, and the code that loads it."""
