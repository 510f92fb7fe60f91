"""The demonstration campaign: its texts, its guidelines, and how it is loaded."""
