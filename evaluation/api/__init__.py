"""Endpoints for reports on metrics against ratings."""
