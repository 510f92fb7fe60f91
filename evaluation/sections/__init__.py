"""The sections of the report: what metrics are worth, each question in a module of its own."""
