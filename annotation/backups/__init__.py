"""Backups: one file with the database and all files of an installation, and the way back from it."""
