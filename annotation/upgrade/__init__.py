"""Upgrades of an installation that people work in: which migrations may run while the earlier version serves."""
