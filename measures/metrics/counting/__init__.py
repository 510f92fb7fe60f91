"""The counts that metrics are made of: units of texts, and how many of them outputs and references share."""
